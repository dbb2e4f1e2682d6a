"""The command line that opens the explorer on what it shows now."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from warpviz.expression import ExpressionError, Launch, Pattern
from warpviz.expression.extent import extent_text
from warpviz.hardware import DEFAULT_ARCH
from warpviz.scene import DEFAULT_KNOB_RANGE, Scene, SceneError, find_scene
from warpviz.sweep import WIDTH
from warpviz.tui.opening import AT_THE_START, Opening, Step
from warpviz.tui.state import View, named_values

_PLAIN_LAUNCH = Launch()


def command_line(view: View) -> str:
    """A line for a POSIX shell that opens this access with these values, at this lane, step and panel.

    A scene that the command line finds under its name, and whose access stands there unedited, is named; else the
    expression is given in full. What has its default is left out.
    """
    scene = unedited_scene(view)
    words = _expression_words(view) if scene is None else _scene_words(view, scene)
    return shlex.join(["warpviz", *words, *_opening_words(opening_of(view))])


def opening_of(view: View) -> Opening:
    """Where an explorer has to begin to show what this view shows. An animation that plays begins to play."""
    own_end = view.shown.end if view.shown else 0
    paused_at: Step = "end" if view.position >= own_end else view.position
    names = [*(view.values if unedited_scene(view) else _values_of_access(view))]
    chosen = WIDTH if view.over_width else view.knobs[view.knob].name if view.knobs else ""
    knob = chosen if view.over_width or chosen in names[1:] else ""
    pinned = None if view.pinned is None or lacking(view) else tuple(view.pinned.values.items())
    return Opening(
        view.access, view.lane, None if view.playing else paused_at, view.panel, knob, pinned, view.setup.recording
    )


def lacking(view: View) -> str:
    """What the line cannot say of the view: an A that is no other value of a knob, an edited scene's other accesses."""
    parts = []
    if view.pinned is not None:
        same = view.pinned.access == view.access and view.pinned.setup.patterns == view.setup.patterns
        if not (same and view.pinned.setup.arch == view.setup.arch and view.pinned.values):
            parts.append("A")
    if len(view.setup.patterns) > 1 and unedited_scene(view) is None:
        parts.append("the other accesses of the edited scene")
    return " and ".join(parts)


def unedited_scene(view: View) -> Scene | None:
    """The scene that the command line finds under the name of this view's, with this access and these values in it;
    None when there is none, as for an expression or an edited access."""
    try:
        scene = find_scene(view.scene.name)
    except SceneError:
        return None
    knobs = {knob.name: knob.values() for knob in scene.knobs}
    takes_values = view.values.keys() == knobs.keys() and all(view.values[name] in knobs[name] for name in knobs)
    is_there = view.access < len(scene.accesses) and scene.accesses[view.access].pattern == view.pattern
    return scene if is_there and takes_values else None


def _scene_words(view: View, scene: Scene) -> Iterator[str]:
    yield from [view.scene.name] if not view.scene.name.startswith("-") else [f"./{view.scene.name}"]
    defaults = scene.defaults()
    yield from _set_words({name: value for name, value in view.values.items() if value != defaults[name]})
    yield from _arch_words(view, scene.arch)
    yield from _given("--access", view.access + 1, 1)


def _expression_words(view: View) -> Iterator[str]:
    pattern = view.pattern
    yield from ("-e", pattern.expression)
    yield from _pattern_words(pattern)
    values = _values_of_access(view)
    yield from _set_words(values)
    for knob in view.knobs:
        low, high = min(DEFAULT_KNOB_RANGE[0], knob.value), max(DEFAULT_KNOB_RANGE[1], knob.value)
        if knob.name in values and (knob.minimum, knob.maximum) != (low, high):
            yield from ("--range", f"{knob.name}={knob.minimum}..{knob.maximum}")
    yield from _launch_words(pattern.launch)
    yield from _arch_words(view, DEFAULT_ARCH)


def _arch_words(view: View, default: str) -> Iterator[str]:
    """--recorded brings its architecture along."""
    recording = view.setup.recording
    brought = default if recording is None or recording.gpu is None else recording.gpu.arch
    yield from _given("--arch", view.setup.arch, brought)


def _values_of_access(view: View) -> Mapping[str, int]:
    """Of the names that stand in the access's texts; of all of them as long as these are no C."""
    try:
        return named_values(view.setup, view.access)
    except ExpressionError:
        return view.values


def _pattern_words(pattern: Pattern) -> Iterator[str]:
    yield from _given("--decl", _declarations(pattern.declarations), "")
    yield from _given("--where", pattern.where, "")
    yield from _given("--op", pattern.op, "ld")
    yield from _given("--matrices", pattern.matrices, None)
    yield from _given("--space", pattern.space, None)


def _declarations(text: str) -> str:
    """As --decl takes them: an @ in the first place would name a file, after a blank it does not."""
    return f" {text}" if text.startswith("@") else text


def _set_words(values: Mapping[str, int]) -> Iterator[str]:
    for name, value in values.items():
        yield from ("--set", f"{name}={value}")


def _launch_words(launch: Launch) -> Iterator[str]:
    yield from _given("--block", extent_text(launch.block, 1), extent_text(_PLAIN_LAUNCH.block, 1))
    yield from _given("--block-index", extent_text(launch.block_index, 0), extent_text(_PLAIN_LAUNCH.block_index, 0))
    yield from _given("--grid", launch.grid and extent_text(launch.grid, 1), None)
    yield from _given("--warp", launch.warp, _PLAIN_LAUNCH.warp)


def _opening_words(opening: Opening) -> Iterator[str]:
    yield from _given("--lane", opening.lane, AT_THE_START.lane)
    yield from _given("--step", opening.step, AT_THE_START.step)
    yield from _given("--panel", opening.panel, AT_THE_START.panel)
    yield from _given("--knob", opening.knob, AT_THE_START.knob)
    for name, value in opening.pinned or ():
        yield from ("--pin", f"{name}={value}")
    if opening.recording is not None:
        yield from ("--recorded", opening.recording.known_as)


def _given(option: str, value: object, default: object) -> tuple[str, ...]:
    """The option with its value; nothing for its default."""
    return () if value == default else (option, str(value))
