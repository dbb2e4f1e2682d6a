"""What is recorded: the scenes' accesses and the golden patterns, each access once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import GoldenRow
from warpviz.expression import parse
from warpviz.gpu import FrozenAccess
from warpviz.recording import golden_subjects, label_of, scene_subjects, subjects_of
from warpviz.scene import SceneError, read_scene, shipped_scenes

SCENE = """
title = "Two knobs"
declarations = "__shared__ float s[4096];"

[knobs]
k = { value = 2, from = 0, to = 4, step = 2 }
o = { value = 1, from = 0, to = 1 }

[[access]]
name = "load"
expression = "s[k*lane + o]"

[[access]]
name = "one"
expression = "s[8 / k + 0*o]"
"""


def test_each_knob_is_turned_alone(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(SCENE)
    subjects = scene_subjects([read_scene(file)])
    assert [label for subject in subjects for label in subject.labels] == [
        "two: load, k = 2, o = 1",
        "two: load, k = 0, o = 1",
        "two: load, k = 4, o = 1",
        "two: load, k = 2, o = 0",
        "two: one, k = 2, o = 1",
        "two: one, k = 2, o = 0",
        "two: one, k = 4, o = 1",
    ], "8 / k is an error at k = 0"
    assert all(subject.request.source for subject in subjects)


def test_every_scene_is_recorded_as_it_opens_and_each_access_once() -> None:
    subjects = scene_subjects(shipped_scenes())
    accesses = [subject.request.access for subject in subjects]
    assert len(set(accesses)) == len(accesses)
    for scene in shipped_scenes():
        for access in scene.accesses:
            taken = parse(access.pattern).evaluate(scene.defaults()).access
            assert FrozenAccess.of(taken) in accesses


def test_the_golden_patterns_are_those_that_were_counted(golden_rows: list[GoldenRow]) -> None:
    subjects = golden_subjects()
    assert {s.request.access for s in subjects} == {FrozenAccess.of(row.access) for row in golden_rows}
    assert {label for s in subjects for label in s.labels} == {f"golden: {row.name}" for row in golden_rows}
    assert all(subject.request.source == "" for subject in subjects)


def test_what_is_a_scenes_and_golden_is_measured_once_as_the_scene_has_it() -> None:
    both = [subject for subject in subjects_of() if any(label.startswith("golden: ") for label in subject.labels)]
    shared = [subject for subject in both if not subject.labels[0].startswith("golden: ")]
    assert shared
    assert all(subject.request.source for subject in shared)
    assert len({subject.request.access for subject in subjects_of()}) == len(subjects_of())


def test_only_some_of_it() -> None:
    assert {label.split(":")[0] for s in subjects_of(["stride", "float2"]) for label in s.labels} == {
        "stride",
        "float2",
    }
    assert len(subjects_of(["golden"])) == len(golden_subjects())
    assert len(subjects_of(["scenes"])) == len(scene_subjects(shipped_scenes()))
    with pytest.raises(SceneError, match="nothing"):
        subjects_of(["nothing"])


def test_a_label_has_the_values() -> None:
    assert label_of("s[k*lane]", {}) == "s[k*lane]"
    assert label_of("s[k*lane + o]", {"k": 8, "o": -1}) == "s[k*lane + o], k = 8, o = -1"
