"""Every kernel compiles, and its machine code makes the accesses that were asked for: no fewer, no wider, no others."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.gpu.samples import stride, table_fragment
from warpviz.gpu import FrozenAccess, GpuError
from warpviz.gpu.compile import compile_cubin, nvrtc_version
from warpviz.gpu.kernels import (
    UNROLLED,
    Source,
    address_kernel,
    companion_kernel,
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


@pytest.fixture(scope="module", autouse=True)
def _nvrtc() -> None:
    try:
        nvrtc_version()
    except GpuError as error:
        pytest.skip(error.sentence)


@pytest.fixture(scope="module")
def disassembler() -> str:
    found = shutil.which("nvdisasm")
    if found is None and (spec := importlib.util.find_spec("nvidia")) is not None:
        places = [Path(place) for place in spec.submodule_search_locations or []]
        found = next((str(path) for place in places for path in place.glob("*/bin/nvdisasm")), None)
    if found is None:
        pytest.skip("nvdisasm is not installed: pip install nvidia-cuda-nvdisasm")
    return found


def kernel_lines(disassembler: str, cubin: bytes, kernel: str, folder: Path) -> list[str]:
    (folder / "code.cubin").write_bytes(cubin)
    listing = subprocess.run(
        [disassembler, "--print-code", str(folder / "code.cubin")], capture_output=True, text=True, check=True
    ).stdout
    return next(part for part in listing.split("\t.section\t") if part.startswith(f".text.{kernel},")).splitlines()


def opcodes(lines: list[str]) -> Counter[str]:
    return Counter(m[1] for line in lines if (m := re.search(r"\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", line)))


def in_the_loop(disassembler: str, cubin: bytes, kernel: str, folder: Path) -> Counter[str]:
    """Opcode -> how often it stands in the kernel's one loop: between a label and the branch back to it."""
    return opcodes(_longest_loop(kernel_lines(disassembler, cubin, kernel, folder)))


def _longest_loop(lines: list[str]) -> list[str]:
    labels = {m[1]: i for i, line in enumerate(lines) if (m := re.match(r"(\.L_x_\d+):", line))}
    loops = [
        lines[labels[m[1]] : i]
        for i, line in enumerate(lines)
        if (m := re.search(r"BRA(?:\.\w+)* .*?`\((\.L_x_\d+)\)", line)) and labels[m[1]] < i - 1
    ]
    return max(loops, key=len)


@pytest.mark.parametrize(("pattern", "opcode"), EVERY_ACCESS, ids=NAMES)
def test_a_turn_makes_every_access_with_the_right_instruction(
    pattern: FrozenAccess, opcode: str, disassembler: str, tmp_path: Path
) -> None:
    instructions = 2 if (pattern.space, pattern.width) == ("const", 16) else 1
    made = in_the_loop(disassembler, compile_cubin(counted_kernel(pattern), "sm_90"), "accesses", tmp_path)
    memory = {name: n for name, n in made.items() if re.match(r"LD|ST|ATOM|RED", name)}
    assert memory == {opcode: instructions * UNROLLED}


@pytest.mark.parametrize(
    ("pattern", "opcode"),
    [(pattern, code) for pattern, code in EVERY_ACCESS if pattern.space == "shared"],
    ids=[name for name in NAMES if name.startswith("shared")],
)
def test_a_timed_access_has_a_companion_beside_it(
    pattern: FrozenAccess, opcode: str, disassembler: str, tmp_path: Path
) -> None:
    cubin = compile_cubin(timed_kernel(pattern), "sm_90")
    both = in_the_loop(disassembler, cubin, "timed", tmp_path)
    expected = Counter({opcode: UNROLLED}) + Counter({"STS": UNROLLED})
    assert {name: n for name, n in both.items() if re.match(r"LD|ST|ATOM|RED", name)} == expected


def test_the_companion_alone_is_as_often_there(disassembler: str, tmp_path: Path) -> None:
    made = in_the_loop(disassembler, compile_cubin(companion_kernel(), "sm_90"), "timed", tmp_path)
    assert {name: n for name, n in made.items() if re.match(r"LD|ST|ATOM|RED", name)} == {"STS": UNROLLED}


@pytest.mark.parametrize(
    ("pattern", "opcode"),
    [(pattern, code) for pattern, code in EVERY_ACCESS if pattern.space == "global"],
    ids=[name for name in NAMES if name.startswith("global")],
)
def test_a_warp_streams_eight_copies(pattern: FrozenAccess, opcode: str, disassembler: str, tmp_path: Path) -> None:
    made = opcodes(kernel_lines(disassembler, compile_cubin(timed_kernel(pattern), "sm_90"), "stream", tmp_path))
    made["STG.E"] -= 1  # the sink
    assert made[opcode] == 8


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_single_constant_requests_are_as_many_as_the_accesses(width: int, disassembler: str, tmp_path: Path) -> None:
    cubin = compile_cubin(timed_kernel(stride(width, space="const", width=width)), "sm_90")
    opcode = CONST["ld", width]
    for kernel in ("timed", "timed_singles"):
        assert in_the_loop(disassembler, cubin, kernel, tmp_path)[opcode] == UNROLLED * (2 if width == 16 else 1)


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize(
    "source",
    [
        companion_kernel(),
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
