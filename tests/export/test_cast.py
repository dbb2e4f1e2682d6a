"""An animation as an asciinema cast, replayed in a terminal."""

from __future__ import annotations

import json
from typing import Any

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from tests.export.frames import FRAMES, HEIGHT, WIDTH, plain
from warpviz.export.cast import cast

FRAME_S = 0.25


def replayed(text: str) -> tuple[dict[str, Any], list[float], list[pyte.Screen]]:
    """The header, the times, and a terminal's screen after each event."""
    header, *events = map(json.loads, text.splitlines())
    screens = []
    for last in range(1, len(events) + 1):
        screen = pyte.Screen(header["width"], header["height"])
        stream = pyte.Stream(screen)
        for _, kind, data in events[:last]:
            assert kind == "o"
            stream.feed(data)
        screens.append(screen)
    return header, [seconds for seconds, _, _ in events], screens


def cast_of(frames: list[list[list[Segment]]], colours: ColorSystem = ColorSystem.TRUECOLOR) -> str:
    return cast(frames, FRAME_S, (WIDTH, HEIGHT), "a title", colours)


@settings(max_examples=60)
@given(frames=st.lists(FRAMES, min_size=1, max_size=4))
def test_every_frame_is_shown_at_its_time(frames: list[list[list[Segment]]]) -> None:
    header, times, screens = replayed(cast_of(frames))
    assert header == {"version": 2, "width": WIDTH, "height": HEIGHT, "title": "a title"}
    assert times == sorted(times)
    assert times[0] == 0
    for number, frame in enumerate(frames):
        shown = [screen for seconds, screen in zip(times, screens, strict=True) if seconds <= number * FRAME_S][-1]
        assert [line.rstrip() for line in shown.display] == [plain(row).rstrip() for row in frame]


def test_the_cursor_is_hidden_while_it_plays() -> None:
    _, times, screens = replayed(cast_of([[[Segment("a")]], [[Segment("b")]]]))
    assert [screen.cursor.hidden for screen in screens] == [True, True, False]
    assert times[-1] == FRAME_S + 2


def test_only_what_differs_is_written() -> None:
    before = [[Segment("lane 0 bank 0")], [Segment("still")]]
    after = [[Segment("lane 1 bank 1")], [Segment("still")]]
    *_, second, _ = cast_of([before, after]).splitlines()
    assert json.loads(second) == [FRAME_S, "o", "\x1b[1;6H1 bank 1"]
    assert len(cast_of([before, before]).splitlines()) == len(cast_of([before]).splitlines())


def test_a_broad_character_is_never_cut() -> None:
    before = [[Segment("漢x", Style(color="#ff0000"))]]
    after = [[Segment("漢x", Style(color="#00ff00"))]]
    narrow = [[Segment("ab", Style(color="#ff0000")), Segment("x", Style(color="#ff0000"))]]
    for frames in ([before, after], [narrow, before], [before, narrow]):
        _, _, screens = replayed(cast_of(frames))
        assert screens[-1].display[0].rstrip() == plain(frames[-1][0])


@pytest.mark.parametrize(
    ("colours", "blue"),
    [(ColorSystem.TRUECOLOR, "56b4e9"), (ColorSystem.EIGHT_BIT, "5fafd7"), (ColorSystem.STANDARD, "brightcyan")],
    ids=["rgb", "256", "16"],
)
def test_colours_are_written_as_the_terminal_has_them(colours: ColorSystem, blue: str) -> None:
    row = [
        Segment("a", Style(color="#56b4e9", bold=True)),
        Segment("b", Style(underline=True)),
        Segment("c", Style(reverse=True)),
        Segment("d", Style(color="green")),
    ]
    _, _, screens = replayed(cast_of([[row]], colours))
    a, b, c, d = (screens[-1].buffer[0][x] for x in range(4))
    assert (a.fg, a.bold) == (blue, True)
    assert b.underscore
    assert not b.bold
    assert c.reverse
    assert d.fg == "green"
