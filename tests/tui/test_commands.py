"""The command palette: what it offers, and that it does it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.command import CommandInput, CommandList

from tests.tui.conftest import app_of, opened, scene
from tests.tui.test_screens import GALLERY, explorer, settled
from warpviz.scene import shipped_scenes
from warpviz.tui import state
from warpviz.tui.app import WarpvizApp
from warpviz.tui.commands import Command, Commands, explorer_commands, gallery_commands, scene_commands
from warpviz.tui.config import Config
from warpviz.tui.footer import idle
from warpviz.tui.glyphs import ASCII, UNICODE
from warpviz.tui.keys import EXPLORER_KEYS, GALLERY_KEYS, Key
from warpviz.tui.screens.explorer import ExplorerScreen
from warpviz.tui.screens.gallery import GalleryScreen
from warpviz.tui.state import View
from warpviz.tui.thinking import find_advice

pytestmark = pytest.mark.usefixtures("nothing_recorded")


def offered(view: View, ran: list[str] | None = None) -> list[Command]:
    return explorer_commands(
        view, (ran if ran is not None else []).append, {"measure": "m", "do('sideways', 1)": "right"}
    )


def lines(commands: Commands) -> list[str]:
    """What is listed, as it is written."""
    listed = commands.query_one(CommandList)
    return [str(listed.get_option_at_index(index).prompt) for index in range(listed.option_count)]


def test_every_action_of_the_explorer_has_words() -> None:
    view = state.pin(opened("s[k*lane + c]", "s[0]", k=8, c=0))
    words = {command.words for command in offered(view)}
    left_out = idle(view) | {"commands"}
    assert words == {key.words for key in EXPLORER_KEYS if key.id not in left_out}
    assert all(words)


@pytest.mark.parametrize("table", [EXPLORER_KEYS, GALLERY_KEYS])
def test_words_tell_the_actions_apart(table: tuple[Key, ...]) -> None:
    words = [key.words for key in table]
    assert all(words)
    assert len(set(words)) == len(words)


def test_a_command_runs_its_action_and_names_its_key() -> None:
    ran: list[str] = []
    by_words = {command.words: command for command in offered(opened("s[lane]"), ran)}
    measure = by_words["measure it on the GPU, or the whole sweep"]
    assert measure.key == "m"
    measure.run()
    assert ran == ["measure"]
    assert by_words["one step on"].key == "→"
    assert by_words["quit"].key == ""


def test_what_does_nothing_is_not_offered() -> None:
    words = {command.words for command in offered(opened("s[lane]"))}
    assert "turn the knob up" not in words
    assert "swap A and B" not in words


def test_the_fixes_of_the_open_panel_are_offered() -> None:
    view = opened("tile[lane][c]", declarations="__shared__ float tile[32][32 + pad];", pad=0, c=5)
    advised = replace(view, advised=find_advice(view.setup).advised)
    assert not any(command.words.startswith("apply") for command in offered(advised))
    ran: list[str] = []
    first = offered(state.show_panel(advised, "fix"), ran)[0]
    assert first.words.startswith("apply fix 1: ")
    assert first.key == "1"
    first.run()
    assert ran == ["do('apply_fix', 1)"]


def test_every_shipped_scene_can_be_opened() -> None:
    chosen: list[object] = []
    commands = scene_commands(shipped_scenes(), chosen.append)
    assert "open scene: A stride through shared memory" in [command.words for command in commands]
    for command in commands:
        command.run()
    assert chosen == list(shipped_scenes())


def test_the_gallery_offers_what_it_can_do() -> None:
    ran: list[str] = []
    by_words = {command.words: command for command in gallery_commands(ran.append, {"filter": "slash"})}
    by_words["list the scenes that hold what you type"].run()
    assert ran == ["filter"]


async def test_it_is_found_by_typing_and_done() -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("ctrl+p", *"pin this")
        palette = pilot.app.screen
        assert isinstance(palette, Commands)
        await settled(pilot, lambda: lines(palette)[:1] == ["a           pin this access as A and compare"])
        await pilot.press("enter")
        await settled(pilot, lambda: screen.view.pinned is not None)
        assert pilot.app.screen is screen


async def test_it_holds_nothing_but_the_programs_own_commands() -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        own = [command.words for command in offered(screen.view)]
        own += [f"open scene: {one.title}" for one in shipped_scenes()]
        await pilot.press("ctrl+p")
        palette = pilot.app.screen
        assert isinstance(palette, Commands)
        await settled(pilot, lambda: len(lines(palette)) >= len(own))
        assert [line[12:] for line in lines(palette)] == own
        assert not palette.query_one(CommandInput).cursor_blink
        await pilot.press("escape")
        await settled(pilot, lambda: pilot.app.screen is screen)


async def test_another_scene_takes_the_place_of_this_one() -> None:
    async with app_of(None, GALLERY).run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: isinstance(pilot.app.screen, GalleryScreen))
        gallery = pilot.app.screen
        await pilot.press("enter")
        first = await explorer(pilot)
        await pilot.press("ctrl+p", *"open xor swizzle")
        palette = pilot.app.screen
        assert isinstance(palette, Commands)
        await settled(pilot, lambda: any("swizzle" in line for line in lines(palette)[:1]))
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(pilot.app.screen, ExplorerScreen) and pilot.app.screen is not first)
        second = await explorer(pilot)
        assert second.view.scene.name == "tile-swizzle"
        await pilot.press("escape")
        await settled(pilot, lambda: pilot.app.screen is gallery)


async def test_the_gallery_opens_a_scene_by_its_words() -> None:
    gallery = (GALLERY[0], replace(GALLERY[1], title="Four sectors"))
    async with app_of(None, gallery).run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: isinstance(pilot.app.screen, GalleryScreen))
        await pilot.press("ctrl+p", *"four")
        palette = pilot.app.screen
        assert isinstance(palette, Commands)
        await settled(pilot, lambda: any("Four sectors" in line for line in lines(palette)[:1]))
        await pilot.press("enter")
        assert (await explorer(pilot)).view.pattern.expression == "in[lane]"


async def test_an_open_field_keeps_the_keyboard() -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("e", "ctrl+p")
        assert pilot.app.screen is screen
        assert screen.view.before_edit is not None


async def test_the_users_own_keys_are_named() -> None:
    config = Config(keymap={"pin": "k"})
    app = WarpvizApp(scene("s[k*lane]", k=8), gallery=(), depth="rgb", glyphs=UNICODE, config=config)
    async with app.run_test(size=(80, 24)) as pilot:
        await explorer(pilot)
        await pilot.press("ctrl+p", *"pin this")
        palette = app.screen
        assert isinstance(palette, Commands)
        await settled(pilot, lambda: lines(palette)[:1] == ["k           pin this access as A and compare"])


async def test_in_ascii_everything_that_is_drawn_is_ascii() -> None:
    app = WarpvizApp(scene("s[k*lane]", k=8), gallery=(), depth="mono", glyphs=ASCII)
    async with app.run_test(size=(80, 24)) as pilot:
        await explorer(pilot)
        await pilot.press("ctrl+p", "o")
        palette = app.screen
        assert isinstance(palette, Commands)
        await settled(pilot, lambda: bool(lines(palette)))
        drawn = ["".join(segment.text for segment in line) for line in palette._compositor.render_strips()]
        assert any("open" in line for line in drawn)
        assert all(line.isascii() for line in drawn)
