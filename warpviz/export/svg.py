"""A frame as SVG: one file that needs no other, whose text can be selected and searched.

A character is placed by columns, whatever font is found: each run of text starts at its own column, and browsers fit
it to its width. Rectangles of whole pixels lie behind it, so that neighbours meet without a seam.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME

from warpviz.export.frame import Cell, Frame, cells_of

# DejaVu Sans Mono's proportions at 20 pixels; the other fonts' differ by a few hundredths.
_FONT_PX, _CELL_WIDTH_PX, _CELL_HEIGHT_PX, _BASELINE_PX = 20, 12, 23, 18
_FONTS = "DejaVu Sans Mono,Menlo,Consolas,Cascadia Mono,Liberation Mono,monospace"


@dataclass(frozen=True)
class _Paint:
    """How characters look. ink, ground: as #rrggbb."""

    ink: str
    ground: str
    bold: bool
    italic: bool
    dim: bool
    underline: bool

    @property
    def css(self) -> str:
        """The characters' style; what lies behind them is a rectangle of its own."""
        rules = [f"fill:{self.ink}"]
        rules += ["font-weight:bold"] if self.bold else []
        rules += ["font-style:italic"] if self.italic else []
        rules += ["opacity:.6"] if self.dim else []
        rules += ["text-decoration:underline"] if self.underline else []
        return ";".join(rules)


@dataclass(frozen=True)
class _Run:
    """Neighbouring columns of one row that share a style. columns: as many as the text takes."""

    x: int
    columns: int
    text: str
    css: str


def frame_svg(frame: Frame, title: str) -> str:
    """The frame as an SVG document, `title` its name for screen readers and browsers."""
    rows = [cells_of(row) for row in frame]
    grounds = [[_paint(cell.style).ground for cell in row] for row in rows]
    ground = Counter(colour for row in grounds for colour in row).most_common(1)
    base = ground[0][0] if ground else "#000000"
    texts = [list(_text_runs(row)) for row in rows]
    names = {css: f"s{n}" for n, css in enumerate(dict.fromkeys(run.css for row in texts for run in row))}
    width, height = max(map(len, rows), default=0) * _CELL_WIDTH_PX, len(rows) * _CELL_HEIGHT_PX
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" xml:space="preserve">',
        f"<title>{_escaped(title)}</title>",
        "<style>",
        f"text{{font:{_FONT_PX}px {_FONTS};white-space:pre}}",
        *(f".{name}{{{css}}}" for css, name in names.items()),
        "</style>",
        f'<rect width="{width}" height="{height}" fill="{base}"/>',
        '<g shape-rendering="crispEdges">',
        *_rectangles(grounds, base),
        "</g>",
        *(_text(y, runs, names) for y, runs in enumerate(texts) if runs),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=512)
def _paint(style: Style) -> _Paint:
    ink = _hex(style, ink=True)
    ground = _hex(style, ink=False)
    if style.reverse:
        ink, ground = ground, ink
    return _Paint(ink, ground, bool(style.bold), bool(style.italic), bool(style.dim), bool(style.underline))


def _hex(style: Style, ink: bool) -> str:
    colour = style.color if ink else style.bgcolor
    if colour is None or colour.is_default:
        theme = SVG_EXPORT_THEME
        return (theme.foreground_color if ink else theme.background_color).hex
    return colour.get_truecolor(SVG_EXPORT_THEME, foreground=ink).hex


def _rectangles(grounds: list[list[str]], base: str) -> Iterator[str]:
    """A rectangle for each stretch of another ground than `base`, as many rows high as it goes on below."""
    open_: dict[tuple[int, int, str], int] = {}  # stretch -> the row it begins in
    for y, row in enumerate([*grounds, []]):
        stretches = dict.fromkeys(stretch for stretch in _stretches(row) if stretch[2] != base)
        for stretch in [known for known in open_ if known not in stretches]:
            yield _rectangle(stretch, open_.pop(stretch), y)
        for stretch in stretches:
            open_.setdefault(stretch, y)


def _stretches(row: list[str]) -> Iterator[tuple[int, int, str]]:
    """(first column, the one behind the last, ground) of each run of one ground."""
    starts = [x for x in range(len(row)) if x == 0 or row[x] != row[x - 1]]
    return ((start, end, row[start]) for start, end in pairwise([*starts, len(row)]))


def _rectangle(stretch: tuple[int, int, str], top: int, bottom: int) -> str:
    start, end, colour = stretch
    x, y = start * _CELL_WIDTH_PX, top * _CELL_HEIGHT_PX
    width, height = (end - start) * _CELL_WIDTH_PX, (bottom - top) * _CELL_HEIGHT_PX
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"/>'


def _text_runs(row: list[Cell]) -> Iterator[_Run]:
    """The row's text without the blanks at its end. A blank joins the run before it, unless either is underlined."""
    last = max((x for x, cell in enumerate(row) if cell.text.strip() or _paint(cell.style).underline), default=-1)
    styles: list[str] = []
    for cell in row[: last + 1]:
        paint = _paint(cell.style)
        joins = bool(styles) and not cell.text.strip() and not paint.underline and "underline" not in styles[-1]
        styles.append(styles[-1] if joins else paint.css)
    x = 0
    for css, run in groupby(zip(styles, row, strict=False), key=lambda item: item[0]):
        text = "".join(cell.text for _, cell in run)
        yield _Run(x, cell_len(text), text, css)
        x += cell_len(text)


def _text(y: int, runs: Iterable[_Run], names: dict[str, str]) -> str:
    spans = "".join(
        f'<tspan class="{names[run.css]}" x="{run.x * _CELL_WIDTH_PX}" '
        f'textLength="{run.columns * _CELL_WIDTH_PX}">{_escaped(run.text)}</tspan>'
        for run in runs
    )
    return f'<text y="{y * _CELL_HEIGHT_PX + _BASELINE_PX}">{spans}</text>'


def _escaped(text: str) -> str:
    """The text in XML, which has no control characters: each of them becomes a blank."""
    return escape("".join(c if c.isprintable() else " " for c in text))
