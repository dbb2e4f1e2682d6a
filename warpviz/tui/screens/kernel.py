"""The kernel: its source, and beside each line that touches memory what that costs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.strip import Strip
from textual.worker import Worker, get_current_worker

from warpviz.kernel.counting import LineKind
from warpviz.tui.commands import Commands, bound_keys, kernel_commands
from warpviz.tui.interpreted import Interpreted
from warpviz.tui.kernel_footer import footer_keys, idle
from warpviz.tui.kernel_launch import AskedKernel
from warpviz.tui.kernel_line import kernel_line
from warpviz.tui.kernels import open_kernel
from warpviz.tui.keys import KERNEL_KEYS
from warpviz.tui.measured_kernel import KernelToMeasure
from warpviz.tui.measuring import SEE_DOCTOR, Measurer, Measuring, can_measure
from warpviz.tui.messages import (
    AccessesWanted,
    KernelFailed,
    KernelInterpreted,
    KernelLeft,
    KernelMeasured,
    KernelProgressed,
    KernelsFound,
    LaunchWanted,
    MeasureFailed,
    MeasureProgressed,
)
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.render.kernel import KernelLayout, kernel_layout, kernel_strips
from warpviz.tui.render.kernel_panel import panel_lines
from warpviz.tui.render.text import Look
from warpviz.tui.screens.arguments_form import ArgumentsForm
from warpviz.tui.screens.base import LookScreen, bindings_of
from warpviz.tui.screens.choose_kernel import ChooseKernelScreen
from warpviz.tui.screens.copied import CopiedScreen
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.state import kernel, kernel_measuring
from warpviz.tui.state.kernel import KernelPanel, KernelView
from warpviz.tui.topics import topics_of_kernel
from warpviz.tui.widgets.strip_view import StripView

_WHEEL_ROWS = 3


class KernelScreen(LookScreen):
    """Shows `view`. Each key turns one KernelView into the next; what takes long is done in a thread."""

    KEYS = KERNEL_KEYS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(KERNEL_KEYS)]
    DEFAULT_CSS = "KernelScreen #kernel { height: 1fr; }"

    def __init__(self, asked: KernelToOpen, look: Look, measurer: Measurer) -> None:
        super().__init__(look)
        self.view = KernelView(asked)
        self._measurer = measurer
        self._serial = 0
        self._worker: Worker[None] | None = None
        self._measurements = 0
        self._launches: dict[str, KernelToOpen] = {}  # of the file's kernels, by their names, as they were asked for

    def compose(self) -> ComposeResult:
        yield StripView(lambda w, h: kernel_strips(self.view, w, h, self.look), id="kernel")
        yield StripView(lambda w, h: [self._key_strip(w)], id="keys")
        yield self.too_small_view()

    def on_mount(self) -> None:
        self.call_after_refresh(self._ask, self.view.asked)

    def present(self, view: KernelView) -> None:
        """Make this the view, and show what differs."""
        self.view = view
        self.redraw()

    @property
    def layout_now(self) -> KernelLayout:
        """Where the regions of the screen stand."""
        return kernel_layout(self.view, *self._frame.size, self.look)

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        if self.children:  # the program may end before the screen is there
            self.call_after_refresh(self._in_sight)

    # The kernel, compiled and interpreted

    def _ask(self, asked: KernelToOpen) -> None:
        """Have it compiled and interpreted; what was asked for before is given up."""
        self._serial += 1
        self._stop_measuring()  # it would be of a kernel that is no longer shown
        self.present(kernel.begin(self.view, asked))
        self._worker = self.run_worker(partial(self._open, asked, self._serial), thread=True, exclusive=True)

    def _open(self, asked: KernelToOpen, serial: int) -> None:
        worker = get_current_worker()
        open_kernel(asked, serial, self.post_message, lambda: worker.is_cancelled)

    def on_kernel_progressed(self, message: KernelProgressed) -> None:
        if message.serial == self._serial:
            self.present(replace(self.view, work=message.work, found=message.found or self.view.found))

    def on_kernel_interpreted(self, message: KernelInterpreted) -> None:
        if message.serial != self._serial:
            return
        self._launches[message.interpreted.name] = self.view.asked
        first = self.view.shown is None
        self.present(kernel.arrived(self.view, message.interpreted))
        if first:
            self._open_where_there_is_room("hazards" if message.interpreted.outcome.hazards else "totals")
        self._in_sight()

    def _open_where_there_is_room(self, panel: KernelPanel) -> None:
        """Open a panel if all the code stays in sight."""
        opened = kernel.show_panel(self.view, panel)
        if len(opened.rows) <= kernel_layout(opened, *self._frame.size, self.look).code.height:
            self.present(opened)

    def on_kernel_failed(self, message: KernelFailed) -> None:
        if message.serial == self._serial:
            self.present(kernel.failed(self.view, message.complaint, message.found))
            self._in_sight()

    def on_launch_wanted(self, message: LaunchWanted) -> None:
        if message.serial == self._serial:
            self.present(replace(kernel.stopped(self.view), found=message.found, notice=""))
            self._ask_for_launch(message.found)

    def on_kernels_found(self, message: KernelsFound) -> None:
        if message.serial == self._serial:
            self.present(replace(kernel.stopped(self.view), notice=""))
            screen = ChooseKernelScreen(self.view.asked.path.name, message.names, self.look)
            self.app.push_screen(screen, lambda _: self._chosen(screen.chosen))

    def _chosen(self, name: str | None) -> None:
        if name is not None:
            self._ask(replace(self.view.asked, name=name))
        elif self.view.shown is None:
            self.post_message(KernelLeft())

    def _ask_for_launch(self, found: AskedKernel) -> None:
        screen = ArgumentsForm(found, self.view.asked, self.look)
        self.app.push_screen(screen, lambda _: self._launched(screen.kept))

    def _launched(self, asked: KernelToOpen | None) -> None:
        if asked is not None:
            self._ask(asked)
        elif self.view.shown is not None:
            found = self.view.shown.found
            self.present(replace(self.view, asked=found.asked, found=found))  # it is what stays
        elif self.view.complaint is None:
            self.post_message(KernelLeft())

    def action_launch(self) -> None:
        """Change how the kernel is run."""
        if self.view.found is not None:
            self._ask_for_launch(self.view.found)

    def action_reload(self) -> None:
        """Read the file again, as somebody may have edited it."""
        self._ask(self.view.asked)

    def action_next_kernel(self) -> None:
        """The file's next kernel, as it was run last."""
        names = tuple(self.view.found.compiled.names.values()) if self.view.found else ()
        if len(names) > 1 and self.view.found is not None:
            name = names[(names.index(self.view.found.kernel.name) + 1) % len(names)]
            plain = KernelToOpen(self.view.asked.path, name, arch=self.view.asked.arch)
            self._ask(self._launches.get(name, plain))

    # Measuring

    def action_measure(self) -> None:
        """Run the kernel that is shown on the GPU, beside what was predicted; only one runs at a time."""
        shown = self.view.shown
        if shown is None or self.view.work.stage or self.view.measuring.stage == "running":
            return
        why_not = kernel_measuring.refusal(shown) or ("" if can_measure() else SEE_DOCTOR)
        if why_not:
            self.present(kernel_measuring.refused(self.view, why_not))
            return
        self._measurements += 1
        self.present(kernel_measuring.begin_measuring(replace(self.view, notice=""), self._measurements))
        self._measurer.start(KernelToMeasure(self._measurements, shown), self.post_message)

    def on_measure_progressed(self, message: MeasureProgressed) -> None:
        self._told(Measuring("running", message.serial, message.said))

    def on_kernel_measured(self, message: KernelMeasured) -> None:
        self.present(kernel_measuring.measured(self.view, message.serial, message.measured))
        self._in_sight()

    def on_measure_failed(self, message: MeasureFailed) -> None:
        self._told(Measuring("failed", message.serial, message.sentence))

    def _told(self, news: Measuring) -> None:
        self.present(kernel_measuring.told(self.view, news))

    def _stop_measuring(self) -> None:
        if self.view.measuring.stage == "running":
            self._measurer.cancel()
            self._told(Measuring("failed", self._measurements, "cancelled"))

    # The cursor and the panels

    def action_do(self, name: str, *arguments: Any) -> None:
        """What the kernel's state calls by this name, told how many rows fit."""
        view = replace(self.view, notice="")
        self.present(getattr(kernel, name)(view, *arguments, body=self.layout_now.code.height))

    def action_show_panel(self, panel: KernelPanel) -> None:
        self.present(kernel.show_panel(self.view, panel))
        self._in_sight()

    def action_page(self, pages: int) -> None:
        """A page of the open panel when it does not fit, else of the code."""
        panel = self.layout_now.panel
        lines = len(panel_lines(self.view, panel.width, self.look)) if self.view.panel else 0
        most = max(lines - (panel.height - 1), 0)
        if most:
            self.present(kernel.scroll_panel(self.view, pages * max(panel.height - 2, 1), most))
        else:
            self.action_do("page", pages)

    def on_click(self, event: events.Click) -> None:
        """Choose the access under the mouse; open it when it was chosen before."""
        code = self.layout_now.code
        if event.widget is not self._frame or not code.contains(event.x, event.y):
            return
        row = self.view.top + event.y - code.y
        again = row == self.view.place
        self.action_do("choose", row)
        if again:
            self.action_open()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.action_do("scroll", _WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.action_do("scroll", -_WHEEL_ROWS)

    def _in_sight(self) -> None:
        self.present(kernel.in_sight(self.view, self.layout_now.code.height))

    # To other screens

    def action_open(self) -> None:
        """The chosen access, one by one."""
        if self.view.shown is not None and self.view.chosen is not None:
            self._replay(self.view.shown, self.view.chosen)

    def action_replay(self) -> None:
        """A block from its start."""
        if self.view.shown is not None:
            self._replay(self.view.shown, None)

    def _replay(self, shown: Interpreted, at: LineKind | None) -> None:
        self.post_message(AccessesWanted(shown.prepared, at, shown.outcome.code))

    def action_copy(self) -> None:
        """The command line goes to the terminal's clipboard (OSC 52), and is shown for terminals without one."""
        line = kernel_line(self.view.asked)
        self.app.copy_to_clipboard(line)
        self.app.push_screen(CopiedScreen(line, "", self.look))

    def action_back(self) -> None:
        """End what runs; else close what is open; with nothing open, leave."""
        if self.view.work.stage and self._worker is not None:
            self._worker.cancel()
            self._serial += 1  # so that no late answer counts
            self.present(kernel.stopped(self.view))
        elif self.view.measuring.stage == "running":
            self._stop_measuring()
        elif self.view.panel and self.view.shown is not None:
            self.action_show_panel(self.view.panel)
        else:
            self.post_message(KernelLeft())

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen(self.own_keys(), self.look, topics_of_kernel(self.look)))

    def action_commands(self) -> None:
        """Find a command by typing its words."""
        self.app.push_screen(Commands(kernel_commands(self.run_action, bound_keys(self), idle(self.view)), self.look))

    @property
    def _frame(self) -> StripView:
        return self.query_one("#kernel", StripView)

    def _key_strip(self, width: int) -> Strip:
        return self.foot_strip(footer_keys(self.view), width)
