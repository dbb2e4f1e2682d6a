"""What the measurements that run come to: of the access on the screen, or of the sweep in the open panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from warpviz.hardware import base_arch
from warpviz.tui.measuring import NOT_LOOKED, Measuring, look_up
from warpviz.tui.state.sweeping import Sweeping
from warpviz.tui.state.view import View, evaluated

if TYPE_CHECKING:
    from warpviz.expression import Evaluation
    from warpviz.gpu import GpuError, Measurement


def looked_up(view: View) -> View:
    """With the measurement of the access on the screen that ships with the program, unless something is known of it."""
    if view.shown is None or view.measuring is not NOT_LOOKED:
        return view
    return replace(view, measuring=look_up(view.shown.access, view.setup.arch, view.setup.recording))


def to_measure(view: View) -> list[Evaluation]:
    """What the measure key measures: every point of the sweep in the open panel, else the access on the screen."""
    if view.error is not None or view.shown is None:
        return []
    if view.panel != "sweep":
        return [view.shown.evaluation]
    points = view.sweeping.sweep.points if view.sweeping.sweep else ()
    return [point.evaluation for point in points if point.evaluation is not None]


def begin_measuring(view: View, serial: int) -> View:
    """What `to_measure` gives has been asked for under this serial number."""
    news = Measuring("running", serial, "asking the GPU")
    if view.panel == "sweep":
        return replace(view, sweeping=replace(view.sweeping, measuring=news))
    return replace(view, measuring=news)


def told(view: View, serial: int, news: Measuring) -> View:
    """How far a measurement is; nothing new when another picture or a later request has taken its place."""
    if _runs(view.sweeping.measuring, serial):
        return replace(view, sweeping=replace(view.sweeping, measuring=news))
    return replace(view, measuring=news) if _runs(view.measuring, serial) else view


def arrived(view: View, serial: int, outcomes: Sequence[Measurement | GpuError]) -> View:
    """What was asked for under this serial number, in the order of `to_measure`; one at least was measured.

    It may come twice, the second time with what the compiler made of the accesses.
    """
    from warpviz.gpu import GpuError

    if _awaits(view.sweeping.measuring, serial):
        return replace(view, sweeping=_with_measurements(view, serial, outcomes))
    if not _awaits(view.measuring, serial):
        return view
    measurement = next(one for one in outcomes if not isinstance(one, GpuError))
    there = Measuring("there", serial, measurement=measurement)
    return replace(_predicted_for(view, measurement.gpu.arch), measuring=there)


def _predicted_for(view: View, arch: str) -> View:
    """With the rules of the architecture that was measured."""
    if base_arch(view.setup.arch) == arch:
        return view
    return evaluated(replace(view, setup=replace(view.setup, arch=arch, recording=None)))


def running(view: View) -> bool:
    """Whether something is being measured."""
    return "running" in (view.measuring.stage, view.sweeping.measuring.stage)


def _runs(measuring: Measuring, serial: int) -> bool:
    return measuring.stage == "running" and measuring.serial == serial


def _awaits(measuring: Measuring, serial: int) -> bool:
    """Whether it is this request that runs, or that has been answered so far."""
    return measuring.stage in ("running", "there") and measuring.serial == serial


def _with_measurements(view: View, serial: int, outcomes: Sequence[Measurement | GpuError]) -> Sweeping:
    """The sweep with what was measured at its values; a value that was refused has no dot."""
    from warpviz.gpu import Measurement

    sweeping = view.sweeping
    if sweeping.sweep is None:
        return sweeping
    unit = sweeping.sweep.unit
    values = [point.value for point in sweeping.sweep.points if point.evaluation is not None]
    measured = [(value, one) for value, one in zip(values, outcomes, strict=True) if isinstance(one, Measurement)]
    counts = [(value, one.count_of(unit)) for value, one in measured]
    gpu = measured[0][1].gpu.name.removeprefix("NVIDIA ")
    return replace(
        sweeping,
        measured=tuple((value, count) for value, count in counts if count is not None),
        origin="measured",
        measuring=Measuring("there", serial, f"{len(measured)} measured on {gpu}"),
    )
