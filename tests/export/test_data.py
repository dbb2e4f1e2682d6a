"""An access as JSON and CSV, beside what the model says of it."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.tui.measurements import measurement as measurement_of
from warpviz.export.data import as_csv, as_json
from warpviz.expression import Pattern, parse
from warpviz.prediction import Prediction

PATTERNS = [
    Pattern("s[8*lane]"),
    Pattern("v[lane]", "__shared__ float2 v[32];", op="st"),
    Pattern("s[lane]", where="lane % 2 == 0"),
    Pattern("p[lane].x", "struct P { float x, y, z; }; struct P* p;"),
    Pattern("n[lane % 4]", "int* n;", op="atom"),
    Pattern("t[lane]", "__constant__ float4 t[32];"),
    Pattern("*(uint4*)&A[lane % 16][0]", "__shared__ half A[16][64];", op="ldmatrix", matrices=2),
]
IDS = ["stride", "float2", "masked", "struct", "atomic", "constant", "ldmatrix"]


def prediction_of(pattern: Pattern, **values: int) -> Prediction:
    return Prediction.of(pattern.expression, values, "sm_90", parse(pattern).evaluate(values))


def json_of(pattern: Pattern) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(as_json(None, pattern.declarations, prediction_of(pattern), None))
    return found


@pytest.mark.parametrize("pattern", PATTERNS, ids=IDS)
def test_it_holds_the_prediction(pattern: Pattern) -> None:
    found, predicted = json_of(pattern), prediction_of(pattern).as_json()
    assert {key: found[key] for key in predicted} == predicted
    assert (found["scene"], found["declarations"], found["measured"]) == (None, pattern.declarations, None)


@pytest.mark.parametrize("pattern", PATTERNS, ids=IDS)
def test_lanes_and_steps_agree(pattern: Pattern) -> None:
    found = json_of(pattern)
    lanes, steps = found["lanes"], found["steps"]
    assert [lane["lane"] for lane in lanes] == list(range(32))
    assert [lane["address"] for lane in lanes] == found["addresses"]
    assert sum(lane["active"] for lane in lanes) == found["active_lanes"]
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    counted = {"shared": "wavefronts", "global": "sectors", "const": "requests"}[found["space"]]
    assert len(steps) == found[counted]
    for lane in lanes:
        serving = [step for step in steps if lane["lane"] in step["lanes"]]
        assert lane["step"] == (serving[-1]["step"] if serving else None)
        assert lane["phase"] == (serving[-1]["phase"] if serving else None)
        if serving:
            assert lane["word"] == lane["address"] // 4
            assert lane["word"] in serving[0]["words"]


def test_places_by_space() -> None:
    shared, moved, constant = (json_of(PATTERNS[i])["lanes"][5] for i in (0, 3, 5))
    assert shared == {
        "lane": 5, "active": True, "address": 160, "word": 40, "bank": 8, "step": 2, "phase": 1,
    }  # fmt: skip
    assert moved == {
        "lane": 5, "active": True, "address": 60, "word": 15, "line": 0, "sector": 1, "step": 2, "phase": 1,
    }  # fmt: skip
    assert constant.keys() == {"lane", "active", "address", "word", "step", "phase"}


def test_a_lane_that_takes_no_part_has_no_place() -> None:
    lane = json_of(PATTERNS[2])["lanes"][1]
    assert lane == {
        "lane": 1,
        "active": False,
        "address": None,
        "word": None,
        "bank": None,
        "step": None,
        "phase": None,
    }


def test_a_measurement_is_written_as_measure_prints_it() -> None:
    prediction = prediction_of(Pattern("s[k*lane]"), k=8)
    measurement = measurement_of(prediction.evaluation.access, cycles=8.0)
    found = json.loads(as_json("stride", "", prediction, measurement))
    assert found["scene"] == "stride"
    assert found["set"] == {"k": 8}
    assert found["measured"] == {
        k: v for k, v in json.loads(json.dumps(measurement.to_json())).items() if k != "access"
    }


@pytest.mark.parametrize("pattern", PATTERNS, ids=IDS)
def test_csv_has_the_lanes_of_the_json(pattern: Pattern) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(prediction_of(pattern)))))
    expected = [
        {key: "" if value is None else str(value).lower() for key, value in lane.items()}
        for lane in json_of(pattern)["lanes"]
    ]
    assert rows == expected
