"""A sweep, measured or not, as text, JSON, CSV and a chart."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

from warpviz.chart_svg import Line, chart_svg
from warpviz.cli.measured import Measured, made_on
from warpviz.cli.report import text
from warpviz.gpu import Bandwidth, Conditions, GpuError, Measurement, Unavailable
from warpviz.prediction import Prediction
from warpviz.sweep import Point, Sweep

_LONGEST_BAR = 32  # characters: one for each pass, up to this many
_IN_TIME = ("GB/s useful", "GB/s moved", "% of a copy", "± %", "SM MHz")  # of global memory


@dataclass(frozen=True)
class Swept:
    """One access over a knob.

    access: its name in the scene; empty for an expression. fixed: the other names' values. measurements: by value,
    or why there is none; None when none was asked for.
    """

    access: str
    expression: str
    fixed: Mapping[str, int]
    arch: str
    sweep: Sweep
    measurements: Mapping[int, Measurement | GpuError] | None

    @cached_property
    def predictions(self) -> dict[int, Prediction]:
        """By value, where the expression is not in error."""
        return {
            point.value: Prediction(
                self.expression,
                {**self.fixed, self.sweep.name: point.value},
                self.arch,
                point.evaluation,
                point.cost,
            )
            for point in self.sweep.points
            if point.evaluation is not None and point.cost is not None
        }

    def measured(self, value: int) -> Measured | None:
        """Predicted and measured at this value; None where it was not measured."""
        answer = (self.measurements or {}).get(value)
        return Measured(self.access, self.predictions[value], answer) if isinstance(answer, Measurement) else None

    def figure(self, value: int) -> float | None:
        """The count measured at this value, before rounding."""
        measured = self.measured(value)
        return None if measured is None else measured.measurement.count_of(self.sweep.unit)

    def verdict(self, value: int) -> tuple[str, str]:
        """How measured compares with predicted at this value: the outcome and a sentence; empty where not asked."""
        measured, answer = self.measured(value), (self.measurements or {}).get(value)
        if measured is not None:
            return measured.verdict.outcome, measured.verdict.sentence
        return ("unmeasured", answer.sentence) if isinstance(answer, GpuError) else ("", "")

    def in_time(self, value: int) -> dict[str, str]:
        """By heading, for global memory when it is measured: the figures of its bandwidth, or empty cells."""
        if self.measurements is None or self.sweep.unit != "sectors":
            return {}
        measured = self.measured(value)
        figures = _in_time(measured.measurement) if measured is not None else [""] * len(_IN_TIME)
        return dict(zip(_IN_TIME, figures, strict=True))


def as_text(title: str, sweeps: Sequence[Swept], bar: str) -> str:
    """A table, and what is assumed and measured on. title: for what has no one heading. bar: what bars are made of."""
    predictions = [prediction for swept in sweeps for prediction in swept.predictions.values()]
    headings = {prediction.heading() for prediction in predictions}
    most = max(point.count or 0 for swept in sweeps for point in swept.sweep.points)
    rows = (_row(swept, point, most, bar) for swept in sweeps for point in swept.sweep.points)
    table = text(headings.pop() if len(headings) == 1 else title, rows, predictions)
    measured = next(_all_measured(sweeps), None)
    return table if measured is None else f"{table}\n{made_on(measured)}"


def as_json(sweeps: Sequence[Swept]) -> str:
    """One object a line: the keys of `predict --json`, null where the expression is in error, and then `error`."""
    return "\n".join(json.dumps(_object(swept, point)) for swept in sweeps for point in swept.sweep.points)


def as_csv(sweeps: Sequence[Swept]) -> str:
    """A line of headings and one for each value; empty where there is no figure."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    named = any(swept.access for swept in sweeps)
    asked = any(swept.measurements is not None for swept in sweeps)
    timed = {heading: "" for swept in sweeps for point in swept.sweep.points for heading in swept.in_time(point.value)}
    headings = ["unit", "predicted", "ideal", *(["measured", *timed, "verdict"] if asked else []), "error"]
    writer.writerow([*(["access"] if named else []), sweeps[0].sweep.name, *headings])
    for swept in sweeps:
        for point in swept.sweep.points:
            names = [swept.access, point.value] if named else [point.value]
            figures = (timed | swept.in_time(point.value)).values()
            measured = [swept.figure(point.value), *figures, swept.verdict(point.value)[0]] if asked else []
            writer.writerow([*names, swept.sweep.unit, point.count, point.ideal, *measured, point.error])
    return file.getvalue().rstrip("\n")


