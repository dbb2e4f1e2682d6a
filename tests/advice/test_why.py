"""Why an access costs what it costs: the sentences themselves."""

# ruff: noqa: E501  (a sentence is read on one line, as on the screen)

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from tests.advice.reasons import reasons
from tests.expression.ask import ask
from warpviz.advice.why import Reason
from warpviz.expression import Pattern, parse
from warpviz.scene import find_scene, shipped_scenes


def told(all_reasons: tuple[Reason, ...]) -> list[str]:
    """The sentences, each after its tone and subject, without the counters and what is not modelled."""
    explained = [reason for reason in all_reasons if reason.subject not in ("counted as", "not modelled")]
    return [f"{reason.tone} | {reason.subject} | {reason.text}" for reason in explained]


def scene_sentences() -> Iterator[tuple[str, str, dict[str, int], list[str]]]:
    """Scene, access, knobs other than the defaults, and the sentences: the blocks of scenes.txt."""
    for block in (Path(__file__).parent / "scenes.txt").read_text(encoding="utf-8").strip().split("\n\n"):
        title, *sentences = block.split("\n")
        scene, access, *knobs = title.split(" | ")
        values = {name: int(value) for name, value in (knob.split("=") for knob in knobs)}
        yield scene, access, values, [sentence.strip() for sentence in sentences]


SCENES = list(scene_sentences())


@pytest.mark.parametrize(("scene", "access", "values", "sentences"), SCENES)
def test_scenes(scene: str, access: str, values: dict[str, int], sentences: list[str]) -> None:
    found = find_scene(scene)
    (pattern,) = [each.pattern for each in found.accesses if each.name == access]
    assert told(reasons(parse(pattern).evaluate(found.defaults() | values))) == sentences


def test_every_shipped_access_is_among_them() -> None:
    shipped = {(scene.name, access.name) for scene in shipped_scenes() for access in scene.accesses}
    assert {(scene, access) for scene, access, _, _ in SCENES} == shipped


