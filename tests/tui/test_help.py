"""The help: what it explains for what is open, its pages, and its screen."""

from __future__ import annotations

import doctest
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from tests.tui.conftest import app_of, opened, scene, texts
from tests.tui.test_screens import explorer, shown_text
from warpviz.tui import keys, state
from warpviz.tui.glossary import GLOSSARY
from warpviz.tui.glyphs import ASCII
from warpviz.tui.keys import EXPLORER_KEYS, GALLERY_KEYS, PRESENTING_KEYS, Key
from warpviz.tui.render import help as rendering
from warpviz.tui.render.help import foot_strip, glossary_topic, help_strips, page_of, topics_of_keys
from warpviz.tui.render.picture import legend
from warpviz.tui.render.text import Look
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.state import View
from warpviz.tui.topics import Topic, topics_of

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SHARED = opened("s[k*lane]", k=8)
WIDE = opened("((float4*)s)[lane]")
ATOMIC = opened("s[lane / 2]")
GLOBAL = opened("in[k*lane]", declarations="const float* in;", k=3)
CONSTANT = opened("c[lane / 2]", declarations="__constant__ float c[64];")
KINDS = [SHARED, WIDE, ATOMIC, GLOBAL, CONSTANT]


def everything(view: View, look: Look) -> tuple[Topic, ...]:
    """All that the help of the explorer says."""
    return (*topics_of(view, look), *topics_of_keys(EXPLORER_KEYS), glossary_topic())


def said(topics: tuple[Topic, ...], width: int, look: Look) -> str:
    return "\n".join(texts(help_strips(topics, width, look)))


def titles(view: View, look: Look) -> list[str]:
    return [topic.title for topic in topics_of(view, look)]


def names(topic: Topic) -> set[str]:
    return {entry.name.strip() for entry in topic.entries}


def test_with_nothing_open_the_picture_comes_first(look: Look) -> None:
    assert titles(SHARED, look) == ["the picture: banks of shared memory", "the measurement"]
    assert titles(GLOBAL, look)[0] == "the picture: sectors of global memory"
    assert titles(CONSTANT, look)[0] == "the picture: constant memory"


@pytest.mark.parametrize(
    ("panel", "title", "keys_of_it"),
    [
        ("why", "why it costs what it costs", {"counted as", "not modelled", "pgup pgdn", "esc"}),
        ("fix", "what would mend it", {"1-9", "advice", "no", "pgup pgdn", "esc"}),
        ("sweep", "the cost over a knob", {"← →", "tab", "esc", "▲", "●"}),
    ],
)
def test_the_open_panel_comes_first(look: Look, panel: state.Panel, title: str, keys_of_it: set[str]) -> None:
    topics = topics_of(state.show_panel(SHARED, panel), look)
    assert topics[0].title == title
    assert keys_of_it <= names(topics[0])
    assert topics[1:] == topics_of(SHARED, look)


def test_two_accesses_are_explained_while_there_are_two(look: Look) -> None:
    assert titles(state.pin(SHARED), look)[0] == "A beside B"
    assert titles(state.show_panel(state.pin(SHARED), "why"), look)[:2] == ["why it costs what it costs", "A beside B"]


@pytest.mark.parametrize("view", KINDS, ids=lambda view: view.pattern.expression)
def test_every_mark_of_the_legend_is_explained(look: Look, view: View) -> None:
    assert view.shown is not None
    of_lanes, of_memory = legend(view.shown.rows, look)
    marks = [text.strip() for text, _ in (of_lanes + of_memory)[::2]]
    explained = "".join(entry.name for entry in topics_of(view, look)[0].entries)
    assert len(marks) >= 3
    assert all(mark in explained for mark in marks)


def test_the_picture_is_that_of_this_kind_of_access(look: Look) -> None:
    assert {"bank", "pass", "0"} <= names(topics_of(SHARED, look)[0])
    assert "phase" not in names(topics_of(SHARED, look)[0])
    assert "phase" in names(topics_of(WIDE, look)[0])
    assert {"line", "sector", "░"} <= names(topics_of(GLOBAL, look)[0])
    assert "round" not in names(topics_of(GLOBAL, look)[0])
    assert {"request", "word"} <= names(topics_of(CONSTANT, look)[0])


def test_an_atomic_has_rounds_and_no_broadcast(look: Look) -> None:
    def atomic(expression: str, declarations: str) -> View:
        view = opened(expression, declarations=declarations)
        return state.edit(view, replace(view.pattern, op="red"))

    in_global = topics_of(atomic("in[lane / 2]", "int* in;"), look)[0]
    assert "round" in names(in_global)
    assert "8+" not in names(in_global)
    in_shared = topics_of(atomic("s[lane / 2]", "__shared__ int s[64];"), look)[0]
    assert "8+" not in names(in_shared)
    assert any("one lane" in entry.text for entry in in_shared.entries if entry.name == "pass")


