"""Races of random kernels, against every two accesses of single threads held against each other."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kernel.hazardous import hazards_of_ptx
from tests.kernel.shared_programs import BLOCK, GRID, Statement, accesses, as_ptx, programs, race, racing


def key(*ends: tuple[int, str]) -> tuple[tuple[int, str], ...]:
    return tuple(sorted(ends))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs(), st.sampled_from([1, BLOCK, 1 << 16]))
def test_what_races_and_what_does_not(statements: Sequence[Statement], chunk_threads: int) -> None:
    hazards = hazards_of_ptx(as_ptx(statements), grid=GRID, block=BLOCK, chunk_threads=chunk_threads)
    blocks = [accesses(statements, block) for block in range(GRID)]
    expected = {key(*((end.touch.line, end.touch.op) for end in pair)) for found in blocks for pair in racing(found)}
    races = [hazard for hazard in hazards if hazard.kind == "race"]
    assert {key(*zip(hazard.lines, hazard.ops, strict=True)) for hazard in races} == expected
    for hazard in races:
        ends = zip(hazard.lines, hazard.ops, hazard.threads, strict=True)
        one, other = (
            [
                access
                for access in blocks[hazard.block[0]]
                if (access.touch.line, access.touch.op, access.thread, access.word)
                == (line, op, thread[0], hazard.word)
            ]
            for line, op, thread in ends
        )
        assert any(race(first, second) for first in one for second in other), hazard
    # What one of several atomics finds first depends on their order.
    if not races and all(access.touch.op != "red" for found in blocks for access in found):
        unwritten = {
            access.touch.line
            for found in blocks
            for place, access in enumerate(found)
            if access.touch.op == "ld"
            and not any(other.word == access.word and other.touch.op == "st" for other in found[:place])
        }
        assert {hazard.lines[0] for hazard in hazards if hazard.kind == "uninitialised"} == unwritten
