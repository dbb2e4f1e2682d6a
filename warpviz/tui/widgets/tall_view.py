"""TallView: a strip view that is as tall as what it draws."""

from __future__ import annotations

from textual.geometry import Size

from warpviz.tui.widgets.strip_view import StripView


class TallView(StripView):
    """Takes as many lines as `draw` returns for its width; none, no line."""

    DEFAULT_CSS = "TallView { height: auto !important; }"

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._draw(width, 0)) if width else 0

    def redraw(self) -> None:
        super().redraw()
        if self.size.width and len(self._draw(self.size.width, 0)) != self.size.height:
            self.refresh(layout=True)
