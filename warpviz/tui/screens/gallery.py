"""The gallery: the scenes, each with its question and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.strip import Strip

from warpviz.scene import Scene
from warpviz.tui.keys import GALLERY_KEYS
from warpviz.tui.messages import SceneChosen
from warpviz.tui.render.gallery import GalleryView, Preview, gallery_strips, scene_at
from warpviz.tui.render.text import Look, between, strip_of
from warpviz.tui.screens.base import LookScreen, bindings_of
from warpviz.tui.widgets.strip_view import StripView

if TYPE_CHECKING:
    from textual.widgets import Input

    from warpviz.tui.messages import SceneKept


class GalleryScreen(LookScreen):
    """Lists scenes; opens the explorer on the chosen one."""

    KEYS = GALLERY_KEYS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(GALLERY_KEYS)]
    DEFAULT_CSS = """
    GalleryScreen #scenes { height: 1fr; margin-top: 1; }
    GalleryScreen.filtering #filter { display: block; }
    """

    def __init__(self, scenes: tuple[Scene, ...], look: Look, chosen: str = "") -> None:
        """chosen: the name of the scene that is chosen to begin with; the first where there is none of it."""
        super().__init__(look)
        self.id = "gallery"
        names = [scene.name for scene in scenes]
        self.view = GalleryView(scenes, chosen=names.index(chosen) if chosen in names else 0)
        self._previews: dict[str, tuple[Preview, ...]] = {}
        self._left_to_preview: Iterator[Scene] = iter(scenes)

    def compose(self) -> ComposeResult:
        yield StripView(lambda w, h: [self._title(w)], id="title")
        yield StripView(lambda w, h: gallery_strips(self.view, self._previews, w, h, self.look), id="scenes")
        keys = [(key.shown, key.brief) for key in GALLERY_KEYS if key.brief]
        yield StripView(lambda w, h: [self.foot_strip(keys, w)], id="keys")
        yield self.too_small_view()

    def on_mount(self) -> None:
        self.call_after_refresh(self._preview_next)

    def present(self, view: GalleryView) -> None:
        """Make this the view, and show what differs."""
        self.view = view
        self.redraw()

    def on_scene_kept(self, message: SceneKept) -> None:
        """List it first, in the place of an earlier one of its name, and choose it."""
        from warpviz.tui.previews import previews

        others = (scene for scene in self.view.scenes if scene.name != message.scene.name)
        self._previews[message.scene.name] = tuple(previews(message.scene))
        self.present(replace(self.view, scenes=(message.scene, *others), sought="", chosen=0))

    def action_move(self, by: int) -> None:
        last = max(len(self.view.listed) - 1, 0)
        self.present(replace(self.view, chosen=min(max(self.view.chosen + by, 0), last)))

    def action_open(self) -> None:
        listed = self.view.listed
        if listed:
            self.post_message(SceneChosen(listed[self.view.chosen]))

    def action_filter(self) -> None:
        from warpviz.tui.widgets.text_field import TextField  # loaded with its first use

        if not self.query("#filter"):
            hint = "type a word of a title, question or expression"
            self.mount(TextField(placeholder=hint, id="filter"), after="#title")
        self.add_class("filtering")
        self.query_one("#filter").focus()

    def action_clear(self) -> None:
        """List every scene again."""
        if not self.has_class("filtering") and not self.view.sought:
            return
        from textual.widgets import Input

        for field in self.query("#filter").results(Input):
            with field.prevent(Input.Changed):
                field.value = ""
        self._leave_filter(replace(self.view, sought="", chosen=0))

    def action_help(self) -> None:
        from warpviz.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.own_keys(), self.look))

    def action_commands(self) -> None:
        """Find a command or a scene by typing."""
        from warpviz.tui.commands import Commands, bound_keys, gallery_commands, scene_commands

        own = gallery_commands(self.run_action, bound_keys(self))
        scenes = scene_commands(self.view.scenes, lambda scene: self.post_message(SceneChosen(scene)))
        self.app.push_screen(Commands([*own, *scenes], self.look))

    def on_input_changed(self, event: Input.Changed) -> None:
        """List the scenes that hold the text so far."""
        self.present(replace(self.view, sought=event.value, chosen=0))

    def on_input_submitted(self) -> None:
        """Back to the list, as it is filtered; a scene that is left alone is opened."""
        self._leave_filter(self.view)
        if len(self.view.listed) == 1:
            self.action_open()

    def on_click(self, event: events.Click) -> None:
        widget = self.query_one("#scenes", StripView)
        index = scene_at(self.view, event.y, widget.size.height) if event.widget is widget else None
        if index is None:
            return
        chosen_before = index == self.view.chosen
        self.present(replace(self.view, chosen=index))
        if chosen_before:
            self.action_open()

    def on_mouse_scroll_down(self) -> None:
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-1)

    def _leave_filter(self, view: GalleryView) -> None:
        self.remove_class("filtering")
        self.set_focus(None)
        self.call_after_refresh(lambda: self.present(view))

    def _preview_next(self) -> None:
        """Work out one scene's preview, then leave the screen a moment before the next."""
        scene = next(self._left_to_preview, None)
        if scene is None:
            return
        from warpviz.tui.previews import previews

        self._previews[scene.name] = tuple(previews(scene))
        self.query_one("#scenes", StripView).redraw()
        self.set_timer(0.001, self._preview_next)

    def _title(self, width: int) -> Strip:
        bar = self.look.palette.bar
        left, right = [(" warpviz", self.look.palette.strong)], [("how a warp's 32 lanes meet memory ", bar)]
        return strip_of([(t, s + bar) for t, s in between(left, right, width, self.look)], width, self.look, bar)
