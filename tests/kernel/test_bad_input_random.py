"""Changed at random, files, launch lines and PTX run to their end or are refused: no other exception is ever raised."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.compiling import compiler
from tests.kernel.ptx_samples import GOLDEN, KERNELS, ptx_of
from warpviz.kernel.errors import KERNEL_ERRORS
from warpviz.kernel.interpret import interpret
from warpviz.kernel.launch import LaunchError, LaunchOptions, launch_of, parse_launch
from warpviz.kernel.prepare import prepare
from warpviz.kernel.program import build_program
from warpviz.kernel.ptx import read_module
from warpviz.kernel.source import read_source

pytestmark = pytest.mark.usefixtures("nvrtc")

ONE_BLOCK = LaunchOptions(grid="1")
PIECES = [
    "{",
    "}",
    "(",
    ")",
    ";",
    '"',
    "/*",
    "//@ launch",
    "#include",
    "__global__",
    "<",
    "\\",
    "%",
    "-1",
    "é",
    "grid=",
]
OPERANDS = ["%r1", "%rd1", "%p1", "!%p1", "{%r1,%r2}", "[%rd1+4]", "%r1|%p1", "_", "%tid.x", "%clock64", "1.5"]
OPERANDS += ["0f3F800000", "-9223372036854775809", "0xFFFFFFFFFFFFFFFFFFFFFFFF"]
MODIFIERS = """ld st atom red shfl vote match redux bar cvt mov mma setp selp prmt lop3 ldmatrix cp call ret trap global
shared local const param sync aligned all ballot idx down x2 trans async add min and exch cas cc hi wide sat ftz
volatile v2 v4 rn rzi u8 s16 b16 u32 s32 b32 u64 b64 b128 f16 f16x2 bf16 f32 f64 pred m16n8k16 row col""".split()
TOKEN = re.compile(r"[%\w.$]+|\s+|\S")


@cache
def golden(kernel: str) -> tuple[str, str]:
    """The file and its PTX."""
    text = (KERNELS / f"{kernel}.cu").read_text()
    return text, ptx_of(text, name=f"{kernel}.cu")


def only_for_a_while() -> Callable[[], bool]:
    """Says after the first steps that nobody waits: a change may make a kernel endless."""
    asked: list[None] = []

    def cancelled() -> bool:
        asked.append(None)
        return len(asked) > 2

    return cancelled


@st.composite
def changed(draw: st.DrawFn, text: str) -> str:
    """A text with a few characters taken away, doubled, or put in."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(st.sampled_from([*PIECES, text[start:end] * 2, ""]))
        text = text[:start] + piece + text[end:]
    return text


@st.composite
def changed_ptx(draw: st.DrawFn, ptx: str) -> str:
    """PTX with a few tokens exchanged for others of their kind, or of another."""
    lines = ptx.split("\n")
    of_code = [number for number, line in enumerate(lines) if line.startswith("\t") and ";" in line]
    for _ in range(draw(st.integers(1, 3))):
        number = draw(st.sampled_from(of_code))
        tokens = TOKEN.findall(lines[number]) or [""]
        place = draw(st.integers(0, len(tokens) - 1))
        if "." in tokens[place] and draw(st.booleans()):
            words = tokens[place].split(".")
            words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(MODIFIERS))
            tokens[place] = ".".join(words)
        else:
            others = TOKEN.findall(lines[draw(st.sampled_from(of_code))])
            tokens[place] = draw(st.sampled_from([*others, *OPERANDS, *PIECES, ""]))
        lines[number] = "".join(tokens)
    return "\n".join(lines)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), kernel=st.sampled_from(GOLDEN))
def test_files(tmp_path: Path, data: st.DataObject, kernel: str) -> None:
    file = tmp_path / "k.cu"
    file.write_text(data.draw(changed(golden(kernel)[0])))
    with suppress(*KERNEL_ERRORS):
        prepared = prepare(read_source(file), ONE_BLOCK, compiler=compiler())
        interpret(prepared.program, prepared.launch, cancelled=only_for_a_while())


@settings(max_examples=120, deadline=None)
@given(data=st.data(), kernel=st.sampled_from(GOLDEN))
def test_launch_lines(data: st.DataObject, kernel: str) -> None:
    text, ptx = golden(kernel)
    (routine,) = read_module(ptx).kernels
    stated = data.draw(changed(text.split("\n")[0].removeprefix("//@ launch")))
    with suppress(LaunchError):
        for line in parse_launch(f"//@ launch{stated}", "k.cu"):
            launch_of(line, LaunchOptions(), routine, None, name=kernel, folder=KERNELS)


@settings(max_examples=120, deadline=None)
@given(data=st.data(), kernel=st.sampled_from(GOLDEN))
def test_ptx(data: st.DataObject, kernel: str) -> None:
    text, ptx = golden(kernel)
    (line,) = parse_launch(text)
    with suppress(*KERNEL_ERRORS):
        module = read_module(data.draw(changed_ptx(ptx)))
        routine = module.routines.get(kernel)
        if routine is None or not routine.is_kernel or not routine.instructions:
            return
        launch = launch_of(line, ONE_BLOCK, routine, None, name=kernel, folder=KERNELS)
        interpret(build_program(module, kernel), launch, cancelled=only_for_a_while())
