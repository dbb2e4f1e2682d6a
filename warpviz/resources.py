"""Files: the folders that travel with the program, and texts that the user names."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).parent


def resource_folder(name: Literal["kernels", "scenes", "recorded"]) -> Path:
    """The folder of this name: inside the installed package, or beside it in a checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def read_text(path: Path, most_bytes: int) -> str:
    """The text of a file that a user names. Raises ValueError, with the end of a sentence, when it cannot be had."""
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror or error}") from error
    if len(data) > most_bytes:
        raise ValueError(f"is larger than {most_bytes:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8 text (byte {error.start})") from error
