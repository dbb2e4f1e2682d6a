"""An XOR swizzle of a shared array that keeps every access of a scene free of conflicts and takes no more bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpviz.advice.arrays import ArrayAccesses, elements
from warpviz.advice.fix import Fix
from warpviz.advice.rearranging import Way, attempt
from warpviz.expression.arrangement import Swizzle
from warpviz.expression.relayout import swizzled
from warpviz.expression.site import Site
from warpviz.hardware import BANKS, LINE_BYTES

_ROW_OF_BANKS_BYTES = LINE_BYTES
_SHIFTS = range(BANKS.bit_length())  # rows that differ by 1, 2, 4, … 32


def xored(array: ArrayAccesses) -> tuple[Fix | None, list[str]]:
    """The column xored with the row, or the index with its own high bits; else a sentence on what stands in the way.

    Free of conflicts, or with the fewest passes if they are fewer than now.
    """
    site, unit = array.site, array.unit_bytes()
    if unit & (unit - 1) or unit * 2 > _ROW_OF_BANKS_BYTES:
        return None, [f"no swizzle of {site.path}: what has to stay together, {unit} bytes, is no power of 2 below 128"]
    chunks = _chunks(site.row_bytes, unit)
    way = Way(
        "swizzle",
        list(_swizzles(array, chunks, unit)) if chunks > 1 else [],
        swizzled,
        _at,
        lambda swizzle: _title(array, swizzle),
        lambda _: "one xor an access",
    )
    tried = attempt(array, way)
    if tried.free:
        return tried.fix, []
    return tried.fix, [_why_not(array, tried.sentence, chunks * unit)]


def _chunks(row_bytes: int | None, unit: int) -> int:
    """Into how many chunks, a power of 2, the rows divide, up to a row of the banks."""
    chunks = _ROW_OF_BANKS_BYTES // unit
    while chunks > 1 and row_bytes is not None and row_bytes % (chunks * unit):
        chunks //= 2
    return chunks


def _swizzles(array: ArrayAccesses, chunks: int, unit: int) -> Iterator[Swizzle]:
    site = array.site
    if len(site.extents) > 1:
        yield from (Swizzle("row", shift, chunks, unit, site.row_bytes, site.extents[-2]) for shift in _SHIFTS)
    if site.row_bytes is None or site.row_bytes > _ROW_OF_BANKS_BYTES:
        yield from (Swizzle("index", shift, chunks, unit, site.row_bytes, None) for shift in _SHIFTS)


def _at(swizzle: Swizzle, site: Site) -> Swizzle | None:
    """The swizzle of an array whose dimensions have other values; None where its rows do not divide into its chunks."""
    whole = swizzle.chunks * swizzle.chunk_bytes
    if (site.row_bytes is None) != (swizzle.row_bytes is None) or (site.row_bytes or 0) % whole:
        return None
    return replace(swizzle, row_bytes=site.row_bytes, rows=None if swizzle.key == "index" else site.extents[-2])


def _title(array: ArrayAccesses, swizzle: Swizzle) -> str:
    path = array.site.path
    if swizzle.key == "row":
        return f"swizzle the column of {path} with the row"
    return f"swizzle the index of {path} with its own high bits"


def _why_not(array: ArrayAccesses, sentence: str, span_bytes: int) -> str:
    site = array.site
    if sentence:
        return f"no swizzle of {site.path}: {sentence}"
    whole = _ROW_OF_BANKS_BYTES // site.element_bytes
    if span_bytes < _ROW_OF_BANKS_BYTES and site.row_bytes is not None and site.row_bytes & (site.row_bytes - 1):
        what = "rows" if len(site.extents) > 1 else "an array"
        return (
            f"a swizzle needs {what} of a multiple of {elements(whole, site)}; "
            f"{site.path} has {'rows of ' if len(site.extents) > 1 else ''}{site.extents[-1]}"
        )
    return f"of the swizzles of {site.path} that were tried, none makes every access free of conflicts"
