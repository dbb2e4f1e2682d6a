"""A mask of the warp's lanes: a cell for each lane, the mask in hexadecimal, and masks to choose at once."""

from __future__ import annotations

from dataclasses import dataclass

from textual.strip import Strip

from warpviz.hardware import LANES
from warpviz.tui.render.text import Look, Part, cut, strip_of

MASK_LINES = 3
MASKS = (("a", "all", 0xFFFFFFFF), ("n", "none", 0), ("e", "even", 0x55555555))  # key, name, mask

_AFTER_CELLS = 12  # columns that the hexadecimal mask takes
_CELL_WIDTHS = {1: 8, 2: 4, 3: 1}  # columns a cell: every how many lanes have their number over it
_WORD_LINE = 2


@dataclass(frozen=True)
class Mask:
    """active: bit l is lane l. lane: the one that the keys act on. focused: whether they do."""

    active: int
    lane: int
    focused: bool


def mask_strips(mask: Mask, width: int, look: Look) -> list[Strip]:
    """Three lines: the lanes' numbers, their cells and the mask in hexadecimal, the masks to choose."""
    lines = [_numbers(width, look), _cells(mask, width, look), _words(mask, look)]
    return [strip_of(cut(line, width, look), width, look) for line in lines]


def lane_under(width: int, x: int, y: int) -> int | None:
    """The lane whose cell is at this place of the three lines."""
    lane = x // _cell_width(width)
    return lane if y < _WORD_LINE and 0 <= lane < LANES else None


def mask_under(x: int, y: int) -> int | None:
    """The mask whose name is at this place of the three lines."""
    start = 0
    for key, name, mask in MASKS:
        end = start + len(_word(key, name))
        if y == _WORD_LINE and start <= x < end:
            return mask
        start = end
    return None


def _cell_width(width: int) -> int:
    return max((cell for cell in _CELL_WIDTHS if cell * LANES + _AFTER_CELLS <= width), default=1)


def _numbers(width: int, look: Look) -> list[Part]:
    cell = _cell_width(width)
    every = _CELL_WIDTHS[cell]
    numbers = "".join(f"{lane:<{cell * every}}" for lane in range(0, LANES, every))
    return [(numbers, look.palette.quiet)]


def _cells(mask: Mask, width: int, look: Look) -> list[Part]:
    palette, glyphs = look.palette, look.glyphs
    gap = " " * (_cell_width(width) - 1)
    parts: list[Part] = []
    for lane in range(LANES):
        is_active = mask.active >> lane & 1
        style = palette.strong if is_active else palette.quiet
        if mask.focused and lane == mask.lane:
            style = palette.chosen
        parts += [(glyphs.now if is_active else glyphs.waiting, style), (gap, palette.text)]
    return [*parts, (f" {mask.active:#010x}", palette.text)]


def _words(mask: Mask, look: Look) -> list[Part]:
    palette = look.palette
    parts: list[Part] = []
    for key, name, _ in MASKS:
        parts += [(key, palette.strong), (_word(key, name)[len(key) :], palette.quiet)]
    return [*parts, ("space", palette.strong), (f" lane {mask.lane}", palette.quiet)]


def _word(key: str, name: str) -> str:
    return f"{key} {name}   "
