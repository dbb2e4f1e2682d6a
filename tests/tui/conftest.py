"""What the screen's tests share: scenes, a look, and the text of strips."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
from textual.strip import Strip

from warpviz.expression import Pattern
from warpviz.scene import Knob, Scene, SceneAccess
from warpviz.tui import state
from warpviz.tui.app import WarpvizApp
from warpviz.tui.glyphs import UNICODE
from warpviz.tui.measuring import Measuring
from warpviz.tui.palette import palette
from warpviz.tui.render.text import Look
from warpviz.tui.state import View

NOTHING_RECORDED = Measuring("none", said="nothing is recorded here")


def scene(*expressions: str, declarations: str = "", question: str = "", **knobs: int) -> Scene:
    """A scene of these accesses; each knob goes from 0 to 64."""
    accesses = tuple(SceneAccess(f"access {i}", Pattern(text, declarations)) for i, text in enumerate(expressions))
    turned = tuple(Knob(name, value, 0, 64) for name, value in knobs.items())
    return Scene(expressions[0], "A test", accesses, turned, question=question, hint="look closer", answer="it is so")


def opened(*expressions: str, declarations: str = "", **knobs: int) -> View:
    """The view of such a scene, evaluated, everything served."""
    return state.evaluated(state.open_scene(scene(*expressions, declarations=declarations, **knobs)))


def at(view: View, position: int) -> View:
    """Paused at a position of the animation."""
    return state.step(view, position - view.position)


def edited(view: View, text: str) -> View:
    """With another expression."""
    return state.edit(view, replace(view.pattern, expression=text))


def app_of(
    shown: Scene | None, gallery: tuple[Scene, ...] = (), make_probe: Callable[[], Any] | None = None
) -> WarpvizApp:
    """The app in truecolor and Unicode, whatever this terminal is."""
    return WarpvizApp(shown, gallery=gallery, make_probe=make_probe, depth="rgb", glyphs=UNICODE)


def texts(strips: Iterable[Strip]) -> list[str]:
    """The characters of each strip."""
    return [strip.text for strip in strips]


@pytest.fixture(scope="session")
def look() -> Look:
    """Truecolor on dark, Unicode."""
    return Look(palette("rgb", "dark"), UNICODE)


@pytest.fixture
def nothing_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """No GPU and no recorded measurement, whatever this machine has."""
    monkeypatch.setattr("warpviz.tui.state.measuring.look_up", lambda *asked: NOTHING_RECORDED)
    monkeypatch.setattr("warpviz.tui.screens.explorer.can_measure", lambda: False)
