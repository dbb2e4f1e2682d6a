"""The command line that reproduces a view: whatever stands in the texts, it comes back as it was."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpviz.cli import main
from warpviz.expression import Launch, Pattern
from warpviz.hardware import OPS, SPACES
from warpviz.scene import Scene, find_scene, read_scene, scene_of_pattern, shipped_scenes
from warpviz.tui import state
from warpviz.tui.command_line import command_line, lacking, opening_of
from warpviz.tui.opening import PANELS, Opening
from warpviz.tui.state import View

_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
_SHELL = st.text("'\"$`\\!*?~#;&|<>(){}[]= \n\t-@é漢", max_size=20)
_TEXTS = st.one_of(_TEXT, _SHELL)
_INDEX = st.integers(0, 9)


@st.composite
def launches(draw: st.DrawFn) -> Launch:
    x, y, z = draw(st.sampled_from([(32, 1, 1), (16, 16, 1), (8, 4, 4), (64, 1, 1), (1, 1, 64)]))
    index = draw(st.tuples(_INDEX, _INDEX, _INDEX))
    grid = (index[0] + draw(st.integers(1, 9)), index[1] + 1, index[2] + draw(st.integers(1, 3)))
    return Launch((x, y, z), index, draw(st.sampled_from([None, grid])), draw(st.integers(0, (x * y * z - 1) // 32)))


@st.composite
def views_of_expressions(draw: st.DrawFn) -> View:
    """Of texts that are no C, so that every value has to be in the line."""
    pattern = Pattern(
        draw(_TEXTS) + " k n",
        draw(_TEXTS),
        draw(_TEXTS),
        draw(st.sampled_from(OPS)),
        draw(st.sampled_from([None, *SPACES])),
        draw(st.sampled_from([None, 1, 2, 4])),
        draw(launches()),
    )
    values = draw(st.dictionaries(st.sampled_from(["k", "n", "_pad2"]), st.integers(-(2**63) + 1, 2**63 - 1)))
    scene = scene_of_pattern(
        pattern, {name: [value] for name, value in values.items()}, draw(st.sampled_from(["sm_90", "sm_75", "sm_100a"]))
    )
    return replace(
        state.open_scene(scene),
        lane=draw(st.integers(0, 31)),
        playing=draw(st.booleans()),
        panel=draw(st.sampled_from(["", *PANELS])),
    )


def opened(line: str) -> tuple[Scene, Opening]:
    """What the program opens for this line."""
    program, *arguments = shlex.split(line)
    assert program == "warpviz"
    with patch("warpviz.cli.open.at_terminal", return_value=True), patch("warpviz.tui.app.run", return_value=0) as run:
        assert main(arguments) == 0
    scene, opening, _device = run.call_args.args
    return scene, opening


def check_reproduced(view: View) -> None:
    scene, opening = opened(command_line(view))
    assert scene.accesses[opening.access].pattern == view.pattern
    assert scene.defaults() == view.values
    assert scene.arch == view.setup.arch
    assert replace(opening, access=0) == replace(opening_of(view), access=0)


@settings(max_examples=80)
@given(view=views_of_expressions())
def test_an_expression_comes_back(view: View) -> None:
    declarations = view.pattern.declarations
    if declarations.startswith("@"):  # no C begins so; an option that does would name a file
        scene, _ = opened(command_line(view))
        assert scene.accesses[0].pattern.declarations == f" {declarations}"
    else:
        check_reproduced(view)


@settings(max_examples=20)
@given(view=views_of_expressions())
def test_a_shell_reads_it_as_it_is_meant(view: View) -> None:
    line = command_line(view)
    script = f"warpviz() {{ printf '%s\\0' \"$@\"; }}\n{line}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().split("\0")[:-1] == shlex.split(line)[1:]


@pytest.mark.parametrize("scene", shipped_scenes(), ids=lambda scene: scene.name)
def test_every_scene_is_named(scene: Scene) -> None:
    assert command_line(replace(state.open_scene(scene), playing=True)) == f"warpviz {scene.name}"
    for access in range(len(scene.accesses)):
        view = state.evaluated(replace(state.open_scene(scene), access=access))
        moves = (view, state.step(view, -1), state.first(view), state.turn_knob(view, 1), state.choose_knob(view, 1))
        for moved in moves:
            check_reproduced(moved)
            assert command_line(moved).startswith(f"warpviz {scene.name} ")


def test_only_what_differs_is_said() -> None:
    view = replace(state.open_scene(find_scene("tile-padding")), access=1)
    view = state.step(state.first(state.turn_to(view, 3)), 1)
    view = replace(view, lane=5, panel="why")
    assert command_line(view) == "warpviz tile-padding --set pad=3 --access 2 --lane 5 --step 1 --panel why"


def test_an_edited_access_is_given_in_full() -> None:
    view = state.evaluated(state.open_scene(find_scene("tile-padding")))
    edited = state.edit(view, replace(view.pattern, expression="tile[lane][k]", where="lane < 8"))
    line = command_line(edited)
    assert line.startswith("warpviz -e 'tile[lane][k]' --decl '__shared__ float tile[32][32 + pad];")
    assert "--where 'lane < 8' --set pad=" in line
    scene, opening = opened(line)
    assert scene.accesses[0].pattern == edited.pattern
    assert scene.defaults() == {"pad": edited.values["pad"], "k": 1}
    assert opening == opening_of(edited)


def test_only_the_values_of_names_that_stand_in_the_access_are_said() -> None:
    scene = scene_of_pattern(Pattern("s[k*lane]"), {"k": [8], "n": [3]})
    view = replace(state.open_scene(scene), playing=True)
    assert command_line(view) == "warpviz -e 's[k*lane]' --set k=8"


def test_launch_and_kind_are_said() -> None:
    launch = Launch((16, 16, 1), (0, 2, 0), (4, 4, 1), 1)
    pattern = Pattern("x[threadIdx.x]", op="st", space="global", launch=launch)
    view = replace(state.open_scene(scene_of_pattern(pattern, {}, "sm_80")), playing=True)
    assert command_line(view) == (
        "warpviz -e 'x[threadIdx.x]' --op st --space global --block 16,16 --block-index 0,2 --grid 4,4 --warp 1"
        " --arch sm_80"
    )


def test_a_scene_file_is_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "my scene.toml"
    path.write_text(
        'title = "Mine"\n[knobs]\nk = { value = 2, from = 0, to = 8 }\n[[access]]\nexpression = "s[k*lane]"\n'
    )
    scene, opening = opened(f"warpviz '{path}' --set k=4 --arch sm_80 --lane 7")
    view = replace(state.open_scene(scene), lane=opening.lane, playing=True)
    assert command_line(view) == f"warpviz '{path}' --set k=4 --arch sm_80 --lane 7"
    check_reproduced(view)


def test_a_scene_that_is_not_found_any_more_is_given_as_an_expression(tmp_path: Path) -> None:
    path = tmp_path / "gone.toml"
    path.write_text('title = "Mine"\n[[access]]\nexpression = "s[lane]"\n')
    view = replace(state.open_scene(read_scene(path)), playing=True)
    assert command_line(view) == "warpviz -e 's[lane]'"


def test_the_range_of_a_knob_and_a_pinned_value_are_said() -> None:
    scene = scene_of_pattern(Pattern("s[k*lane]"), {"k": [4, 5, 6, 7, 8]})
    view = state.turn_to(state.pin(state.evaluated(state.open_scene(scene))), 6)
    line = command_line(view)
    assert line == "warpviz -e 's[k*lane]' --set k=6 --range k=4..8 --step end --pin k=4"
    assert lacking(view) == ""
    check_reproduced(view)
    again, opening = opened(line)
    assert [(knob.minimum, knob.maximum) for knob in again.knobs] == [(4, 8)]
    begun = state.begun(state.open_at(again, opening), opening)
    assert begun.pinned is not None
    assert begun.pinned.values == {"k": 4}
    assert begun.values == {"k": 6}


def test_what_the_line_cannot_say_is_named() -> None:
    view = state.pin(state.evaluated(state.open_scene(find_scene("tile-padding"))))
    edited = state.edit(view, replace(view.pattern, expression="tile[lane][2*c]"))
    assert lacking(edited) == "A and the other accesses of the edited scene"
    assert "--pin" not in command_line(edited)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-e", "s[k*lane]", "--set", "k=9", "--range", "k=4..8"], "does not hold its value, 9"),
        (["stride", "--range", "k=4..8"], "--range goes with an expression"),
        (["stride", "--pin", "j=4"], "--pin j: there is no such knob; there are k"),
        (["stride", "--knob", "j"], "--knob j: there is no such knob; there are k"),
    ],
)
def test_a_wrong_opening_is_refused(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert sentence in capsys.readouterr().err


def test_a_knob_that_stands_in_no_text_is_not_named() -> None:
    view = state.evaluated(state.open_scene(find_scene("tile-row-column")))
    view = state.toggle_lane(state.choose_knob(view, 1))
    assert "--knob" not in command_line(view)
    scene, _ = opened(command_line(view))
    assert scene.accesses[0].pattern == view.pattern


def test_a_sweep_over_the_width_is_said() -> None:
    view = state.choose_knob(state.show_panel(state.evaluated(state.open_scene(find_scene("stride"))), "sweep"), 1)
    assert command_line(view) == "warpviz stride --step end --panel sweep --knob width"
    scene, opening = opened(command_line(view))
    assert state.open_at(scene, opening).over_width
