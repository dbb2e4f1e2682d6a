"""The replay in the app, driven by keys; and the way to the explorer and back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import app_of, texts
from tests.tui.replays import prepared, prepared_text
from tests.tui.test_replay_state import LOCAL
from warpviz.kernel.counting import LineKind
from warpviz.kernel.prepare import Prepared
from warpviz.tui.screens.explorer import ExplorerScreen
from warpviz.tui.screens.gallery import GalleryScreen
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.screens.replay import ReplayScreen
from warpviz.tui.widgets.strip_view import StripView

pytestmark = pytest.mark.usefixtures("nothing_recorded")

FAULT = """//@ launch k grid=2 block=32 out=f32[32]
__global__ void k(float* out) {
  out[blockIdx.x * 32 + threadIdx.x] = 1;
}
"""


async def settled(pilot: Pilot[None], reached: Callable[[], bool]) -> None:
    for _ in range(1000):
        if reached():
            await pilot.pause()
            return
        await asyncio.sleep(0.01)
    raise TimeoutError


async def opened(pilot: Pilot[None], made: Prepared, at: LineKind | None = None) -> ReplayScreen:
    screen = ReplayScreen(made, at, None, pilot.app.look)  # type: ignore[attr-defined]
    pilot.app.push_screen(screen)
    await settled(pilot, lambda: screen.view.trace is not None)
    return screen


def shown_text(screen: ReplayScreen) -> str:
    views = [view for view in screen.query(StripView) if view.display]
    return "\n".join(text for view in views for text in texts(view.render_line(y) for y in range(view.size.height)))


async def test_keys_step_through_the_block() -> None:
    async with app_of(None).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, prepared("transpose_pad"))
        await pilot.press("right", "right", "left")
        assert screen.view.position == 1
        await pilot.press("]")
        assert "access 65 of 128" in shown_text(screen)
        await pilot.press("n", "end")
        assert screen.view.position == 127
        await pilot.press("home", "w", "W", "w")
        assert screen.view.warp == 0
        assert "warp 0 only" in shown_text(screen)
        await pilot.press("pagedown")
        assert screen.view.top > 0


async def test_it_plays_and_writes_nothing_while_paused() -> None:
    async with app_of(None).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, prepared("transpose_pad"))
        await pilot.press("+", "+", "+", "space")
        await settled(pilot, lambda: screen.view.position > 2)
        await pilot.press("space")
        assert not screen.view.playing
        assert screen._clock is None


async def test_blocks_are_chosen_by_key_and_by_number() -> None:
    async with app_of(None).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, prepared("transpose_pad"))
        await pilot.press("B")
        assert screen.view.notice == "the grid has blocks 0 to 1,023"
        await pilot.press("b")
        await settled(pilot, lambda: screen.view.block == 1)
        await pilot.press("g", *"700", "enter")
        await settled(pilot, lambda: screen.view.block == 700)
        assert "block 700 (28, 21) of 32 x 32" in shown_text(screen)
        await pilot.press("g", *"7000", "enter")
        assert screen.view.notice == "the grid has blocks 0 to 1,023"
        await pilot.press("g", "x", "enter")
        assert screen.view.notice == "x is no block's number"
        await pilot.press("g", "5", "escape")
        assert pilot.app.screen is screen
        assert screen.view.block == 700


async def test_the_latest_block_counts() -> None:
    async with app_of(None).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, prepared("matmul_tiled"))
        for _ in range(9):
            await pilot.press("b")
        await settled(pilot, lambda: screen.view.awaited is None)
        assert screen.view.block == 9


async def test_a_block_that_cannot_run_says_so_and_keeps_the_one_before() -> None:
    async with app_of(None).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, prepared_text(FAULT))
        await pilot.press("b")
        await settled(pilot, lambda: bool(screen.view.complaint))
        assert "line 3: thread (0, 0, 0) of block (1, 0, 0)" in shown_text(screen)
        assert screen.view.block == 0
        assert screen.view.now is not None


async def test_the_explorer_shows_the_access_and_comes_back() -> None:
    async with app_of(None).run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot, prepared("reduce_interleaved"), LineKind(9, "ld", "shared", 4))
        await pilot.press("right", "right")
        place = screen.view.position
        assert screen.view.now is not None
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(pilot.app.screen, ExplorerScreen))
        explorer = pilot.app.screen
        assert isinstance(explorer, ExplorerScreen)
        await settled(pilot, lambda: explorer.view.shown is not None)
        assert explorer.view.scene.accesses[0].name == f"warp {screen.view.now.warp}, iteration 0"
        assert explorer.view.pattern.expression == f"s[2*lane + {64 * screen.view.now.warp}]"
        await pilot.press("n")
        assert explorer.view.access == 1
        await pilot.press("f")
        await settled(pilot, lambda: explorer.view.advised is not None)
        await pilot.press("escape", "escape")
        await settled(pilot, lambda: pilot.app.screen is screen)
        assert screen.view.position == place
        await pilot.press("escape")
        await settled(pilot, lambda: isinstance(pilot.app.screen, GalleryScreen))


async def test_local_memory_is_not_explored() -> None:
    async with app_of(None).run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot, prepared_text(LOCAL))
        await pilot.press("enter")
        assert "local memory has no banks" in shown_text(screen)
        assert pilot.app.screen is screen


async def test_a_click_on_the_timeline_goes_there() -> None:
    async with app_of(None).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, prepared("transpose_pad"))
        await pilot.click("#replay", offset=(40, 1))
        assert screen.view.position == 64


async def test_a_click_on_a_word_goes_to_where_it_was_written() -> None:
    async with app_of(None).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, prepared("transpose_pad"))
        await pilot.press("w", "w", "end")
        last = screen.view
        y = next(y for y, line in enumerate(shown_text(screen).splitlines()) if " tile │" in line)
        await pilot.click("#replay", offset=(70, y))
        assert screen.view.notice.endswith("was written here")
        assert screen.view.now is not None
        assert (screen.view.now.kind.op, screen.view.now.kind.space) == ("st", "shared")
        assert screen.view.position < last.position
        assert screen.view.warp is None
        await pilot.press("home")
        await pilot.click("#replay", offset=(70, y))
        assert screen.view.notice.startswith("nobody has written word ")


async def test_leaving_ends_the_recording() -> None:
    async with app_of(None).run_test(size=(80, 24)) as pilot:
        screen = ReplayScreen(prepared("matmul_tiled"), None, None, pilot.app.look)  # type: ignore[attr-defined]
        pilot.app.push_screen(screen)
        await pilot.pause()
        await pilot.press("escape")
        await settled(pilot, lambda: isinstance(pilot.app.screen, GalleryScreen))


async def test_the_help_explains_the_block() -> None:
    async with app_of(None).run_test(size=(80, 24)) as pilot:
        await opened(pilot, prepared("transpose_pad"))
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        assert any("the block in time" in strip.text for strip in pilot.app.screen._lines(80))