def as_svg(title: str, sweeps: Sequence[Swept]) -> str:
    """The chart: a line for each access."""
    units = list(dict.fromkeys(swept.sweep.unit for swept in sweeps))
    gpu = next((measurement.gpu.name for measurement in _all_measured(sweeps)), "")
    return chart_svg(
        [point.value for point in sweeps[0].sweep.points],
        [_line(swept, with_unit=len(units) > 1) for swept in sweeps],
        title=f"{title} on {gpu}" if gpu else title,
        x_name=sweeps[0].sweep.name,
        y_name=", ".join(units),
    )


def _row(swept: Swept, point: Point, most: int, bar: str) -> dict[str, str]:
    """One value for the table, by column heading."""
    sweep = swept.sweep
    row = {"access": swept.access} if swept.access else {}
    row |= {sweep.name: str(point.value), sweep.unit: "", "ideal": ""}
    if point.count is None:
        return row | {"": point.error}
    length = point.count if most <= _LONGEST_BAR else ceil(point.count * _LONGEST_BAR / most)
    row |= {sweep.unit: str(point.count), "ideal": str(point.ideal), "": bar * length}
    if swept.measurements is None:
        return row
    row |= {"measured": _figure(swept, point.value)} | swept.in_time(point.value)
    return row | {"verdict": _verdict(swept, point.value)}


def _figure(swept: Swept, value: int) -> str:
    """The count that was measured at this value."""
    measured, figure = swept.measured(value), swept.figure(value)
    if measured is None or figure is None:
        return ""
    slope = measured.measurement.wavefronts
    by_time = slope is not None and figure == slope.units
    return f"{figure:.2f} ± {slope.half_spread_units:.2f}" if by_time and slope else f"{figure:g}"


def _verdict(swept: Swept, value: int) -> str:
    """How the counts compare, and why there is no bandwidth where there is none."""
    outcome, sentence = swept.verdict(value)
    verdict = outcome if outcome == "equal" else sentence
    measured = swept.measured(value)
    bandwidth = None if measured is None else measured.measurement.bandwidth
    return f"{verdict}; no GB/s: {bandwidth.reason}" if isinstance(bandwidth, Unavailable) else verdict


def _in_time(measurement: Measurement) -> list[str]:
    """What stands under the headings _IN_TIME; ± half the spread of the repeats."""
    bandwidth, conditions = measurement.bandwidth, measurement.conditions
    if not isinstance(bandwidth, Bandwidth):
        return [""] * len(_IN_TIME)
    mhz = conditions.sm_mhz if isinstance(conditions, Conditions) else None
    return [
        f"{bandwidth.useful_gb_per_second:.0f}",
        f"{bandwidth.moved_gb_per_second:.0f}",
        f"{100 * bandwidth.of_copy:.1f}",
        f"{100 * bandwidth.spread / 2:.1f}",
        "" if mhz is None else str(mhz),
    ]


def _object(swept: Swept, point: Point) -> dict[str, Any]:
    measured = swept.measured(point.value)
    if measured is not None:
        return measured.as_json()
    prediction = swept.predictions.get(point.value)
    known = swept.predictions[next(iter(swept.predictions))].as_json() if prediction is None else prediction.as_json()
    if prediction is None:
        known = dict.fromkeys(known) | {
            "expression": swept.expression,
            "set": {**swept.fixed, swept.sweep.name: point.value},
            "arch": swept.arch,
            "error": point.error,
        }
    if swept.measurements is not None:
        outcome, sentence = swept.verdict(point.value)
        verdict = {"outcome": outcome, "sentence": sentence} if outcome else None
        return known | {"access": swept.access, "measured": None, "verdict": verdict}
    return known | ({"access": swept.access} if swept.access else {})


def _line(swept: Swept, *, with_unit: bool) -> Line:
    points = swept.sweep.points
    name = swept.access or swept.expression
    return Line(
        name=f"{name} ({swept.sweep.unit})" if with_unit else name,
        predicted=tuple(point.count for point in points),
        ideal=tuple(point.ideal for point in points),
        measured=tuple(swept.figure(point.value) for point in points),
        errors=tuple(point.error for point in points),
    )


def _all_measured(sweeps: Sequence[Swept]) -> Iterator[Measurement]:
    for swept in sweeps:
        for answer in (swept.measurements or {}).values():
            if isinstance(answer, Measurement):
                yield answer
