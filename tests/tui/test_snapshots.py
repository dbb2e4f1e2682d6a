"""What the screen looks like, at the sizes that matter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.tui.conftest import app_of, scene
from tests.tui.kernels import KERNELS
from tests.tui.test_screens import settled
from warpviz.scene import Scene
from warpviz.tui.app import WarpvizApp
from warpviz.tui.glyphs import UNICODE
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.screens.kernel import KernelScreen
from warpviz.tui.screens.replay import ReplayScreen

pytestmark = pytest.mark.usefixtures("nothing_recorded")

Compare = Callable[..., bool]
STEPS = ["home", *["right"] * 4]


TILE = "__shared__ float tile[32][32 + pad];"
STRIDE = scene("s[k*lane]", question="For which k do the lanes queue, and how long?", k=8)
PADDED = scene("tile[lane][c]", declarations=TILE, pad=1, c=5)
MULTICAST = scene("s[lane / n]", n=4)
FLOAT4 = scene("((float4*)s)[k*lane]", k=1)
POINTER_STRIDE = scene("in[k*lane]", declarations="const float* in;", k=3)
STRUCTS = scene("p[lane].x", declarations="struct P { float x, y, z, w; }; const struct P* p;")


@pytest.mark.parametrize(
    ("shown", "size", "keys"),
    [
        pytest.param(STRIDE, (80, 24), STEPS, id="stride 80x24"),
        pytest.param(STRIDE, (160, 45), STEPS, id="stride 160x45"),
        pytest.param(STRIDE, (60, 20), STEPS, id="stride 60x20"),
        pytest.param(PADDED, (100, 30), ["end"], id="padded column 100x30"),
        pytest.param(MULTICAST, (80, 24), STEPS[:2], id="multicast 80x24"),
        pytest.param(FLOAT4, (80, 24), STEPS[:3], id="float4 80x24"),
        pytest.param(POINTER_STRIDE, (100, 30), STEPS, id="global stride 100x30"),
        pytest.param(STRUCTS, (160, 45), ["end"], id="array of structs 160x45"),
        pytest.param(STRIDE, (80, 24), ["end", "e", "backspace"], id="an error 80x24"),
    ],
)
def test_explorer(snap_compare: Compare, shown: Scene, size: tuple[int, int], keys: list[str]) -> None:
    async def once_shown(pilot: Any) -> None:
        await pilot.pause(0.3)
        await pilot.press(*keys)
        await pilot.pause()

    assert snap_compare(app_of(shown), terminal_size=size, run_before=once_shown)


async def kernel_shown(pilot: Any) -> KernelScreen:
    await settled(pilot, lambda: isinstance(pilot.app.screen, KernelScreen))
    screen: KernelScreen = pilot.app.screen
    await settled(pilot, lambda: screen.view.shown is not None)
    return screen


def opening(name: str) -> WarpvizApp:
    return WarpvizApp(KernelToOpen(KERNELS / f"{name}.cu"), gallery=(), depth="rgb", glyphs=UNICODE)


@pytest.mark.usefixtures("nvrtc")
def test_kernel(snap_compare: Compare) -> None:
    async def once_shown(pilot: Any) -> None:
        await kernel_shown(pilot)
        await pilot.pause()

    assert snap_compare(opening("reduce_interleaved"), terminal_size=(100, 30), run_before=once_shown)


@pytest.mark.usefixtures("nvrtc")
def test_replay(snap_compare: Compare) -> None:
    async def in_the_middle(pilot: Any) -> None:
        await kernel_shown(pilot)
        await pilot.press("space")
        await settled(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        await settled(pilot, lambda: pilot.app.screen.view.now is not None)
        await pilot.press("right_square_bracket", *["right"] * 3)
        await pilot.pause()

    assert snap_compare(opening("transpose_pad"), terminal_size=(80, 24), run_before=in_the_middle)


def test_gallery(snap_compare: Compare) -> None:
    async def once_shown(pilot: Any) -> None:
        await pilot.pause(0.6)
        await pilot.press("down")
        await pilot.pause()

    assert snap_compare(
        app_of(None, gallery=(STRIDE, PADDED, POINTER_STRIDE)), terminal_size=(80, 24), run_before=once_shown
    )
