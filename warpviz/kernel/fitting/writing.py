"""A path with its indices written out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from warpviz.expression.pattern import Launch
from warpviz.hardware import LANES
from warpviz.kernel.fitting.index import Form, Index, fitted
from warpviz.kernel.fitting.lanes import Ints, lanes_of
from warpviz.kernel.fitting.paths import Path
from warpviz.kernel.fitting.symbols import identifier

_TABLE = "at"
_WORD = re.compile(r"\w+")
_INT_END = 1 << 31


@dataclass(frozen=True)
class Written:
    """expression: C. tables: the declarations of those that it reads. form: of the least readable of its indices."""

    expression: str
    tables: tuple[str, ...]
    form: Form


def written(path: Path, bits: int, launch: Launch) -> Written:
    """bits: the lanes that the indices are known in, ascending by lane."""
    texts: list[str] = []
    tables: list[str] = []
    form = Form.STRAIGHT
    for part in path:
        if isinstance(part, str):
            texts.append(part)
            continue
        index = fitted(part, bits, launch)
        if index is None:
            name = _table_name(len(tables), path)
            tables.append(_table(name, part, bits))
            index = Index(f"{name}[lane]", Form.LISTED)
        texts.append(index.text)
        form = max(form, index.form)
    return Written("".join(texts), tuple(tables), form)


def _table_name(number: int, path: Path) -> str:
    """One that the path does not use."""
    used = {word for part in path if isinstance(part, str) for word in _WORD.findall(part)}
    return identifier(f"{_TABLE}{number + 1}" if number else _TABLE, frozenset(used))


def _table(name: str, values: Ints, bits: int) -> str:
    """The index of each lane; 0 where it does not matter."""
    worth = dict(zip(lanes_of(bits).tolist(), values.tolist(), strict=True))
    ctype = "int" if all(-_INT_END <= value < _INT_END for value in worth.values()) else "long long"
    listed = ", ".join(str(worth.get(lane, 0)) for lane in range(LANES))
    return f"const {ctype} {name}[{LANES}] = {{{listed}}};"
