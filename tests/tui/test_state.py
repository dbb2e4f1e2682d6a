"""From one view to the next."""

from __future__ import annotations

from dataclasses import replace

from tests.tui.conftest import at, edited, opened, scene
from warpviz.scene import find_scene
from warpviz.tui import state
from warpviz.tui.measuring import Measuring


def test_a_knob_turns_within_its_range_and_the_picture_follows() -> None:
    view = opened("s[k*lane]", k=8)
    turned = state.turn_knob(view, 1)
    assert turned.values == {"k": 9}
    assert len(turned.shown.schedule.steps) == 1  # type: ignore[union-attr]
    assert state.turn_knob(view, 1000).values == {"k": 64}
    assert state.turn_knob(view, -1000).values == {"k": 0}
    assert state.turn_knob(opened("s[lane]"), 1) == opened("s[lane]") or not opened("s[lane]").knobs


def test_the_animation_keeps_its_place_when_a_knob_turns() -> None:
    view = opened("s[k*lane]", k=8)
    assert view.position == view.end == 9
    assert state.turn_knob(view, 8).position == 17  # all served stays all served
    assert state.turn_knob(at(view, 3), 8).position == 3
    assert state.turn_knob(at(view, 7), 1).position == 2  # one pass: its end is position 2


def test_playing_goes_to_the_end_and_stops() -> None:
    view = state.play_or_pause(opened("s[16*lane]"))
    assert (view.position, view.playing) == (0, True)
    positions = []
    while view.playing:
        view = state.advance(view)
        positions.append(view.position)
    assert positions == list(range(1, 18))
    assert state.play_or_pause(at(view, 3)).position == 3


def test_what_cannot_be_evaluated_keeps_the_last_good_picture() -> None:
    view = opened("s[64/k*lane]", k=1)
    broken = state.turn_knob(view, -1)
    assert broken.values == {"k": 0}
    assert broken.shown is view.shown
    assert broken.error is not None
    assert "division by zero" in broken.error.sentence or "zero" in broken.error.sentence
    assert state.turn_knob(broken, 2).error is None


def test_an_edit_with_a_new_name_brings_its_knob() -> None:
    view = edited(opened("s[k*lane]", k=8), "s[k*lane + offset]")
    assert view.values == {"k": 8, "offset": 1}
    assert view.error is None
    wrong = edited(view, "s[k*")
    assert wrong.error is not None
    assert wrong.error.source == "expression"
    assert wrong.shown is view.shown


def test_reset_is_the_scene_as_it_began() -> None:
    view = state.turn_knob(edited(opened("s[k*lane]", "s[lane]", k=8), "s[n]"), 3)
    again = state.reset(view)
    assert again.values == {"k": 8}
    assert again.pattern.expression == "s[k*lane]"


def test_accesses_and_lanes_go_round() -> None:
    view = opened("s[lane]", "s[2*lane]")
    assert state.choose_access(view, -1).access == 1
    assert state.choose_access(view, 2) is view
    assert state.choose_lane(view, 32).lane == 0
    assert state.choose_lane(view, -1).lane == 31


def test_remarks_turn_over() -> None:
    view = state.open_scene(scene("s[lane]", question="why?"))
    names = []
    for _ in range(4):
        names.append(state.remarks(view)[view.remark][0])
        view = state.turn_over(view)
    assert names == ["question", "hint", "answer", "question"]
    silent = state.open_scene(replace(scene("s[lane]"), hint="", answer=""))
    assert state.turn_over(silent).remark == 0


def test_a_late_measurement_is_dropped() -> None:
    view = state.begin_measuring(opened("s[k*lane]", k=8), serial=2)
    news = Measuring("failed", 2, "too bad")
    assert state.told(view, 1, Measuring("failed", 1, "old")) is view
    assert state.told(view, 2, news).measuring is news
    assert state.told(state.turn_knob(view, 1), 2, news).measuring.stage == "not looked"


def test_an_edit_chooses_the_new_knob_drops_the_dead_one_and_hides_the_question() -> None:
    view = state.evaluated(state.open_scene(scene("s[k*lane]", question="which k?", k=8)))
    assert state.remarks(view)
    changed = edited(view, "s[k*lane + j]")
    assert [knob.name for knob in changed.knobs] == ["k", "j"]
    assert changed.knobs[changed.knob].name == "j"
    moved = edited(changed, "s[j*lane]")
    assert [(knob.name, index) for index, knob in enumerate(moved.knobs)] == [("j", moved.knob)]
    assert state.remarks(moved) == []
    assert state.remarks(state.reset(moved)) == state.remarks(view)


def test_an_edit_keeps_the_knobs_of_the_other_accesses() -> None:
    view = state.evaluated(state.open_scene(scene("s[k*lane]", "s[j*lane]", k=8, j=2)))
    changed = edited(view, "s[lane]")
    assert changed.values == {"j": 2}


def test_undo_and_redo_walk_through_the_edits() -> None:
    view = opened("s[k*lane]", k=8)
    kept = state.keep_edit(edited(edited(state.begin_edit(view), "s[k*lan"), "s[2*lane]"))
    assert kept.pattern.expression == "s[2*lane]"
    assert kept.values == {}
    undone = state.undo(kept)
    assert (undone.pattern.expression, undone.values) == ("s[k*lane]", {"k": 8})
    assert state.redo(undone).setup == kept.setup
    assert state.undo(undone).notice == "nothing to undo"
    assert state.redo(kept).notice == "nothing to redo"
    taken_back = state.take_back(edited(state.begin_edit(kept), "s[9*lane]"))
    assert taken_back.setup == kept.setup
    assert taken_back.past == kept.past


