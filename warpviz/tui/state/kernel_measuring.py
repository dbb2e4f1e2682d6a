"""What the measurement of the kernel shown comes to."""

from __future__ import annotations

from dataclasses import replace

from warpviz.tui.interpreted import Interpreted
from warpviz.tui.measured_kernel import MeasuredKernel
from warpviz.tui.measuring import Measuring
from warpviz.tui.state.kernel import KernelView

_ENDLESS = "it does not end, and so it is not run on the GPU"
_SAMPLED = "a sample of its blocks is predicted, and the GPU runs them all"


def refusal(shown: Interpreted) -> str:
    """Why the kernel cannot be compared with what a GPU does; empty where it can."""
    if shown.outcome.stuck is not None:
        return _ENDLESS
    return _SAMPLED if shown.outcome.is_sample else ""


def refused(view: KernelView, sentence: str) -> KernelView:
    """A measurement is asked for and cannot be: what was measured before stays."""
    return replace(view, measuring=Measuring("failed", view.measuring.serial, sentence))


def begin_measuring(view: KernelView, serial: int) -> KernelView:
    """The kernel shown is to be measured under this serial number."""
    return replace(view, measuring=Measuring("running", serial, "asking the GPU"))


def told(view: KernelView, news: Measuring) -> KernelView:
    """How far a measurement is; nothing new when it is void."""
    return replace(view, measuring=news) if _awaits(view, news.serial) else view


def measured(view: KernelView, serial: int, kernel: MeasuredKernel) -> KernelView:
    """What was asked for under this serial number."""
    if not _awaits(view, serial):
        return view
    return replace(view, measuring=Measuring("there", serial), measured=kernel)


def _awaits(view: KernelView, serial: int) -> bool:
    return view.measuring.stage == "running" and view.measuring.serial == serial
