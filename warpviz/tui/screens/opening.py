"""What is seen first of a scene or a kernel, while numpy and what needs it are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip

from warpviz.tui.opening import KernelToOpen
from warpviz.tui.render.heading import heading
from warpviz.tui.render.text import Look, Part, cut, printable, strip_of
from warpviz.tui.screens.base import LookScreen
from warpviz.tui.widgets.strip_view import StripView

if TYPE_CHECKING:
    from warpviz.scene import Scene


class OpeningScreen(LookScreen):
    """The scene's title and expression, where the explorer has them; or the kernel's file."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", show=False)]
    DEFAULT_CSS = "OpeningScreen #opening { height: 2; }"

    def __init__(self, to_open: Scene | KernelToOpen, look: Look) -> None:
        super().__init__(look)
        if isinstance(to_open, KernelToOpen):
            self._texts = (printable(to_open.path.name), "")
        else:
            self._texts = (heading(to_open), printable(to_open.accesses[0].pattern.expression))

    def compose(self) -> ComposeResult:
        yield StripView(lambda width, height: self._strips(width), id="opening")
        yield self.too_small_view()

    def _strips(self, width: int) -> list[Strip]:
        palette = self.look.palette
        title, expression = ([(f" {text}", palette.strong)] for text in self._texts)
        bar: list[Part] = [(text, style + palette.bar) for text, style in cut(title, width, self.look)]
        return [
            strip_of(bar, width, self.look, palette.bar),
            strip_of(cut(expression, width, self.look), width, self.look),
        ]
