"""A chart of costs against a knob as SVG: self-contained, no script, no font to fetch, colours that everyone can part.

The colours are Okabe and Ito's; every line has its own dashes too, and every measured dot the shape of its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from warpviz.scale import Axis, label_start, labelled

_WIDTH, _PLOT_HEIGHT = 860, 346
_LEFT, _RIGHT, _BOTTOM = 64, 24, 56
_TITLE_Y, _LEGEND_Y, _LEGEND_STEP = 32, 58, 20
_DIGIT = 7.5  # width of a digit at the size of the axes' numbers
_LONGEST_TITLE, _LONGEST_NAME = 72, 52
_MOST_TICKS = 11
_INK, _QUIET, _GRID, _GROUND = "#1a1a1a", "#5a5a5a", "#e4e4e4", "#ffffff"
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#000000")
_DASHES = ("", "9 4", "3 3", "12 3 3 3", "6 2", "2 5", "14 5")


@dataclass(frozen=True)
class Line:
    """One access at each value of the knob.

    predicted, ideal: None where it is in error, for the reason in `errors`. measured: None where it was not measured.
    All have the length of the chart's values.
    """

    name: str
    predicted: tuple[int | None, ...]
    ideal: tuple[int | None, ...]
    measured: tuple[float | None, ...]
    errors: tuple[str, ...]


@dataclass(frozen=True)
class _Frame:
    """Where values and counts lie, in pixels. above: the upper end of the plot. lines: how many there are."""

    values: tuple[int, ...]
    above: int
    axis: Axis
    lines: int

    @property
    def below(self) -> int:
        """The lower end of the plot."""
        return self.above + _PLOT_HEIGHT

    def x(self, place: float) -> float:
        """The left end of a value's place; half a place further is its middle."""
        return _LEFT + place * (_WIDTH - _LEFT - _RIGHT) / len(self.values)

    def dot_x(self, place: int, number: int) -> float:
        """Where a line's dot stands in a value's place, so that no line's dot covers another's."""
        return self.x(place + (number + 1) / (self.lines + 1))

    def y(self, count: float) -> float:
        return self.below - _PLOT_HEIGHT * self.axis.share(count)


def chart_svg(values: Sequence[int], lines: Sequence[Line], *, title: str, x_name: str, y_name: str) -> str:
    """The chart of these lines. values: of the knob `x_name`, one or more. y_name: what is counted.

    The axis of the counts is that of `Axis`; where its steps are doublings it says that it is logarithmic.
    """
    counts = [n for line in lines for n in (*line.predicted, *line.ideal, *line.measured) if n is not None]
    above = _LEGEND_Y + _LEGEND_STEP * len(lines)
    frame = _Frame(tuple(values), above, Axis(max([1, *map(round, counts)])), len(lines))
    height = frame.below + _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="{_INK}" role="img">',
        f"<title>{_text(title)}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="{_GROUND}"/>',
        f'<text x="{_LEFT}" y="{_TITLE_Y}" font-size="18" font-weight="600">{_text(title, _LONGEST_TITLE)}</text>',
        *_axes(frame, x_name, y_name),
        *_legend(lines),
        *_ideals(frame, lines),
    ]
    for number, line in enumerate(lines):
        parts += [*_predicted(frame, line, number), *_measured(frame, line, number)]
    return "\n".join([*parts, "</svg>", ""])


def _axes(frame: _Frame, x_name: str, y_name: str) -> Iterator[str]:
    right, room = _WIDTH - _RIGHT, _WIDTH - _RIGHT - _LEFT
    for count in frame.axis.ticks(_MOST_TICKS):
        y = frame.y(count)
        yield f'<line x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="{_GRID if count else _INK}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4.5:.1f}" text-anchor="end" fill="{_QUIET}">{count:,}</text>'
    centres = [frame.x(place + 0.5) - _LEFT for place in range(len(frame.values))]
    for place in labelled(frame.values, centres, _DIGIT, room):
        width = len(str(frame.values[place])) * _DIGIT
        x = _LEFT + label_start(width, centres[place], room) + width / 2
        number = f'text-anchor="middle" fill="{_QUIET}">{frame.values[place]}'
        yield f'<text x="{x:.1f}" y="{frame.below + 19}" {number}</text>'
    yield f'<text x="{_LEFT + room / 2:.1f}" y="{frame.below + 42}" text-anchor="middle">{_text(x_name, 60)}</text>'
    middle = frame.above + _PLOT_HEIGHT / 2
    scale = " (logarithmic)" if frame.axis.doubles else ""
    turn = f'transform="rotate(-90 18 {middle:.1f})"'
    yield f'<text x="18" y="{middle:.1f}" text-anchor="middle" {turn}>{_text(y_name, 40)}{scale}</text>'


