"""The presenting mode, driven by keys."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import NOTHING_RECORDED, app_of, scene, texts
from tests.tui.measurements import HeldProbe, measurement
from tests.tui.test_screens import explorer, settled
from warpviz.tui.measuring import Measuring
from warpviz.tui.screens.explorer import ExplorerScreen
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.screens.stage import PresentingScreen
from warpviz.tui.widgets.strip_view import StripView

pytestmark = pytest.mark.usefixtures("nothing_recorded", "nothing_recorded_on_stage")

SIZE = (80, 24)
TWO = scene("s[k*lane]", "s[lane]", question="how long?", k=8)


@pytest.fixture
def nothing_recorded_on_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.tui.state.measuring.look_up", lambda *asked: NOTHING_RECORDED)


async def stage(pilot: Pilot[None]) -> tuple[ExplorerScreen, PresentingScreen]:
    """The explorer, and the presenting mode that was opened from it."""
    below = await explorer(pilot)
    await pilot.press("l")
    await settled(pilot, lambda: isinstance(pilot.app.screen, PresentingScreen))
    screen = pilot.app.screen
    assert isinstance(screen, PresentingScreen)
    await pilot.pause()
    return below, screen


def shown_text(screen: PresentingScreen) -> str:
    views = [view for view in screen.query(StripView) if view.display]
    return "\n".join(text for view in views for text in texts(view.render_line(y) for y in range(view.size.height)))


async def test_a_guess_then_one_key_to_the_end_of_the_scene() -> None:
    async with app_of(TWO).run_test(size=SIZE) as pilot:
        _, screen = await stage(pilot)
        assert "how many passes does s[" in shown_text(screen)
        assert "how long?" in shown_text(screen)
        await pilot.press("1", "2", "backspace", "enter")
        assert "too few" in shown_text(screen)
        assert "7 conflicts" in shown_text(screen)
        await pilot.press("pagedown", "space", "right")
        assert "pass 3 of 8" in shown_text(screen)
        await pilot.press("pageup", "left")
        assert "pass 1 of 8" in shown_text(screen)
        await pilot.press(*["pagedown"] * 9)
        assert screen.stage.view.access == 1
        assert "how many passes does s[" in shown_text(screen)
        await pilot.press(*["pagedown"] * 9)
        assert "it is so" in shown_text(screen)
        await pilot.press(*["pageup"] * 30)
        assert (screen.stage.view.access, screen.stage.revealed) == (0, False)


async def test_a_turned_knob_hides_the_cost_and_c_shows_it() -> None:
    async with app_of(scene("s[k*lane + c]", k=8, c=0)).run_test(size=SIZE) as pilot:
        _, screen = await stage(pilot)
        await pilot.press("enter", "enter", "down")
        assert screen.stage.view.values == {"k": 7, "c": 0}
        assert "conflicts" not in shown_text(screen)
        await pilot.press("c")
        assert "0 conflicts" in shown_text(screen)
        await pilot.press("tab", "up", "left_square_bracket", "up")
        assert screen.stage.view.values == {"k": 8, "c": 1}
        await pilot.press("h")
        assert "look closer" in shown_text(screen)


async def test_accesses_and_steps_are_skipped_and_the_end_is_said() -> None:
    async with app_of(TWO).run_test(size=SIZE) as pilot:
        _, screen = await stage(pilot)
        assert "← back" not in shown_text(screen)
        await pilot.press("end")
        assert "next: access 1" in shown_text(screen)
        await pilot.press("home")
        assert (screen.stage.revealed, screen.stage.view.position) == (True, 0)
        await pilot.press("n")
        assert (screen.stage.view.access, screen.stage.revealed) == (1, False)
        await pilot.press("end", "right")
        assert "the end: ← goes back, l leaves" in shown_text(screen)
        assert "→ next" not in shown_text(screen)
        await pilot.press("p")
        assert (screen.stage.view.access, screen.stage.revealed) == (0, False)


async def test_a_digit_after_the_reveal_does_nothing_until_the_cost_is_hidden() -> None:
    async with app_of(TWO).run_test(size=SIZE) as pilot:
        _, screen = await stage(pilot)
        assert "0-9 guess" in shown_text(screen)
        await pilot.press("enter")
        revealed = screen.stage
        await pilot.press("4")
        assert screen.stage == revealed
        assert "0-9 guess" not in shown_text(screen)
        assert "c guess again" in shown_text(screen)
        await pilot.press("c", "4")
        assert (screen.stage.revealed, screen.stage.guess) == (False, "4")


@pytest.mark.parametrize("key", ["l", "escape"])
async def test_the_explorer_goes_on_at_the_same_place(key: str) -> None:
    async with app_of(TWO).run_test(size=SIZE) as pilot:
        below, _ = await stage(pilot)
        await pilot.press("up", "enter", "right", key)
        await settled(pilot, lambda: pilot.app.screen is below)
        assert (below.view.values, below.view.position, below.view.playing) == ({"k": 9}, 1, False)
        assert below.view.measuring is NOTHING_RECORDED
        await pilot.press("l")
        await settled(pilot, lambda: isinstance(pilot.app.screen, PresentingScreen))


async def test_a_recorded_measurement_is_looked_up_for_each_access(monkeypatch: pytest.MonkeyPatch) -> None:
    def recorded(access: Any, arch: str, recording: object) -> Measuring:
        return Measuring("there", measurement=measurement(access, 9.0 if access.addresses[0, 1] == 36 else 8.0))

    monkeypatch.setattr("warpviz.tui.state.measuring.look_up", recorded)
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=SIZE) as pilot:
        _, screen = await stage(pilot)
        assert "8.00" not in shown_text(screen)
        await pilot.press("enter")
        assert "8.00 ± 0.01" in shown_text(screen)
        assert "H200" in shown_text(screen)
        await pilot.press("up", "enter")
        assert "9.00 ± 0.01" in shown_text(screen)


async def test_a_measurement_that_runs_arrives_in_the_explorer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.tui.screens.explorer.can_measure", lambda: True)
    probe = HeldProbe()
    async with app_of(scene("s[k*lane]", k=8), make_probe=lambda: probe).run_test(size=SIZE) as pilot:
        below = await explorer(pilot)
        await pilot.press("m")
        await settled(pilot, lambda: len(probe.asked) == 1)
        await pilot.press("l")
        await settled(pilot, lambda: isinstance(pilot.app.screen, PresentingScreen))
        probe.release.set()
        await settled(pilot, lambda: below.view.measuring.stage == "there")
        await pilot.press("l")
        await settled(pilot, lambda: pilot.app.screen is below)
        assert below.view.measuring.stage == "there"


async def test_help_theme_and_quit() -> None:
    async with app_of(TWO).run_test(size=SIZE) as pilot:
        _, screen = await stage(pilot)
        dark = screen.look
        await pilot.press("t")
        assert screen.look.palette is not dark.palette
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        await pilot.press("escape")
        assert pilot.app.screen is screen
        await pilot.press("q")
        assert not pilot.app.is_running or pilot.app.return_code == 0


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (160, 45), (250, 70)])
async def test_every_size_shows_what_is_asked_and_how_to_leave(size: tuple[int, int]) -> None:
    async with app_of(TWO).run_test(size=(120, 40)) as pilot:
        _, screen = await stage(pilot)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        text = shown_text(screen)
        assert all(
            words in text
            for words in ("s[k*lane]", "how long?", "how many passes does s[k*lane] take?", "enter reveals", "quit")
        )
        await pilot.press("enter")
        assert all(words in shown_text(screen) for words in ("7 conflicts", "all waiting", "pass 1"))


async def test_a_small_terminal_says_so() -> None:
    async with app_of(TWO).run_test(size=(80, 24)) as pilot:
        _, screen = await stage(pilot)
        await pilot.resize_terminal(59, 20)
        await pilot.pause()
        assert "needs 60 columns and 20 rows" in shown_text(screen)
