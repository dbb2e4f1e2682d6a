"""The mouse."""

from __future__ import annotations

from tests.tui.conftest import opened
from warpviz.tui import state
from warpviz.tui.pointing import pointed
from warpviz.tui.render.geometry import geometry
from warpviz.tui.render.layout import layout
from warpviz.tui.render.text import Look
from warpviz.tui.state import View

WIDTH, HEIGHT = 80, 23
WHERE = geometry(WIDTH)


def click(view: View, column: int, line: int, look: Look) -> View:
    """A click on a line of the picture, in one of its 32 columns."""
    places = layout(state.standing(view), WIDTH, HEIGHT, look)
    return pointed(view, places, look, WHERE.x(column), places.picture.y + line)


def test_a_lane_is_chosen_by_its_number_or_its_block(look: Look) -> None:
    view = opened("s[16*lane]")
    assert click(view, 7, 0, look).lane == 7
    assert click(view, 7, 1, look).lane == 7
    assert click(view, 16, 4, look).lane == 3
    assert click(view, 1, 4, look) == view
    shared = opened("s[0]")
    assert [click(state.choose_lane(shared, lane), 0, 3, look).lane for lane in (0, 1, 31)] == [1, 2, 0]


def test_a_bank_lights_up(look: Look) -> None:
    lit = click(opened("s[8*lane]"), 8, 2, look)
    assert (lit.lane, lit.lit) == (1, "place")
    assert click(lit, 7, 0, look).lit == "lane"
    assert click(opened("s[8*lane]"), 9, 2, look).lit == "lane"


def test_bytes_that_nobody_asked_for_light_up_their_sector(look: Look) -> None:
    view = opened("in[2*lane]", declarations="const float* in;")
    lit = click(view, 9, 3, look)
    assert (lit.lane, lit.lit) == (4, "place")


def test_a_knob_is_chosen(look: Look) -> None:
    view = opened("s[k*lane + j]", k=8, j=3)
    places = layout(state.standing(view), WIDTH, HEIGHT, look)
    assert pointed(view, places, look, WIDTH - 3, 1).knob == 1
    assert pointed(state.choose_knob(view, 1), places, look, WIDTH - 14, 1).knob == 0
    assert pointed(view, places, look, 3, 1) == view


def test_an_arrow_turns_the_knob(look: Look) -> None:
    view = opened("s[k*lane]", k=8)
    places = layout(state.standing(view), WIDTH, HEIGHT, look)
    assert pointed(view, places, look, WIDTH - 2, 1).values == {"k": 9}
    assert pointed(view, places, look, WIDTH - 7, 1).values == {"k": 7}
    assert pointed(view, places, look, WIDTH - 4, 1).values == {"k": 8}
