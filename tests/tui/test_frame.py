"""The whole screen as strips: at every size, with every panel, alone and compared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tui.conftest import at, edited, opened, texts
from warpviz.tui import state
from warpviz.tui.render.frame import frame_strips
from warpviz.tui.render.layout import NOWHERE, layout
from warpviz.tui.render.text import Look
from warpviz.tui.state import View

EXPRESSIONS = ("s[k*lane]", "((float4*)s)[k*lane]", "in[k*lane]", "table[lane % (k + 1)]", "s[lane / 8]")
DECLARATIONS = "const float* in; __shared__ float s[8192]; __constant__ float table[64];"


def view_of(expression: str, k: int = 5) -> View:
    return opened(expression, declarations=DECLARATIONS, k=k)


def shown(view: View, look: Look, width: int = 100, height: int = 29) -> list[str]:
    return texts(frame_strips(view, width, height, look))


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(EXPRESSIONS),
    st.integers(0, 33),
    st.sampled_from(["", "why", "sweep"]),
    st.booleans(),
    st.integers(0, 40),
    st.integers(60, 250),
    st.integers(19, 69),
)
def test_a_frame_fills_its_size_exactly(
    look: Look, expression: str, k: int, panel: str, pinned: bool, position: int, width: int, height: int
) -> None:
    view = view_of(expression)
    view = state.pin(view) if pinned else view
    view = at(state.turn_to(replace(view, panel=panel), k), position)
    strips = frame_strips(view, width, height, look)
    assert [strip.cell_length for strip in strips] == [width] * height
    places = layout(state.standing(view), width, height, look)
    regions = [region for region in vars(places).values() if region.area]
    for number, region in enumerate(regions):
        assert region.right <= width
        assert region.bottom <= height
        assert not any(region.overlaps(other) for other in regions[number + 1 :])


@pytest.mark.parametrize(("width", "height"), [(80, 23), (100, 29), (160, 44), (60, 19)])
def test_a_and_b_stand_in_one_frame_with_their_difference(look: Look, width: int, height: int) -> None:
    view = state.turn_to(state.pin(view_of("s[k*lane]", k=8)), 1)
    text = "\n".join(shown(view, look, width, height))
    assert "A  s[k*lane]   k = 8" in text
    assert "B  s[k*lane]   k = 1" in text
    assert "A  8 passes   B  1 pass   7 passes fewer" in text
    assert "A  not measured" in text


def test_a_and_b_are_side_by_side_where_both_are_legible(look: Look) -> None:
    view = state.pin(view_of("s[k*lane]", k=8))
    wide, narrow = (layout(state.standing(view), width, 44, look) for width in (160, 100))
    assert wide.picture.y == wide.pinned_picture.y
    assert narrow.picture.y >= narrow.pinned_picture.bottom


def test_a_and_b_animate_in_step(look: Look) -> None:
    view = state.turn_to(state.pin(view_of("s[k*lane]", k=8)), 4)
    lines = shown(at(view, 2), look, 160, 44)
    assert any(line.count("▶  pass 2") == 2 for line in lines)
    assert view.end == 9
    assert not any("▶  pass" in line[80:] for line in shown(at(view, 6), look, 160, 44))


def test_another_kind_of_memory_is_not_subtracted(look: Look) -> None:
    view = edited(state.pin(view_of("s[k*lane]", k=8)), "in[lane]")
    text = "\n".join(shown(view, look))
    assert "A  8 passes   B  4 sectors" in text
    assert "fewer" not in text


def test_the_why_panel_stands_under_the_picture_or_beside_it(look: Look) -> None:
    view = replace(view_of("s[k*lane]", k=8), panel="why")
    assert layout(state.standing(view), 100, 29, look).panel != NOWHERE
    assert any("eight words of bank 0" in line for line in shown(view, look))
    assert layout(state.standing(view), 160, 44, look).panel == NOWHERE
    assert any("want words 0, 32, 64" in line for line in shown(view, look, 160, 44))


def test_a_panel_that_is_too_long_scrolls(look: Look) -> None:
    view = replace(view_of("s[k*lane]", k=8), panel="why")
    short = shown(view, look, 80, 23)
    assert any("page down for more" in line for line in short)
    lower = shown(state.scroll_panel(view, 4, 4), look, 80, 23)
    assert [line for line in short if "lanes 0, 4, 8" in line]
    assert not [line for line in lower if "lanes 0, 4, 8" in line]


def test_a_notice_stands_in_the_status_line(look: Look) -> None:
    assert any("nothing to undo" in line for line in shown(state.undo(view_of("s[lane]")), look))


def test_a_chart_leaves_room_for_a_and_b_and_stands_still_while_the_knob_turns(look: Look) -> None:
    view = state.pin(replace(view_of("s[k*lane]", k=8), panel="sweep"))
    for size in ((80, 23), (100, 29)):
        places = [layout(state.standing(state.turn_to(view, k)), *size, look) for k in (1, 2, 8, 32)]
        assert all(place.caption.area and place.pinned_picture.area for place in places)
        assert len({place.panel for place in places}) == 1
