"""The files that the program reads and keeps."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from warpviz.cli.doctor.check import Check, degraded, ok
from warpviz.cli.doctor.configuration import read_configuration
from warpviz.tui.config import config_path
from warpviz.wording import counted

_ENOUGH_BYTES = 100_000_000  # for all that the program keeps


def file_checks() -> Iterator[Check]:
    yield _configuration()
    yield from _cache()
    yield from _recorded()


def _configuration() -> Check:
    _, wrong = read_configuration()
    if wrong:
        return degraded("configuration", wrong, "mend that; until then the explorer does not open")
    path = Path(os.environ.get("WARPVIZ_CONFIG") or config_path())
    return ok("configuration", f"valid, {path}" if path.exists() else f"none, so as shipped; it would be {path}")


def _cache() -> Iterator[Check]:
    from warpviz.gpu.cache import default_cache

    cache = default_cache()
    problem, contents = cache.problem(), cache.describe()
    if problem is not None:
        yield degraded("cache", problem, "set WARPVIZ_CACHE=FOLDER; without, every kernel is compiled again")
        return
    size = f"{contents.size_bytes / 1e6:.1f} MB"
    yield ok("cache", f"{counted(contents.entries, 'kernel')}, {size}, {contents.folder}")
    if contents.folder is not None:
        yield from _space(contents.folder)


def _space(folder: Path) -> Iterator[Check]:
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return
    value = f"{free / 1e9:,.1f} GB free in {folder}"
    if free >= _ENOUGH_BYTES:
        yield ok("space", value)
    else:
        yield degraded("space", value, "remove what is not needed, or name another folder with WARPVIZ_CACHE=FOLDER")


def _recorded() -> Iterator[Check]:
    """The files that ship and the user's own; and each that cannot be read."""
    from warpviz.gpu.recorded import known, user_folder

    files = known()
    whole = [file for file in files if file.gpu is not None]
    names = ", ".join(f"{file.gpu.name} ({file.count:,})" for file in whole if file.gpu is not None)
    yield ok("recorded GPUs", f"{names or 'none'}; your own are in {user_folder()}")
    for file in files:
        if file.problem:
            mend = "install warpviz again" if file.shipped else "record it anew with `warpviz record`, or remove it"
            yield degraded("recorded file", file.problem, mend)
