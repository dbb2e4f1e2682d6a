"""Every kernel compiles, and its machine code makes the accesses that were asked for: no fewer, no wider, no others."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.gpu.listings import code_of, routine_of
from tests.gpu.samples import stride, table_fragment
from warpviz.gpu import FrozenAccess, GpuError
from warpviz.gpu.code.compile import compile_cubin
from warpviz.gpu.code.machine_code import finding
from warpviz.gpu.code.sass import longest_loop, memory_instruction
from warpviz.gpu.kernels import (
    COPIES_A_WARP,
    UNROLLED,
    Source,
    address_kernel,
    companion_kernel,
    copy_kernel,
    counted_kernel,
    kernel_text,
    timed_kernel,
)

ARCHS = ("sm_75", "sm_80", "sm_90", "sm_100")

LOADS_AND_STORES = {
    ("ld", 1): "{}.U8",
    ("ld", 2): "{}.U16",
    ("ld", 4): "{}",
    ("ld", 8): "{}.64",
    ("ld", 16): "{}.128",
}
SHARED = {(op, width): form.format("LDS") for (op, width), form in LOADS_AND_STORES.items()}
SHARED |= {("st", width): form.format("STS") for (_, width), form in LOADS_AND_STORES.items()}
SHARED |= {("atom", 4): "ATOMS.ADD", ("red", 4): "ATOMS.ADD", ("atom", 8): "ATOMS.EXCH.64", ("red", 8): "ATOMS.EXCH.64"}
GLOBAL = {(op, width): form.format("LDG.E") for (op, width), form in LOADS_AND_STORES.items()}
GLOBAL |= {("st", width): form.format("STG.E") for (_, width), form in LOADS_AND_STORES.items()}
GLOBAL |= {("atom", 4): "ATOMG.E.ADD.STRONG.GPU", ("atom", 8): "ATOMG.E.EXCH.64.STRONG.GPU"}
GLOBAL |= {("red", 4): "REDG.E.ADD.STRONG.GPU", ("red", 8): "REDG.E.ADD.64.STRONG.GPU"}
CONST = {("ld", 1): "LDC.U8", ("ld", 2): "LDC.U16", ("ld", 4): "LDC", ("ld", 8): "LDC.64", ("ld", 16): "LDC.64"}

EVERY_ACCESS = [
    *((stride(width, space="shared", op=op, width=width), code) for (op, width), code in SHARED.items()),
    *((stride(width, space="global", op=op, width=width), code) for (op, width), code in GLOBAL.items()),
    *((stride(width, space="const", op=op, width=width), code) for (op, width), code in CONST.items()),
    (stride(16, op="ldmatrix", width=16, matrices=1), "LDSM.16.M88"),
    (stride(16, op="ldmatrix", width=16, matrices=2), "LDSM.16.M88.2"),
    (stride(16, op="ldmatrix", width=16, matrices=4), "LDSM.16.M88.4"),
]
NAMES = [f"{p.space} {p.op} {p.width} {p.matrices or ''}".strip() for p, _ in EVERY_ACCESS]

pytestmark = pytest.mark.usefixtures("nvrtc")


def memory_in_the_loop(source: Source, kernel: str, arch: str = "sm_90") -> Counter[str]:
    """Opcode -> how often it stands in the kernel's one loop, of all that touch any memory."""
    loop = longest_loop(routine_of(source, kernel, arch))
    return Counter(instruction.opcode for instruction in loop if memory_instruction(instruction.opcode))


def kernels_for(pattern: FrozenAccess) -> Source:
    """The counted and the timed kernels in one translation unit, so that one listing shows both."""
    counted, timed = counted_kernel(pattern), timed_kernel(pattern)
    files = ((counted.name, counted.text), (timed.name, timed.text))
    includes = "".join(f'#include "{name}"\n' for name, _ in files)
    return Source("both.cu", includes, (*counted.headers, *files), counted.macros)


def only(space: str) -> pytest.MarkDecorator:
    """The accesses of one memory space, each with its opcode."""
    chosen = [(case, name) for case, name in zip(EVERY_ACCESS, NAMES, strict=True) if case[0].space == space]
    return pytest.mark.parametrize(("pattern", "opcode"), [c for c, _ in chosen], ids=[name for _, name in chosen])


