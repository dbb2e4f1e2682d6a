"""The recorded files of this machine: those that ship and the user's own; and what is written to them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from warpviz.access import Access
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.measurement import Gpu, Measurement
from warpviz.gpu.recorded.contents import Contents, Entry, text_of
from warpviz.resources import read_text, resource_folder, write_whole

_LARGEST_FILE_BYTES = 100_000_000
_OPEN_FILES = 256  # whose text is kept


@dataclass(frozen=True)
class RecordedFile:
    """A file of recorded measurements, by its head: the measurements are looked into when they are asked for.

    shipped: it comes with the program. gpu, first and last (the dates of the earliest and the latest measurement) and
    count (of the measurements) say what it holds. problem: why it cannot be read, a sentence that names it; then gpu is
    None and the others are empty. Empty for a file that can be read.
    """

    path: Path
    shipped: bool = False
    gpu: Gpu | None = None
    first: str = ""
    last: str = ""
    count: int = 0
    problem: str = ""

    @property
    def name(self) -> str:
        """What it is called on the command line, without its folder."""
        return self.path.stem

    @property
    def known_as(self) -> str:
        """What the command line finds it by: its name where that is known, else its path."""
        return self.name if find_known(self.name) == self else str(self.path)

    def find(self, access: Access | FrozenAccess) -> Measurement | None:
        """The measurement of this very access, if it holds one. Raises ValueError: see `entries`."""
        pattern = access if isinstance(access, FrozenAccess) else FrozenAccess.of(access)
        try:
            found = _contents(self.path, _stamp(self.path)).find(pattern.fingerprint())
        except ValueError as error:
            raise _unreadable(self.path, error) from error
        return None if found is None else found.measurement

    def entries(self) -> dict[str, Entry]:
        """All that it holds, by the access's fingerprint. Raises ValueError, a sentence that names the file."""
        try:
            return dict(_contents(self.path, _stamp(self.path)).entries())
        except ValueError as error:
            raise _unreadable(self.path, error) from error


def find_recorded(access: Access, arch: str | None = None, file: RecordedFile | None = None) -> Measurement | None:
    """The measurement of this very access, if any: of `file`, else of the newest file that has one.

    arch: only of GPUs of this architecture, such as sm_90. The user's files go before those that ship. Of the files
    that are looked for here those that cannot be read are passed over; raises ValueError for a `file` that cannot be.
    """
    if file is not None:
        return file.find(access)
    pattern = FrozenAccess.of(access)
    files = [f for f in known() if f.gpu is not None and arch in (None, f.gpu.arch)]
    for candidate in sorted(files, key=lambda f: (not f.shipped, f.last), reverse=True):
        try:
            found = candidate.find(pattern)
        except ValueError:
            continue
        if found is not None:
            return found
    return None


def known() -> tuple[RecordedFile, ...]:
    """The recorded files of this machine, the user's before those that ship, each in the order of their names."""
    own = sorted(user_folder().glob("*.json"))
    shipped = sorted(resource_folder("recorded").glob("*.json"))
    return (*map(open_file, own), *(open_file(path, shipped=True) for path in shipped))


def find_known(name: str) -> RecordedFile | None:
    """The first of the known files that is called so."""
    return next((file for file in known() if file.name == name), None)


def user_folder() -> Path:
    """Where the user's own files are: the folder that WARPVIZ_RECORDED names, else the platform's place for data."""
    named = os.environ.get("WARPVIZ_RECORDED")
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_data_path("warpviz") / "recorded"


def open_file(path: Path, *, shipped: bool = False) -> RecordedFile:
    """The file by its head; for one that cannot be read, why."""
    try:
        contents = _contents(path, _stamp(path))
    except ValueError as error:
        return RecordedFile(path, shipped, problem=str(_unreadable(path, error)))
    return RecordedFile(path, shipped, contents.gpu, contents.first, contents.last, contents.count)


def read(path: Path) -> dict[str, Entry]:
    """What a file holds, by the access's fingerprint. Raises ValueError, a sentence that names the file."""
    return RecordedFile(path).entries()


def joined(before: Mapping[str, Entry], entries: Iterable[Entry]) -> dict[str, Entry]:
    """By the access's fingerprint, those of before and these; the newer of the same access."""
    after = dict(before)
    for entry in entries:
        fingerprint = entry.measurement.access.fingerprint()
        older = after[fingerprint].labels if fingerprint in after else ()
        after[fingerprint] = Entry(tuple(dict.fromkeys((*older, *entry.labels))), entry.measurement)
    return after


def write(path: Path, entries: Mapping[str, Entry]) -> None:
    """Write a file of these measurements, by the access's fingerprint.

    It replaces one that is there as a whole, so that nobody reads half of it. Raises ValueError, with a sentence, when
    they are of several GPUs or there is none; OSError when it cannot be written.
    """
    gpus = {entry.measurement.gpu for entry in entries.values()}
    if len(gpus) != 1:
        raise ValueError(f"{path} would hold {_of(gpus)}; a file is of one GPU, driver and compiler")
    write_whole(path, text_of(gpus.pop(), entries, _version()))


def _stamp(path: Path) -> tuple[int, int]:
    """What changes when the file does. Raises ValueError, with the end of a sentence, when there is none."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if not stat.S_ISREG(status.st_mode):  # a pipe would keep whoever opens it waiting
        raise ValueError("is no file")
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=_OPEN_FILES)
def _contents(path: Path, stamp: tuple[int, int]) -> Contents:
    """Raises ValueError, with the end of a sentence."""
    return Contents.of(read_text(path, _LARGEST_FILE_BYTES))


def _unreadable(path: Path, error: Exception) -> ValueError:
    return ValueError(f"{path}: {error}")


def _of(gpus: Iterable[Gpu]) -> str:
    return " and ".join(sorted(f"{g.name} (driver {g.driver}, NVRTC {g.nvrtc})" for g in gpus)) or "no measurement"


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # not needed to read

    try:
        return version("warpviz")
    except PackageNotFoundError:
        return "of a checkout"
