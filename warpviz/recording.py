"""What is recorded of a GPU: every scene's accesses over the range of each knob, and the golden patterns."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from warpviz.access import Access
from warpviz.asking import request_of
from warpviz.expression import ExpressionError, parse
from warpviz.gpu import ProbeRequest
from warpviz.gpu.recorder import Subject
from warpviz.hardware import LANES
from warpviz.resources import resource_folder
from warpviz.scene import Scene, SceneAccess, find_scene, shipped_scenes

GOLDEN, SCENES = "golden", "scenes"  # what --only takes beside the names of scenes
_GOLDEN_FILE = "h200_accesses.csv.gz"


def label_of(name: str, values: Mapping[str, int]) -> str:
    """What an access is called: a name and its values.

    >>> label_of("stride: load", {"k": 8})
    'stride: load, k = 8'
    """
    return ", ".join([name, *(f"{knob} = {value}" for knob, value in values.items())])


def subjects_of(only: Sequence[str] = ()) -> list[Subject]:
    """All that is recorded; `only`: of these scenes, "scenes" being all that ship, or the "golden" patterns.

    Raises SceneError for a name that is none of these.
    """
    wanted = only or (SCENES, GOLDEN)
    scenes = [scene for name in wanted if name != GOLDEN for scene in _scenes(name)]
    return _merged([*scene_subjects(scenes), *(golden_subjects() if GOLDEN in wanted else ())])


def scene_subjects(scenes: Iterable[Scene]) -> list[Subject]:
    """Each access of each scene at the knobs' own values, and at every value of each knob, the others as they are.

    A value at which the expression is in error is left out.
    """
    return _merged(subject for scene in scenes for access in scene.accesses for subject in _subjects_of(scene, access))


def golden_subjects() -> list[Subject]:
    """The accesses whose counters an H200 has shown: given by their addresses, without an expression."""
    path = resource_folder("golden") / _GOLDEN_FILE
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return _merged(
            Subject((f"golden: {row['name']}",), ProbeRequest.of(_access(row), "")) for row in csv.DictReader(file)
        )


def _scenes(name: str) -> Sequence[Scene]:
    return shipped_scenes() if name == SCENES else (find_scene(name),)


def _subjects_of(scene: Scene, access: SceneAccess) -> Iterator[Subject]:
    program = parse(access.pattern)
    for values in _points(scene):
        try:
            evaluation = program.evaluate(values)
        except ExpressionError:
            continue
        used = {name: value for name, value in values.items() if name in program.free_names}
        label = label_of(f"{scene.name}: {access.name}", used)
        yield Subject((label,), request_of(evaluation, access.pattern.launch))


def _points(scene: Scene) -> Iterator[dict[str, int]]:
    yield scene.defaults()
    for knob in scene.knobs:
        for value in knob.values():
            yield scene.defaults() | {knob.name: value}


def _merged(subjects: Iterable[Subject]) -> list[Subject]:
    """One for each access, with the names of all that are this very access."""
    merged: dict[object, Subject] = {}
    for subject in subjects:
        known = merged.setdefault(subject.request.access, subject)
        labels = dict.fromkeys((*known.labels, *subject.labels))
        merged[subject.request.access] = replace(known, labels=tuple(labels))
    return list(merged.values())


def _access(row: Mapping[str, str]) -> Access:
    """The access of a row of the golden file."""
    mask = int(row["mask"], 16)
    return Access.of(
        [int(offset) for offset in row["offsets"].split()],
        space=row["space"],  # type: ignore[arg-type]  # Access checks it
        op=row["op"],  # type: ignore[arg-type]
        width=int(row["width"]),
        active=[bool(mask >> lane & 1) for lane in range(LANES)],
        matrices=int(row["matrices"]) if row["matrices"] else None,
    )
