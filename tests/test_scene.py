"""Scene files: the shipped ones are right, and a wrong one is told where and what."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpviz.expression import Pattern, parse
from warpviz.model import predict
from warpviz.scene import Scene, SceneError, check_scene, find_scene, read_scene, scene_of_pattern, shipped_scenes

SCENE = """
title = "t"
declarations = "__shared__ float s[2048];"

[knobs]
k = { value = 2, from = 0, to = 4 }

[[access]]
name = "a"
expression = "s[k*lane]"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def wavefronts(scene: Scene, access: str, **values: int) -> int:
    pattern = {a.name: a.pattern for a in scene.accesses}[access]
    counts = predict(parse(pattern).evaluate(scene.defaults() | values).access).wavefronts
    assert counts is not None
    return int(counts[0])


@pytest.mark.parametrize("scene", shipped_scenes(), ids=lambda scene: scene.name)
def test_every_shipped_scene_can_be_shown_at_the_ends_of_its_knobs(scene: Scene) -> None:
    check_scene(scene)
    assert scene.question
    assert scene.hint
    assert scene.answer
    for access in scene.accesses:
        program = parse(access.pattern)
        for knob in scene.knobs:
            for value in (knob.minimum, knob.maximum):
                assert program.evaluate(scene.defaults() | {knob.name: value}).warnings == ()


def test_the_scenes_answers_are_what_the_model_says() -> None:
    assert [wavefronts(find_scene("stride"), "load", k=k) for k in (0, 1, 2, 8, 31, 32, 33, 64)] == [
        1, 1, 2, 8, 1, 32, 1, 32,
    ]  # fmt: skip
    assert wavefronts(find_scene("tile-row-column"), "row") == 1
    assert wavefronts(find_scene("tile-row-column"), "column") == 32
    padded = [wavefronts(find_scene("tile-padding"), "column load", pad=pad) for pad in range(9)]
    assert padded == [32, 1, 2, 1, 4, 1, 2, 1, 8]
    assert {wavefronts(find_scene("tile-swizzle"), "column load", c=c) for c in range(32)} == {1}
    assert wavefronts(find_scene("float4"), "load in pairs") == 2
    assert wavefronts(find_scene("float4"), "store in pairs") == 4
    assert [wavefronts(find_scene("shared-atomic"), "add, result used", n=n) for n in (1, 3, 32)] == [32, 11, 1]
    assert [wavefronts(find_scene("ldmatrix"), "load 4 matrices", pad=pad) for pad in (0, 8)] == [32, 4]


def test_names_leave_out_the_number_that_orders() -> None:
    names = [scene.name for scene in shipped_scenes()]
    assert names[:2] == ["stride", "tile-row-column"]
    assert len(set(names)) == len(names)


def test_a_file_is_read_and_found_by_its_path(tmp_path: Path) -> None:
    scene = find_scene(str(written(tmp_path, SCENE)))
    assert (scene.name, scene.title, scene.defaults()) == ("mine", "t", {"k": 2})


def test_a_pattern_makes_a_scene_with_its_values_as_knobs() -> None:
    scene = scene_of_pattern(Pattern("s[k*lane + o]"), {"k": range(5, 6), "o": range(0, 8)})
    assert [(k.name, k.value, k.minimum, k.maximum) for k in scene.knobs] == [("k", 5, 0, 64), ("o", 0, 0, 7)]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("title =", "titel ="), "'titel' is no key"),
        (('"t"', "3"), "title is a text"),
        (('title = "t"', ""), "title is missing"),
        (("value = 2", "value = 9"), "knobs.k: value 9 is none of 0 to 4"),
        (("value = 2", "value = 2.5"), "value is a whole number"),
        (("value = 2, ", ""), "value is missing"),
        (("to = 4", "to = 4, step = 0"), "step is 0"),
        (("{ value = 2, from = 0, to = 4 }", "2"), "knobs.k: a knob is written"),
        (("[[access]]", "[access]"), "one or more [[access]]"),
        (('name = "a"', 'op = "prefetch"'), "access 1: op is 'prefetch'"),
        (('name = "a"', "matrices = 3"), "matrices is 3"),
        (('name = "a"', "matrices = true"), "matrices is True"),
        (('expression = "s[k*lane]"', ""), "access 1: expression is missing"),
        (('title = "t"', 'title = "t"\nblock = [2048]'), "block"),
        (('title = "t"', 'title = "t"\nblock = 32'), "block is a list"),
        (('title = "t"', 'title = "t"\narch = "hopper"'), "hopper"),
        (("k*lane", "k*"), "access a: expression, column"),
        (("k*lane", "lane"), "knob k stands in no"),
        (("k*lane", "k*lane + j"), "j has no value; give it one under [knobs]"),
        (('title = "t"', 'title = "t'), "is not TOML"),
        (('title = "t"', "title = " + "[" * 5000), "is not TOML"),
    ],
)
def test_a_wrong_file_is_told_where_and_what(tmp_path: Path, change: tuple[str, str], sentence: str) -> None:
    path = written(tmp_path, SCENE.replace(*change))
    with pytest.raises(SceneError) as told:
        find_scene(str(path))
    assert sentence in str(told.value)
    assert "mine" in str(told.value)


def test_what_is_no_scene_file(tmp_path: Path) -> None:
    binary = tmp_path / "b.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SceneError, match="is not UTF-8"):
        read_scene(binary)
    with pytest.raises(SceneError, match="cannot be read"):
        read_scene(tmp_path)
    with pytest.raises(SceneError, match="no scene is called 'nothing'"):
        find_scene("nothing")
