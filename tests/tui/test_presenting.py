"""The presenting mode: its way through a scene, what it hides, and its lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.conftest import opened, scene, texts
from tests.tui.measurements import measurement
from warpviz.expression import Pattern
from warpviz.scene import Scene, SceneAccess, shipped_scenes
from warpviz.tui import state
from warpviz.tui.glyphs import ASCII, UNICODE
from warpviz.tui.measuring import Measuring
from warpviz.tui.palette import palette
from warpviz.tui.render.big import big_lines, big_width
from warpviz.tui.render.stage import stage_strips
from warpviz.tui.render.text import Look
from warpviz.tui.state import View, presenting
from warpviz.tui.state.presenting import Stage

LOOKS = (Look(palette("rgb", "dark"), UNICODE), Look(palette("mono", "dark"), ASCII, motion="reduced"))
DECLARATIONS = "__shared__ float s[8192]; const float* in; __constant__ float table[64];"
MOST_STEPS = 1000


def staged(*expressions: str, **knobs: int) -> Stage:
    return presenting.begin(opened(*expressions, declarations=DECLARATIONS, **knobs))


def guessed(stage: Stage, digits: str) -> Stage:
    for digit in digits:
        stage = presenting.type_digit(stage, int(digit))
    return stage


def place(stage: Stage) -> tuple[int, bool, int, str]:
    """Where on the way through a scene."""
    return stage.view.access, stage.revealed, stage.view.position, stage.remark


def walk(stage: Stage, go: Callable[[Stage], Stage]) -> list[Stage]:
    """Every stage on the way, until nothing changes any more."""
    way = [stage]
    while place(go(way[-1])) != place(way[-1]):
        way.append(go(way[-1]))
        assert len(way) < MOST_STEPS
    return way


def screen(stage: Stage, look: Look, width: int = 80, height: int = 24) -> str:
    return "\n".join(texts(stage_strips(stage, width, height, look)))


def masked(scene_like: Scene, expression: str) -> Scene:
    """The scene with another expression's access, under the same title."""
    return replace(scene_like, accesses=(SceneAccess("load", Pattern(expression, DECLARATIONS)),))


@pytest.mark.parametrize("shown", shipped_scenes(), ids=lambda shown: shown.name)
def test_one_key_leads_to_the_end_of_every_scene_and_another_one_back(shown: Scene) -> None:
    stage = presenting.begin(state.evaluated(state.open_scene(shown)))
    way = walk(stage, presenting.forward)
    end = way[-1]
    assert end.view.access == len(shown.accesses) - 1
    assert end.view.position == end.view.end
    assert end.said == shown.answer
    hidden = [one for one in way if not one.revealed]
    assert [(one.view.access, one.view.position) for one in hidden] == [(i, 0) for i in range(len(shown.accesses))]
    back = walk(end, presenting.backward)
    assert [place(one) for one in reversed(back)] == [place(one) for one in way]


def test_the_way_through_an_access() -> None:
    way = walk(staged("s[16*lane]", "s[lane]"), presenting.forward)
    steps = [(stage.view.access, stage.revealed, stage.view.position) for stage in way]
    first = [(0, False, 0), *((0, True, position) for position in range(18))]
    assert steps == [*first, (1, False, 0), (1, True, 0), (1, True, 1), (1, True, 2), (1, True, 2)]
    assert [stage.said for stage in way][-2:] == ["", "it is so"]


def test_an_access_in_error_is_passed_over() -> None:
    view = opened("s[8/k*lane]", "s[lane]", declarations=DECLARATIONS, k=1)
    broken = presenting.turn_knob(presenting.begin(view), -1)
    assert broken.shown is None
    assert "zero" in screen(broken, LOOKS[0])
    assert presenting.turn_over(broken) is broken
    after = presenting.forward(broken)
    assert (after.view.access, after.revealed) == (1, False)
    assert presenting.backward(after).shown is None


def test_a_guess_is_typed_and_taken_back() -> None:
    stage = guessed(staged("s[8*lane]"), "0481")
    assert stage.guess == "481"
    assert presenting.erase(stage).guess == "48"
    assert guessed(staged("s[8*lane]"), "0").guess == "0"
    revealed = presenting.forward(guessed(staged("s[8*lane]"), "8"))
    assert guessed(revealed, "1") is revealed
    hidden = presenting.erase(revealed)
    assert (hidden.revealed, hidden.guess) == (False, "8")
    empty = staged("s[8*lane]")
    assert presenting.erase(empty) is empty


def test_accesses_are_chosen_round_and_round_with_their_cost_hidden() -> None:
    stage = presenting.last(staged("s[16*lane]", "s[lane]", "s[0]"))
    after = presenting.choose_access(stage, 1)
    assert place(after) == (1, False, 0, "question")
    assert after.next_access == "access 2"
    assert presenting.choose_access(after, -2).view.access == 2
    alone = presenting.last(staged("s[lane]"))
    assert presenting.choose_access(alone, 1) is alone


