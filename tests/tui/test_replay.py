"""The replay's screen as strips: at every size, for every kind of access."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tui.conftest import texts
from tests.tui.replays import kernel_of, prepared_text, replayable, replayed
from tests.tui.test_replay_state import LOCAL, ONE_BLOCK
from warpviz.tui.glyphs import ASCII
from warpviz.tui.palette import palette
from warpviz.tui.render.replay import places_of, replay_strips
from warpviz.tui.render.replay_timeline import column_of, position_at
from warpviz.tui.render.text import Look
from warpviz.tui.state import replay
from warpviz.tui.state.replay import ReplayView
from warpviz.tui.state.replay_trace import record

NAMES = ("transpose_pad", "transpose_naive", "matmul_tiled", "histogram_shared", "conv_const", "copy_float4")


def view_of(text: str) -> ReplayView:
    made = prepared_text(text)
    return replay.recorded(ReplayView(kernel_of(made)), record(made, 0, None, lambda: False).trace, None)


def shown(view: ReplayView, look: Look, width: int = 80, height: int = 23) -> list[str]:
    return texts(replay_strips(replay.in_sight(view, places_of(view, width, height).body), width, height, look))


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(NAMES), st.integers(0, 5000), st.integers(60, 250), st.integers(19, 69), st.booleans(), st.data()
)
def test_the_screen_fills_its_size_exactly(
    name: str, position: int, width: int, height: int, ascii_alone: bool, data: st.DataObject
) -> None:
    look = Look(palette("mono", "dark"), ASCII) if ascii_alone else Look(palette("rgb", "dark"), ASCII)
    view = replay.go_to(replayed(name), position)
    view = replay.choose_warp(view, data.draw(st.integers(0, 3)))
    strips = replay_strips(replay.in_sight(view, places_of(view, width, height).body), width, height, look)
    assert len(strips) == height
    assert {strip.cell_length for strip in strips} == {width}
    assert all(strip.text.isascii() for strip in strips)
    assert any("^" in strip.text for strip in strips)


def test_a_column_read_of_the_padded_tile(look: Look) -> None:
    lines = shown(replay.go_to(replayed("transpose_pad"), 70), look)
    assert lines[0].startswith(" transpose_pad  ▸ block 0 (0, 0) of 32 x 32")
    assert lines[3].startswith(" ‖ access 71 of 128  warp 6  iteration 0  after barrier 1 of 1")
    assert lines[4].startswith("▶  10 ")
    assert "tile[threadIdx.x][threadIdx.y + k];" in lines[5]
    assert lines[7].startswith(" shared load from tile   1 pass   0 conflicts   ideal 1")
    tile = next(place for place, line in enumerate(lines) if " tile │" in line)
    groups = [line.split("│")[1:5] for line in lines[tile : tile + 3]]
    assert groups[0][0] == " · · · · · · 0  "  # lanes 0, 1, 2 read down the column: each another bank
    assert groups[1][0] == "   · · · · · · 1"
    assert groups[2] == ["     · · · · · ·", " 2" + " " * 14, " " * 16, " " * 16]
    assert lines[-1].startswith(" 3,200 bytes wait to be read")


def test_conflicts_stand_out(look: Look) -> None:
    view = replayed("reduce_interleaved")
    assert view.trace is not None
    dear = replay.go_to(view, int((view.trace.cost - view.trace.ideal).argmax()))
    strips = replay_strips(dear, 80, 23, look)
    (cost,) = (strip for strip in strips if "conflicts" in strip.text)
    assert "32 passes   31 conflicts   ideal 1" in cost.text
    assert [segment.style for segment in cost if "31 conflicts" in segment.text] == [look.palette.bad]
    assert any(segment.style == look.palette.fullest for strip in strips for segment in strip)


def test_sectors_of_a_global_store(look: Look) -> None:
    lines = shown(replay.go_to(replayed("transpose_naive"), 10), look)
    assert any("global store to out   32 sectors   ideal 4" in line for line in lines)
    assert any("sector 0" in line for line in lines)
    assert any("more lines" in line for line in lines)


def test_every_space_has_its_words(look: Look) -> None:
    view = view_of(ONE_BLOCK)
    assert view.trace is not None
    said = {}
    for place in range(view.trace.count):
        (line,) = (
            line
            for line in shown(replay.go_to(view, place), look)
            if line.startswith((" shared ", " global ", " constant "))
        )
        said[view.trace.lines[view.trace.line[place]].space, view.trace.lines[view.trace.line[place]].op] = line
    assert said["const", "ld"].startswith(" constant load   4 requests")
    assert said["shared", "red"].startswith(" shared reduction to s   32 passes   31 conflicts")
    assert "8 lanes" in said["global", "st"]


def test_local_memory_is_drawn_as_what_it_is(look: Look) -> None:
    view = view_of(LOCAL)
    assert view.now is not None
    assert view.now.kind.space == "local"
    assert any("every thread has its own" in line for line in shown(view, look))


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("name", ["transpose_pad", "matmul_tiled"])
def test_a_click_goes_where_the_mark_then_stands(name: str, width: int) -> None:
    trace = replayable(name).trace
    for x in range(width):
        position = position_at(trace, width, x)
        at = column_of(trace, width, position)
        assert at == x or position_at(trace, width, at) == position


def test_what_is_waited_for_is_said(look: Look) -> None:
    kernel = replayed("transpose_pad").kernel
    assert "recording block 7; esc leaves" in "".join(shown(ReplayView(kernel, awaited=7), look))
    assert "it is broken" in "".join(shown(ReplayView(kernel, complaint="it is broken"), look))
    meanwhile = replace(replayed("transpose_pad"), awaited=7)
    assert shown(meanwhile, look)[-1].startswith(" recording block 7")
