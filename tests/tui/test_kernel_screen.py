"""The kernel's screen, driven by keys."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from tests.tui.kernels import COLUMNS, ENDLESS, KERNELS, TWO
from tests.tui.test_screens import settled
from warpviz.tui.app import WarpvizApp
from warpviz.tui.glyphs import UNICODE
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.screens.arguments_form import ArgumentsForm
from warpviz.tui.screens.choose_kernel import ChooseKernelScreen
from warpviz.tui.screens.copied import CopiedScreen
from warpviz.tui.screens.explorer import ExplorerScreen
from warpviz.tui.screens.gallery import GalleryScreen
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.screens.kernel import KernelScreen
from warpviz.tui.screens.replay import ReplayScreen
from warpviz.tui.widgets.strip_view import StripView

pytestmark = pytest.mark.usefixtures("nvrtc", "nothing_recorded")

Wanted = TypeVar("Wanted", bound=Screen[object])


@pytest.fixture
def columns(tmp_path: Path) -> Path:
    path = tmp_path / "columns.cu"
    path.write_text(COLUMNS)
    return path


def app_of(path: Path, **options: str) -> WarpvizApp:
    return WarpvizApp(KernelToOpen(path, **options), gallery=(), depth="rgb", glyphs=UNICODE)  # type: ignore[arg-type]


def text_of(screen: Screen[object]) -> str:
    views = [view for view in screen.query(StripView) if view.display]
    return "\n".join(view.render_line(y).text for view in views for y in range(view.size.height))


async def on(pilot: Pilot[None], kind: type[Wanted]) -> Wanted:
    """The screen on top, once it is of this kind."""
    await settled(pilot, lambda: isinstance(pilot.app.screen, kind))
    screen = pilot.app.screen
    assert isinstance(screen, kind)
    return screen


async def kernel_of(pilot: Pilot[None], name: str = "columns") -> KernelScreen:
    """The kernel's screen, once it shows this kernel and nothing is done any more."""
    screen = await on(pilot, KernelScreen)
    await settled(pilot, lambda: screen.view.shown is not None and not screen.view.work.stage)
    assert screen.view.shown is not None
    await settled(pilot, lambda: screen.view.shown is not None and screen.view.shown.name == name)
    return screen


async def test_it_opens_moves_turns_and_leaves(columns: Path) -> None:
    async with app_of(columns).run_test(size=(100, 30)) as pilot:
        screen = await kernel_of(pilot)
        assert "32.00 wavefronts where 1.00 would do" in text_of(screen)
        await pilot.press("home")
        assert "4.00 sectors, the ideal" in text_of(screen)
        await pilot.press("down", "down", "o")
        assert "hottest first" in text_of(screen)
        assert "32.00 wavefronts where 1.00 would do" in text_of(screen)
        await pilot.press("o", "escape", "escape")
        await on(pilot, GalleryScreen)


async def test_panels_open_and_close(columns: Path) -> None:
    async with app_of(columns).run_test(size=(80, 24)) as pilot:
        screen = await kernel_of(pilot)
        for key, panel in (("c", "totals"), ("h", "hazards"), ("f", "notes")):
            if screen.view.panel != panel:
                await pilot.press(key)
            assert screen.view.panel == panel
        await pilot.press("escape")
        assert screen.view.panel == ""
        await pilot.press("c", "pagedown")
        assert screen.view.panel_top > 0 or "lines, page down" not in text_of(screen)


async def test_a_reload_shows_what_was_edited(columns: Path) -> None:
    async with app_of(columns).run_test(size=(100, 30)) as pilot:
        screen = await kernel_of(pilot)
        before = screen.view.shown
        columns.write_text(COLUMNS.replace("[32][32]", "[32][33]"))
        await pilot.press("r")
        await settled(pilot, lambda: screen.view.shown is not before)
        assert "1.00 wavefront, the ideal" in text_of(screen)


