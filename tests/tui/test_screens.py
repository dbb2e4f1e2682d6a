"""The app, driven by keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.conftest import app_of, scene, texts
from tests.tui.measurements import HeldProbe
from warpviz.tui.screens.explorer import ExplorerScreen
from warpviz.tui.screens.gallery import GalleryScreen
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.widgets.strip_view import StripView

pytestmark = pytest.mark.usefixtures("nothing_recorded")

GALLERY = (scene("s[k*lane]", k=8, question="which k?"), scene("in[lane]", "s[0]", question="how many sectors?"))


async def explorer(pilot: Pilot[None]) -> ExplorerScreen:
    """The explorer, once it shows its access, paused with everything served."""
    await settled(pilot, lambda: isinstance(pilot.app.screen, ExplorerScreen))
    screen = pilot.app.screen
    assert isinstance(screen, ExplorerScreen)
    await settled(pilot, lambda: screen.view.shown is not None)
    await pilot.press("end")
    return screen


async def settled(pilot: Pilot[None], reached: Callable[[], bool]) -> None:
    for _ in range(400):
        if reached():
            await pilot.pause()
            return
        await asyncio.sleep(0.005)
    raise TimeoutError


def shown_text(screen: ExplorerScreen | GalleryScreen | HelpScreen) -> str:
    """Everything that is drawn on a screen."""
    views = [view for view in screen.query(StripView) if view.display]
    return "\n".join(text for view in views for text in texts(view.render_line(y) for y in range(view.size.height)))


async def test_keys_step_turn_and_choose() -> None:
    async with app_of(scene("s[k*lane + c]", k=8, c=0)).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("home", "right", "right", "left")
        assert screen.view.position == 1
        assert "pass 1 of 8" in shown_text(screen)
        await pilot.press("up", "shift+up")
        assert screen.view.values == {"k": 17, "c": 0}
        await pilot.press("tab", "up", "left_square_bracket", "down")
        assert screen.view.values == {"k": 16, "c": 1}
        assert "16 passes" in shown_text(screen)
        await pilot.press("comma", "comma")
        assert "lane 31" in shown_text(screen)
        await pilot.press("r")
        assert screen.view.values == {"k": 8, "c": 0}


async def test_it_plays_by_itself_and_then_rests() -> None:
    async with app_of(scene("s[16*lane]")).run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: isinstance(pilot.app.screen, ExplorerScreen))
        screen = pilot.app.screen
        assert isinstance(screen, ExplorerScreen)
        await settled(pilot, lambda: screen.view.position > 0)
        assert screen.view.playing
        await pilot.press("plus", "plus", "plus", "space")
        here = screen.view.position
        await asyncio.sleep(0.15)
        assert screen.view.position == here
        await pilot.press("space")
        await settled(pilot, lambda: not screen.view.playing)
        assert screen.view.position == screen.view.end


async def test_editing_follows_the_text_and_an_error_keeps_the_picture() -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("e", "backspace")
        assert screen.view.error is not None
        assert screen.view.error.sentence in shown_text(screen)
        assert "8 passes" in shown_text(screen)
        await pilot.press("enter")
        assert screen.focused is not None
        await pilot.press("+", "n", "]", "enter")
        await settled(pilot, lambda: screen.focused is None)
        assert screen.view.pattern.expression == "s[k*lane+n]"
        assert screen.view.values == {"k": 8, "n": 1}
        await pilot.press("enter", "x", "escape")
        await settled(pilot, lambda: screen.focused is None)
        assert screen.view.pattern.expression == "s[k*lane+n]"
        assert "s[k*lane+n]" in shown_text(screen)


@pytest.mark.parametrize("text", ["", "s[", "[[]]", "\x00", "s[k*lane]" * 400, "🂡[lane]", "[b]s[lane][/b]", "s[2**70]"])
async def test_any_text_leaves_a_screen(text: str) -> None:
    async with app_of(scene("s[lane]")).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("e")
        screen.query_one("#edit", Input).value = text
        await pilot.pause()
        assert "predicted" in shown_text(screen)
        await pilot.press("escape")
        await settled(pilot, lambda: screen.focused is None)
        assert screen.view.error is None


async def test_a_click_chooses_a_lane() -> None:
    async with app_of(scene("s[16*lane]")).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.click("#frame", offset=(11 + 2 * 5, screen.layout_now.picture.y))
        assert screen.view.lane == 5


async def test_rows_scroll_and_follow() -> None:
    async with app_of(scene("s[32*lane]")).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("home")
        assert screen.view.top == 0
        await pilot.press("pagedown")
        assert screen.view.top > 0
        assert f"rows {screen.view.top + 1}-" in shown_text(screen)
        await pilot.press("end", "left")
        assert "pass 32 of 32" in shown_text(screen)
        assert "pass 32 │" in shown_text(screen)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (160, 45), (250, 70)])
async def test_every_size_shows_the_cost_and_the_measurement(size: tuple[int, int]) -> None:
    async with app_of(scene("s[k*lane]", k=8, question="which k?")).run_test(size=(120, 40)) as pilot:
        screen = await explorer(pilot)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        text = shown_text(screen)
        for words in ("s[k*lane]", "8 passes", "7 conflicts", "nothing is recorded here", "which k?", "quit"):
            assert words in text, words
        assert max(len(line) for line in text.splitlines()) <= size[0]


async def test_a_small_terminal_says_so() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(59, 20)) as pilot:
        screen = await explorer(pilot)
        await pilot.pause()
        assert "needs 60 columns and 20 rows" in shown_text(screen)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "needs 60" not in shown_text(screen)
        assert "predicted" in shown_text(screen)


async def test_the_gallery_filters_opens_and_comes_back() -> None:
    async with app_of(None, GALLERY).run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: isinstance(pilot.app.screen, GalleryScreen))
        gallery = pilot.app.screen
        assert isinstance(gallery, GalleryScreen)
        await settled(pilot, lambda: "8 passes" in shown_text(gallery))
        await pilot.press("slash", *"sectors")
        assert [shown.question for shown in gallery.view.listed] == ["how many sectors?"]
        await pilot.press("enter")  # a scene that is left alone opens
        screen = await explorer(pilot)
        assert screen.view.pattern.expression == "in[lane]"
        await pilot.press("n")
        assert screen.view.pattern.expression == "s[0]"
        await pilot.press("escape")
        await settled(pilot, lambda: pilot.app.screen is gallery)
        await pilot.press("escape")
        assert len(gallery.view.listed) == 2


async def test_an_explorer_opened_by_name_leads_to_the_gallery() -> None:
    async with app_of(scene("s[lane]"), GALLERY).run_test(size=(80, 24)) as pilot:
        await explorer(pilot)
        await pilot.press("escape")
        await settled(pilot, lambda: isinstance(pilot.app.screen, GalleryScreen))


async def test_help_opens_over_the_explorer() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        assert "the picture" in shown_text(pilot.app.screen)
        await pilot.press("escape")
        assert pilot.app.screen is screen


async def test_the_theme_flips() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        dark = screen.look
        await pilot.press("t")
        assert screen.look is not dark
        assert screen.look.palette is not dark.palette


async def test_measuring_tells_its_stage_and_its_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.tui.screens.explorer.can_measure", lambda: True)
    probe = HeldProbe()
    async with app_of(scene("s[k*lane]", k=8), make_probe=lambda: probe).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("m")
        await settled(pilot, lambda: "compiling" in shown_text(screen))
        probe.release.set()
        await settled(pilot, lambda: "✓ equal" in shown_text(screen))
        assert "8.00 ± 0.01" in shown_text(screen)
        assert probe.asked[0].warp == 0
    assert probe.closed


async def test_the_latest_measurement_wins_and_escape_cancels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.tui.screens.explorer.can_measure", lambda: True)
    probe = HeldProbe()
    async with app_of(scene("s[k*lane]", k=8), make_probe=lambda: probe).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("m")
        await settled(pilot, lambda: len(probe.asked) == 1)
        await pilot.press("m")
        await settled(pilot, lambda: len(probe.asked) == 2)
        assert screen.view.measuring.stage == "running"
        await pilot.press("escape")
        await settled(pilot, lambda: screen.view.measuring.stage == "failed")
        assert "cancelled" in shown_text(screen)
        await pilot.press("m")
        await settled(pilot, lambda: len(probe.asked) == 3)
        await pilot.press("up")
        probe.release.set()
        await asyncio.sleep(0.1)
        assert screen.view.measuring.stage != "there"


async def test_what_was_edited_stands_in_the_gallery() -> None:
    async with app_of(scene("s[lane]"), GALLERY).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("e", "end", "backspace", "+", "9", "]", "enter")
        await settled(pilot, lambda: screen.focused is None)
        await pilot.press("escape")
        await settled(pilot, lambda: isinstance(pilot.app.screen, GalleryScreen))
        await settled(pilot, lambda: "(edited)" in shown_text(pilot.app.screen))  # type: ignore[arg-type]
        await pilot.press("enter")
        again = await explorer(pilot)
        assert again.view.pattern.expression == "s[lane+9]"
        await pilot.press("escape")
        await settled(pilot, lambda: isinstance(pilot.app.screen, GalleryScreen))
        assert shown_text(pilot.app.screen).count("(edited)") == 1  # type: ignore[arg-type]


async def test_a_copied_line_is_shown_whole() -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(60, 20)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("y")
        await settled(pilot, lambda: "clipboard" in shown_text(pilot.app.screen))  # type: ignore[arg-type]
        text = shown_text(pilot.app.screen)  # type: ignore[arg-type]
        assert "warpviz -e 's[k*lane]' --set k=8 --step end" in " ".join(text.split())
        await pilot.press("escape")
        assert pilot.app.screen is screen
        await pilot.press("y", "x")
        await settled(pilot, lambda: screen.view.pattern.where != "")
        assert pilot.app.screen is screen


async def test_saving_keeps_the_field_until_it_is_saved(tmp_path: Path) -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("S")
        field = pilot.app.screen.query_one("#path", Input)
        assert field.value == "s-k-lane.svg"
        field.value = str(tmp_path / "view.png")
        await pilot.press("enter")
        await settled(pilot, lambda: ".svg .txt .json .csv .cast" in shown_text(pilot.app.screen))  # type: ignore[arg-type]
        field.value = str(tmp_path / "view.txt")
        await pilot.press("enter")
        await settled(pilot, lambda: pilot.app.screen is screen)
        assert "8 passes" in (tmp_path / "view.txt").read_text()
        assert "saved:" in shown_text(screen)
        await pilot.press("S")
        pilot.app.screen.query_one("#path", Input).value = str(tmp_path / "view.txt")
        await pilot.press("enter")
        await settled(pilot, lambda: "is there already" in shown_text(pilot.app.screen))  # type: ignore[arg-type]
        await pilot.press("enter")
        await settled(pilot, lambda: pilot.app.screen is screen)
        assert "saved:" not in (tmp_path / "view.txt").read_text()


async def test_a_field_outlives_a_window_that_is_too_small() -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("e", "end", "+")
        await pilot.resize_terminal(50, 15)
        await settled(pilot, lambda: screen.has_class("too-small"))
        await pilot.press("9")
        await pilot.resize_terminal(80, 24)
        await settled(pilot, lambda: screen.focused is not None)
        assert screen.query_one("#edit", Input).value == "s[k*lane]+"
        await pilot.press("q", "escape")
        await settled(pilot, lambda: screen.focused is None)
        assert screen.view.pattern.expression == "s[k*lane]"


async def test_redo_waits_until_the_field_is_closed() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        field = screen.query_one("#edit", Input)
        await pilot.press("e")
        field.value = "s[2*lane]"
        await pilot.press("enter", "u", "e")
        field.value = "s[7*lane]"
        await pilot.press("ctrl+r", "enter")
        await settled(pilot, lambda: screen.focused is None)
        assert screen.view.pattern.expression == "s[7*lane]"


async def test_a_huge_paste_leaves_a_screen_that_answers() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("e")
        screen.query_one("#edit", Input).value = "s[lane" + " + lane" * 20_000
        await pilot.pause()
        await pilot.press("escape")
        await settled(pilot, lambda: screen.focused is None)
        assert screen.view.error is None


async def test_an_access_in_error_is_said_in_the_fix_panel() -> None:
    async with app_of(scene("s[2*lane]", "s[lane/k]", k=1)).run_test(size=(100, 30)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("down", "f")
        await settled(pilot, lambda: screen.view.advised is not None)
        assert screen.view.values == {"k": 0}
        assert "cannot be evaluated" in shown_text(screen)


async def test_escape_puts_the_answer_away_before_it_leaves() -> None:
    async with app_of(scene("s[lane]", question="why?"), GALLERY).run_test(size=(80, 24)) as pilot:
        screen = await explorer(pilot)
        await pilot.press("h", "h", "escape")
        assert pilot.app.screen is screen
        assert screen.view.remark == 0


async def test_the_gallery_stands_at_the_scene_that_was_left() -> None:
    async with app_of(GALLERY[1], GALLERY).run_test(size=(80, 24)) as pilot:
        await explorer(pilot)
        await pilot.press("escape")
        await settled(pilot, lambda: isinstance(pilot.app.screen, GalleryScreen))
        gallery = pilot.app.screen
        assert isinstance(gallery, GalleryScreen)
        await settled(pilot, lambda: gallery.view.listed[gallery.view.chosen].name == GALLERY[1].name)
        before = gallery.view
        await pilot.press("escape")
        assert gallery.view == before


async def test_what_stands_beside_the_picture_scrolls_to_its_end() -> None:
    async with app_of(scene("s[k*lane]", k=8, question="which k?")).run_test(size=(160, 30)) as pilot:
        screen = await explorer(pilot)
        assert "page down for more" in shown_text(screen)
        assert "not modelled" not in shown_text(screen)
        await pilot.press("pagedown", "pagedown", "pagedown")
        assert "not modelled" in shown_text(screen)
        assert "page down for more" not in shown_text(screen)
