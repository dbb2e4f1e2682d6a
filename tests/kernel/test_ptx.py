"""The parser on what NVRTC writes: nothing is lost or changed, and what is damaged is refused."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.ptx_printing import printed, without_comments, written
from tests.kernel.ptx_samples import GOLDEN, KERNELS, golden_ptx, ptx_of, ptx_with_headers
from tests.kernel.ptx_sources import HEADERS, SOURCES
from warpviz.kernel.ptx import PtxError, read_module
from warpviz.kernel.ptx.syntax import (
    Address,
    Guard,
    Instruction,
    Line,
    Module,
    Negated,
    Pair,
    Register,
    Routine,
    Variable,
    Vector,
)

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
SPECIAL = re.compile(r"%(n?tid|n?ctaid)\.[xyz]|%(laneid|clock64|lanemask_\w\w|envreg[0-9]+|nwarpid|warpid)|_")
SAMPLES = [*(f"golden {name}" for name in GOLDEN), *SOURCES, *(f"with headers {name}" for name in HEADERS)]
ARCHS = ("sm_90", "sm_100")  # NVRTC 13 has one back end for each of these two generations


def text_of(sample: str, arch: str = "sm_90") -> str:
    kind, _, name = sample.rpartition(" ")
    if kind == "golden":
        return golden_ptx(name, arch)
    if kind:
        return ptx_with_headers(HEADERS[name], arch)
    return ptx_of(SOURCES[name], name=f"{name}.cu", arch=arch)


def in_order(module: Module) -> list[Routine]:
    bodies = [routine for routine in module.routines.values() if routine.instructions]
    return sorted(bodies, key=lambda routine: routine.instructions[0].ptx_line)


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_instruction_is_kept_as_it_is_written(sample: str, arch: str) -> None:
    text = text_of(sample, arch)
    read = [printed(instruction) for routine in in_order(read_module(text)) for instruction in routine.instructions]
    assert read == written(text)
    assert len(read) > 0


@pytest.mark.parametrize("sample", SAMPLES)
def test_labels_lead_where_they_stand(sample: str) -> None:
    text = text_of(sample)
    places = {
        match[1]: number
        for number, line in enumerate(without_comments(text).split("\n"), 1)
        if (match := re.match(r"(\$L__BB\w+):", line))
    }
    routines = in_order(read_module(text))
    labels = {
        name: (routine, index) for routine in routines for name, index in routine.labels.items() if name[0] == "$"
    }
    assert labels.keys() == places.keys()
    for name, (routine, index) in labels.items():
        lines = [instruction.ptx_line for instruction in routine.instructions]
        assert max(lines[:index], default=0) < places[name] < lines[index]


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_register_is_declared_or_special(sample: str) -> None:
    for routine in in_order(read_module(text_of(sample))):
        named = {register.name for instruction in routine.instructions for register in registers_of(instruction)}
        assert [name for name in named - routine.registers.keys() if not SPECIAL.fullmatch(name)] == []


def registers_of(instruction: Instruction) -> Iterator[Register]:
    waiting: list[object] = [instruction.guard, *instruction.operands]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Register):
            yield found
        elif isinstance(found, tuple):
            waiting += found
        elif isinstance(found, Guard | Address | Vector | Pair | Negated):
            waiting += vars(found).values()


@pytest.mark.parametrize("name", GOLDEN)
def test_the_lines_of_a_kernel_are_those_of_its_memory_accesses(name: str) -> None:
    """A load or store of global memory comes from a line of the source that indexes something."""
    text = golden_ptx(name)
    source = (KERNELS / f"{name}.cu").read_text().split("\n")
    accesses = [i for i in read_module(text).kernels[0].instructions if i.name.startswith(("ld.global", "st.global"))]
    assert accesses
    for access in accesses:
        assert access.line == Line(0) or re.search(r"\[|->|\.", source[access.line.number - 1])


def test_what_is_inlined_keeps_its_own_line() -> None:
    source = SOURCES["line_numbers"]
    lines = {
        i.opcode: i.line.number for i in read_module(ptx_of(source)).kernels[0].instructions if ".global" in i.name
    }
    written = source.split("\n")
    assert lines["ld"] == written.index("  return in[i] * 2;") + 1
    assert lines["st"] == written.index("  out[threadIdx.x] =") + 1


def test_lines_of_an_included_file_are_not_taken_for_the_users(tmp_path: Path) -> None:
    body = "{\n\n\n\n\nreturn x[3] * 3; }\n"
    (tmp_path / "own.cuh").write_text(
        f"__device__ __noinline__ float own(float* x) {body}inline __device__ float in(float* x) {body}"
    )
    source = '#include "own.cuh"\nextern "C" __global__ void k(float* o) {\n  *o = own(o)\n    + in(o);\n}\n'
    text = ptx_of(source, name="folder/main.cu", options=(f"--include-path={tmp_path}",))
    module = read_module(text, "folder/main.cu")
    called, entry = (
        next(r for r in module.routines.values() if r.is_kernel is is_kernel) for is_kernel in (False, True)
    )
    assert {instruction.line.number for instruction in called.instructions} == {0}
    assert [i.line.number for i in entry.instructions if i.name in ("ld.global.f32", "st.global.f32")] in (
        [4, 3],
        [3, 3],
    )
    assert {i.line.number for i in read_module(text).kernels[0].instructions} == {0}  # the first file is another


def test_the_initial_values_that_nvrtc_writes() -> None:
    found = read_module(ptx_of(SOURCES["initialisers"])).variables
    assert struct.unpack("<6f", found["table"].initial) == pytest.approx((1, -2, 3.5, 4e-30, 5, 6))
    assert struct.unpack("<4h", found["shorts"].initial) == (-1, 2, -32768, 0)
    assert struct.unpack("<d", found["half"].initial) == (0.5,)
    assert struct.unpack("<Q", found["big"].initial) == (0x8000000000000001,)
    assert struct.unpack("<15i", found["matrix"].initial) == (1, 0, 0, 0, 0, 0, 2, *[0] * 8)
    assert found["letters"].initial == b"hello\0"
    assert found["pointers"].addresses == ((0, "values", 8), (16, "table", 20))
    assert found["head"].addresses == ((0, "values", 0), (8, "last", 0))
    assert found["counter"] == Variable("counter", "global", 4, 4)


def test_structs_by_value_and_shared_memory_as_nvrtc_writes_them() -> None:
    (by_value,) = read_module(ptx_of(SOURCES["struct_by_value"])).kernels
    assert [(p.offset, p.size, p.align) for p in by_value.parameters] == [
        (0, 1, 1),
        (8, 40, 8),
        (48, 2, 2),
        (64, 16, 16),
    ]
    module = read_module(ptx_of(SOURCES["shared"]))
    assert module.variables["dynamic"] == Variable("dynamic", "shared", 0, 16)
    sizes = {v.name.removeprefix("_ZZ6sharesE"): v.size for v in module.kernels[0].variables}
    assert sizes == {"1a": 8 * 33 * 4, "1b": 256, "4flag": 4, "5quads": 256}


WORDS = [
    *".version .target .entry .func .reg .b32 .pred .param .shared .global .align .loc .file .section .b8 .v2".split(),
    *".f32 .branchtargets .callprototype .alias .pragma .extern .ptr .attribute generic %r1 %p<3> %tid.x x y".split(),
    *"$L ld.global.f32 bra call ret mov.u32 0 1 8 0x1F 0f3F800000 1.5 99999999999999999999".split(),
    *"( ) { } [ ] < > , ; : @ ! | + - = _".split(),
    *('"x"', '"', "\n"),
]


@given(words=st.lists(st.sampled_from(WORDS), max_size=40), inside=st.booleans())
def test_words_in_any_order_are_a_module_or_refused(words: list[str], inside: bool) -> None:
    text = " ".join(words)
    module_or_error(f"{HEAD}.entry k() {{ .reg .b32 %r<4>; {text} }}" if inside else HEAD + text)


@given(text=st.text(max_size=200))
def test_any_text_is_a_module_or_refused(text: str) -> None:
    module_or_error(text)


@given(data=st.data())
def test_a_damaged_text_is_a_module_or_refused(data: st.DataObject) -> None:
    text = text_of(data.draw(st.sampled_from(["inline_asm", "device_functions", "initialisers", "printing"])))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.sampled_from([0, 1, 3, 50]))
        text = text[:start] + data.draw(st.sampled_from(["", "{", "}", ";", "[", '"', "9", "/*", *WORDS])) + text[end:]
    module_or_error(text)


def module_or_error(text: str) -> None:
    try:
        module = read_module(text)
    except PtxError as refusal:
        error = refusal
    else:
        assert isinstance(module, Module)
        return
    assert 1 <= error.ptx_line <= text.count("\n") + 1
    assert str(error).isprintable()