def test_the_first_and_the_last_step() -> None:
    hidden = guessed(staged("s[8*lane]"), "4")
    assert presenting.first(hidden) == hidden
    served = presenting.last(hidden)
    assert (served.revealed, served.view.position, served.guess) == (True, 9, "4")
    assert (presenting.first(served).revealed, presenting.first(served).view.position) == (True, 0)
    broken = presenting.turn_knob(presenting.begin(opened("s[8/k*lane]", k=1)), -1)
    assert presenting.last(broken) is broken


def test_what_comes_is_said_when_everything_is_served() -> None:
    stage = staged("s[8*lane]", "s[lane]")
    way = walk(stage, presenting.forward)
    assert [one.at_beginning for one in way] == [True] + [False] * (len(way) - 1)
    assert [one.at_end for one in way] == [False] * (len(way) - 1) + [True]
    said = ["next: access 1" in screen(one, LOOKS[0]) for one in way]
    assert said == [one.view.access == 0 and one.everything_served for one in way]
    assert "next: the answer" in screen(way[-2], LOOKS[0])
    for look, arrow in zip(LOOKS, ("←", "left"), strict=True):
        assert f"the end: {arrow} goes back, l leaves" in screen(way[-1], look, 60, 19)
    own = replace(LOOKS[0], keymap={"back": "x", "forward": "f"})
    assert "x leaves" in screen(way[-1], own)
    assert "f reveals" in screen(stage, own)


def test_the_question_asks_for_the_number_that_is_guessed() -> None:
    asked = {
        "s[8*lane]": "how many passes does s[8*lane] take?",
        "in[lane]": "how many sectors does in[lane] move?",
        "table[lane % 9]": "how many requests does table[lane % 9] make?",
        f"s[{'lane + ' * 40}0]": "how many passes does this access take?",
    }
    for expression, question in asked.items():
        for size in ((80, 24), (160, 45)):
            assert question in screen(staged(expression), LOOKS[0], *size)
    assert "how many passes does this access take?" in screen(staged("s[lane / 4 + lane % 4]"), LOOKS[0], 60, 19)


def test_which_rows_are_in_sight() -> None:
    for look in LOOKS:
        for size in ((72, 19), (80, 23)):
            text = screen(presenting.forward(staged("s[32*lane]")), look, *size)
            in_sight = re.search(r"rows 1-(\d+) of 32", text)
            assert in_sight is not None
            rows = re.findall(r"pass (\d+) ", text.partition("rows")[0])
            assert rows[-1] == in_sight[1]
    assert "rows" not in screen(presenting.forward(staged("s[2*lane]")), LOOKS[0])
    assert "rows" not in screen(staged("s[32*lane]"), LOOKS[0])


@pytest.mark.parametrize(("guess", "said"), [("4", "too few"), ("8", "right"), ("12", "too many"), ("", "")])
def test_the_guess_stands_beside_the_answer(guess: str, said: str) -> None:
    for look in LOOKS:
        text = screen(presenting.forward(guessed(staged("s[8*lane]"), guess)), look)
        assert ("you said" in text) == bool(guess)
        assert said in text
        assert all(line in text for line in big_lines("8", 1, look.glyphs.bar_full))


def test_turning_a_knob_hides_the_cost_again() -> None:
    stage = walk(staged("s[k*lane]", k=8), presenting.forward)[-1]
    turned = presenting.turn_knob(stage, 1)
    assert (turned.revealed, turned.view.position, turned.remark, turned.view.values) == (
        False,
        0,
        "question",
        {"k": 9},
    )
    without = staged("s[lane]")
    assert presenting.turn_knob(without, 1) is without
    at_most = presenting.forward(staged("s[k*lane]", k=64))
    assert presenting.turn_knob(at_most, 1) is at_most
    assert presenting.choose_knob(staged("s[k*lane + c]", k=1, c=0), 1).view.knob == 1


def test_the_cost_is_hidden_for_another_guess() -> None:
    stage = presenting.turn_over(guessed(staged("s[lane]"), "3"))
    assert (stage.revealed, stage.guess) == (True, "3")
    again = presenting.turn_over(presenting.forward(stage))
    assert (again.revealed, again.guess, again.view.position) == (False, "", 0)


def test_the_hint_takes_turns_with_the_question() -> None:
    stage = presenting.begin(state.evaluated(state.open_scene(scene("s[lane]", question="how many?"))))
    assert stage.said == "how many?"
    assert presenting.hint(stage).said == "look closer"
    assert presenting.hint(presenting.hint(stage)) == stage
    silent = presenting.begin(state.evaluated(state.open_scene(replace(scene("s[lane]"), hint="", answer=""))))
    assert presenting.hint(silent).said == ""
    assert walk(silent, presenting.forward)[-1].remark == "question"


def test_the_explorer_goes_on_where_the_stage_ended() -> None:
    view = replace(opened("s[k*lane]", "s[lane]", declarations=DECLARATIONS, k=8), lane=7, panel="why")
    stage = presenting.turn_knob(presenting.begin(view), 8)
    for _ in range(3):
        stage = presenting.forward(stage)
    after = presenting.leave(stage, view)
    assert (after.values, after.access, after.position, after.lane, after.panel) == ({"k": 16}, 0, 2, 7, "why")
    assert after.shown is stage.view.shown


