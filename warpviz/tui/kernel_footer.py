"""Which keys the kernel's screen offers for what is on it."""

from __future__ import annotations

from warpviz.tui.keys import KERNEL_KEYS, Key
from warpviz.tui.state.kernel import KernelView
from warpviz.tui.state.kernel_measuring import refusal
from warpviz.wording import counted

_OF_WHAT_IS_SHOWN = ("the lines", "the measurement", "panels of the kernel")  # groups of keys


def footer_keys(view: KernelView) -> list[tuple[str, str]]:
    """The keys that do something now, each once with a word for it: first what ends or closes what is open."""
    ends = "stop" if busy(view) else "close" if view.panel and view.shown is not None else ""
    shown = {"esc": ends} if ends else {}
    without = idle(view)
    for key in KERNEL_KEYS:
        if key.brief and key.id not in without and (key.id != "evidence" or view.measured is not None):
            shown.setdefault(key.shown, _brief(key, view))
    return list(shown.items())


def _brief(key: Key, view: KernelView) -> str:
    """A word for what it does now."""
    hazards = len(view.shown.outcome.hazards) if view.shown else 0
    if key.id == "hazards" and hazards:
        return counted(hazards, "hazard")
    return "file's order" if key.id == "order" and view.order == "hottest" else key.brief


def busy(view: KernelView) -> bool:
    """Whether something is being done that can be stopped."""
    return bool(view.work.stage) or view.measuring.stage == "running"


def idle(view: KernelView) -> frozenset[str]:
    """The ids of the keys that do nothing for this view."""
    found = {key.id for key in KERNEL_KEYS if view.shown is None and key.group in _OF_WHAT_IS_SHOWN}
    found.discard("complaint")
    if view.complaint is None:
        found.add("complaint")
    if busy(view) or (view.shown is not None and refusal(view.shown)):
        found.add("measure")
    if view.found is None:
        found.add("launch")
    if view.found is None or len(view.found.compiled.names) < 2:
        found.add("next_kernel")
    return frozenset(found)
