"""The README's picture, as the program draws it: `python -m tests.picture` writes it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.tui.conftest import app_of
from warpviz.scene import find_scene

PICTURE = Path(__file__).parent.parent / "scenes" / "stride.svg"
_STEPS_TO_THE_FIFTH_PASS = ["home", *["right"] * 5]


async def picture() -> str:
    """The stride scene at 100x24 in its fifth pass, as SVG."""
    app = app_of(find_scene("stride"))
    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.pause(0.5)
        await pilot.press(*_STEPS_TO_THE_FIFTH_PASS)
        await pilot.pause()
        return app.export_screenshot()


if __name__ == "__main__":
    PICTURE.write_text(asyncio.run(picture()), encoding="utf-8")
