"""The footer: which keys stand in it for what is open, and in which order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tui.conftest import opened
from warpviz.tui import state
from warpviz.tui.footer import footer_keys, idle
from warpviz.tui.keys import EXPLORER_KEYS, LAST_KEYS
from warpviz.tui.render.keys import key_strip
from warpviz.tui.render.text import Look
from warpviz.tui.state import View
from warpviz.tui.thinking import find_advice


def strided() -> View:
    return opened("s[k*lane]", k=8)


def fixable() -> View:
    view = state.show_panel(
        opened("tile[lane][c]", declarations="__shared__ float tile[32][32 + pad];", pad=0, c=5), "fix"
    )
    return replace(view, advised=find_advice(view.setup).advised)


def test_with_nothing_open_the_most_useful_come_first() -> None:
    assert footer_keys(strided())[:4] == [("space", "play"), ("← →", "step"), ("↑ ↓", "turn"), ("m", "measure")]
    assert ("esc", "back") in footer_keys(strided())


def test_an_open_panel_has_its_keys_first() -> None:
    assert footer_keys(state.show_panel(strided(), "why"))[:2] == [("esc", "close"), ("pgup pgdn", "scroll")]
    assert footer_keys(state.show_panel(strided(), "sweep"))[:3] == [
        ("m", "measure all"),
        ("← →", "turn"),
        ("esc", "close"),
    ]


def test_only_fixes_that_can_be_applied_are_offered() -> None:
    view = fixable()
    advice = state.advice_of(view)
    assert advice is not None
    assert footer_keys(view)[0] == (f"1-{len(advice.fixes)}", "apply")
    one = replace(advice, fixes=advice.fixes[:1])
    assert view.advised is not None
    assert footer_keys(replace(view, advised=replace(view.advised, advice=one)))[0] == ("1", "apply")
    by_hand = replace(advice, fixes=tuple(replace(fix, patterns=()) for fix in advice.fixes))
    assert footer_keys(replace(view, advised=replace(view.advised, advice=by_hand)))[0] == ("esc", "close")
    assert footer_keys(replace(view, advised=None))[0] == ("esc", "close")


def test_two_accesses_can_be_swapped_and_parted() -> None:
    assert footer_keys(state.pin(strided()))[:2] == [("A", "swap"), ("a", "unpin")]


def test_what_runs_can_be_cancelled() -> None:
    view = state.begin_measuring(state.show_panel(strided(), "why"), 1)
    assert footer_keys(view)[0] == ("esc", "cancel")
    assert ("esc", "close") not in footer_keys(view)


def test_an_open_field_has_its_two_keys_alone() -> None:
    assert footer_keys(state.begin_edit(strided())) == [("enter", "keep"), ("esc", "take back")]


@pytest.mark.parametrize("panel", ["", "why", "fix", "sweep"])
def test_no_key_stands_twice(panel: state.Panel) -> None:
    view = state.pin(state.show_panel(strided(), panel))
    keys = [key for key, _ in footer_keys(view)]
    assert len(set(keys)) == len(keys)


def test_keys_that_do_nothing_are_left_out() -> None:
    view = opened("s[lane]")
    assert {"turn_up", "next_knob", "next_access", "swap", "undo", "redo"} <= idle(view)
    shown = dict(footer_keys(view))
    assert not {"↑ ↓", "tab", "n"} & shown.keys()
    assert "turn_up" not in idle(strided())
    assert "next_access" not in idle(opened("s[lane]", "s[0]"))
    edited = state.toggle_lane(view)
    assert "undo" not in idle(edited)
    assert "redo" not in idle(state.undo(edited))


def test_the_ids_of_idle_keys_are_those_of_the_table() -> None:
    assert idle(opened("s[lane]")) <= {key.id for key in EXPLORER_KEYS}


@pytest.mark.parametrize("panel", ["", "why", "fix", "sweep"])
def test_the_essentials_fit_in_60_columns(look: Look, panel: state.Panel) -> None:
    text = key_strip(footer_keys(state.show_panel(strided(), panel)), LAST_KEYS, 60, look).text
    essentials = ["esc close"] if panel else ["space play", "← → step", "↑ ↓ turn", "m measure"]
    assert all(words in text for words in [*essentials, "? help", "q quit"])
