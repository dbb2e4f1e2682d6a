"""The replay: one block of a kernel, access by access, its shared memory filling and emptying."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import Input

from warpviz.hardware import LANES
from warpviz.kernel.code import Code
from warpviz.kernel.counting import LineKind
from warpviz.kernel.errors import KERNEL_ERRORS
from warpviz.kernel.prepare import Prepared
from warpviz.tui.commands import Commands, bound_keys, replay_commands
from warpviz.tui.keys import REPLAY_KEYS
from warpviz.tui.messages import BlockRecorded, BlockRefused, LineFitted, SceneChosen
from warpviz.tui.render.memory import column_under
from warpviz.tui.render.replay import Places, places_of, replay_strips
from warpviz.tui.render.replay_timeline import position_at
from warpviz.tui.render.text import Look
from warpviz.tui.screens.base import LookScreen, bindings_of
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.state import SPEEDS, replay
from warpviz.tui.state.replay import Replayed, ReplayView
from warpviz.tui.state.replay_scene import scene_at
from warpviz.tui.state.replay_trace import Replayable, record
from warpviz.tui.topics import topics_of_replay
from warpviz.tui.widgets.strip_view import StripView
from warpviz.tui.widgets.text_field import TextField

_WHEEL_ROWS = 3
# The keys of the footer, the most useful first.
_FOOTER = "play step_on explore next_barrier next_of_line next_warp next_block back".split()
_FIELD_KEYS: tuple[tuple[str, str], ...] = (("enter", "go there"), ("esc", "take back"))
_IN_FIELD = ("back",)  # what a key does while the block's number is typed


class ReplayScreen(LookScreen):
    """Replays a block of a prepared kernel, from the first access of a line on; opens the explorer on any access."""

    KEYS = REPLAY_KEYS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(REPLAY_KEYS)]
    DEFAULT_CSS = """
    ReplayScreen { layers: below above; }
    ReplayScreen #replay { height: 1fr; layer: below; }
    ReplayScreen #keys { layer: below; }
    ReplayScreen #block { layer: above; offset: 0 0; }
    ReplayScreen.choosing #block { display: block; }
    """

    def __init__(self, prepared: Prepared, at: LineKind | None, code: Code | None, look: Look) -> None:
        """at: the line to begin at; None for the first access of all. code: see `record_block`."""
        super().__init__(look)
        launch = prepared.launch
        kernel = Replayed(launch.name, tuple(prepared.lines), launch.grid, launch.block, prepared.arch)
        self.view = ReplayView(kernel)
        self._prepared = prepared
        self._at = at
        self._code = code
        self._replayable: Replayable | None = None
        self._recordings = 0
        self._fittings = 0
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        yield StripView(lambda width, height: replay_strips(self.view, width, height, self.look), id="replay")
        yield StripView(lambda width, height: [self._key_strip(width)], id="keys")
        yield TextField(id="block")
        yield self.too_small_view()

    def on_mount(self) -> None:
        self._record(0)

    def on_unmount(self) -> None:
        self._recordings += 1  # nobody waits for what is being recorded

    def present(self, view: ReplayView) -> None:
        """Make this the view, and show what differs."""
        moved = view.position != self.view.position or view.trace is not self.view.trace
        self.view = replay.in_sight(view, self._places.body) if moved else view
        self.redraw()
        self._run_clock()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        if self.children:
            self.call_after_refresh(lambda: self.present(replay.in_sight(self.view, self._places.body)))

    def action_do(self, name: str, *arguments: Any) -> None:
        """What `replay` calls by this name."""
        self.present(getattr(replay, name)(replace(self.view, notice=""), *arguments))

    # Recording a block

    def action_move_block(self, by: int) -> None:
        """The next block, or the one before; within the grid."""
        now = self.view.block if self.view.awaited is None else self.view.awaited
        self._choose(now + by)

    def _choose(self, block: int) -> None:
        if 0 <= block < self.view.kernel.blocks:
            self._record(block)
        else:
            last = self.view.kernel.blocks - 1
            self.present(replace(self.view, playing=False, notice=f"the grid has blocks 0 to {last:,}"))

    def _record(self, block: int) -> None:
        """Run a block in a thread; what runs already is given up."""
        self._recordings += 1
        self.present(replace(self.view, awaited=block, playing=False, notice="", complaint=""))
        serial = self._recordings
        self._in_thread("record", partial(self._recorded, block, serial))

    def _recorded(self, block: int, serial: int) -> BlockRecorded | BlockRefused:
        try:
            recorded = record(self._prepared, block, self._code, lambda: serial != self._recordings)
            return BlockRecorded(serial, recorded)
        except KERNEL_ERRORS as error:
            return BlockRefused(serial, str(error))

    def on_block_recorded(self, message: BlockRecorded) -> None:
        if message.serial == self._recordings:
            self._replayable = message.block
            self.present(replay.recorded(self.view, message.block.trace, self._at))

    def on_block_refused(self, message: BlockRefused) -> None:
        if message.serial == self._recordings:
            self.present(replace(self.view, awaited=None, complaint=message.sentence))

    def _in_thread(self, group: str, find: Callable[[], Message]) -> None:
        self.run_worker(lambda: self.post_message(find()), thread=True, exclusive=True, group=group)

    # A block's number

    def action_choose_block(self) -> None:
        field = self.query_one(TextField)
        field.value, field.placeholder = "", f"a block's number, 0 to {self.view.kernel.blocks - 1:,}"
        self.add_class("choosing")
        field.focus()
        self.present(replace(self.view, playing=False, notice=""))

    @on(Input.Submitted, "#block")
    def go_to_block(self, event: Input.Submitted) -> None:
        """Leave the field for the block that is typed there."""
        typed = event.value.strip().replace(",", "")
        self._leave_field()
        if typed.isdecimal() and typed.isascii():
            self._choose(int(typed[:20]))
        elif typed:
            self.present(replace(self.view, notice=f"{typed[:20]} is no block's number"))

    def _leave_field(self) -> None:
        self.remove_class("choosing")
        self.set_focus(None)
        self.redraw()

    # The explorer

    def action_explore(self) -> None:
        """Have the accesses of this line written as C, for the explorer to open."""
        now = self.view.now
        if now is None or self._replayable is None:
            return
        if now.kind.space == "local":
            said = "local memory has no banks and no arrays to explore: its cost is all that is known"
            self.present(replace(self.view, playing=False, notice=said))
            return
        self._fittings += 1
        self.present(replace(self.view, playing=False, notice=""))
        find = partial(_fitted, self._replayable, self.view.position, self.view.kernel, self._fittings)
        self._in_thread("fit", find)

    def on_line_fitted(self, message: LineFitted) -> None:
        if message.serial != self._fittings or self.app.screen is not self:
            return
        if message.scene is None:
            self.present(replace(self.view, notice="the explorer has no expression for this access"))
        else:
            self.app.post_message(SceneChosen(message.scene))

    # Time

    def action_play(self) -> None:
        if self.look.motion == "full":
            self.action_do("play_or_pause")
        elif replay.at_end(self.view):
            self.action_do("first")
        else:
            self.action_do("step", 1)

    def action_speed(self, by: int) -> None:
        self._stop_clock()
        self.action_do("change_speed", by)

    def _run_clock(self) -> None:
        """A timer while it plays, and none while it does not, so that nothing is written then."""
        if not self.view.playing:
            self._stop_clock()
        elif self._clock is None:
            self._clock = self.set_interval(1 / SPEEDS[self.view.speed], self._advance)

    def _advance(self) -> None:
        self.present(replay.advance(self.view))

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.stop()
            self._clock = None

    # Pointing and scrolling

    @property
    def _places(self) -> Places:
        return places_of(self.view, *self.query_one("#replay", StripView).size)

    def on_click(self, event: events.Click) -> None:
        """On the timeline: go there. On a word of shared memory: go to where it was written."""
        places, trace = self._places, self.view.trace
        if trace is None or event.widget is not self.query_one("#replay", StripView):
            return
        if places.chart.contains(event.x, event.y) or places.ticks.contains(event.x, event.y):
            self.action_do("go_to", position_at(trace, places.chart.width, event.x))
        elif places.words.contains(event.x, event.y) and event.y > places.words.y:
            column = column_under(places.words.width, event.x)
            row = self.view.top + event.y - places.words.y - 1
            if column is not None and trace.words is not None and row < trace.words.rows:
                self.action_do("go_to_writer", row * LANES + column)

    def action_scroll(self, rows: int) -> None:
        """So many rows of shared memory further down."""
        self.present(replay.scroll(self.view, rows, self._places.body))

    def action_page(self, pages: int) -> None:
        """So many pages of shared memory further down."""
        self.action_scroll(pages * max(self._places.body - 1, 1))

    def on_mouse_scroll_down(self) -> None:
        self.action_scroll(_WHEEL_ROWS)

    def on_mouse_scroll_up(self) -> None:
        self.action_scroll(-_WHEEL_ROWS)

    # The program

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a number is typed the other keys are text."""
        if self.has_class("choosing") and action not in _IN_FIELD:
            return False
        return super().check_action(action, parameters)

    def action_back(self) -> None:
        if self.has_class("choosing"):
            self._leave_field()
        else:
            self._stop_clock()
            self.dismiss()

    def action_help(self) -> None:
        self.present(replace(self.view, playing=False))
        self.app.push_screen(HelpScreen(self.own_keys(), self.look, topics_of_replay(self.look)))

    def action_commands(self) -> None:
        """Find a command by typing its words."""
        self.present(replace(self.view, playing=False))
        self.app.push_screen(Commands(replay_commands(self.run_action, bound_keys(self)), self.look))

    def _key_strip(self, width: int) -> Strip:
        if self.has_class("choosing"):
            return self.foot_strip(_FIELD_KEYS, width, ())
        keys = sorted((key for key in REPLAY_KEYS if key.brief), key=lambda key: _FOOTER.index(key.id))
        return self.foot_strip([(key.shown, key.brief) for key in keys], width)


def _fitted(replayable: Replayable, position: int, kernel: Replayed, serial: int) -> LineFitted:
    return LineFitted(serial, scene_at(replayable.trace, position, kernel, replayable.fitter))
