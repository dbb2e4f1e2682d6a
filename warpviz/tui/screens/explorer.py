"""The explorer: one access at a time, its lanes above its memory, pass by pass."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import Input

from warpviz.scene import Scene
from warpviz.tui import state
from warpviz.tui.keys import EXPLORER_KEYS, LAST_KEYS
from warpviz.tui.measuring import NOT_LOOKED, Measurer, Measuring, can_measure, look_up, refuse
from warpviz.tui.messages import Left, Measured, MeasureFailed, MeasureProgressed, Refused
from warpviz.tui.render import explorer as draw
from warpviz.tui.render import panels
from warpviz.tui.render.geometry import SIDE_FROM, side_width
from warpviz.tui.render.keys import key_strip
from warpviz.tui.render.picture import HEAD_ROWS
from warpviz.tui.render.text import Look
from warpviz.tui.screens.base import LookScreen
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.state import SPEEDS, View
from warpviz.tui.widgets.strip_view import StripView
from warpviz.tui.widgets.text_field import TextField

MOST_LINES = 2  # for a sentence under the expression


class ExplorerScreen(LookScreen):
    """Shows one scene. Each key turns one View into the next, and `present` shows what differs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key.keys, key.action, key.brief, show=False) for key in EXPLORER_KEYS
    ]
    DEFAULT_CSS = """
    ExplorerScreen #middle { height: 1fr; margin-top: 1; }
    ExplorerScreen.compact #middle { margin-top: 0; }
    ExplorerScreen #picture { width: 1fr; height: 100%; }
    ExplorerScreen #side { display: none; height: 100%; }
    ExplorerScreen #facts { height: 3; }
    ExplorerScreen.compact #facts { height: 2; }
    ExplorerScreen.wide #side { display: block; }
    ExplorerScreen.wide #facts, ExplorerScreen.wide #remark { display: none; }
    ExplorerScreen.editing #edit { display: block; }
    ExplorerScreen.editing #expression { display: none; }
    """

    def __init__(self, scene: Scene, look: Look, measurer: Measurer) -> None:
        super().__init__(look)
        self._measurer = measurer
        self._serial = 0
        self.view: View = replace(state.open_scene(scene), playing=True)
        self._before_edit = self.view
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        yield StripView(lambda w, h: [panels.title_strip(self.view, w, self.look)], id="title")
        yield StripView(lambda w, h: [panels.expression_strip(self.view, w, self.look)], id="expression")
        yield TextField(id="edit")
        yield StripView(lambda w, h: draw.lane_strips(self.view, w, self.look), id="lane")
        yield StripView(lambda w, h: panels.remark_strips(self.view, w, self.look), id="remark")
        with Horizontal(id="middle"):
            yield StripView(lambda w, h: draw.picture_strips(self.view, w, h, self.look), id="picture")
            yield StripView(lambda w, h: draw.side_strips(self.view, w, self.look), id="side")
        yield StripView(self._status, id="status")
        yield StripView(lambda w, h: draw.fact_strips(self.view, w, h, self.look), id="facts")
        yield StripView(lambda w, h: [self._key_strip(w)], id="keys")
        yield self.too_small_view()

    def on_mount(self) -> None:
        self.call_after_refresh(self._evaluate_first)

    def _evaluate_first(self) -> None:
        view = state.evaluated(self.view)
        if view.error is not None and view.shown is None:
            self.post_message(Refused(view.error))
        else:
            self.present(view)

    def present(self, view: View) -> None:
        """Make this the view, and show what differs."""
        if view.shown is not None and view.measuring is NOT_LOOKED:
            view = replace(view, measuring=look_up(view.shown.access))
        before, moved = self.view, view.position != self.view.position or view.shown is not self.view.shown
        self.view = state.in_sight(view, self._body) if moved else view
        only_animated = _standing(before) == _standing(view)
        if only_animated:
            self._picture.redraw()
            self.query_one("#status", StripView).redraw()
        else:
            self._fit_sentences()
            self.redraw()
        self._run_clock()

    def _fit_sentences(self) -> None:
        """Give the scene's question and an error as many lines as they need, so far as the memory keeps enough."""
        width = self.size.width
        remark = len(panels.remark_strips(self.view, width, self.look))
        lane = len(draw.lane_strips(self.view, width, self.look))
        self.query_one("#remark").styles.height = min(remark, MOST_LINES)
        self.query_one("#lane").styles.height = min(max(lane, 1), MOST_LINES)

    def on_resize(self, event: events.Resize) -> None:
        if not self.children:  # the program ends before the screen is there
            return
        self.set_class(event.size.width >= SIDE_FROM, "wide")
        self.set_class(event.size.height < draw.COMPACT_UNDER, "compact")
        self.query_one("#side").styles.width = side_width(event.size.width)
        self._fit_sentences()
        self.call_after_refresh(lambda: self.present(state.in_sight(self.view, self._body)))

    # The animation

    def action_play(self) -> None:
        self.present(state.play_or_pause(self.view))

    def action_step(self, by: int) -> None:
        self.present(state.go(self.view, self.view.position + by))

    def action_first(self) -> None:
        self.present(state.go(self.view, 0))

    def action_last(self) -> None:
        self.present(state.go(self.view, self.view.end))

    def action_speed(self, by: int) -> None:
        self._stop_clock()
        self.present(state.change_speed(self.view, by))

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

    # Knobs, accesses, lanes

    def action_turn(self, by: int) -> None:
        self.present(state.turn_knob(self.view, by))

    def action_knob(self, by: int) -> None:
        self.present(state.choose_knob(self.view, by))

    def action_access(self, by: int) -> None:
        self.present(state.choose_access(self.view, by))

    def action_lane(self, by: int) -> None:
        self.present(state.choose_lane(self.view, self.view.lane + by))

    def action_turn_over(self) -> None:
        self.present(state.turn_over(self.view))

    def action_reset(self) -> None:
        self.present(state.reset(self.view))

    def on_click(self, event: events.Click) -> None:
        picture = self._picture
        if event.widget is picture:
            lane = draw.lane_at(self.view, *picture.size, event.x, event.y)
            if lane is not None:
                self.present(state.choose_lane(self.view, lane))

    # Measuring

    def action_measure(self) -> None:
        """Ask the GPU for the access on the screen. What runs already is ended: the latest request counts."""
        shown = self.view.shown
        if shown is None or self.view.error is not None:
            return
        if not can_measure():
            self.present(replace(self.view, measuring=refuse(shown.access)))
            return
        self._serial += 1
        self.present(state.begin_measuring(self.view, self._serial))
        self._measurer.start(shown.evaluation, self.view.pattern.launch, self._serial, self.post_message)

    def on_measure_progressed(self, message: MeasureProgressed) -> None:
        self._told(message.serial, Measuring("running", message.serial, message.said))

    def on_measured(self, message: Measured) -> None:
        self._told(message.serial, Measuring("there", message.serial, measurement=message.measurement))

    def on_measure_failed(self, message: MeasureFailed) -> None:
        self._told(message.serial, Measuring("failed", message.serial, message.sentence))

    def _told(self, serial: int, news: Measuring) -> None:
        self.present(state.told(self.view, serial, news))

    # Scrolling the memory

    def action_scroll(self, pages: int) -> None:
        self._scroll_by(pages * max(self._body - 1, 1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll_by(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll_by(-3)

    def _scroll_by(self, rows: int) -> None:
        self.present(state.scroll(self.view, rows, self._body))

    @property
    def _picture(self) -> StripView:
        return self.query_one("#picture", StripView)

    @property
    def _body(self) -> int:
        """How many memory rows fit in the picture."""
        return max(self._picture.size.height - HEAD_ROWS, 0)

    # Editing the expression

    def action_edit(self) -> None:
        self._before_edit = self.view
        field = self.query_one(TextField)
        self.add_class("editing")
        with field.prevent(Input.Changed):
            field.value = self.view.pattern.expression
        field.focus()
        self.present(replace(self.view, playing=False))
        self.call_after_refresh(self.redraw)

    @on(Input.Changed, "#edit")
    def follow_edit(self, event: Input.Changed) -> None:
        """The picture follows while the text can be evaluated; else the error stands under the field."""
        self.present(state.edit(self.view, event.value))

    @on(Input.Submitted, "#edit")
    def keep_edit(self) -> None:
        """Leave the field with its text; a text in error keeps the field open."""
        if self.view.error is None:
            self._end_edit(self.view)

    def action_back(self) -> None:
        if self.has_class("editing"):
            self._end_edit(state.evaluated(self._before_edit))
        elif self.view.measuring.stage == "running":
            self._measurer.cancel()
            self._told(self._serial, Measuring("failed", self._serial, "cancelled"))
        else:
            self.present(replace(self.view, playing=False))
            self.post_message(Left())

    def _end_edit(self, view: View) -> None:
        self.remove_class("editing")
        self.set_focus(None)
        self.present(view)
        self.call_after_refresh(self.redraw)

    def action_help(self) -> None:
        self.present(replace(self.view, playing=False))
        self.app.push_screen(HelpScreen(EXPLORER_KEYS, self.look))

    def _status(self, width: int, height: int) -> list[Strip]:
        return draw.status_strips(self.view, width, self._body, self.look)

    def _key_strip(self, width: int) -> Strip:
        if self.has_class("editing"):
            return key_strip([("enter", "keep"), ("esc", "take back")], (), width, self.look)
        idle = {
            "turn(1)": not self.view.knobs,
            "knob(1)": len(self.view.knobs) < 2,
            "access(1)": len(self.view.patterns) < 2,
            "turn_over": not state.remarks(self.view),
        }
        keys = [(key.shown, key.brief) for key in EXPLORER_KEYS if key.brief and not idle.get(key.action)]
        return key_strip(keys, LAST_KEYS, width, self.look)


def _standing(view: View) -> View:
    """The view without what the animation changes: equal as long as only the picture and its status differ."""
    return replace(view, position=0, playing=False, top=0)
