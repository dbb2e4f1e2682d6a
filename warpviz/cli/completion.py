"""What the user's shell completes: the script that teaches it, and its questions while the user types."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, get_args

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from warpviz.cli import COMPLETION_VARIABLE
from warpviz.scene import shipped_scenes

Shell = Literal["bash", "zsh", "fish"]

PROGRAM = "warpviz"
SHELLS: tuple[str, ...] = get_args(Shell)


def script(command: click.Command, shell: Shell) -> str:
    """What the shell has to read so that it completes the program's arguments."""
    return get_completion_class(shell)(command, {}, PROGRAM, COMPLETION_VARIABLE).source()


def answer_shell(command: click.Command) -> int:
    """Answer the question that a shell asks through the environment; gives the exit code."""
    return shell_complete(command, {}, PROGRAM, COMPLETION_VARIABLE, os.environ[COMPLETION_VARIABLE])


def scenes_beginning(incomplete: str) -> list[CompletionItem[str]]:
    """The scenes and scene files whose names begin like this; where there are none, whatever file the shell finds."""
    items = [
        CompletionItem(scene.name, help=scene.title) for scene in shipped_scenes() if scene.name.startswith(incomplete)
    ]
    items += [CompletionItem(name) for name in _scene_files(incomplete)]
    return items or [CompletionItem(incomplete, type="file")]


def _scene_files(incomplete: str) -> list[str]:
    """The .toml files of the folder that is being typed, written as the user began to."""
    folder, begun = os.path.split(incomplete)
    try:
        names = sorted(entry.name for entry in Path(folder or ".").expanduser().iterdir())
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names if name.startswith(begun) and name.endswith(".toml")]
