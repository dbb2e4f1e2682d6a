"""Where the folders that travel with the program lie, in a checkout and when installed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).parent


def resource_folder(name: Literal["kernels", "scenes", "recorded"]) -> Path:
    """The folder of this name: inside the installed package, or beside it in a checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
