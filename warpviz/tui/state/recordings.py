"""Whose recorded measurements are shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpviz.tui.state.history import recorded, set_up
from warpviz.tui.state.measuring import looked_up
from warpviz.tui.state.view import View

if TYPE_CHECKING:
    from warpviz.gpu.recorded import RecordedFile


def next_gpu(view: View) -> View:
    """The measurements of the next recorded GPU, and the rules of its architecture."""
    files = _files()
    if not files:
        return replace(view, notice="no GPU is recorded here: `warpviz record` does so")
    at = (files.index(view.setup.recording) + 1) % len(files) if view.setup.recording in files else 0
    file = files[at]
    assert file.gpu is not None
    chosen = set_up(view, replace(view.setup, recording=file, arch=file.gpu.arch))
    name = f"{at + 1} of {len(files)}: recorded on {file.gpu.name}, {file.last[:10]}, driver {file.gpu.driver}"
    return replace(looked_up(recorded(chosen, view.setup)), notice=name)


def _files() -> list[RecordedFile]:
    """Those that can be read; the screen has no place for what is wrong with the others: `warpviz recorded` says it."""
    from warpviz.gpu.recorded import known

    return [file for file in known() if file.gpu is not None]