async def test_a_reload_that_fails_keeps_what_was_there(columns: Path) -> None:
    async with app_of(columns).run_test(size=(100, 30)) as pilot:
        screen = await kernel_of(pilot)
        columns.write_text(COLUMNS.replace("int t", "ent t"))
        await pilot.press("r")
        await settled(pilot, lambda: screen.view.complaint is not None)
        assert 'line 5: identifier "ent" is undefined' in text_of(screen)
        assert "32.00" in text_of(screen)
        await pilot.press("escape")
        assert 'identifier "ent"' not in text_of(screen)
        assert "not the latest, x: why" in text_of(screen)
        await pilot.press("x")
        assert 'identifier "ent"' in text_of(screen)
        columns.write_text(COLUMNS)
        await pilot.press("r")
        await settled(pilot, lambda: screen.view.complaint is None and not screen.view.work.stage)


async def test_what_cannot_be_compiled_is_said_and_mended(columns: Path) -> None:
    columns.write_text(COLUMNS.replace("int t", "ent t"))
    async with app_of(columns).run_test(size=(80, 24)) as pilot:
        screen = await on(pilot, KernelScreen)
        await settled(pilot, lambda: screen.view.complaint is not None)
        assert "▲" in text_of(screen)
        columns.write_text(COLUMNS)
        await pilot.press("r")
        await kernel_of(pilot)


