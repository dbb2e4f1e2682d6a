"""Recorded files compared: what several GPUs counted and how fast they were, beside the prediction. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from warpviz.gpu import Bandwidth, Conditions, Counts, FrozenAccess, Gpu, Measurement, Verdict, compare
from warpviz.gpu.recorded import Entry
from warpviz.model import Cost, predict

QUANTITIES = ("requests", "sectors", "lines", "wavefronts", "conflicts")
_SLOWER = 0.05  # than the others of its model by more than this share, and a GPU is named
_REMEMBERED = 20_000  # predictions: files of many GPUs hold the same accesses


@dataclass(frozen=True)
class Recording:
    """What a file holds. name: of the file. entries: by the access's fingerprint."""

    name: str
    gpu: Gpu
    entries: Mapping[str, Entry]


@dataclass(frozen=True)
class Difference:
    """A count that is not the same everywhere. labels: what the access is called. counts: of each file, for one access;
    None where it was not measured."""

    labels: tuple[str, ...]
    access: FrozenAccess
    quantity: str
    predicted: int
    counts: tuple[float | None, ...]


@dataclass(frozen=True)
class Kind:
    """The accesses that one rule of the model is for. width: bytes a lane."""

    space: str
    op: str
    width: int
    matrices: int | None

    def __str__(self) -> str:
        """
        >>> str(Kind("shared", "ld", 8, None)), str(Kind("shared", "ldmatrix", 16, 4))
        ('shared ld 8 bytes', 'shared ldmatrix x4')
        """
        if self.matrices is not None:
            return f"{self.space} {self.op} x{self.matrices}"
        return f"{self.space} {self.op} {self.width} byte{'' if self.width == 1 else 's'}"


@dataclass(frozen=True)
class KindCompared:
    """accesses: how many of this kind have a count to compare. differing: how many of them have one that differs."""

    kind: Kind
    accesses: int
    differing: int


@dataclass(frozen=True)
class Throughput:
    """A pattern of global memory in time, in each file; None where it was not timed.

    useful_gb_per_second: bytes that the lanes touch. of_copy: bytes moved a second, as a share of a plain copy's.
    """

    labels: tuple[str, ...]
    kind: Kind
    useful_gb_per_second: tuple[float | None, ...]
    of_copy: tuple[float | None, ...]


@dataclass(frozen=True)
class Pace:
    """How fast the GPU of a file is, over the accesses in common; None for what was not timed.

    cycles_per_wavefront: of shared memory, the least, the median and the largest. copy_gb_per_second: of a plain copy,
    the median. sm_mhz: the clock, the median. throttled: the share of the measurements at which something held the
    clocks back. slower_by: over the patterns of global memory, the median of how many bytes a second it falls short of
    the median GPU of its model (of two GPUs: the faster), as a share; None up to 5 %.
    """

    cycles_per_wavefront: tuple[float, float, float] | None
    copy_gb_per_second: float | None
    sm_mhz: float | None
    throttled: float | None
    slower_by: float | None


@dataclass(frozen=True)
class Compared:
    """common: how many accesses all files hold. counts: how many counts were compared, each over all the files.

    A count is compared where two files have it; of one file alone, with the prediction. differences: the counts that
    are not equal. off: how many counts of each file are not the predicted ones. paces: of each file.
    """

    recordings: tuple[Recording, ...]
    common: int
    counts: int
    differences: tuple[Difference, ...]
    off: tuple[int, ...]
    kinds: tuple[KindCompared, ...]
    throughputs: tuple[Throughput, ...]
    paces: tuple[Pace, ...]


def verdict_of(measurement: Measurement) -> Verdict:
    """The measurement beside the prediction for its own GPU."""
    return compare(_predicted(measurement.access, measurement.gpu.arch), measurement)


def compare_recordings(recordings: Sequence[Recording]) -> Compared:
    """recordings: one or more. The prediction is for the GPU of the first."""
    common = _common(recordings)
    counted = [row for entries in common for row in _counted(entries, recordings[0].gpu.arch)]
    differences = tuple(row for row in counted if _differs(row))
    throughputs = tuple(row for entries in common if (row := _throughput(entries)) is not None)
    return Compared(
        recordings=tuple(recordings),
        common=len(common),
        counts=len(counted),
        differences=differences,
        off=tuple(
            sum(row.counts[place] not in (None, row.predicted) for row in counted) for place in range(len(recordings))
        ),
        kinds=_kinds(counted),
        throughputs=throughputs,
        paces=_paces(recordings, common),
    )


Common = Sequence[Sequence[Entry]]  # for each access that all files hold, its entry in each


def _common(recordings: Sequence[Recording]) -> Common:
    first, *others = recordings
    return [
        [entry, *(other.entries[name] for other in others)]
        for name, entry in sorted(first.entries.items())
        if all(name in other.entries for other in others)
    ]


def _counted(entries: Sequence[Entry], arch: str) -> Iterator[Difference]:
    """Each count of an access that can be compared, whether it differs or not."""
    measured = [_counts(entry.measurement) for entry in entries]
    access = entries[0].measurement.access
    cost = _predicted(access, arch)
    for quantity in QUANTITIES:
        counts = tuple(each.get(quantity) for each in measured)
        predicted = getattr(cost, quantity)
        if predicted is not None and sum(count is not None for count in counts) >= min(2, len(counts)):
            yield Difference(_labels(entries), access, quantity, int(predicted[0]), counts)


