"""The explorer's state: one frozen View, and pure functions from one View to the next."""

from warpviz.tui.state.advising import Advised, advice_of, apply_fix, needs_advice
from warpviz.tui.state.animation import SPEEDS, advance, begun, change_speed, first, last, play_or_pause, step
from warpviz.tui.state.choosing import (
    choose_access,
    choose_knob,
    choose_lane,
    light_up,
    next_lane,
    show_panel,
    sideways,
    turn_knob,
    turn_over,
    turn_to,
)
from warpviz.tui.state.comparing import pin, swap
from warpviz.tui.state.editing import (
    active_mask,
    adopt,
    begin_edit,
    edit,
    keep_edit,
    reset,
    take_back,
    toggle_lane,
)
from warpviz.tui.state.history import redo, undo
from warpviz.tui.state.measuring import arrived, begin_measuring, running, to_measure, told
from warpviz.tui.state.own_scene import own_scene
from warpviz.tui.state.scrolling import follow, in_sight, scroll, scroll_panel
from warpviz.tui.state.setup import Pinned, Setup, named_values
from warpviz.tui.state.sweeping import NOT_SWEPT, Sweeping, Swept, needs_sweep, swept
from warpviz.tui.state.view import (
    Lit,
    View,
    evaluated,
    open_at,
    open_scene,
    remarks,
    standing,
)

__all__ = [
    "NOT_SWEPT",
    "SPEEDS",
    "Advised",
    "Lit",
    "Pinned",
    "Setup",
    "Sweeping",
    "Swept",
    "View",
    "active_mask",
    "adopt",
    "advance",
    "advice_of",
    "apply_fix",
    "arrived",
    "begin_edit",
    "begin_measuring",
    "begun",
    "change_speed",
    "choose_access",
    "choose_knob",
    "choose_lane",
    "edit",
    "evaluated",
    "first",
    "follow",
    "in_sight",
    "keep_edit",
    "last",
    "light_up",
    "named_values",
    "needs_advice",
    "needs_sweep",
    "next_lane",
    "open_at",
    "open_scene",
    "own_scene",
    "pin",
    "play_or_pause",
    "redo",
    "remarks",
    "reset",
    "running",
    "scroll",
    "scroll_panel",
    "show_panel",
    "sideways",
    "standing",
    "step",
    "swap",
    "swept",
    "take_back",
    "to_measure",
    "toggle_lane",
    "told",
    "turn_knob",
    "turn_over",
    "turn_to",
    "undo",
]
