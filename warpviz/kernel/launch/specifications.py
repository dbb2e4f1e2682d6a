"""What is given for a parameter, understood as far as it can be without the kernel: a number, an array, a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from warpviz.expression.source import clipped
from warpviz.kernel.launch.errors import LaunchError
from warpviz.kernel.launch.line import Given

# Element types, as a launch writes them.
ELEMENTS: dict[str, np.dtype[np.generic]] = {
    name: np.dtype(dtype)
    for name, dtype in {
        "f64": np.float64,
        "f32": np.float32,
        "f16": np.float16,
        "i64": np.int64,
        "u64": np.uint64,
        "i32": np.int32,
        "u32": np.uint32,
        "i16": np.int16,
        "u16": np.uint16,
        "i8": np.int8,
        "u8": np.uint8,
    }.items()
}

_FLOATING = re.compile(
    r"[+-]?(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)[fFlL]?|[+-]?(?i:inf(?:inity)?|nan)"
)
_DECIMAL = re.compile(r"[+-]?(?:0|[1-9]\d{0,99})", re.ASCII)
_WORDS = {"true": 1, "false": 0, "nullptr": 0, "NULL": 0}
_ARRAY = re.compile(r"(?P<type>[A-Za-z_]\w*)\s*\[")


@dataclass(frozen=True)
class NumberGiven:
    """value: of a plain number or a word such as true; None for the integer expression that `given` is."""

    given: Given
    value: int | float | None


@dataclass(frozen=True)
class ArrayGiven:
    """dtype: of an element. count: how many, an integer expression. each: what they are; None for zeros."""

    given: Given
    dtype: np.dtype[np.generic]
    count: Given
    each: Given | None


@dataclass(frozen=True)
class FileGiven:
    """path: of a .npy file."""

    given: Given
    path: Path


Specification = NumberGiven | ArrayGiven | FileGiven


def specification(given: Given, folder: Path) -> Specification:
    """Understand `5`, `0.5f`, `f32[COUNT]`, `f32[COUNT]:EXPR` or `@FILE.npy`. folder: that a path starts from.

    Raises LaunchError.
    """
    text = given.text
    if text.startswith("@"):
        if not text[1:].strip():
            raise LaunchError("@ is followed by the path of a .npy file", given.where)
        return FileGiven(given, folder / text[1:].strip())
    if text in _WORDS:
        return NumberGiven(given, _WORDS[text])
    if _DECIMAL.fullmatch(text):
        return NumberGiven(given, int(text))
    if _FLOATING.fullmatch(text):
        return NumberGiven(given, float(text if "n" in text.lower() else text.rstrip("fFlL")))
    array = _ARRAY.match(text)
    return _array(given, array) if array else NumberGiven(given, None)


def _array(given: Given, begun: re.Match[str]) -> ArrayGiven:
    text = given.text
    dtype = ELEMENTS.get(begun["type"])
    if dtype is None:
        known = " ".join(ELEMENTS)
        raise LaunchError(f"{clipped(begun['type'])} is no type of elements; they are {known}", given.where)
    end = _closing(text, begun.end())
    if end is None:
        raise LaunchError("the [ of the array is never closed", given.where.after(begun.end() - 1))
    count, rest = text[begun.end() : end], text[end + 1 :]
    if not count.strip():
        raise LaunchError("the array has no count; write one such as f32[1024]", given.where.after(begun.end()))
    each = rest.lstrip()
    if each and not (each.startswith(":") and each[1:].strip()):
        raise LaunchError("an array is written TYPE[COUNT] or TYPE[COUNT]:EXPR", given.where.after(end + 1))
    elements = _part(given, text.index(":", end) + 1) if each else None
    return ArrayGiven(given, dtype, _part(given, begun.end(), end), elements)


def _closing(text: str, start: int) -> int | None:
    """Where the bracket closes that was opened before start."""
    depth = 1
    for offset in range(start, len(text)):
        depth += {"[": 1, "]": -1}.get(text[offset], 0)
        if depth == 0:
            return offset
    return None


def _part(given: Given, start: int, end: int | None = None) -> Given:
    part = given.text[start:end]
    return Given(part.strip(), given.where.after(start + len(part) - len(part.lstrip())))
