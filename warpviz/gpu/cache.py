"""Cache: what takes long to make and is the same every time, kept from one run to the next as small files.

Each entry is one file: the SHA-256 of its name and content, then the content. An entry that is not exactly that
(damaged, cut short, somebody else's) counts as absent. Where nothing can be kept, nothing is, and nobody is troubled.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from warpviz.resources import replace_whole

MOST_BYTES = 64_000_000
MOST_ENTRIES = 4_000

_FORMAT = "warpviz cache 1"  # part of every key: entries of another format are never met
_DIGEST_BYTES = 32
_ENTRY_NAME = re.compile(r"[0-9a-f]{64}")
_UNFINISHED_NAME = re.compile(r"\.[0-9a-f]{64}\.[0-9a-f]+")  # as replace_whole has it
_UNFINISHED_SECONDS = 3600.0  # one that is older was left by a process that was killed
_PRUNING_KEYS = "0"  # a put whose key begins so, one in 16, looks whether the folder holds too much
_KEPT = 0.75  # of what may be there: removing more than need be saves the next put from it


@dataclass(frozen=True)
class CacheContents:
    """What a cache holds. folder: None when nothing is kept anywhere."""

    folder: Path | None
    entries: int
    size_bytes: int


class _File(NamedTuple):
    path: Path
    size_bytes: int
    used_at: float  # seconds since the epoch


class Cache:
    """A folder of entries, of which the oldest used go first when there are too many. Several processes may share it.

    folder: made by the first `put`; None keeps nothing. most_bytes, most_entries: may be exceeded for some puts.
    """

    def __init__(self, folder: Path | None, *, most_bytes: int = MOST_BYTES, most_entries: int = MOST_ENTRIES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._most_entries = most_entries

    def get(self, key: str) -> bytes | None:
        """What was put under the key (see `key_of`), or None. Never raises for what it finds in the folder."""
        if self._folder is None:
            return None
        path = self._folder / key
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > _DIGEST_BYTES + self._most_bytes:
                return None  # without a look inside: to open a pipe would wait
            entry = path.read_bytes()
        except OSError:
            return None
        content = entry[_DIGEST_BYTES:]
        if entry[:_DIGEST_BYTES] != _digest(key, content):
            return None
        with suppress(OSError):
            os.utime(path)  # the time of the last use
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep the content under the key, whole or not at all. Does nothing where that is not possible."""
        if self._folder is None or len(content) > self._most_bytes:
            return
        path = self._folder / key
        with suppress(OSError):
            _make(self._folder)
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            replace_whole(path, _digest(key, content) + content)
            if key.startswith(_PRUNING_KEYS):
                _prune(self._folder, self._most_bytes, self._most_entries)

    def problem(self) -> str | None:
        """Why nothing is kept, in a sentence with the mend; None when all is well. Tries it."""
        if self._folder is None:
            why = "WARPVIZ_CACHE switches it off" if _switched_off() else "there is no home folder"
            return f"nothing is kept, since {why}; set WARPVIZ_CACHE=FOLDER"
        trial = self._folder / key_of("trial", os.urandom(16))
        try:
            _make(self._folder)
            replace_whole(trial, bytes(4096))
            trial.unlink()
        except OSError as error:
            reason = error.strerror or str(error)
            return f"nothing can be kept in {self._folder} ({reason}); name another folder with WARPVIZ_CACHE=FOLDER"
        return None

    def describe(self) -> CacheContents:
        """What is there now."""
        entries = _files(self._folder, _ENTRY_NAME) if self._folder is not None else []
        return CacheContents(self._folder, len(entries), sum(entry.size_bytes for entry in entries))


def default_cache() -> Cache:
    """The program's own: in the folder that WARPVIZ_CACHE names, else where the platform has its caches.

    WARPVIZ_CACHE=off, or empty, keeps nothing; nor does a machine without a home folder.
    """
    if _switched_off():
        return Cache(None)
    if named := os.environ.get("WARPVIZ_CACHE"):
        return Cache(Path(named))
    return Cache(_platform_folder())


def key_of(*parts: str | bytes) -> str:
    """The key of what these parts determine: other parts, or the same ones cut otherwise, have another key.

    >>> key_of("ab", "c") == key_of("a", "bc")
    False
    """
    digest = hashlib.sha256(_FORMAT.encode())
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(f" {type(part).__name__} {len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()


def _platform_folder() -> Path | None:
    import platformdirs

    try:
        folder = platformdirs.user_cache_path("warpviz")
    except RuntimeError:  # no home folder
        return None
    return folder if folder.is_absolute() else None  # it begins with "~" where an older platformdirs finds no home


def _switched_off() -> bool:
    return os.environ.get("WARPVIZ_CACHE") in ("", "off")


def _digest(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + content).digest()


def _make(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _files(folder: Path, name: re.Pattern[str]) -> list[_File]:
    """The files of such names, as far as they can be had: another process may remove one at any time."""
    found = []
    with suppress(OSError), os.scandir(folder) as places:
        for place in places:
            with suppress(OSError):
                if name.fullmatch(place.name) and place.is_file(follow_symlinks=False):
                    status = place.stat(follow_symlinks=False)
                    found.append(_File(Path(place), status.st_size, status.st_mtime))
    return found


def _prune(folder: Path, most_bytes: int, most_entries: int) -> None:
    """When there is too much, remove what was not used for the longest time; and what was never finished."""
    for file in _files(folder, _UNFINISHED_NAME):
        if time.time() - file.used_at > _UNFINISHED_SECONDS:
            file.path.unlink(missing_ok=True)
    entries = sorted(_files(folder, _ENTRY_NAME), key=lambda file: file.used_at)
    size_bytes = sum(entry.size_bytes for entry in entries)
    if size_bytes <= most_bytes and len(entries) <= most_entries:
        return
    for number, entry in enumerate(entries):
        left = len(entries) - number
        if size_bytes <= _KEPT * most_bytes and left <= _KEPT * most_entries:
            return
        entry.path.unlink(missing_ok=True)
        size_bytes -= entry.size_bytes
