"""A predicted access as data: every lane, every step, and what was measured. Steps, phases and rounds count from 1, as
on the screen; lanes, banks, words, sectors and lines from 0."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from warpviz.access import Access
from warpviz.hardware import BANKS, LANES, LINE_BYTES, SECTOR_BYTES, WORD_BYTES
from warpviz.model import Schedule, schedule
from warpviz.prediction import Prediction

if TYPE_CHECKING:
    from warpviz.gpu import Measurement


def as_json(scene: str | None, declarations: str, prediction: Prediction, measurement: Measurement | None) -> str:
    """One object: what `predict --json` prints of the prediction, and around it

    scene: as the command line names it; null for an expression. declarations: C. lanes: 32 objects (`_lanes`).
    steps: an object each, with the lanes that it serves and the words that it touches; an address is 4 times its word.
    measured: what `measure --json` prints; null where nothing is measured.
    """
    served = schedule(prediction.evaluation.access)
    described = {
        "scene": scene,
        "declarations": declarations,
        **prediction.as_json(),
        "lanes": list(_lanes(prediction.evaluation.access, served)),
        "steps": list(_steps(served)),
        "measured": None if measurement is None else _measured(measurement),
    }
    return json.dumps(described) + "\n"


def as_csv(prediction: Prediction) -> str:
    """A line for each lane under a line of names, the keys of the JSON object's `lanes`; empty where that has null."""
    access = prediction.evaluation.access
    lanes = list(_lanes(access, schedule(access)))
    text = io.StringIO()
    writer = csv.DictWriter(text, list(lanes[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lane | {"active": str(lane["active"]).lower()} for lane in lanes)
    return text.getvalue()


def _lanes(access: Access, served: Schedule) -> Iterator[dict[str, Any]]:
    """Each lane: where its first byte lies, and the step that serves it (the last of its bytes) with its phase.

    phase: of shared memory; the round of global atomics, the load of constant memory. An inactive lane has neither
    place nor step; a lane of an ldmatrix whose address is not read has no step.
    """
    addresses, active = access.addresses[0].tolist(), access.active[0].tolist()
    for lane in range(LANES):
        step = served.step_of_lane(lane)
        yield {
            "lane": lane,
            "active": active[lane],
            **{name: place if active[lane] else None for name, place in _place(access, addresses[lane]).items()},
            "step": None if step is None else step + 1,
            "phase": None if step is None else served.steps[step].phase + 1,
        }


def _place(access: Access, address: int) -> dict[str, int]:
    """What holds a byte: its word, and its bank in shared memory, its line and sector in global memory."""
    place = {"address": address, "word": address // WORD_BYTES}
    if access.space == "shared":
        place["bank"] = place["word"] % BANKS
    if access.space == "global":
        place |= {"line": address // LINE_BYTES, "sector": address // SECTOR_BYTES}
    return place


def _steps(served: Schedule) -> Iterator[dict[str, Any]]:
    for number, step in enumerate(served.steps, start=1):
        words = [cell.word for cell in step.cells]
        yield {"step": number, "phase": step.phase + 1, "lanes": list(step.lanes), "words": words}


def _measured(measurement: Measurement) -> dict[str, Any]:
    return {key: value for key, value in measurement.to_json().items() if key != "access"}