def test_sectors_are_counted_and_passes_are_timed(look: Look) -> None:
    assert {"sectors", "GB/s used", "GB/s moved"} <= names(topics_of(GLOBAL, look)[-1])
    assert {"by time", "8.01 ± 0.02"} <= names(topics_of(SHARED, look)[-1])


def test_with_reduced_motion_a_block_has_one_look(look: Look) -> None:
    samples = [entry.sample for entry in topics_of(SHARED, replace(look, motion="reduced"))[0].entries]
    assert "served" in samples
    assert not {"now", "waiting"} & set(samples)


@pytest.mark.parametrize("table", [EXPLORER_KEYS, GALLERY_KEYS, PRESENTING_KEYS])
def test_every_key_stands_in_a_group(table: tuple[Key, ...]) -> None:
    assert all(key.group for key in table)
    topics = topics_of_keys(table)
    assert sum(len(topic.entries) for topic in topics) == len([key for key in table if key.explained])
    assert len({topic.title for topic in topics}) == len(topics)


def test_keys_without_a_group_are_listed_too() -> None:
    (topic,) = topics_of_keys([Key("one", "o", "one", "o", explained="does it"), Key("two", "t", "two")])
    assert topic.title == "keys"
    assert [(entry.name, entry.text) for entry in topic.entries] == [("o", "does it")]


@pytest.mark.parametrize("width", [60, 80, 139, 140, 160, 250])
def test_everything_is_said_at_every_width(look: Look, width: int) -> None:
    for view in KINDS:
        topics = everything(state.show_panel(state.pin(view), "sweep"), look)
        strips = help_strips(topics, width, look)
        assert {strip.cell_length for strip in strips} == {width}
        found = re.findall(r"\w+", said(topics, width, look))
        for topic in topics:
            for entry in topic.entries:
                assert set(re.findall(r"\w+", f"{entry.name} {entry.text}")) <= set(found)


def test_two_columns_take_fewer_lines(look: Look) -> None:
    topics = everything(SHARED, look)
    one, two = (len(help_strips(topics, width, look)) for width in (139, 140))
    assert two < 0.8 * one  # narrow columns break more lines


def test_in_ascii_everything_is_ascii(look: Look) -> None:
    plain = replace(look, glyphs=ASCII)
    for view in KINDS:
        topics = everything(state.show_panel(state.pin(view), "sweep"), plain)
        assert said(topics, 80, plain).isascii()


@given(st.integers(1, 60), st.integers(0, 300))
def test_pages_are_turned_one_by_one(height: int, total: int) -> None:
    most = max(total - height, 0)
    top, seen = 0, []
    while True:
        seen.append(page_of(top, height, total)[0])
        if top == most:
            break
        top = min(top + height, most)
    assert seen == list(range(1, page_of(0, height, total)[1] + 1))


def test_the_foot_says_how_to_scroll_only_where_it_does(look: Look) -> None:
    assert "scroll" in foot_strip((1, 3), 60, look).text
    assert "page 1 of 3" in foot_strip((1, 3), 60, look).text
    assert "scroll" not in foot_strip((1, 1), 60, look).text


async def test_the_screen_scrolls_and_closes() -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        for close in ("escape", "question_mark", "q"):
            await pilot.press("w", "question_mark")
            page = pilot.app.screen
            assert isinstance(page, HelpScreen)
            assert "why it costs what it costs" in shown_text(page).splitlines()[0]
            assert re.search(r"page 1 of \d", shown_text(page))
            first = shown_text(page).splitlines()
            await pilot.press("down")
            assert shown_text(page).splitlines()[:10] == first[1:11]
            await pilot.press("up", "pagedown")
            assert "page 2 of" in shown_text(page)
            await pilot.press("end")
            assert "goes out in round n" in shown_text(page)
            last = re.search(r"page (\d) of (\d)", shown_text(page))
            assert last is not None
            assert last[1] == last[2]
            await pilot.press("home")
            assert shown_text(page).splitlines() == first
            page._forward_event(events.MouseScrollDown(None, 5, 5, 0, 1, 0, False, False, False))
            await pilot.pause()
            assert shown_text(page).splitlines()[:10] == first[3:13]
            await pilot.press(close)
            assert pilot.app.screen is screen
            await pilot.press("w")


async def test_a_larger_terminal_shows_it_from_the_top() -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(60, 20)) as pilot:
        await explorer(pilot)
        await pilot.press("question_mark", "end")
        await pilot.resize_terminal(160, 60)
        await pilot.pause()
        page = pilot.app.screen
        assert isinstance(page, HelpScreen)
        assert "the picture" in shown_text(page).splitlines()[0]
        assert "page 1 of 1" in shown_text(page)


def test_the_readme_explains_the_same_words() -> None:
    table = re.findall(
        r"^\| ([^|`]+) \| ([^|]+) \|$", README.split("## What the words mean")[1].split("\n## ")[0], re.M
    )
    assert table == [("word", "meaning"), *GLOSSARY]


@pytest.mark.parametrize("module", [keys, rendering])
def test_examples_in_docstrings(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0
