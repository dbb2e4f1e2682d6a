"""Measures many accesses one after the other, for a file: what goes wrong with one does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from warpviz.gpu.errors import GpuError
from warpviz.gpu.measurement import Counts, Measurement, Unavailable
from warpviz.gpu.probe import Probe
from warpviz.gpu.recorded import Entry
from warpviz.gpu.request import Counters, ProbeRequest, wants_counters

Told = Callable[[int, str], None]

_BATCH = 100  # accesses that are handed over together; those to be counted go into one run of Nsight Compute
_MOST_FAULTS = 3  # one after the other: then the GPU is taken to be lost
_COUNT_SECONDS = 60.0  # for a run of Nsight Compute, and _EACH_COUNT_SECONDS for each access in it
_EACH_COUNT_SECONDS = 2.0
_UNCOUNTED = Unavailable("the recording ended before the counters were read")


@dataclass(frozen=True)
class Subject:
    """An access to record. labels: what it is called."""

    labels: tuple[str, ...]
    request: ProbeRequest


@dataclass
class Batch:
    """What came of some subjects. refused: those that could not be measured, each with the sentence that says why."""

    entries: list[Entry] = field(default_factory=list)
    refused: list[tuple[Subject, str]] = field(default_factory=list)


class Recorder:
    """Measures subjects by a probe. told: is given how many are done, and what is going on, in a few words."""

    def __init__(self, probe: Probe, counters: Counters, told: Told) -> None:
        self._probe = probe
        self._counters = counters
        self._told = told
        self._done = 0
        self._faults = 0  # one after the other, until now
        self._no_counters: Unavailable | None = None

    def record(self, subjects: Sequence[Subject]) -> Iterator[Batch]:
        """Batches of measurements, the first one of a single access, so that it is soon known what the GPU is.

        Raises GpuError when there is no GPU, or no counters where they are required, or after three faults one after
        the other; and KeyboardInterrupt. Before it raises it gives the batch that was under way, as far as it got.
        """
        for some in _batches(subjects):
            batch = Batch()
            try:
                self._measure(some, batch)
                self._count(batch)
                self._told(self._done, "measured")
            except (GpuError, KeyboardInterrupt):
                yield batch
                raise
            yield batch

    def _measure(self, subjects: Sequence[Subject], batch: Batch) -> None:
        for subject in subjects:
            self._told(self._done, "measuring")
            try:
                measurement = self._probe.measure(replace(subject.request, counters="off"))
            except GpuError as error:
                self._note(error)
                batch.refused.append((subject, error.sentence))
                self._done += 1
            else:
                self._faults = 0
                measurement = self._probe.read_code(measurement)
                to_count = wants_counters(self._counters, measurement)
                batch.entries.append(
                    Entry(subject.labels, replace(measurement, counters=_UNCOUNTED) if to_count else measurement)
                )
                self._done += not to_count

    def _count(self, batch: Batch) -> None:
        places = [i for i, entry in enumerate(batch.entries) if entry.measurement.counters is _UNCOUNTED]
        if not places:
            return
        counted = self._counts([batch.entries[i].measurement for i in places])
        for i, counts in zip(places, counted, strict=True):
            entry = batch.entries[i]
            batch.entries[i] = replace(entry, measurement=replace(entry.measurement, counters=counts))
        self._done += len(places)

    def _counts(self, measurements: Sequence[Measurement]) -> Sequence[Counts | Unavailable]:
        if self._no_counters is not None:
            return [self._no_counters] * len(measurements)
        limit = _COUNT_SECONDS + _EACH_COUNT_SECONDS * len(measurements)
        patterns = [measurement.access for measurement in measurements]
        try:
            counted = self._probe.count(patterns, progress=partial(self._told, self._done), timeout_s=limit)
        except GpuError as error:
            self._note(error)
            return [Unavailable(error.sentence)] * len(measurements)
        self._faults = 0
        if len(set(counted)) == 1 and isinstance(counted[0], Unavailable):
            if self._counters == "require":
                raise GpuError("no_counters", counted[0].reason)
            if len(counted) > 1:  # whatever the access is, so for all that follow too
                self._no_counters = counted[0]
        return counted

    def _note(self, error: GpuError) -> None:
        """Raises the error when it is no use to go on."""
        if error.kind == "refused":
            self._faults = 0
            return
        self._faults += 1
        if error.kind not in ("failed", "timed_out") or self._faults >= _MOST_FAULTS:
            raise error


def _batches(subjects: Sequence[Subject]) -> Iterator[Sequence[Subject]]:
    """The first one alone, then parts of the rest that each have some of every kind, so that all take equally long."""
    if subjects:
        yield subjects[:1]
    rest = subjects[1:]
    parts = -(-len(rest) // _BATCH)
    for part in range(parts):
        yield rest[part::parts]
