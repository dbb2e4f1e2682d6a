"""Atomics and copies cost what Nsight Compute counted of them on an H200, one warp of each."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import DATA
from warpviz.hardware import LANES
from warpviz.kernel.counting import Count, Counter, totals
from warpviz.kernel.memory.observing import Half, Kind, Threads

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_LANE = np.arange(LANES).reshape(1, 1, LANES)
_ONE_WARP = Threads.of_chunk(1, 1)


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(file))


def sorted_in(row: dict[str, str]) -> str:
    return "-".join(row.values())


@pytest.mark.parametrize("row", rows("h200_atomics.csv"), ids=sorted_in)
def test_a_global_atomic_touches_the_sectors_counted(row: dict[str, str]) -> None:
    """Of smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red or _atom, at the element tid * times / over % modulo."""
    width = int(row["width"])
    element = _LANE * int(row["times"]) // int(row["over"]) % int(row["modulo"])
    counter = Counter()
    kind = Kind(0, 1, f"{row['op']}.global", "global", "atom" if row["op"] == "atom" else "red", width, f"b{8 * width}")
    counter.access(kind, element * width, None, _ONE_WARP)
    assert (counter.counts[kind].requests, counter.counts[kind].sectors) == (1, int(row["sectors"]))


def copied(
    cached: str,
    width: int,
    source: Ints,
    target: Ints,
    reading: Bools | None = None,
    writing: Bools | None = None,
    threads: Threads = _ONE_WARP,
) -> tuple[Count, Count]:
    """What cp.asyncs cost: (where they read, where they write)."""
    name, element = f"cp.async.{cached}.shared.global", f"b{8 * min(width, 8)}"
    read = Kind(0, 1, name, "global", "ld", width, element)
    written = Kind(0, 1, name, "shared", "st", width, element)
    counter = Counter()
    counter.copy(Half(read, source, reading), Half(written, target, writing), threads)
    return counter.counts[read], counter.counts[written]


@pytest.mark.parametrize("row", rows("h200_copies.csv"), ids=sorted_in)
def test_a_copy_takes_the_sectors_and_wavefronts_counted(row: dict[str, str]) -> None:
    """Of smsp__sass_…_op_ldgsts, with strides in units of the width and an offset in bytes."""
    width = int(row["width"])
    source = _LANE * width * int(row["read_stride"]) + int(row["read_offset"])
    read, written = copied(row["cached"], width, source, _LANE * width * int(row["write_stride"]))
    counted = tuple(int(row[name]) for name in ("sectors", "wavefronts", "ideal_wavefronts"))
    assert (read.sectors, written.wavefronts, written.ideal_wavefronts) == counted
    assert written.conflicts == written.wavefronts - written.ideal_wavefronts
    assert (read.requests, written.requests, written.accesses) == (1, 1, 1)


def test_lanes_that_do_not_copy_cost_nothing() -> None:
    first = _LANE < 8
    read, written = copied("cg", 16, 16 * _LANE, 16 * _LANE, reading=first, writing=first)
    assert (read.lanes, read.sectors, written.lanes, written.wavefronts, written.ideal_wavefronts) == (8, 4, 8, 1, 1)


def test_lanes_that_read_nothing_write_all_the_same() -> None:
    """src-size 0: zeros are written."""
    read, written = copied("ca", 4, 4 * _LANE, 4 * _LANE, reading=_LANE < 8)
    assert (read.lanes, read.sectors, written.lanes, written.wavefronts) == (8, 1, 32, 1)
    read, written = copied("cg", 16, 16 * _LANE, 16 * _LANE, reading=_LANE < 0)
    assert (read.accesses, read.sectors, written.accesses, written.wavefronts) == (0, 0, 1, 4)


def test_many_copies_cost_what_each_costs() -> None:
    """Warps that copy otherwise, some of them not at all, beside the same one by one."""
    generator = np.random.default_rng(5)
    shape = (3, 4, LANES)
    source = 16 * generator.integers(0, 200, shape)
    target = 16 * np.argsort(generator.random(shape), axis=2)
    writing = generator.random(shape) < generator.choice([0, 0.5, 1], (3, 4, 1))
    reading = writing & (generator.random(shape) < 0.8)
    for cached in ("ca", "cg"):
        read, written = Count(), Count()
        for place in np.ndindex(3, 4):
            if writing[place].any():
                one, other = copied(
                    cached, 16, *(each[place][None, None] for each in (source, target, reading, writing))
                )
                read.add(one)
                written.add(other)
        assert copied(cached, 16, source, target, reading, writing, Threads.of_chunk(3, 4)) == (read, written)


@pytest.mark.parametrize(("lanes_a_word", "wavefronts"), [(1, 1), (4, 1), (32, 1)])
def test_an_atomic_that_merges_has_no_conflict_within_a_word(lanes_a_word: int, wavefronts: int) -> None:
    """ATOMS.POPC.INC: of histogram_per_warp.cu 25,189 wavefronts were counted; lanes on their own would make 27,853."""
    kind = Kind(0, 1, "atom.shared.add.u32", "shared", "red", 4, "u32", merges=True)
    counter = Counter()
    counter.access(kind, _LANE // lanes_a_word * 4, None, _ONE_WARP)
    assert counter.counts[kind].wavefronts == wavefronts
    counter.access(kind, _LANE * 4 * LANES, None, _ONE_WARP)
    assert totals(counter.counts)["shared_atom"].conflicts == LANES - 1
