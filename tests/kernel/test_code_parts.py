"""The parts of following PTX into machine code, each by hand: needs neither NVRTC nor nvdisasm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpviz.gpu import Unavailable
from warpviz.gpu.code.compiler import Compiler
from warpviz.gpu.code.sass import Instruction, Routine, read_kernel
from warpviz.gpu.kernels import Source
from warpviz.kernel.code import Fusing, code_of, machine
from warpviz.kernel.code.addresses import addresses
from warpviz.kernel.code.asked import asked_of
from warpviz.kernel.code.changes import Dropped, Fused, Joined, OneLane, Split
from warpviz.kernel.code.following import Followed, follow
from warpviz.kernel.code.home import Homes
from warpviz.kernel.code.machine import machine_code
from warpviz.kernel.counting import Counter, totals
from warpviz.kernel.memory.observing import Kind, Threads
from warpviz.kernel.program import Program, build_program
from warpviz.kernel.ptx import read_module

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


def program_of(body: str) -> Program:
    """Its first instruction is on PTX line 10."""
    declared = ".reg .pred %p<4>;\n.reg .b32 %r<30>;\n.reg .f32 %f<30>;\n.reg .b64 %rd<9>;\n"
    text = f"{HEAD}.visible .entry k(.param .u64 out) {{\n{declared}.shared .align 16 .b8 s[4096];\n{body}\n}}\n"
    return build_program(read_module(text), "k")


def routine(text: str) -> Routine:
    """Lines of `PTX line: instruction` and labels."""
    listed = []
    for line in text.strip().splitlines():
        number, _, instruction = line.strip().partition(": ")
        if not instruction:
            listed.append(line.strip())
            continue
        listed += [
            f'\t//## File ".nv_debug_ptx_txt", line {number}',
            f"        /*0000*/                   {instruction} ;",
        ]
    found = read_kernel("\t.section\t.text.k,\n" + "\n".join(listed), "k")
    assert found is not None
    return found


def followed(body: str, sass: str) -> Followed:
    return follow(program_of(body), machine_code(routine(sass), "nvdisasm"))


def kinds(found: Followed) -> list[str]:
    return [finding.kind for finding in found.findings]


def test_a_listing_tells_the_lines_of_ptx_and_of_the_source() -> None:
    listing = (
        '\t.section\t.text.k,"ax"\n\t//## File "a.cu", line 7\n\t//## File ".nv_debug_ptx_txt", line 40\n'
        "        /*0000*/                   LDS R1, [R2] ;\n"
        '\t//## File ".nv_debug_ptx_txt", line 41\n        /*0010*/              @!P0 STS [R2], R1 ;\n'
    )
    found = read_kernel(listing, "k")
    assert found is not None
    assert found.instructions == (
        Instruction("LDS", "R1, [R2]", "", 7, 40),
        Instruction("STS", "[R2], R1", "@!P0", 7, 41),
    )


LOADS = """ld.shared.f32 %f1, [%r1+4];
ld.shared.f32 %f2, [%r1+12];
add.s32 %r2, %r1, 8;
ld.shared.f32 %f3, [%r2];
ld.shared.f32 %f4, [%r1];
add.f32 %f5, %f1, %f2; add.f32 %f6, %f3, %f4; add.f32 %f7, %f5, %f6;
st.shared.f32 [%r3], %f7;"""


def test_a_wide_load_takes_those_without_an_instruction_along() -> None:
    found = followed(LOADS, "13: LDS.128 R4, [R1]\n16: STS [R3], R1")
    changes = dict(sorted(found.changes.items()))
    assert changes == {0: Fused(-4, 16, 16), 1: Joined(0), 3: Joined(0), 4: Joined(0)}
    assert [finding.sentence for finding in found.findings] == [
        "four loads of 4 bytes are one LDS.128 in the machine code"
    ]


def test_a_wide_load_without_partners_is_not_followed_nor_are_loads_without_an_instruction_then() -> None:
    other = LOADS.replace("[%r1+4]", "[%r4]")
    found = followed(other, "10: LDS.64 R4, [R9]\n11: LDS R1, [R2]\n13: LDS R1, [R2]\n16: STS [R3], R1")
    assert found.changes == {}
    assert kinds(found) == ["not followed"] * 2


def test_a_load_of_what_a_register_holds_is_folded_and_a_store_that_is_gone_is_not_passed_over() -> None:
    body = """ld.shared.f32 %f1, [%r1];
    ld.shared.f32 %f2, [%r1];
    st.shared.f32 [%r2], %f1;
    st.shared.f32 [%r2], %f2;
    st.shared.f32 [%r3], %f2;"""
    found = followed(body, "10: LDS R1, [R2]\n13: STS [R3], R1")
    assert found.changes == {1: Dropped(), 2: Dropped()}
    assert sorted(kinds(found)) == ["folded", "gone", "not followed"]


def test_pieces_of_a_wide_access_lie_where_it_is_used() -> None:
    body = "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r1];\nadd.f32 %f5, %f2, %f4;\nst.shared.f32 [%r2], %f5;"
    found = followed(body, "10: LDS R1, [R2+0x4]\n10: LDS R3, [R2+0xc]\n12: STS [R3], R1")
    assert found.changes == {0: Split(((4, 4), (12, 4)))}
    told = "the load of 16 bytes is LDS and LDS in the machine code: 8 bytes of it are not used"
    assert [finding.sentence for finding in found.findings] == [told]


def test_one_lane_that_is_elected_makes_the_update() -> None:
    sass = """10: VOTEU.ANY UR4, UPT, PT
    10: UFLO.U32 UR5, UR4
    10: ISETP.EQ.U32.AND P0, PT, R2, UR5, PT
    10: @P0 ATOMS.ADD RZ, [R3], R5"""
    found = followed("red.shared.add.u32 [%r1], 1;", sass)
    assert found.changes == {0: OneLane()}
    assert followed("red.shared.add.u32 [%r1], 1;", sass.replace("UFLO", "UMOV")).changes == {}


NESTED = """setp.lt.s32 %p1, %r1, %r2;
@%p1 bra $END;
setp.lt.s32 %p2, %r1, %r3;
@%p2 bra $IN;
st.shared.u32 [%r4], %r1;
$IN:
st.shared.u32 [%r5], %r1;
$END:
ret;"""


@pytest.mark.parametrize(
    ("kept", "homes"),
    [
        ({11, 13}, {"[%r4]": 2, "[%r5]": 3}),
        ({11}, {"[%r4]": 1, "[%r5]": 3}),
        (set(), {"[%r4]": 0, "[%r5]": 0}),
    ],
)
def test_a_predicated_store_belongs_to_the_block_whose_branch_is_left(kept: set[int], homes: dict[str, int]) -> None:
    program = program_of(NESTED)
    found = Homes(program, kept)
    seen = {}
    for asked, address in zip(asked_of(program), homes, strict=True):
        line = {block.instructions.start: number for number, block in enumerate(program.blocks)}
        order = [number for _, number in sorted(line.items())]
        seen[address] = order.index(found.home(asked.block))
    assert seen == homes


def test_a_branch_with_the_line_of_the_jump_behind_it_is_kept() -> None:
    body = "@%p1 bra $A;\nbra.uni $B;\n$A:\nst.shared.u32 [%r1], %r2;\n$B:\nret;"
    program = program_of(body)
    (asked,) = asked_of(program)
    assert Homes(program, {11}).home(asked.block) == asked.block
    assert Homes(program, set()).home(asked.block) != asked.block


def test_a_branch_is_not_kept_for_what_begins_the_block_behind() -> None:
    program = program_of(
        "@%p1 bra $A;\nst.shared.u32 [%r1], %r2;\n$A:\n@%p2 bra $B;\nst.shared.u32 [%r3], %r2;\n$B:\nret;"
    )
    first, _ = asked_of(program)
    assert Homes(program, {13}).home(first.block) == program.entry


def test_equal_terms_are_never_given_to_a_register_before_and_after_it_changes() -> None:
    body = """mov.u32 %r9, 0;
    $L:
    shl.b32 %r1, %r9, 2;
    ld.shared.u32 %r2, [%r1+4];
    add.s32 %r9, %r9, 1;
    shl.b32 %r3, %r9, 2;
    ld.shared.u32 %r4, [%r3];
    setp.lt.s32 %p1, %r9, %r8;
    @%p1 bra $L;
    ret;"""
    program = program_of(body)
    first, second = addresses(program, {}).values()
    assert first == second  # 4 i + 4 and 4 (i + 1)
    apart = program_of(body.replace("add.s32 %r9, %r9, 1;", "mul.hi.s32 %r9, %r9, %r9;"))
    one, other = addresses(apart, {}).values()
    assert one.terms != other.terms


KIND = Kind(3, 5, "ld.shared.f32", "shared", "ld", 4, "f32")


@given(st.lists(st.integers(0, 63), min_size=32, max_size=32), st.integers(1, 2**32 - 1))
def test_a_fused_access_costs_what_the_wide_one_does(places: list[int], lanes: int) -> None:
    threads = Threads.of_chunk(1, 1)
    start = np.array(places, dtype=np.int64).reshape(1, 1, 32) * 16
    mask = ((lanes >> np.arange(32)) & 1).astype(bool).reshape(1, 1, 32)
    fused, wide = Counter(), Counter()
    fusing = Fusing(fused, {3: Fused(-4, 12, 16), 4: Joined(3)})
    fusing.access(KIND, start + 4, mask, threads)
    fusing.access(Kind(4, 5, "ld.shared.f32", "shared", "ld", 4, "f32"), start, mask, threads)
    wide.access(Kind(3, 5, "ld.shared.f32", "shared", "ld", 16, "f32"), start, mask, threads)
    assert fused.counts == wide.counts
    assert not fusing.refused


def test_accesses_that_no_aligned_one_holds_are_not_fused() -> None:
    threads, counter = Threads.of_chunk(1, 1), Counter()
    fusing = Fusing(counter, {3: Fused(0, 8, 8), 4: Joined(3)})
    at = np.arange(32, dtype=np.int64).reshape(1, 1, 32) * 4
    fusing.access(KIND, at, None, threads)
    fusing.access(Kind(4, 5, "ld.shared.f32", "shared", "ld", 4, "f32"), at + 4, None, threads)
    assert fusing.refused == {3}
    assert totals(counter.counts)["shared_ld"].wavefronts == 2


def test_one_lane_and_pieces_are_handed_on() -> None:
    threads, counter = Threads.of_chunk(2, 3), Counter()
    fusing = Fusing(counter, {3: OneLane(), 4: Split(((0, 4), (8, 8)))})
    at = np.zeros((1, 1, 1), dtype=np.int64)
    fusing.access(Kind(3, 5, "red.shared.add.u32", "shared", "red", 4, "u32"), at, None, threads)
    fusing.access(Kind(4, 5, "ld.shared.v4.f32", "shared", "ld", 16, "f32"), at, None, threads)
    found = totals(counter.counts)
    assert (found["shared_atom"].requests, found["shared_atom"].lanes, found["shared_atom"].wavefronts) == (6, 6, 6)
    assert (found["shared_ld"].requests, found["shared_ld"].wavefronts) == (12, 12)


def test_a_text_that_brings_down_the_compiler_leaves_the_counts_of_the_ptx() -> None:
    with Compiler() as compiler:
        compiler._process.kill()
        found = code_of(Source("k.cu", ""), "k", "sm_90", program_of("ret;"), compiler)
    assert isinstance(found, Unavailable)
    assert found.reason.startswith(("NVRTC itself crashes on this text", "nvdisasm is not found"))


def test_without_a_disassembler_it_is_said_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Unavailable("nvdisasm is not found: pip install nvidia-cuda-nvdisasm")
    monkeypatch.setattr(machine, "find_disassembler", lambda: missing)
    assert code_of(Source("k.cu", ""), "k", "sm_90", program_of("ret;")) == missing
