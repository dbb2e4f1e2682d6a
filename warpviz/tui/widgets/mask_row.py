"""MaskRow: 32 lanes to switch on and off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from warpviz.hardware import LANES
from warpviz.tui.render.mask import MASK_LINES, MASKS, Mask, lane_under, mask_strips, mask_under
from warpviz.tui.render.text import Look
from warpviz.tui.widgets.strip_view import StripView


class MaskRow(StripView, can_focus=True):
    """Says which lanes its user wants; whether they get them, `fill` tells. look: asked for at every drawing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("space", "switch", show=False),
        *(Binding(key, f"wish({mask})", show=False) for key, _, mask in MASKS),
    ]
    DEFAULT_CSS = f"MaskRow {{ height: {MASK_LINES} !important; }}"

    @dataclass
    class Wished(Message):
        """These lanes are to be active; bit l is lane l."""

        mask: int

    def __init__(self, look: Callable[[], Look], *, id: str) -> None:
        super().__init__(self._lines, id=id)
        self._look = look
        self._mask = Mask(active=0, lane=0, focused=False)

    def fill(self, active: int) -> None:
        """These lanes are active; bit l is lane l."""
        self._set(active=active)

    def action_move(self, by: int) -> None:
        self._set(lane=(self._mask.lane + by) % LANES)

    def action_switch(self) -> None:
        self.action_wish(self._mask.active ^ (1 << self._mask.lane))

    def action_wish(self, mask: int) -> None:
        self.post_message(self.Wished(mask))

    def on_click(self, event: events.Click) -> None:
        mask = mask_under(event.x, event.y)
        lane = lane_under(self.size.width, event.x, event.y)
        if mask is not None:
            self.action_wish(mask)
        elif lane is not None:
            self._set(lane=lane)
            self.action_switch()

    def on_focus(self) -> None:
        self._set(focused=True)

    def on_blur(self) -> None:
        self._set(focused=False)

    def _set(self, **changes: Any) -> None:
        self._mask = replace(self._mask, **changes)
        self.redraw()

    def _lines(self, width: int, height: int) -> list[Strip]:
        return mask_strips(self._mask, width, self._look())
