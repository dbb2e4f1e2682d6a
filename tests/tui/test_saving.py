"""What the explorer shows, saved: by the file's ending, and as it is on the screen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pyte
import pytest
from rich.style import Style

from tests.tui.conftest import opened, texts
from warpviz.scene import find_scene
from warpviz.tui import state
from warpviz.tui.opening import Opening
from warpviz.tui.render.frame import frame_strips
from warpviz.tui.render.layout import layout
from warpviz.tui.render.text import Look
from warpviz.tui.saving import save, still, written
from warpviz.tui.state import View

SIZE = (80, 24)


def strips_of(view: View, position: int, look: Look) -> list[str]:
    """The screen's lines at a position of the running animation, scrolled as it then is."""
    for place in range(position + 1):
        view = replace(view, position=place, playing=place < view.end)
        view = state.in_sight(view, layout(state.standing(view), *SIZE, look).body)
    return [line.rstrip() for line in texts(frame_strips(view, *SIZE, look))]


def colour_of(style: Style) -> str:
    assert style.color is not None
    return style.color.get_truecolor().hex.removeprefix("#")


@pytest.mark.parametrize("name", ["stride", "tile-padding", "aos-soa", "constant"])
def test_the_cast_shows_every_frame(name: str, look: Look) -> None:
    """tile-padding's 32 passes are more than fit: the picture turns its pages."""
    view = still(find_scene(name), Opening())
    _, *events = map(json.loads, written(view, look, SIZE, "cast").splitlines())
    screen = pyte.Screen(*SIZE)
    stream = pyte.Stream(screen)
    assert len(events) == view.end + 2
    for position, (_, _, data) in enumerate(events):
        stream.feed(data)
        shown = [line.rstrip() for line in screen.display]
        assert shown == strips_of(view, min(position, view.end), look)
        assert screen.buffer[0][1].fg == colour_of(look.palette.strong)  # the title's first letter


def test_the_ending_says_how(tmp_path: Path, look: Look) -> None:
    view = still(find_scene("stride"), Opening(step=3))
    for ending in ("svg", "txt", "json", "csv", "cast"):
        save(view, look, SIZE, tmp_path / f"stride.{ending}")
    assert ElementTree.parse(tmp_path / "stride.svg").getroot().tag.endswith("svg")
    assert "pass 3 of 8" in (tmp_path / "stride.txt").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "stride.json").read_text())["wavefronts"] == 8
    assert (tmp_path / "stride.csv").read_text().startswith("lane,active,address,word,bank")
    assert json.loads((tmp_path / "stride.cast").read_text().splitlines()[0])["version"] == 2


@pytest.mark.parametrize("name", ["stride.png", "stride", ".svg"])
def test_another_ending_is_refused(tmp_path: Path, look: Look, name: str) -> None:
    with pytest.raises(ValueError, match=r"ends in none of \.svg \.txt \.json \.csv \.cast"):
        save(still(find_scene("stride"), Opening()), look, SIZE, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_an_expression_in_error_is_not_saved(tmp_path: Path, look: Look) -> None:
    view = opened("s[lane]")
    broken = state.edit(view, replace(view.pattern, expression="s[lane"))
    with pytest.raises(ValueError, match="cannot be evaluated"):
        save(broken, look, SIZE, tmp_path / "broken.svg")


def test_the_picture_is_named_after_the_line_that_opens_it(look: Look) -> None:
    svg = written(still(find_scene("stride"), Opening(step=3)), look, SIZE, "svg")
    assert "<title>warpviz stride --step 3</title>" in svg


def test_an_edited_access_has_no_scene(look: Look) -> None:
    view = still(find_scene("stride"), Opening())
    edited = state.edit(view, replace(view.pattern, expression="s[lane]"))
    assert json.loads(written(view, look, SIZE, "json"))["scene"] == "stride"
    assert json.loads(written(edited, look, SIZE, "json"))["scene"] is None
