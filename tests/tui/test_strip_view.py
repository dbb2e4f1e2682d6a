"""StripView refreshes what changed and nothing else."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from warpviz.tui.widgets.strip_view import changed_regions

RED, BLUE = Style(color="red"), Style(color="blue")


def strip(*parts: tuple[str, Style]) -> Strip:
    return Strip([Segment(text, style) for text, style in parts])


def test_equal_strips_need_no_refresh() -> None:
    before = [strip(("ab", RED)), strip(("cd", BLUE))]
    assert changed_regions(before, [strip(("ab", RED)), strip(("cd", BLUE))], 2) == []


def test_a_region_ends_at_the_last_change() -> None:
    before = [strip(("ab", RED), ("cd", BLUE), ("ef", RED))]
    after = [strip(("ab", RED), ("cd", RED), ("ef", RED))]
    assert changed_regions(before, after, 6) == [Region(2, 0, 2, 1)]


def test_rows_that_come_or_go_are_refreshed_whole() -> None:
    one, two = [strip(("ab", RED))], [strip(("ab", RED)), strip(("cd", RED))]
    assert changed_regions(one, two, 2) == [Region(0, 1, 2, 1)]
    assert changed_regions(two, one, 2) == [Region(0, 1, 2, 1)]


def test_a_style_alone_is_a_change() -> None:
    assert changed_regions([strip(("ab", RED))], [strip(("ab", BLUE))], 2) == [Region(0, 0, 2, 1)]
