"""The footer of the explorer: the keys for what is open, the most useful first."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.tui.keys import APPLY_KEYS, EXPLORER_KEYS, Key
from warpviz.tui.state import View, advice_of, remarks, running, sweeps_width

Shown = tuple[str, str]  # how a key is written, and what it does

_EDITING: list[Shown] = [("enter", "keep"), ("esc", "take back")]
_CANCEL: Shown = ("esc", "cancel")
_CLOSE: Shown = ("esc", "close")
_SCROLL: Shown = ("pgup pgdn", "scroll")
# Of the keys that work whatever is open, the most useful; the others follow in the order of their table.
_FIRST = (
    "play step_on turn_up next_access measure why fix sweep evidence pin hint edit next_knob next_lane back".split()
)


def footer_keys(view: View) -> list[Shown]:
    """The keys that do something now, each once with a word for it: first those of what is open. As many of them as fit
    are shown."""
    if view.before_edit is not None:
        return _EDITING
    shown: dict[str, str] = {}
    for key, does in (*_of_what_runs(view), *_of_the_panel(view), *_of_two(view), *_of_all(view)):
        shown.setdefault(key, does)
    return list(shown.items())


def idle(view: View) -> frozenset[str]:
    """The ids of the keys that do nothing for this view."""
    without = {
        "turn_up turn_down turn_far_up turn_far_down": not view.knobs,
        "next_knob previous_knob": len(view.knobs) + (view.panel == "sweep") < 2,
        "next_access previous_access": len(view.setup.patterns) < 2,
        "hint": not remarks(view),
        "swap": view.pinned is None,
        "undo": not view.past,
        "redo": not view.future,
    }
    return frozenset(id for ids, is_idle in without.items() if is_idle for id in ids.split())


def _of_what_runs(view: View) -> Iterator[Shown]:
    if running(view):
        yield _CANCEL


def _of_the_panel(view: View) -> Iterator[Shown]:
    if view.panel == "fix":
        advice = advice_of(view)
        applicable = [number for number, fix in enumerate(advice.fixes, 1) if fix.patterns] if advice else []
        if applicable:
            last = min(applicable[-1], len(APPLY_KEYS))
            yield ("1" if last == 1 else f"1-{last}"), "apply"
    if view.panel == "sweep":
        yield from (("m", "measure all"), ("← →", "width" if sweeps_width(view) else "turn"))
    if view.panel:
        yield _CLOSE
    if view.panel == "sweep":
        yield "tab", "knob or width"
    if view.panel in ("why", "fix", "evidence"):
        yield _SCROLL


def _of_two(view: View) -> Iterator[Shown]:
    if view.pinned is not None:
        yield from (("A", "swap"), ("a", "unpin"))


def _of_all(view: View) -> Iterator[Shown]:
    doing_nothing = idle(view)
    keys = [key for key in EXPLORER_KEYS if key.brief and key.id not in doing_nothing]
    return ((key.shown, key.brief) for key in sorted(keys, key=_rank))


def _rank(key: Key) -> int:
    return _FIRST.index(key.id) if key.id in _FIRST else len(_FIRST)