@pytest.mark.parametrize("content", [b"", b"\x00\x01", b"\xff\xfe", b"hello", None])
async def test_what_is_no_kernel_is_said(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "none.cu"
    if content is not None:
        path.write_bytes(content)
    async with app_of(path).run_test(size=(80, 24)) as pilot:
        screen = await on(pilot, KernelScreen)
        await settled(pilot, lambda: screen.view.complaint is not None)
        assert screen.view.complaint is not None
        assert screen.view.complaint.problems[0].sentence.split()[-1] in text_of(screen)
        await pilot.press("escape")
        await on(pilot, GalleryScreen)


async def test_a_kernel_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "endless.cu"
    path.write_text(ENDLESS)
    async with app_of(path).run_test(size=(80, 24)) as pilot:
        screen = await on(pilot, KernelScreen)
        await settled(pilot, lambda: screen.view.work.stage == "interpreting")
        assert "interpreting 0 of 1 blocks" in text_of(screen)
        await pilot.press("escape")
        assert not screen.view.work.stage
        assert "stopped" in text_of(screen)
        await pilot.press("d")
        await on(pilot, ArgumentsForm)


async def test_of_several_kernels_one_is_chosen_and_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "two.cu"
    path.write_text(TWO)
    async with app_of(path).run_test(size=(80, 24)) as pilot:
        choice = await on(pilot, ChooseKernelScreen)
        assert "2 kernels: which one?" in text_of(choice)
        await pilot.press("down", "up", "enter")
        form = await on(pilot, ArgumentsForm)
        for id, text in enumerate(("1", "32", "", "f32[32]", "f32[32]", "32", "half")):
            form.query_one(f"#field-{id}", Input).value = text
        await pilot.press("enter")
        assert "by" in text_of(form)
        assert pilot.app.screen is form
        form.query_one("#field-6", Input).value = "0.5"
        await pilot.press("enter")
        screen = await kernel_of(pilot, "scale")
        await pilot.press("n")
        form = await on(pilot, ArgumentsForm)
        assert "size" in text_of(form)
        await pilot.press("escape")
        await kernel_of(pilot, "scale")
        assert (screen.view.asked.name, screen.view.asked.grid) == ("scale", "1")


async def test_the_launch_is_changed(columns: Path) -> None:
    async with app_of(columns).run_test(size=(80, 24)) as pilot:
        screen = await kernel_of(pilot)
        await pilot.press("d")
        form = await on(pilot, ArgumentsForm)
        assert form.query_one("#field-0", Input).value == "2"
        await pilot.press("ctrl+u", "1")
        assert "1 block of 1,024 threads; 16,384 bytes in 2 arrays" in text_of(form)
        await pilot.press("escape")
        assert "esc again drops the changes" in text_of(form)
        await pilot.press("enter")
        await settled(pilot, lambda: screen.view.shown is not None and screen.view.shown.prepared.launch.grid[0] == 1)
        await pilot.press("y")
        copied = await on(pilot, CopiedScreen)
        assert "--grid 1" in text_of(copied)


async def test_an_access_is_replayed_and_left_again(columns: Path) -> None:
    async with app_of(columns).run_test(size=(100, 30)) as pilot:
        screen = await kernel_of(pilot)
        await pilot.press("enter")
        await on(pilot, ReplayScreen)
        await pilot.press("escape")
        await settled(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("space")
        await on(pilot, ReplayScreen)


async def test_the_replay_has_the_accesses_of_the_machine_code() -> None:
    async with app_of(KERNELS / "matmul_tiled.cu").run_test(size=(100, 30)) as pilot:
        screen = await kernel_of(pilot, "matmul_tiled")
        fused = next(row.kind for row in screen.view.rows if row.kind is not None and row.kind.width == 16)
        while screen.view.chosen != fused:
            await pilot.press("down")
        await pilot.press("enter")
        replayed = await on(pilot, ReplayScreen)
        await settled(pilot, lambda: replayed.view.now is not None)
        assert replayed.view.now is not None
        assert (replayed.view.now.kind.line, replayed.view.now.kind.width) == (fused.line, 16)
        assert "16 bytes a lane" in text_of(replayed)
        await pilot.press("enter")
        explorer = await on(pilot, ExplorerScreen)
        await settled(pilot, lambda: explorer.view.shown is not None)
        assert explorer.view.shown is not None
        assert explorer.view.shown.access.width == 16


async def test_a_click_chooses_and_a_second_opens(columns: Path) -> None:
    async with app_of(columns).run_test(size=(100, 30)) as pilot:
        screen = await kernel_of(pilot)
        y = screen.layout_now.code.y + next(i for i, row in enumerate(screen.view.rows) if row.line == 6)
        await pilot.click("#kernel", offset=(10, y))
        assert screen.view.chosen is not None
        assert screen.view.chosen.line == 6
        await pilot.click("#kernel", offset=(10, y))
        await on(pilot, ReplayScreen)


async def test_help_and_commands_know_the_kernel(columns: Path) -> None:
    async with app_of(columns).run_test(size=(100, 40)) as pilot:
        await kernel_of(pilot)
        await pilot.press("question_mark")
        help_screen = await on(pilot, HelpScreen)
        assert "beside each line that touches memory" in text_of(help_screen)
        await pilot.press("escape", "ctrl+p")
        await settled(pilot, lambda: type(pilot.app.screen).__name__ == "Commands")
        await pilot.press(*"read the file", "enter")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
async def test_every_size_and_theme_is_drawn(columns: Path, size: tuple[int, int]) -> None:
    async with app_of(columns).run_test(size=(120, 40)) as pilot:
        screen = await kernel_of(pilot)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        await pilot.press("t", "t")
        assert "ld shared" in text_of(screen)
        await pilot.resize_terminal(50, 10)
        await pilot.pause()
        assert "needs 60 columns" in text_of(screen)


async def test_an_access_of_no_memory_leaves_a_screen(tmp_path: Path) -> None:
    path = tmp_path / "nothing.cu"
    path.write_text("//@ launch nothing grid=1 block=32\n__global__ void nothing() {}\n")
    async with app_of(path).run_test(size=(80, 24)) as pilot:
        screen = await kernel_of(pilot, "nothing")
        assert "touches no memory" in text_of(screen)
        await pilot.press("down", "enter", "o", "pagedown", "end", "c")
        assert pilot.app.screen is screen
