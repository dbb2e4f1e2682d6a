"""What the compiler really does to an access is read out of the machine code and named; no listing is too strange."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gpu.listings import RESOURCES, code_of, routine_of
from tests.gpu.samples import stride
from warpviz.gpu import Code, FrozenAccess, Unavailable
from warpviz.gpu.code.machine_code import Finding, Resources, code_in, finding
from warpviz.gpu.code.sass import Instruction, MemoryInstruction, Routine, longest_loop, memory_instruction, read_kernel
from warpviz.gpu.kernels import UNROLLED, Source, timed_kernel

HEAD = """
extern "C" __global__ void {name}(float* out, int turns, int step) {{
  extern __shared__ __align__(1024) float s[];
  float sum = 0;
  #pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {{
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < 16; ++i) {{ {access} }}
  }}
  *out = sum;
}}
"""
ACCESSES = {
    "repeated": "sum += s[threadIdx.x];",
    "apart": "sum += s[threadIdx.x + i * 32];",
    "neighbours": "sum += s[threadIdx.x * 16 + i];",
    "unused": "float unused = s[threadIdx.x + i * 32];",
    "unaligned": """
      struct Row { float x, y, z, w; };
      const Row row = reinterpret_cast<Row*>(s + step)[threadIdx.x + i * 32];
      sum += row.x * row.y + row.z * row.w;""",
    "overwritten": "s[threadIdx.x] = i + turn;",
    "wide_atomics": "atomicAdd(reinterpret_cast<unsigned long long*>(s) + threadIdx.x + i, 1ull + turn);",
    "out_of_registers": """
      float many[40];
      #pragma unroll
      for (int j = 0; j < 40; ++j) many[j] = s[threadIdx.x + (i * 40 + j) * step];
      __syncthreads();
      #pragma unroll
      for (int j = 0; j < 40; ++j) sum = sum * many[j] + many[39 - j];""",
}
MATRIX_TILE = """
extern "C" __global__ void matrix_tile(const float* A, const float* B, float* C, int n) {
  __shared__ float a[16][16], b[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  #pragma unroll 1
  for (int tile = 0; tile < n; tile += 16) {
    a[y][x] = A[row * n + tile + x];
    b[y][x] = B[(tile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  C[row * n + column] = sum;
}
"""
KERNELS = "".join(HEAD.format(name=name, access=access) for name, access in ACCESSES.items()) + MATRIX_TILE
# One translation unit, so that one listing serves all.
EVERYTHING = Source("everything.cu", KERNELS.replace("void out_of", "void __launch_bounds__(1024, 2) out_of"))


def found(kernel: str, pattern: FrozenAccess) -> Finding:
    return finding(code_of(EVERYTHING, kernel, pattern), pattern)


def test_loads_apart_from_each_other_are_all_there() -> None:
    assert found("apart", stride(4)) == Finding("as asked", "16 of 16 loads are there, each one LDS")


def test_a_load_of_one_address_again_and_again_is_folded() -> None:
    sentence = "1 of 16 loads is left: the others repeat it and were folded"
    assert found("repeated", stride(4)) == Finding("folded", sentence)


def test_a_store_that_the_next_one_overwrites_is_folded() -> None:
    assert found("overwritten", stride(4, op="st")).kind == "folded"


def test_loads_of_neighbours_are_fused() -> None:
    assert found("neighbours", stride(64)) == Finding("fused", "16 loads became 4 LDS.128: fused")


def test_half_of_the_loads_of_a_matrix_tile_are_fused() -> None:
    code = replace(code_of(EVERYTHING, "matrix_tile", stride(4)), asked=32)
    loads = replace(code, opcodes=tuple(entry for entry in code.opcodes if entry[0].startswith("LDS")))
    assert dict(loads.opcodes) == {"LDS": 16, "LDS.128": 4}
    told = finding(loads, stride(4))
    assert told.kind == "fused"
    assert "32 loads became" in told.sentence
    assert "4 LDS.128" in told.sentence


def test_loads_that_nobody_uses_are_gone() -> None:
    assert found("unused", stride(4)).kind == "gone"
    assert found("unused", stride(4)).sentence.startswith("none of 16 loads is left")


def test_a_row_that_may_lie_anywhere_is_split() -> None:
    assert found("unaligned", stride(16, width=16)) == Finding("split", "16 loads became 64 LDS: split")


@pytest.mark.parametrize("op", ["atom", "red"])
def test_shared_memory_has_no_64_bit_add(op: Any) -> None:
    told = found("wide_atomics", stride(8, op=op, width=8))
    assert told.kind == "other"
    assert "ATOMS.CAST.SPIN.64" in told.sentence


def test_a_16_byte_constant_load_is_as_asked_though_it_takes_two() -> None:
    pattern = stride(16, space="const", width=16)
    told = finding(code_of(timed_kernel(pattern), "timed", pattern), pattern)
    assert told.kind == "as asked"
    assert told.sentence == "16 of 16 loads are there, each two LDC.64, for no constant load is wider than 8 bytes"


def test_what_is_spilled_is_said() -> None:
    made = [memory_instruction(i.opcode) for i in routine_of(EVERYTHING, "out_of_registers").instructions]
    assert {memory.op for memory in made if memory and memory.space == "local"} == {"ld", "st"}
    code = code_of(EVERYTHING, "out_of_registers", stride(4))
    assert not any(opcode.startswith(("LDL", "STL")) for opcode, _ in code.opcodes)
    told = finding(replace(code, local_bytes=64), stride(4))
    assert told.sentence.endswith("; 64 bytes a thread lie in local memory (spilled registers or local arrays)")


@pytest.mark.parametrize(
    ("opcodes", "kind", "sentence"),
    [
        ((("LDS", 4),), "folded", "4 of 16 loads are left: the others repeat them and were folded"),
        ((("LDS.128", 1),), "fused", "16 loads became one LDS.128: fused and folded"),
        ((("LDS.128", 4), ("LDS", 8)), "other", "16 loads became 4 LDS.128 and 8 LDS: not what was asked for"),
        ((("LDS.U8", 64),), "split", "16 loads became 64 LDS.U8: split"),
        ((("LDS.U8", 4), ("LDS.128", 2)), "other", "16 loads became 4 LDS.U8 and 2 LDS.128: not what was asked for"),
        ((("LDS", 17),), "other", "16 loads became 17 LDS: not what was asked for"),
        ((("LD.E", 16),), "other", "16 loads became 16 LD.E: not what was asked for"),
        ((("LDS", 8), ("LDS.S16", 16)), "split", "16 loads became 8 LDS and 16 LDS.S16: split"),
        ((), "gone", "none of 16 loads is left: not needed, or done once before the loop"),
    ],
)
def test_every_kind_in_words(opcodes: tuple[tuple[str, int], ...], kind: Any, sentence: str) -> None:
    code = Code("accesses", opcodes, UNROLLED, 32, 0, 0, "nvdisasm")
    assert finding(code, stride(4)) == Finding(kind, sentence)


def test_constant_loads_are_counted_by_instructions_when_some_are_folded() -> None:
    code = Code("timed", (("LDC.64", 3),), UNROLLED, 32, 0, 0, "nvdisasm")
    told = finding(code, stride(16, space="const", width=16))
    assert told == Finding("folded", "3 of 32 LDC.64 are left: the others repeat them and were folded")


@pytest.mark.parametrize("left", ["LDSM.16.M88", "LDSM.16.M88.2", "LDS.128"])
def test_an_ldmatrix_of_fewer_matrices_is_another_instruction(left: str) -> None:
    code = Code("timed", ((left, 16),), UNROLLED, 32, 0, 0, "nvdisasm")
    assert finding(code, stride(16, op="ldmatrix", width=16, matrices=4)).kind == "other"


@pytest.mark.parametrize(
    ("opcode", "space", "op", "width"),
    [
        ("LDS", "shared", "ld", 4),
        ("LDS.U.U8", "shared", "ld", 1),
        ("LDS.S16", "shared", "ld", 2),
        ("STS.128", "shared", "st", 16),
        ("ATOMS.POPC.INC.32", "shared", "atom", 4),
        ("ATOMS.EXCH.64", "shared", "atom", 8),
        ("ATOMS.CAST.SPIN.64", "shared", "cas", 8),
        ("LDG.E.LTC128B.128.CONSTANT", "global", "ld", 16),
        ("LDG.E.NA.LTC256B.U16", "global", "ld", 2),
        ("LDG.E.ENL2.256", "global", "ld", 32),
        ("LDG.E.SYS", "global", "ld", 4),
        ("STG.E.U8.STRONG.SYS", "global", "st", 1),
        ("ATOMG.E.ADD.F64.RN.STRONG.GPU", "global", "atom", 8),
        ("ATOMG.E.CAS.STRONG.GPU", "global", "cas", 4),
        ("RED.E.ADD.F16x2.RN.STRONG.GPU", "global", "red", 4),
        ("REDG.E.ADD.F16x8.RN.STRONG.GPU", "global", "red", 16),
        ("REDG.E.ADD.F32x2.FTZ.RN.STRONG.GPU", "global", "red", 8),
        ("LDGSTS.E.BYPASS.128", "global", "copy", 16),
        ("LDGSTS.E.LTC128B", "global", "copy", 4),
        ("LD.E.128", "generic", "ld", 16),
        ("ATOM.E.ADD.STRONG.GPU", "generic", "atom", 4),
        ("STL.64", "local", "st", 8),
        ("LDC.U8", "const", "ld", 1),
        ("LDCU.64", "const", "ld", 8),
    ],
)
def test_what_an_opcode_does(opcode: str, space: Any, op: Any, width: int) -> None:
    assert memory_instruction(opcode) == MemoryInstruction(space, op, width)


@pytest.mark.parametrize(
    ("opcode", "op", "matrices"),
    [
        ("LDSM.16.M88", "ldmatrix", 1),
        ("LDSM.16.M88.2", "ldmatrix", 2),
        ("LDSM.16.MT88.4", "ldmatrix", 4),
        ("STSM.16.MT88", "stmatrix", 1),
    ],
)
def test_what_an_opcode_of_matrices_does(opcode: str, op: Any, matrices: int) -> None:
    assert memory_instruction(opcode) == MemoryInstruction("shared", op, 16, matrices)


@pytest.mark.parametrize("opcode", ["REDUX.MIN.S32", "LDGDEPBAR", "LEA", "R2UR", "FFMA", "BRA.U", "UBLKCP", "", "."])
def test_other_instructions_touch_no_memory(opcode: str) -> None:
    assert memory_instruction(opcode) is None


LISTING = """
//--------------------- .text.timed_singles --------------------------
\t.section\t.text.timed_singles,"ax",@progbits
        /*0000*/                   LDS.64 R2, [R3] ;
//--------------------- .text.timed --------------------------
\t.section\t.text.timed,"ax",@progbits
timed:
.text.timed:
        /*0000*/                   LDS R0, [R1] ;
.L_x_1:
        /*0010*/               @P0 LDS.128 R4, [R3] ;
        /*0020*/                   STS [R23], RZ ;
        /*0030*/                   LDC R2, c[0x0][0x31c] ;
        /*0040*/              @!P1 BRA.U !UP0, `(.L_x_1) ;
        /*0050*/                   STG.E desc[UR4][R2.64], RZ ;
.L_x_2:
        /*0060*/                   BRA `(.L_x_2);
        /*0070*/                   NOP;
"""


def test_a_listing_is_read_kernel_by_kernel() -> None:
    routine = read_kernel(LISTING, "timed")
    assert routine is not None
    assert routine.instructions[1] == Instruction("LDS.128", "R4, [R3]", "@P0")
    assert routine.instructions[-1] == Instruction("NOP")
    assert [i.opcode for i in longest_loop(routine)] == ["LDS.128", "STS", "LDC", "BRA.U"]
    assert read_kernel(LISTING, "timed_singles") == Routine((Instruction("LDS.64", "R2, [R3]"),), {})


def test_a_kernel_that_is_not_in_the_listing_is_unavailable() -> None:
    assert code_in(LISTING, "stream", stride(4), RESOURCES, "nvdisasm 13.0") == Unavailable(
        "nvdisasm 13.0 lists no machine code of the kernel stream"
    )


def made_in_the_loop(line: str, pattern: FrozenAccess) -> tuple[tuple[str, int], ...]:
    """What counts as the pattern's access when this is an instruction of the loop."""
    code = code_in(LISTING.replace("STS [R23], RZ", line), "timed", pattern, RESOURCES, "nvdisasm")
    assert isinstance(code, Code)
    return code.opcodes


def test_the_arguments_of_the_kernel_are_no_access_of_constant_memory() -> None:
    assert made_in_the_loop("LDC.64 R2, c[0x0][R4+0x210]", stride(8, space="const", width=8)) == ()
    assert made_in_the_loop("LDC.64 R2, c[0x3][R4]", stride(8, space="const", width=8)) == (("LDC.64", 1),)


@pytest.mark.parametrize("space", ["shared", "global"])
def test_what_may_touch_the_memory_is_counted(space: Any) -> None:
    assert ("LD.E", 1) in made_in_the_loop("LD.E R2, [R4.64]", stride(4, space=space))
    assert ("LDL", 1) not in made_in_the_loop("LDL R2, [R4]", stride(4, space=space))


def test_of_several_loops_the_longest_is_the_one() -> None:
    short = "        /*0080*/  FFMA R1, R2, R3, R4 ;\n        /*0090*/  @P0 BRA `(.L_x_3) ;\n"
    routine = read_kernel(LISTING + ".L_x_3:\n" + short, "timed")
    assert routine is not None
    assert [i.opcode for i in longest_loop(routine)] == ["LDS.128", "STS", "LDC", "BRA.U"]


def test_what_the_driver_tells_of_the_kernel_stands_in_the_code() -> None:
    code = code_in(LISTING, "timed", stride(16, width=16), Resources(24, 1024, 8), "nvdisasm 13.0")
    assert code == Code("timed", (("LDS.128", 1),), UNROLLED, 24, 1024, 8, "nvdisasm 13.0")


def always_told(listing: str) -> None:
    for kernel in ("timed", "stream"):
        for pattern in (stride(4), stride(16, space="const", width=16), stride(4, space="global", op="st")):
            code = code_in(listing, kernel, pattern, RESOURCES, "nvdisasm")
            sentence = code.reason if isinstance(code, Unavailable) else finding(code, pattern).sentence
            assert sentence
            assert "\n" not in sentence


@given(st.text())
def test_no_text_is_too_strange_to_read(text: str) -> None:
    assert isinstance(code_in(text, "timed", stride(4), RESOURCES, "nvdisasm"), Unavailable)
    always_told(f'\t.section\t.text.timed,"ax"\n{text}')


@given(st.lists(st.integers(0, len(LISTING.splitlines()) - 1)), st.text(max_size=9), st.integers(0, len(LISTING)))
def test_a_damaged_listing_is_read_as_far_as_it_goes(kept: list[int], noise: str, place: int) -> None:
    lines = LISTING.splitlines()
    always_told("\n".join(lines[i] for i in kept))
    always_told(LISTING[:place] + noise + LISTING[place:])


PATTERNS = [
    stride(4),
    stride(8, op="atom", width=8),
    stride(16, space="const", width=16),
    stride(2, space="global", op="st", width=2),
    stride(16, op="ldmatrix", width=16, matrices=2),
]
OPCODES = st.sampled_from(
    ["LDS", "LDS.U8", "LDS.128", "ATOMS.EXCH.64", "LDC.64", "LDC", "STG.E.U16", "STG.E.128", "FFMA"]
)


@given(st.sampled_from(PATTERNS), st.dictionaries(OPCODES, st.integers(1, 70), max_size=3), st.integers(1, 40))
def test_only_the_instruction_that_was_asked_for_as_often_as_asked_is_as_asked(
    pattern: FrozenAccess, made: dict[str, int], asked: int
) -> None:
    code = Code("timed", tuple(made.items()), asked, 32, 0, 0, "nvdisasm")
    told = finding(code, pattern)
    moved = sum(memory.width * n for opcode, n in made.items() if (memory := memory_instruction(opcode)))
    if told.kind in ("as asked", "split"):
        assert moved == asked * pattern.width
    if told.kind in ("folded", "fused"):
        assert sum(made.values()) < asked * (2 if pattern.space == "const" else 1)
        assert moved <= asked * pattern.width
    assert (told.kind == "gone") == (not made)
    assert all(opcode in told.sentence for opcode in made) or told.kind == "folded"
