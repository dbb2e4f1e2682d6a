"""A screen that shows a View as one frame, and animates it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual import events
from textual.timer import Timer

from warpviz.tui import state
from warpviz.tui.pointing import pointed
from warpviz.tui.render.foot import side_lines
from warpviz.tui.render.frame import frame_strips
from warpviz.tui.render.layout import Layout, layout
from warpviz.tui.render.panel import panel_height
from warpviz.tui.render.text import Look
from warpviz.tui.screens.base import LookScreen
from warpviz.tui.state import SPEEDS, View
from warpviz.tui.widgets.strip_view import StripView

_WHEEL_ROWS = 3


class FrameScreen(LookScreen):
    """Shows `view`. Each key turns one View into the next, and `present` shows what differs."""

    DEFAULT_CSS = "FrameScreen #frame { height: 1fr; }"

    def __init__(self, view: View, look: Look) -> None:
        super().__init__(look)
        self.view = view
        self._clock: Timer | None = None

    def frame_view(self) -> StripView:
        """The widget to compose."""
        return StripView(lambda width, height: frame_strips(self.view, width, height, self.look), id="frame")

    def present(self, view: View) -> None:
        """Make this the view, and show what differs."""
        view = state.looked_up(view)
        before, self.view = self.view, view
        if view.position != before.position or view.shown is not before.shown:
            self.view = state.in_sight(view, self.layout_now.body)
        self.frame.redraw()
        if state.standing(view) != state.standing(before):
            self.changed()
        self._run_clock()

    def changed(self) -> None:
        """Something else than the animation has moved."""

    @property
    def frame(self) -> StripView:
        """The widget that shows the view."""
        return self.query_one("#frame", StripView)

    @property
    def layout_now(self) -> Layout:
        """Where the regions of the frame stand."""
        return layout(state.standing(self.view), *self.frame.size, self.look)

    def on_resize(self, event: events.Resize) -> None:
        if self.children:  # the program may end before the screen is there
            self.call_after_refresh(lambda: self.present(state.in_sight(self.view, self.layout_now.body)))

    def action_do(self, name: str, *arguments: Any) -> None:
        """What `state` calls by this name."""
        self.present(getattr(state, name)(replace(self.view, notice=""), *arguments))

    # The animation

    def action_play(self) -> None:
        if self.look.motion == "full":
            self.action_do("play_or_pause")
        elif self.view.position < self.view.end:
            self.action_do("step", 1)
        else:
            self.action_do("first")

    def action_speed(self, by: int) -> None:
        self._stop_clock()
        self.action_do("change_speed", by)

    def _run_clock(self) -> None:
        """A timer while the animation plays, and none while it does not, so that nothing is written then."""
        if not self.view.playing:
            self._stop_clock()
        elif self._clock is None:
            self._clock = self.set_interval(1 / SPEEDS[self.view.speed], lambda: self.present(state.advance(self.view)))

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.stop()
            self._clock = None

    # Pointing and scrolling

    def on_click(self, event: events.Click) -> None:
        if event.widget is self.frame:
            self.present(pointed(self.view, self.layout_now, self.look, event.x, event.y))

    def action_page(self, pages: int) -> None:
        """A page of the open panel, or of the memory."""
        places = self.layout_now
        region = places.panel or places.side
        if self.view.panel and self.view.panel != "sweep" and region:
            below = panel_height(self.view, region.width, self.look)
            beside = len(side_lines(self.view, region.width, self.look))
            most = max((below if places.panel else beside) - region.height, 0)
            self.present(state.scroll_panel(self.view, pages * max(region.height - 2, 1), most))
        else:
            self._scroll_by(pages * max(self.layout_now.body - 1, 1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll_by(_WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll_by(-_WHEEL_ROWS)

    def _scroll_by(self, rows: int) -> None:
        self.present(state.scroll(self.view, rows, self.layout_now.body))