def test_an_edit_after_undo_forgets_what_was_undone() -> None:
    view = opened("s[lane]")
    for text in ("s[2*lane]", "s[3*lane]"):
        view = state.keep_edit(edited(state.begin_edit(view), text))
    view = state.keep_edit(edited(state.begin_edit(state.undo(view)), "s[4*lane]"))
    assert view.future == ()
    assert state.undo(view).pattern.expression == "s[2*lane]"
    assert state.undo(state.undo(view)).pattern.expression == "s[lane]"


def test_a_reset_can_be_undone() -> None:
    view = state.keep_edit(edited(state.begin_edit(opened("s[lane]")), "s[2*lane]"))
    begun = state.reset(view)
    assert begun.pattern.expression == "s[lane]"
    assert state.undo(begun).pattern.expression == "s[2*lane]"


def test_a_lane_is_switched_off_and_on() -> None:
    view = state.choose_lane(opened("s[lane]"), 3)
    off = state.toggle_lane(view)
    assert off.pattern.where == "0xfffffff7 >> lane & 1"
    assert off.shown is not None
    assert off.shown.access.active[0].tolist() == [lane != 3 for lane in range(32)]
    assert state.toggle_lane(off).pattern.where == ""
    assert state.undo(off).pattern.where == ""


def test_pin_and_swap() -> None:
    pinned = state.pin(opened("s[k*lane]", k=8))
    assert pinned.pinned is not None
    turned = state.turn_to(pinned, 1)
    swapped = state.swap(turned)
    assert swapped.pinned is not None
    assert (swapped.values, swapped.pinned.values) == ({"k": 8}, {"k": 1})
    assert state.pin(turned).pinned is None
    assert state.swap(opened("s[lane]")).pinned is None


def test_a_bank_lights_up_with_all_its_lanes() -> None:
    view = state.choose_lane(opened("s[k*lane]", k=8), 5)
    assert view.shown is not None
    alight = view.shown.with_place_of(5)
    assert alight.columns == {8}
    assert alight.lanes == set(range(1, 32, 4))
    far = opened("in[2*lane]", declarations="const float* in;")
    assert far.shown is not None
    assert far.shown.with_place_of(5).lanes == {4, 5, 6, 7}
    assert state.light_up(state.light_up(view)).lit == "lane"


def test_a_knob_turns_to_a_value_that_it_takes() -> None:
    view = opened("s[k*lane]", k=8)
    assert state.turn_to(view, 33).values == {"k": 33}
    assert state.turn_to(view, -5).values == {"k": 0}
    assert state.turn_to(view, 8) is view


def test_turns_of_one_knob_are_undone_at_once() -> None:
    view = state.turn_knob(state.turn_knob(opened("s[k*lane + j]", k=8, j=0), 1), 1)
    view = state.turn_knob(state.choose_knob(view, 1), 1)
    assert view.values == {"k": 10, "j": 1}
    once = state.undo(view)
    assert once.values == {"k": 10, "j": 0}
    twice = state.undo(once)
    assert twice.values == {"k": 8, "j": 0}
    assert state.redo(twice).values == {"k": 10, "j": 0}


def test_only_what_was_edited_is_a_scene_of_ones_own() -> None:
    shipped = state.evaluated(state.open_scene(find_scene("stride")))
    assert state.own_scene(state.turn_knob(shipped, 1)) is None
    edited_one = state.own_scene(edited(shipped, "s[k*lane + 1]"))
    assert edited_one is not None
    assert edited_one.title == "A stride through shared memory (edited)"
    own = state.own_scene(state.turn_knob(opened("s[k*lane]", k=8), 1))
    assert own is not None
    assert own.defaults() == {"k": 9}


def test_behind_the_knobs_the_sweep_goes_over_the_width() -> None:
    view = state.show_panel(opened("s[k*lane]", k=8), "sweep")
    assert (state.swept(view).name, state.swept_value(view)) == ("k", 8)
    over = state.choose_knob(view, 1)
    assert (state.swept(over).name, state.swept_value(over)) == ("width", 4)
    wider = state.sideways(over, 1)
    assert wider.pattern.expression == "((float2*)s)[k*lane]"
    assert state.swept_value(wider) == 8
    assert state.swept(wider) == state.swept(over)
    assert state.sweep_to(wider, 16).pattern.expression == "((float4*)s)[k*lane]"
    assert state.undo(state.sweep_to(wider, 16)).pattern.expression == "s[k*lane]"
    assert state.choose_knob(over, 1).knob == 0
    assert not state.sweeps_width(state.choose_knob(over, 1))


def test_a_width_that_the_access_cannot_have_is_said() -> None:
    view = state.show_panel(opened("tile[lane][c]", declarations="__shared__ float tile[32][33];", c=1), "sweep")
    refused = state.set_width(view, 16)
    assert refused.setup == view.setup
    assert "16 bytes a lane" in refused.notice


def test_what_an_open_field_holds_is_no_place_to_come_back_to() -> None:
    view = edited(state.begin_edit(opened("s[k*lane]", k=8)), "s[k*lane]]")
    closed = state.take_back(state.turn_knob(view, 1))
    assert closed.past == ()
    assert closed.setup == opened("s[k*lane]", k=8).setup
