"""An index that is known lane by lane, written as C: the simplest text that gives it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from warpviz.expression.pattern import Launch
from warpviz.kernel.fitting.lanes import Ints
from warpviz.kernel.fitting.linear import linear, over
from warpviz.kernel.fitting.threads import thread_basis
from warpviz.kernel.fitting.wraps import wrapped
from warpviz.kernel.fitting.xors import xored


class Form(IntEnum):
    """How an index is written, the most readable first.

    STRAIGHT: a sum of parts of the lane's number, or an xor of them. WRAPPED: with jumps. LISTED: a table, since it
    depends on data, or on the lane in no way that is looked for.
    """

    STRAIGHT = 0
    WRAPPED = 1
    LISTED = 2


@dataclass(frozen=True)
class Index:
    """text: C of the lane's number. form: how it is written."""

    text: str
    form: Form


def fitted(values: Ints, bits: int, launch: Launch) -> Index | None:
    """An index in the lanes whose bits are set; None where only a table gives it.

    values: ascending by lane. launch: whose threads they are.
    """
    if not bits:
        return Index("0", Form.STRAIGHT)
    text = _straight(values, bits, launch)
    if text is not None:
        return Index(text, Form.STRAIGHT)
    text = wrapped(values, bits)
    return None if text is None else Index(text, Form.WRAPPED)


def _straight(values: Ints, bits: int, launch: Launch) -> str | None:
    """Of what there is, the shortest."""
    threads = thread_basis(launch)
    text = linear(values, bits) or (over(threads, values, bits) if threads else None)
    if text is not None and text.count("lane") <= 1 and "-" not in text:
        return text
    return min(filter(None, (text, xored(values, bits))), key=len, default=None)
