"""Recorded measurements: JSON files that the program writes on a GPU and reads where there is none.

A file: {"schema": "warpviz-recorded-1", "gpu": {…}, "measurements": {fingerprint: {…}}}, of one GPU, driver,
compiler. The ones that ship with the program lie in the folder `recorded` of the package.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from warpviz.access import Access
from warpviz.gpu.measurement import Gpu, Measurement
from warpviz.gpu.pattern import Pattern
from warpviz.resources import resource_folder

SCHEMA = "warpviz-recorded-1"


def find_recorded(access: Access) -> Measurement | None:
    """The measurement of this very access that ships with the program, if any. Raises ValueError: see `read`."""
    return _shipped().get(Pattern.of(access).fingerprint())


def write(path: Path, measurements: Iterable[Measurement]) -> None:
    """Add measurements to a file, which is made when there is none; an older one of the same access is replaced.

    The file is replaced as a whole, so that nobody reads half of it. Raises ValueError, with a sentence, when the
    measurements are of several GPUs or the file is of another one; OSError when it cannot be written.
    """
    entries = {measurement.access.fingerprint(): measurement for measurement in measurements}
    if path.exists():
        entries = read(path) | entries
    gpus = {measurement.gpu for measurement in entries.values()}
    if len(gpus) != 1:
        raise ValueError(f"{path} would hold {_of(gpus)}; a file is of one GPU, driver and compiler")
    _replace(path, {"schema": SCHEMA, "gpu": asdict(gpus.pop()), "measurements": _entries_to_json(entries)})


def read(path: Path) -> dict[str, Measurement]:
    """fingerprint -> measurement. Raises ValueError, with a sentence that names the file, for one it cannot read."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise ValueError(f"its schema is not {SCHEMA}")
        entries = [_entry_from_json(entry, data["gpu"]) for entry in data["measurements"].values()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} holds no recorded measurements that this version reads: {error}") from error
    return {measurement.access.fingerprint(): measurement for measurement in entries}


@cache
def _shipped() -> dict[str, Measurement]:
    """All that ship. Of two of the same access, the one in the file whose name sorts last."""
    entries: dict[str, Measurement] = {}
    for path in sorted(resource_folder("recorded").glob("*.json")):
        entries |= read(path)
    return entries


def _entries_to_json(entries: dict[str, Measurement]) -> dict[str, Any]:
    every = {}
    for fingerprint, measurement in sorted(entries.items()):
        data = measurement.to_json()
        every[fingerprint] = {key: value for key, value in data.items() if key not in ("gpu", "origin")}
    return every


def _entry_from_json(entry: dict[str, Any], gpu: dict[str, Any]) -> Measurement:
    return replace(Measurement.from_json(entry | {"gpu": gpu, "origin": "recorded"}), origin="recorded")


def _of(gpus: Iterable[Gpu]) -> str:
    return " and ".join(sorted(f"{g.name} (driver {g.driver}, NVRTC {g.nvrtc})" for g in gpus)) or "no measurement"


def _replace(path: Path, data: dict[str, Any]) -> None:
    descriptor, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.write("\n")
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
