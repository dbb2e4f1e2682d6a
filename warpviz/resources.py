"""Files: the folders that travel with the program, and texts that the user names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

_PACKAGE = Path(__file__).parent


def resource_folder(name: Literal["kernels", "scenes", "recorded", "golden"]) -> Path:
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


def read_toml(path: Path, most_bytes: int) -> dict[str, Any]:
    """The table of a TOML file that a user names. Raises ValueError, with the end of a sentence: see `read_text`."""
    import tomllib  # not needed to open an expression

    text = read_text(path, most_bytes)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(f"is not TOML: {error}") from error


def write_whole(path: Path, text: str) -> None:
    """Write the text as UTF-8. A file that is there already is replaced when all is written, and else left as it is.

    What is no file, such as a pipe, is written into. Raises OSError.
    """
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", newline="")
        return
    replace_whole(path.resolve(), text.encode())


def replace_whole(path: Path, content: bytes) -> None:
    """Write the content beside the path, then put it in its place: a reader meets the old or the new, never a part.

    Raises OSError.
    """
    unfinished = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except BaseException:  # an interrupt too leaves nothing behind
        unfinished.unlink(missing_ok=True)
        raise
