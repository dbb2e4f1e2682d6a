"""The help: topics, the keys in their groups, and the glossary, in one column or two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby, zip_longest

from rich.style import Style
from textual.strip import Strip

from warpviz.tui.glossary import GLOSSARY
from warpviz.tui.glyphs import key_name
from warpviz.tui.keys import Key
from warpviz.tui.palette import Palette
from warpviz.tui.render.text import Look, Part, between, cut, flow, strip_of
from warpviz.tui.topics import Entry, Sample, Topic

TWO_COLUMNS_FROM = 140  # the screen width
_GAP = 3  # columns between two
_LEAST_NAME, _WIDEST_NAME = 9, 16  # columns for the name of an entry


def topics_of_keys(keys: Iterable[Key]) -> list[Topic]:
    """A topic for each group of keys, in the order of the table."""
    explained = [key for key in keys if key.explained]
    return [
        Topic(f"keys: {name}" if name else "keys", tuple(Entry(key.shown, key.explained) for key in group))
        for name, group in groupby(explained, key=lambda key: key.group)
    ]


def glossary_topic() -> Topic:
    """What the words mean."""
    return Topic("the words", tuple(Entry(word, meaning) for word, meaning in GLOSSARY))


@lru_cache(maxsize=4)
def help_strips(topics: tuple[Topic, ...], width: int, look: Look) -> list[Strip]:
    """Every line of the help, each exactly `width` columns: the topics one under the other, or in two columns."""
    column = width if width < TWO_COLUMNS_FROM else (width - _GAP) // 2
    blank = strip_of([], column, look)
    by_topic = [[*_topic_strips(topic, column, look), blank] for topic in topics]
    if column == width:
        return _stacked(by_topic)
    columns = [(_stacked(by_topic[:at]), _stacked(by_topic[at:])) for at in range(len(by_topic) + 1)]
    left, right = min(columns, key=lambda two: max(map(len, two)))
    gap = strip_of([], width - 2 * column, look)
    rows = zip_longest(left, right, fillvalue=blank)
    return [Strip.join([one, gap, other]).simplify() for one, other in rows]


def _stacked(by_topic: Sequence[Sequence[Strip]]) -> list[Strip]:
    """The topics' strips one under the other, without the last blank one."""
    return [strip for strips in by_topic for strip in strips][:-1]


def page_of(top: int, height: int, total: int) -> tuple[int, int]:
    """Which page of how many is in sight, from line `top` on.

    >>> page_of(0, 20, 50), page_of(20, 20, 50), page_of(30, 20, 50)
    ((1, 3), (2, 3), (3, 3))
    """
    pages = max(-(-total // max(height, 1)), 1)
    return (pages if top + height >= total else 1 + top // height), pages


def foot_strip(page: tuple[int, int], width: int, look: Look) -> Strip:
    """The keys of the help itself, and the page."""
    palette = look.palette
    keys = [("↑ ↓", "scroll"), ("pgup pgdn", "page")] if page[1] > 1 else []
    left: list[Part] = []
    for key, does in [*keys, ("esc", "close")]:
        left += [(f" {key_name(key, look.glyphs)}", palette.strong), (f" {does} ", palette.quiet)]
    right = [(f"page {page[0]} of {page[1]} ", palette.text)]
    return strip_of(between(left, right, width, look), width, look)


def _topic_strips(topic: Topic, width: int, look: Look) -> list[Strip]:
    """The title and the entries."""
    palette = look.palette
    names = [key_name(entry.name, look.glyphs) for entry in topic.entries]
    room = min(max(_LEAST_NAME, *map(len, names)), _WIDEST_NAME) + 2
    lines: list[list[Part]] = [cut([(f" {topic.title}", palette.strong)], width, look)]
    for name, entry in zip(names, topic.entries, strict=True):
        lines += _entry_lines(entry, name, room, width, look)
    return [strip_of(line, width, look) for line in lines]


def _entry_lines(entry: Entry, name: str, room: int, width: int, look: Look) -> list[list[Part]]:
    """The name at the left, in `room` columns, and the text beside it on as many lines as it needs."""
    palette = look.palette
    if not name:
        return [[("   ", palette.text), *line] for line in flow([(entry.text, palette.text)], width - 4)]
    drawn = (name, _style(entry.sample, palette))
    lead: list[Part] = [("   ", palette.text), drawn, (" " * max(room - len(name), 1), palette.text)]
    lines = flow([(entry.text, palette.text)], width - 4 - room)
    hang: Part = (" " * (3 + room), palette.text)
    first, *others = lines or [[]]
    return [[*lead, *first], *([hang, *line] for line in others)]


def _style(sample: Sample, palette: Palette) -> Style:
    hue = palette.hues[0]
    if sample in ("waiting", "now", "served"):
        return hue.of(sample, 0)
    if sample == "shared":
        return hue.of("served", 0) + palette.shared
    style: Style = getattr(palette, sample or "strong")
    return style
