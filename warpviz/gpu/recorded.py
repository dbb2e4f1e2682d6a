"""Recorded measurements: JSON files that the program writes on a GPU and reads where there is none.

A file: {"schema": "warpviz-recorded-1", "gpu": {…}, "measurements": {fingerprint: {…}}}, of one GPU, driver,
compiler. The ones that ship with the program lie in the folder `recorded` of the package.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from warpviz.access import Access
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.measurement import Gpu, Measurement
from warpviz.resources import resource_folder, write_whole

SCHEMA = "warpviz-recorded-1"

_Entry = tuple[Path, dict[str, Any], dict[str, Any]]  # the file, its GPU, and one measurement as JSON


def find_recorded(access: Access) -> Measurement | None:
    """The measurement of this very access that ships with the program, if any. Raises ValueError: see `read`."""
    found = _shipped().get(FrozenAccess.of(access).fingerprint())
    return None if found is None else _measurement(*found)


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
    write_whole(path, _as_text(gpus.pop(), entries))


def read(path: Path) -> dict[str, Measurement]:
    """fingerprint -> measurement. Raises ValueError, with a sentence that names the file, for one it cannot read."""
    return {fingerprint: _measurement(path, gpu, entry) for fingerprint, (_, gpu, entry) in _entries(path).items()}


@cache
def _shipped() -> dict[str, _Entry]:
    """All that ship, by fingerprint. Of two of the same access, the one in the file whose name sorts last."""
    entries: dict[str, _Entry] = {}
    for path in sorted(resource_folder("recorded").glob("*.json")):
        entries |= _entries(path)
    return entries


def _entries(path: Path) -> dict[str, _Entry]:
    """What a file holds, by fingerprint, not yet looked into. Raises ValueError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise ValueError(f"its schema is not {SCHEMA}")
        return {fingerprint: (path, data["gpu"], entry) for fingerprint, entry in data["measurements"].items()}
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise _unreadable(path, error) from error


def _measurement(path: Path, gpu: dict[str, Any], entry: dict[str, Any]) -> Measurement:
    """Raises ValueError."""
    try:
        return Measurement.from_json(entry | {"gpu": gpu, "origin": "recorded"})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> ValueError:
    return ValueError(f"{path} holds no recorded measurements that this version reads: {error}")


def _entry_to_json(measurement: Measurement) -> dict[str, Any]:
    return {key: value for key, value in measurement.to_json().items() if key not in ("gpu", "origin")}


def _of(gpus: Iterable[Gpu]) -> str:
    return " and ".join(sorted(f"{g.name} (driver {g.driver}, NVRTC {g.nvrtc})" for g in gpus)) or "no measurement"


def _as_text(gpu: Gpu, entries: dict[str, Measurement]) -> str:
    """JSON with one measurement a line."""
    lines = [f"{json.dumps(key)}: {json.dumps(_entry_to_json(entries[key]))}" for key in sorted(entries)]
    head = f'"schema": {json.dumps(SCHEMA)},\n"gpu": {json.dumps(asdict(gpu))},\n"measurements": {{\n'
    return "{\n" + head + ",\n".join(lines) + "\n}}\n"
