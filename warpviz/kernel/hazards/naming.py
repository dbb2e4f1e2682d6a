"""Which variable lies at a byte of shared memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpviz.hardware import WORD_BYTES
from warpviz.kernel.memory.layout import Layout
from warpviz.kernel.memory.observing import Kind
from warpviz.kernel.memory.values import memory_type
from warpviz.kernel.ptx.syntax import Variable

_IDENTIFIER = re.compile(r"E(?P<length>\d+)(?P<rest>[A-Za-z_]\w*)")


def variable_at(byte: int, variables: Sequence[Variable], layout: Layout) -> tuple[Variable, int] | None:
    """The variable of shared memory that holds a byte, and where it begins; None where there is none."""
    for variable in variables:
        if variable.space == "shared":
            start = layout.places[variable.name].address
            size = variable.size or layout.sizes["shared"] - start
            if start <= byte < start + size:
                return variable, start
    return None


def own_name(symbol: str) -> str:
    """A variable's name as the source has it.

    >>> own_name("_ZZ4tileILi16EEvPfE4edge_0"), own_name("_ZN4math4tileE"), own_name("tile")
    ('edge', 'tile', 'tile')
    """
    if not symbol.startswith("_Z"):
        return symbol
    nested = symbol.startswith("_ZN") and symbol.endswith("E")
    text = "E" + symbol[3:-1] if nested else symbol
    for start in range(len(text) - 1, -1, -1):
        match = re.match(r"(\d+)([A-Za-z_]\w*)$", text[start:]) if nested else _IDENTIFIER.match(text[start:])
        if match is None:
            continue
        length, rest = int(match[1]), match[2]
        if len(rest) == length or (len(rest) > length and re.fullmatch(r"_\d*_?", rest[length:])):
            return rest[:length]
    return symbol


def element(byte: int, kind: Kind, variables: Sequence[Variable], layout: Layout) -> tuple[str | None, str]:
    """The variable's name, and a byte as an element of it that a kind of access touches: "tile[33] (word 35)"."""
    found = variable_at(byte, variables, layout)
    word = f"(word {byte // WORD_BYTES})"
    if found is None:
        return None, f"byte {byte} of shared memory {word}"
    variable, start = found
    name, held = own_name(variable.name), memory_type(kind.type)
    size = held.size if held else WORD_BYTES
    index = "" if variable.size == size else f"[{(byte - start) // size}]"
    return name, f"{name}{index} {word}"