def _counts(measurement: Measurement) -> dict[str, float]:
    """What was counted for one access: by counters, and by time where they have no answer."""
    counts: dict[str, float] = {}
    slope = measurement.wavefronts
    if slope is not None and slope.count is not None:
        counts[measurement.timed_quantity] = slope.count
    if isinstance(measurement.counters, Counts):
        for name in QUANTITIES:
            count: float | None = getattr(measurement.counters, name)
            if count is not None:
                counts[name] = count
    return counts


def _differs(row: Difference) -> bool:
    """Between the files; of one file, from the prediction."""
    known = {count for count in row.counts if count is not None}
    return len(known) > 1 or (len(row.counts) == 1 and known != {row.predicted})


def _kinds(counted: Sequence[Difference]) -> tuple[KindCompared, ...]:
    """By kind, in the order of their names: how many accesses have a count that differs."""
    accesses: dict[Kind, set[FrozenAccess]] = {}
    differing: dict[Kind, set[FrozenAccess]] = {}
    for row in counted:
        kind = kind_of(row.access)
        accesses.setdefault(kind, set()).add(row.access)
        if _differs(row):
            differing.setdefault(kind, set()).add(row.access)
    ordered = sorted(accesses, key=lambda kind: (kind.space, kind.op, kind.width, kind.matrices or 0))
    return tuple(KindCompared(kind, len(accesses[kind]), len(differing.get(kind, ()))) for kind in ordered)


def kind_of(access: FrozenAccess) -> Kind:
    return Kind(access.space, access.op, access.width, access.matrices)


def _throughput(entries: Sequence[Entry]) -> Throughput | None:
    """None where no file has timed it."""
    bandwidths = [_bandwidth(entry) for entry in entries]
    if not any(bandwidths):
        return None
    return Throughput(
        _labels(entries),
        kind_of(entries[0].measurement.access),
        tuple(None if bandwidth is None else bandwidth.useful_gb_per_second for bandwidth in bandwidths),
        tuple(None if bandwidth is None else bandwidth.of_copy for bandwidth in bandwidths),
    )


def _bandwidth(entry: Entry) -> Bandwidth | None:
    found = entry.measurement.bandwidth
    return found if isinstance(found, Bandwidth) else None


def _paces(recordings: Sequence[Recording], common: Common) -> tuple[Pace, ...]:
    files = [[entries[place] for entries in common] for place in range(len(recordings))]
    slower = _slower(recordings, common)
    return tuple(
        Pace(_cycles(file), _copy(file), *_clocks(file), slower.get(place)) for place, file in enumerate(files)
    )


def _cycles(entries: Sequence[Entry]) -> tuple[float, float, float] | None:
    """Cycles a wavefront, of the accesses of shared memory whose time tells the wavefronts."""
    slopes = [entry.measurement.wavefronts for entry in entries if entry.measurement.access.space == "shared"]
    cycles = [slope.cycles_per_access / slope.count for slope in slopes if slope is not None and slope.count]
    return (min(cycles), statistics.median(cycles), max(cycles)) if cycles else None


def _copy(entries: Sequence[Entry]) -> float | None:
    copies = [bandwidth.copy_gb_per_second for entry in entries if (bandwidth := _bandwidth(entry)) is not None]
    return statistics.median(copies) if copies else None


def _clocks(entries: Sequence[Entry]) -> tuple[float | None, float | None]:
    """The median SM clock, and the share of the measurements that were throttled, of those that tell."""
    conditions = [c for entry in entries if isinstance(c := entry.measurement.conditions, Conditions)]
    clocks = [c.sm_mhz for c in conditions if c.sm_mhz is not None]
    throttled = [bool(c.throttled) for c in conditions if c.throttled is not None]
    return statistics.median(clocks) if clocks else None, statistics.mean(throttled) if throttled else None


def _slower(recordings: Sequence[Recording], common: Common) -> dict[int, float]:
    """The places of the files whose GPU moves fewer bytes a second than the others of its model, and by which share."""
    models: dict[str, list[int]] = {}
    for place, recording in enumerate(recordings):
        models.setdefault(recording.gpu.name, []).append(place)
    shares: dict[int, list[float]] = {place: [] for place in range(len(recordings))}
    for entries in common:
        for places in models.values():
            for place, share in _shares_missing([entries[place] for place in places]).items():
                shares[places[place]].append(share)
    slower = {place: statistics.median(missing) for place, missing in shares.items() if missing}
    return {place: share for place, share in slower.items() if share > _SLOWER}


def _shares_missing(entries: Sequence[Entry]) -> dict[int, float]:
    """By how much of the usual speed each of these is slower; empty for one alone. Of two the faster is the usual."""
    speeds = {i: b.moved_gb_per_second for i, entry in enumerate(entries) if (b := _bandwidth(entry)) is not None}
    if len(speeds) < 2:
        return {}
    usual = statistics.median_high(speeds.values())
    return {i: 1 - speed / usual for i, speed in speeds.items()}


def _labels(entries: Sequence[Entry]) -> tuple[str, ...]:
    """What the access is called in any of the files."""
    return tuple(dict.fromkeys(label for entry in entries for label in entry.labels))


@lru_cache(maxsize=_REMEMBERED)
def _predicted(access: FrozenAccess, arch: str) -> Cost:
    return predict(access.access(), arch)
