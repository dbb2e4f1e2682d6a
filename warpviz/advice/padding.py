"""The smallest padding of a shared array that keeps every access of a scene free of conflicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from warpviz.advice.arrays import ArrayAccesses, elements
from warpviz.advice.fix import Fix
from warpviz.advice.rearranging import Attempt, Way, attempt
from warpviz.expression.arrangement import Padding
from warpviz.expression.relayout import padded_index, padded_rows
from warpviz.expression.site import Site
from warpviz.hardware import BANKS, LINE_BYTES

_ROW_OF_BANKS_BYTES = LINE_BYTES
_LONGEST_INTERVAL_BYTES = _ROW_OF_BANKS_BYTES * BANKS  # longer strides than a row for each bank are rare


def padded(array: ArrayAccesses) -> tuple[Fix | None, list[str]]:
    """Rows made longer, or elements skipped at regular intervals; and sentences on what does not help.

    The padding that costs the fewest bytes of those free of conflicts, else the one with the fewest passes, if they
    are fewer than now.
    """
    attempts: list[Attempt] = []
    sentences: list[str] = []
    if len(array.site.extents) > 1:
        rows = attempt(array, _rows(array))
        if rows.free:
            return rows.fix, []
        attempts.append(rows)
        sentences.append(_why_not_rows(array, rows))
    index = attempt(array, _index(array))
    attempts.append(index)
    fixes = [found.fix for found in attempts if found.fix is not None]
    if not index.free:
        sentences += [_why_not_index(array, index)] if len(array.site.extents) == 1 else []
    fix = min(fixes, key=lambda fix: sum(fix.after), default=None)
    return fix, sentences


def _rows(array: ArrayAccesses) -> Way[Padding]:
    """1, 2, 3, … elements more in each row, up to a row of the banks."""
    site = array.site
    most = max(_ROW_OF_BANKS_BYTES // site.element_bytes, 1)
    pads = [Padding(site.row_bytes or 0, n * site.element_bytes) for n in range(1, most + 1)] if site.row_bytes else []
    return Way(
        "pad",
        pads,
        padded_rows,
        lambda pad, site: None if site.row_bytes is None else replace(pad, every_bytes=site.row_bytes),
        lambda pad: f"pad each row of {site.path} by {elements(pad.pad_bytes // site.element_bytes, site)}",
        lambda pad: "",
    )


def _index(array: ArrayAccesses) -> Way[Padding]:
    """Elements skipped after every row of the banks, every second row, every fourth, …; the fewest bytes first."""
    site = array.site
    return Way(
        "pad",
        sorted(_intervals(array), key=lambda pad: (pad.pad_bytes / pad.every_bytes, pad.every_bytes)),
        padded_index,
        lambda pad, _: pad,
        lambda pad: (
            f"skip {elements(pad.pad_bytes // site.element_bytes, site)} "
            f"after every {pad.every_bytes // site.element_bytes} of {site.path}"
        ),
        lambda pad: "" if site.size_bytes else f"{site.path} grows by {Fraction(pad.pad_bytes, pad.every_bytes)}",
    )


def _intervals(array: ArrayAccesses) -> Iterator[Padding]:
    site = array.site
    unit = max(site.element_bytes, *(other.step_bytes for other in array.sites))
    if unit > _ROW_OF_BANKS_BYTES or unit & (unit - 1):
        return
    every = _ROW_OF_BANKS_BYTES
    while every <= _LONGEST_INTERVAL_BYTES and _fits(site, every):
        yield from (Padding(every, pad) for pad in range(unit, _ROW_OF_BANKS_BYTES + 1, unit))
        every *= 2


def _fits(site: Site, every_bytes: int) -> bool:
    """Whether rows hold such intervals. Several rows are whole intervals each, so that each grows by as much."""
    if site.row_bytes is None:
        return True
    return every_bytes <= site.row_bytes and (len(site.extents) == 1 or site.row_bytes % every_bytes == 0)


def _why_not_rows(array: ArrayAccesses, tried: Attempt) -> str:
    site = array.site
    if isinstance(tried.misaligned, Padding):
        return _alignment_lost(array, tried.misaligned)
    if tried.sentence:
        return f"longer rows of {site.path} do not help: {tried.sentence}"
    row_bytes = site.row_bytes or 1
    rows = {
        int(offset) // row_bytes
        for member, access in zip(array.sites, array.accesses, strict=True)
        for offset in member.offsets[access.pointing[0]]
    }
    if len(rows) == 1:
        return f"every lane is in row {rows.pop()} of {site.path}, so longer rows move them all alike"
    return f"no longer rows of {site.path}, up to {_ROW_OF_BANKS_BYTES} bytes more, are free of conflicts"


def _why_not_index(array: ArrayAccesses, tried: Attempt) -> str:
    site = array.site
    if isinstance(tried.misaligned, Padding):
        return _alignment_lost(array, tried.misaligned)
    if tried.sentence:
        return f"no element of {site.path} can be skipped: {tried.sentence}"
    if not any(_intervals(array)):
        return f"no padding of {site.path} fits: its elements or its length do not fill {_ROW_OF_BANKS_BYTES} bytes"
    every = f"{_ROW_OF_BANKS_BYTES} to {_LONGEST_INTERVAL_BYTES:,} bytes"
    return f"of the paddings of {site.path} that were tried, after every {every}, none is free of conflicts"


def _alignment_lost(array: ArrayAccesses, pad: Padding) -> str:
    """Of a padding that would be free of conflicts if lanes could read across an alignment."""
    site, width = array.site, max(access.width for access in array.accesses)
    count = pad.pad_bytes // site.element_bytes
    return (
        f"a pad of {elements(count, site)} would be free of conflicts, but {width}-byte alignment would be lost: "
        f"only a multiple of {elements(max(width // site.element_bytes, 1), site)} keeps it"
    )