@pytest.mark.parametrize(("pattern", "opcode"), EVERY_ACCESS, ids=NAMES)
def test_a_turn_makes_every_access_with_the_right_instruction(pattern: FrozenAccess, opcode: str) -> None:
    instructions = UNROLLED * (2 if (pattern.space, pattern.width) == ("const", 16) else 1)
    assert memory_in_the_loop(kernels_for(pattern), "accesses") == {opcode: instructions}
    code = code_of(kernels_for(pattern), "accesses", pattern)
    assert (code.opcodes, code.asked, finding(code, pattern).kind) == (((opcode, instructions),), UNROLLED, "as asked")


@only("shared")
def test_a_timed_access_has_a_companion_beside_it(pattern: FrozenAccess, opcode: str) -> None:
    both = Counter({opcode: UNROLLED}) + Counter({"STS": UNROLLED})
    assert memory_in_the_loop(kernels_for(pattern), "timed") == both
    assert code_of(kernels_for(pattern), "timed", pattern).opcodes == ((opcode, UNROLLED),)


def test_the_companion_alone_is_as_often_there() -> None:
    assert memory_in_the_loop(companion_kernel(), "timed") == {"STS": UNROLLED}


@only("global")
def test_a_warp_streams_eight_copies(pattern: FrozenAccess, opcode: str) -> None:
    code = code_of(kernels_for(pattern), "stream", pattern)
    assert (code.opcodes, code.asked, finding(code, pattern).kind) == (((opcode, 8),), COPIES_A_WARP, "as asked")


@only("const")
def test_single_constant_requests_are_as_many_as_the_accesses(pattern: FrozenAccess, opcode: str) -> None:
    for kernel in ("timed", "timed_singles"):
        expected = UNROLLED * (2 if pattern.width == 16 else 1)
        assert memory_in_the_loop(kernels_for(pattern), kernel) == {opcode: expected}
        assert code_of(kernels_for(pattern), kernel, pattern).opcodes == ((opcode, expected),)


@pytest.mark.parametrize(
    ("arch", "pattern", "kernel"),
    [
        ("sm_75", stride(16, space="const", width=16), "timed"),
        ("sm_75", stride(4, space="global", op="st"), "stream"),
        ("sm_80", stride(4, op="st"), "timed"),
        ("sm_80", stride(8, space="global", op="red", width=8), "stream"),
        ("sm_100", stride(16, op="ldmatrix", width=16, matrices=4), "timed"),
        ("sm_100", stride(4, space="global", op="st"), "stream"),
    ],
    ids=lambda value: f"{value.space} {value.op}" if isinstance(value, FrozenAccess) else None,
)
def test_other_architectures_do_as_asked(arch: str, pattern: FrozenAccess, kernel: str) -> None:
    assert finding(code_of(timed_kernel(pattern), kernel, pattern, arch), pattern).kind == "as asked"


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize(
    "source",
    [
        companion_kernel(),
        copy_kernel(),
        timed_kernel(stride(16, op="ldmatrix", width=16, matrices=4)),
        timed_kernel(stride(8, op="atom", width=8)),
        timed_kernel(stride(4, space="const")),
        timed_kernel(stride(8, space="global", op="red", width=8)),
        counted_kernel(stride(16, space="global", width=16)),
        address_kernel(table_fragment(stride(4))),
    ],
    ids=lambda source: f"{source.name} {' '.join(source.macros[:1])}".strip(),
)
def test_every_kernel_compiles_for_every_architecture(source: Source, arch: str) -> None:
    assert compile_cubin(source, arch)[:4] == b"\x7fELF"


def test_a_fragment_that_is_no_cuda_is_named_in_one_sentence() -> None:
    with pytest.raises(GpuError, match=r"NVRTC rejects addresses\.cu: .*error") as caught:
        compile_cubin(address_kernel("this is no C++"), "sm_90")
    assert caught.value.kind == "failed"
    assert "\n" not in caught.value.sentence


def test_an_architecture_that_nvrtc_does_not_know_is_named() -> None:
    with pytest.raises(GpuError, match="does not compile for sm_999"):
        compile_cubin(counted_kernel(stride(4)), "sm_999")


def test_a_kernel_that_is_missing_is_named() -> None:
    with pytest.raises(GpuError, match=r"nothing\.cu is missing"):
        kernel_text("nothing.cu")


def test_a_loop_has_as_many_accesses_as_python_counts() -> None:
    assert f"constexpr int UNROLLED = {UNROLLED};" in kernel_text("access_instruction.cuh")
    assert f"constexpr int COPIES_A_WARP = {COPIES_A_WARP};" in kernel_text("global.cu")