def test_a_measurement_that_comes_meanwhile_stays_when_the_access_is_the_same() -> None:
    view = state.begin_measuring(opened("s[k*lane]", k=8), serial=1)
    stage = presenting.begin(view)
    assert stage.view.measuring.stage == "not looked"
    arrived = replace(view, measuring=Measuring("failed", 1, "too bad"))
    assert presenting.leave(stage, arrived).measuring is arrived.measuring
    assert presenting.leave(presenting.turn_knob(stage, 1), arrived).measuring.stage == "not looked"


@pytest.mark.parametrize("look", LOOKS)
@given(
    expressions=st.sampled_from(
        [
            ("s[lane]", "s[8*lane]"),
            ("s[0]", "s[32*lane]"),
            ("((float4*)s)[lane]", "((float4*)s)[4*(lane % 7)]"),
            ("in[lane]", "in[9*lane]"),
            ("table[0]", "table[lane % 5]"),
        ]
    ),
    guess=st.sampled_from(["", "4", "32"]),
    width=st.integers(60, 250),
    height=st.integers(19, 69),
)
def test_nothing_tells_the_cost_before_it_is_revealed(
    look: Look, expressions: tuple[str, str], guess: str, width: int, height: int
) -> None:
    cheap, dear = (guessed(staged(expression), guess) for expression in expressions)
    named_alike = replace(dear, view=_called(dear.view, cheap.view))
    lines = [stage_strips(stage, width, height, look) for stage in (cheap, named_alike)]
    assert lines[0] == lines[1]
    revealed = [stage_strips(presenting.forward(stage), width, height, look) for stage in (cheap, named_alike)]
    assert revealed[0] != revealed[1]


def _called(view: View, other: View) -> View:
    """The view with the texts of another one, and its own access."""
    return replace(view, scene=other.scene, setup=other.setup)


@given(
    expression=st.sampled_from(["s[k*lane]", "((float4*)s)[k*lane]", "in[k*lane]", "table[lane % 9]", "s[8/k*lane]"]),
    k=st.sampled_from([0, 1, 3, 32]),
    steps=st.integers(0, 40),
    width=st.integers(60, 250),
    height=st.integers(19, 69),
)
def test_every_line_has_the_width_that_was_asked_for(
    expression: str, k: int, steps: int, width: int, height: int
) -> None:
    stage = guessed(presenting.turn_knob(staged(expression, k=1), k - 1), "999")
    for _ in range(steps):
        stage = presenting.forward(stage)
    for look in LOOKS:
        strips = stage_strips(stage, width, height, look)
        assert len(strips) == height
        assert {strip.cell_length for strip in strips} == {width}
        assert look.glyphs is not ASCII or screen(stage, look, width, height).isascii()


@pytest.mark.parametrize(("size", "rows"), [((60, 19), 5), ((80, 23), 6), ((100, 29), 12), ((160, 44), 20)])
@pytest.mark.parametrize("shown", shipped_scenes(), ids=lambda shown: shown.name)
def test_memory_rows_fit_over_the_number(shown: Scene, size: tuple[int, int], rows: int) -> None:
    stage = presenting.begin(state.evaluated(state.open_scene(masked(shown, "s[32*lane]"))))
    text = screen(presenting.forward(stage), LOOKS[0], *size)
    assert f"pass {rows} " in text


def test_what_is_served_now_is_in_sight() -> None:
    stage = presenting.forward(staged("s[32*lane]"))
    for step in range(1, 33):
        stage = presenting.forward(stage)
        line = next(line for line in screen(stage, LOOKS[0], 60, 19).splitlines() if UNICODE.play in line)
        assert str(step) in line


def test_a_number_carries_its_unit_and_a_measurement_its_gpu() -> None:
    stage = presenting.forward(staged("in[3*lane]"))
    text = screen(stage, LOOKS[0])
    assert all(words in text for words in ("sectors", "33%", "128 of 384 bytes used"))
    assert "1 request " not in screen(staged("table[0]"), LOOKS[0])
    assert "request  " in screen(presenting.forward(staged("table[0]")), LOOKS[0])
    shared = staged("s[8*lane]")
    assert shared.shown is not None
    recorded = Measuring("there", measurement=measurement(shared.shown.access, 8.0))
    measured = replace(shared, view=replace(shared.view, measuring=recorded))
    assert "8.00" not in screen(measured, LOOKS[0])
    text = screen(presenting.forward(measured), LOOKS[0], 60, 19)
    assert all(words in text for words in ("recorded", "8.00 ± 0.01", "equal", "H200"))


@given(st.text("0123456789?", min_size=1, max_size=4), st.integers(1, 3))
def test_big_characters_fill_their_rectangle(text: str, scale: int) -> None:
    lines = big_lines(text, scale, "#")
    assert len(lines) == 5 * scale
    assert {len(line) for line in lines} == {big_width(len(text), scale)}


def test_big_characters_are_all_different() -> None:
    assert len({tuple(big_lines(character, 1, "#")) for character in "0123456789?"}) == 11