def _legend(lines: Sequence[Line]) -> Iterator[str]:
    """Each line's sample and name, and what lines, dots and grey stand for."""
    measured = any(count is not None for line in lines for count in line.measured)
    for number, line in enumerate(lines):
        y = _LEGEND_Y + _LEGEND_STEP * number
        yield f'<line x1="{_LEFT}" x2="{_LEFT + 36}" y1="{y - 4.5}" y2="{y - 4.5}" {_stroke(number)}/>'
        if measured:
            yield _shape(number, _LEFT + 18, y - 4.5, "legend", "measured")
        yield f'<text x="{_LEFT + 46}" y="{y}">{_text(line.name, _LONGEST_NAME)}</text>'
    note = f"line: predicted{'   dots: measured' if measured else ''}   dotted grey: ideal"
    end = f'x="{_WIDTH - _RIGHT}" text-anchor="end" xml:space="preserve"'
    yield f'<text {end} y="{_LEGEND_Y}" fill="{_QUIET}">{note}</text>'


def _ideals(frame: _Frame, lines: Sequence[Line]) -> Iterator[str]:
    for ideal in dict.fromkeys(line.ideal for line in lines):
        yield f'<path class="ideal" d="{_steps(frame, ideal)}" fill="none" stroke="{_QUIET}" stroke-dasharray="1 3"/>'


def _predicted(frame: _Frame, line: Line, number: int) -> Iterator[str]:
    yield f'<path class="predicted" d="{_steps(frame, line.predicted)}" fill="none" {_stroke(number)}/>'
    for place, error in enumerate(line.errors):
        if error:
            x, y = frame.dot_x(place, number), frame.below - 6
            cross = f"M{x - 3:.1f} {y - 3:.1f}l6 6m0 -6l-6 6"
            said = _text(f"{line.name}: {error}" if line.name else error)
            yield f'<path class="error" d="{cross}" {_stroke(number)}><title>{said}</title></path>'


def _steps(frame: _Frame, counts: Sequence[int | None]) -> str:
    """A line that is level over each value's place and goes straight up or down between them; gaps stay open."""
    path, drawing = [], False
    for place, count in enumerate(counts):
        if count is not None:
            y = frame.y(count)
            path.append(f"V{y:.1f}" if drawing else f"M{frame.x(place):.1f} {y:.1f}")
            path.append(f"H{frame.x(place + 1):.1f}")
        drawing = count is not None
    return "".join(path)


def _measured(frame: _Frame, line: Line, number: int) -> Iterator[str]:
    for place, measured in enumerate(line.measured):
        if measured is not None:
            said = f"{line.name} {frame.values[place]}: measured {measured:.2f}".strip()
            yield _shape(number, frame.dot_x(place, number), frame.y(measured), "measured", said)


def _shape(number: int, x: float, y: float, kind: str, said: str) -> str:
    """A dot: a disc, a square, a diamond or a triangle, with a light rim that parts it from the line."""
    colour = f'class="{kind}" fill="{_COLOURS[number % len(_COLOURS)]}" stroke="{_GROUND}"'
    end = f"{colour}><title>{_text(said)}</title>"
    match number % 4:
        case 0:
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {end}</circle>'
        case 1:
            return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {end}</rect>'
        case 2:
            return f'<path d="M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5 -5.5z" {end}</path>'
    return f'<path d="M{x:.1f} {y - 5.5:.1f}l5.5 9.5h-11z" {end}</path>'


def _stroke(number: int) -> str:
    dashes = _DASHES[number % len(_DASHES)]
    style = f'stroke="{_COLOURS[number % len(_COLOURS)]}" stroke-width="2"'
    return f'{style} stroke-dasharray="{dashes}"' if dashes else style


def _text(text: str, longest: int | None = None) -> str:
    """A user's text as XML: on one line, cut with an ellipsis when it is longer than that."""
    line = "".join(char if char.isprintable() else " " for char in text)
    if longest is not None and len(line) > longest:
        line = line[: longest - 1] + "…"
    return escape(line)