PATTERNS: list[tuple[Pattern, dict[str, int], str]] = [
    (
        Pattern("s[lane*lane]"),
        {},
        """
        bad | bank 4 | lanes 2, 6, 10, … 30 want words 4, 36, 100, … 900: eight words of bank 4, so 8 passes
        plain | banks | bank 4 alone has eight words; 6 others have fewer, 25 none
        plain | index | lane*lane takes 32 different values
        """,
    ),
    (
        Pattern("c[lane]", declarations="__shared__ char c[99];"),
        {},
        """
        good | no conflict | 32 lanes want 8 words in 8 different banks: one pass
        good | broadcast | at 1 byte a lane each word serves 4 lanes: broadcast, no extra pass
        """,
    ),
    (
        Pattern("s[lane]", where="lane == 5"),
        {},
        """
        good | no conflict | lane 5 alone wants word 5: one pass
        """,
    ),
    (
        Pattern("s[lane]", where="lane > 40"),
        {},
        """
        plain | no lane | no lane takes part: nothing is asked for, no pass
        """,
    ),
    (
        Pattern("p[lane]", declarations="float* p;", where="lane > 40"),
        {},
        """
        plain | no lane | no lane takes part: nothing is asked for, no sector
        """,
    ),
    (
        Pattern("t[lane]", declarations="__constant__ int t[32];", where="lane > 40"),
        {},
        """
        plain | no lane | no lane takes part: nothing is asked for, no request
        """,
    ),
    (
        Pattern("((float4*)s)[3]"),
        {},
        """
        good | broadcast | the address is uniform across the warp: four words, broadcast to 32 lanes in 2 passes, one a phase
        plain | phases | 16 bytes a lane: 2 phases of 16 lanes, 1 pass each: 2 passes
        good | pairs | lanes have equal addresses in pairs: a load then has phases of 16 lanes, not 8
        """,
    ),
    (
        Pattern("((float4*)s)[3]", op="st"),
        {},
        """
        good | broadcast | 32 lanes write the same four words, where one lane's value stays, in 4 passes, one a phase
        plain | phases | 16 bytes a lane: 4 phases of 8 lanes, 1 pass each: 4 passes
        plain | pairs | lanes have equal addresses in pairs: a load would have phases of 16 lanes, a store has not
        """,
    ),
    (
        Pattern("((float4*)s)[lane < 28 ? lane/2 : lane]"),
        {},
        """
        bad | bank 16 | phase 4: lanes 24, 28 want words 48, 112: two words of bank 16, so 2 passes
        plain | banks | phase 4: banks 16, 17, 18, … 23 have two words each; 8 others have fewer, 16 none
        plain | phases | 16 bytes a lane: 4 phases of 8 lanes, 1 + 1 + 1 + 2: 5 passes
        plain | pairs | only lanes 28 to 31 are not equal in pairs: if they were, phases would have 16 lanes, not 8
        plain | index | lane < 28 ? lane/2 : lane takes 18 different values
        """,
    ),
    (
        Pattern("((float4*)s)[lane < 16 ? lane/2 : lane % 2 + lane/4*2]"),
        {},
        """
        good | no conflict | in each of 4 phases no bank has two words: 4 passes
        plain | phases | 16 bytes a lane: 4 phases of 8 lanes, 1 pass each: 4 passes
        plain | pairs | some lanes are equal to l^1, some to l^2: if all were to one of them, phases would have 16 lanes, not 8
        good | broadcast | each word serves 2 lanes: broadcast, no extra pass
        plain | index | lane < 16 ? lane/2 : lane%2 + lane/4*2 takes 16 different values
        """,
    ),
    (
        Pattern("d[lane]", declarations="__shared__ double d[64];", where="lane % 2"),
        {},
        """
        bad | bank 2 | lanes 1, 17 want words 2, 34: two words of bank 2, so 2 passes
        plain | banks | banks 2, 3, 6, … 31 have two words each; the other 16 have none
        plain | stride | 8 bytes from lane to lane, 1 pair of banks: 1 and 16 pairs share no factor, so 16 lanes in a row reach every pair
        plain | phases | 8 bytes a lane: 1 phase of 32 lanes, 2 passes
        plain | pairs | no pair of lanes has both active, so none differs: a load then has phases of 32 lanes, not 16
        """,
    ),
    (
        Pattern("u[lane / 2]", declarations="__shared__ unsigned long long u[64];", op="atom"),
        {},
        """
        bad | bank 0 | phase 1: no broadcast: 2 lanes update word 0, so 2 passes
        plain | banks | phase 1: banks 0, 1, 2, … 15 have two lanes each; the other 16 have none
        plain | phases | 8 bytes a lane: 2 phases of 16 lanes, 2 passes each: 4 passes
        plain | pairs | lanes have equal addresses in pairs: a load would have phases of 32 lanes, an atomic has not
        plain | index | lane/2 takes 16 different values
        """,
    ),
    (
        Pattern("b[lane*lane % 64]", declarations="__shared__ unsigned b[64];", op="red"),
        {},
        """
        bad | bank 4 | no broadcast: lanes 2, 6, 10, … 30 update two words of bank 4, one lane a pass, so 8 passes
        plain | banks | bank 4 alone has eight lanes; 6 others have fewer, 25 none
        plain | index | lane*lane%64 takes 12 different values (lane*lane takes 32 different values)
        """,
    ),
    (
        Pattern("*(uint4*)&A[lane][0]", declarations="__shared__ half A[32][72];", op="ldmatrix", matrices=2),
        {},
        """
        good | no conflict | in each of 2 phases no bank has two words: 2 passes
        good | stride | 144 bytes from lane to lane, 9 groups of banks: 9 and 8 groups share no factor, so 8 lanes in a row reach every group
        plain | phases | ldmatrix .x2 reads the rows that lanes 0 to 15 point to: 2 phases of 8 lanes, 1 pass each: 2 passes
        """,
    ),
    (
        Pattern("h[lane & 3]", declarations="unsigned* h;", op="atom"),
        {},
        """
        bad | rounds | lanes 0, 4, 8, … 28 update one address, byte 0: 8 lanes take 8 rounds
        plain | rounds | 8 rounds of 1 sector each: 8 sectors in all
        plain | sectors | each 32-byte sector serves 4 lanes in each round
        bad | bytes | 128 of the 256 bytes that move are used: 50%
        plain | index | lane & 3 takes 4 different values
        """,
    ),
    (
        Pattern("h[lane*lane % 7 * 9]", declarations="unsigned* h;", op="red"),
        {},
        """
        bad | rounds | lanes 1, 6, 8, … 29 update one address, byte 36: 9 lanes take 9 rounds
        plain | rounds | the 9 rounds move 4, 4, 4, … 3 sectors: 32 sectors in all
        plain | sectors | each 32-byte sector serves 1 lane in each round
        bad | bytes | 128 of the 1,024 bytes that move are used: 12.5%
        plain | index | lane*lane%7*9 takes 4 different values
        """,
    ),
    (
        Pattern("p[32*lane]", declarations="float* p;"),
        {},
        """
        bad | sectors | stride 128 bytes: each lane has a sector of its own and uses 4 of its 32 bytes
        bad | bytes | 128 of the 1,024 bytes that move are used: 12.5%
        plain | lines | 32 sectors in 32 lines of 128 bytes, where 8 lines could hold them
        plain | index | 32*lane grows by 32 a lane
        """,
    ),
    (
        Pattern("p[31 - lane]", declarations="float* p;"),
        {},
        """
        good | coalesced | stride -4 bytes: every byte of the 4 sectors is used; a sector serves 8 lanes
        plain | index | 31 - lane falls by 1 a lane
        """,
    ),
    (
        Pattern("s[31 - lane]"),
        {},
        """
        good | no conflict | 32 lanes want 32 different banks: one pass
        good | stride | 1 word back from lane to lane: 1 and 32 banks share no factor, so 32 lanes in a row reach every bank
        plain | index | 31 - lane falls by 1 a lane
        """,
    ),
    (
        Pattern("d[31 - lane]", declarations="__shared__ double d[32];"),
        {},
        """
        good | no conflict | in each of 2 phases no bank has two words: 2 passes
        good | stride | 8 bytes back from lane to lane, 1 pair of banks: 1 and 16 pairs share no factor, so 16 lanes in a row reach every pair
        plain | phases | 8 bytes a lane: 2 phases of 16 lanes, 1 pass each: 2 passes
        plain | index | 31 - lane falls by 1 a lane
        """,
    ),
    (
        Pattern("p[31 - lane]", declarations="char* p;"),
        {},
        """
        good | coalesced | stride -1 byte: every byte of the 1 sector is used; a sector serves 32 lanes
        plain | index | 31 - lane falls by 1 a lane
        """,
    ),
    (
        Pattern("p[3]", declarations="char* p;"),
        {},
        """
        plain | sectors | the address is uniform across the warp: 1 sector serves 32 lanes, 1 of its 32 bytes is used
        bad | bytes | 1 of the 32 bytes that move is used: 3.12%
        """,
    ),
    (
        Pattern("p[3]", declarations="char* p;", where="lane == 9"),
        {},
        """
        plain | sectors | lane 9 alone: 1 of its sector's 32 bytes is used
        bad | bytes | 1 of the 32 bytes that move is used: 3.12%
        """,
    ),
    (
        Pattern("s[3]", op="st"),
        {},
        """
        good | broadcast | 32 lanes write the same word, where one lane's value stays, in one pass
        """,
    ),
    (
        Pattern("s[lane / 2]", op="st"),
        {},
        """
        good | no conflict | 32 lanes want 16 words in 16 different banks: one pass
        good | broadcast | each word is written by 2 lanes, where one lane's value stays: no extra pass
        plain | index | lane/2 takes 16 different values
        """,
    ),
    (
        Pattern("c[lane]", declarations="__shared__ char c[99];", op="st"),
        {},
        """
        good | no conflict | 32 lanes want 8 words in 8 different banks: one pass
        good | broadcast | at 1 byte a lane each word is written by 4 lanes: no extra pass
        """,
    ),
    (
        Pattern("c[lane / 2]", declarations="__shared__ char c[99];", op="st"),
        {},
        """
        good | no conflict | 32 lanes want 4 words in 4 different banks: one pass
        good | broadcast | at 1 byte a lane each word is written by 8 lanes, of each address one lane's value stays: no extra pass
        plain | index | lane/2 takes 16 different values
        """,
    ),
    (
        Pattern("p[3]", declarations="float* p;", where="lane == 9"),
        {},
        """
        plain | sectors | lane 9 alone: 4 of its sector's 32 bytes are used
        bad | bytes | 4 of the 32 bytes that move are used: 12.5%
        """,
    ),
    (
        Pattern("t[lane]", declarations="__constant__ float4 t[32];"),
        {},
        """
        bad | requests | 32 lanes read 32 different addresses, 2 requests for each: 64 requests
        plain | loads | 16 bytes a lane are 2 loads of 8, with requests of their own
        """,
    ),
    (
        Pattern("t[3]", declarations="__constant__ float t[32];", where="lane == 9"),
        {},
        """
        good | requests | lane 9 alone reads: one request
        """,
    ),
    (
        Pattern("s[n*threadIdx.y][threadIdx.x ^ n]", declarations="__shared__ float s[8][32];"),
        {"n": 2},
        """
        good | no conflict | 32 lanes want 32 different banks: one pass
        plain | index | n*threadIdx.y is 0 in every lane; threadIdx.x ^ n takes 32 different values (threadIdx.x grows by 1 a lane; n is 2 in every lane)
        """,
    ),
]


@pytest.mark.parametrize(("pattern", "values", "sentences"), PATTERNS)
def test_patterns(pattern: Pattern, values: dict[str, int], sentences: str) -> None:
    assert told(reasons(parse(pattern).evaluate(values))) == dedent(sentences).strip().split("\n")


def test_the_counters_and_what_is_not_modelled_come_last() -> None:
    last = [(reason.subject, reason.text) for reason in reasons(ask("s[k*lane]", values={"k": 8}))[-3:]]
    assert last == [
        ("counted as", "8 wavefronts: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
        ("counted as", "7 conflicts: l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"),
        ("not modelled", "which word of a bank goes first, and what other warps add"),
    ]
    last = [(reason.subject, reason.text) for reason in reasons(ask("p[k*lane]", "float* p;", {"k": 3}))[-4:]]
    assert last == [
        ("counted as", "1 request: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
        ("counted as", "12 sectors: l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
        ("counted as", "3 lines: l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum"),
        ("not modelled", "caches and DRAM: whether a sector is in L1 or L2, and how long it takes to come"),
    ]
