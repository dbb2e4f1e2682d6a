"""What was kept comes back byte for byte or not at all, whatever happens to the folder."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpviz import resources
from warpviz.gpu.cache import Cache, default_cache, key_of

KEY = key_of("a test")
PRUNES = next(key for number in range(1000) if (key := key_of("prunes", str(number))).startswith("0"))
PARTS = st.lists(st.text() | st.binary(), max_size=4)


@given(content=st.binary(max_size=1000), parts=PARTS)
def test_what_is_put_comes_back(tmp_path_factory: pytest.TempPathFactory, content: bytes, parts: list[str]) -> None:
    folder, key = tmp_path_factory.getbasetemp() / "kept", key_of(*parts)
    Cache(folder).put(key, content)
    assert Cache(folder).get(key) == content


@given(PARTS, PARTS)
def test_other_parts_have_another_key(parts: list[str | bytes], others: list[str | bytes]) -> None:
    assert (key_of(*parts) == key_of(*others)) == (parts == others)


def test_the_same_bytes_cut_otherwise_have_another_key() -> None:
    keys = {
        key_of("ab", "c"),
        key_of("a", "bc"),
        key_of("abc"),
        key_of("abc", ""),
        key_of(b"abc"),
        key_of("a str 2:bc"),
    }
    assert len(keys) == 6


@given(content=st.binary(max_size=200), position=st.integers(0, 231), change=st.integers(1, 255))
def test_one_damaged_byte_is_noticed_and_mended(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, position: int, change: int
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged"
    cache = Cache(folder)
    cache.put(KEY, content)
    entry = bytearray((folder / KEY).read_bytes())
    entry[position % len(entry)] ^= change
    (folder / KEY).write_bytes(entry)
    assert cache.get(KEY) is None
    cache.put(KEY, content)
    assert cache.get(KEY) == content


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _swap(path: Path) -> None:
    """Another entry of the same cache, under this one's name."""
    Cache(path.parent).put(key_of("another"), b"other")
    (path.parent / key_of("another")).rename(path)


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "file").write_text("inside")


def _make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _link_away(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent.parent / "elsewhere")


@pytest.mark.skipif(os.name == "nt", reason="no pipes in folders, and links only with a permission")
@pytest.mark.parametrize(
    "spoil",
    [
        _truncate,
        _swap,
        _make_folder,
        _make_pipe,
        _link_away,
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"somebody else's file"),
        lambda path: path.write_bytes(bytes(100_000)),
    ],
    ids=["truncated", "swapped", "folder", "pipe", "link", "gone", "empty", "foreign", "large"],
)
def test_what_is_no_entry_counts_as_absent_and_is_replaced(tmp_path: Path, spoil: object) -> None:
    (tmp_path / "elsewhere").write_text("not ours")
    cache = Cache(tmp_path / "cache", most_bytes=90_000)
    cache.put(KEY, b"right")
    assert callable(spoil)
    spoil(tmp_path / "cache" / KEY)
    assert cache.get(KEY) is None
    cache.put(KEY, b"right")
    assert cache.get(KEY) == b"right"
    assert (tmp_path / "elsewhere").read_text() == "not ours"


def test_nothing_half_written_is_left_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> None:
        with path.open("wb") as file:
            file.write(content[:3])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    cache = Cache(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(resources.Path, "write_bytes", full)
        cache.put(KEY, b"content")
        problem = cache.problem()
    assert problem is not None
    assert "No space left" in problem
    assert list(tmp_path.iterdir()) == []
    assert cache.problem() is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="folders have no write permission to take away")
def test_a_folder_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    """As another user when this one may write everywhere."""
    Cache(tmp_path).put(KEY, b"content")
    tmp_path.chmod(0o555)
    (tmp_path / KEY).chmod(0o444)
    folder = os.open(tmp_path, os.O_RDONLY)  # the folders above may be closed to that user
    program = f"""
import os, pathlib
from warpviz.gpu.cache import Cache
os.fchdir({folder})
if os.getuid() == 0: os.setuid(65534)
cache = Cache(pathlib.Path("."))
cache.put({KEY!r}, b"changed")
cache.put({key_of("new")!r}, b"new")
print(cache.get({KEY!r}), cache.get({key_of("new")!r}), cache.problem())
"""
    done = _run(program, pass_fds=[folder])
    os.close(folder)
    tmp_path.chmod(0o755)
    assert done.stdout.startswith("b'content' None nothing can be kept in . (Permission denied)"), done.stderr


@pytest.mark.parametrize("place", ["file", "file/inside"])
def test_a_folder_that_cannot_be_made_is_no_trouble(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("no folder")
    cache = Cache(tmp_path / place)
    cache.put(KEY, b"content")
    assert cache.get(KEY) is None
    assert cache.describe().entries == 0
    assert "WARPVIZ_CACHE=FOLDER" in (cache.problem() or "")


def test_the_oldest_used_go_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most_entries=8)
    keys = [key for number in range(99) if not (key := key_of(str(number))).startswith("0")][:9]
    for age, key in enumerate(keys):
        cache.put(key, b"content")
        os.utime(tmp_path / key, (1000 + age, 1000 + age))
    assert cache.get(keys[0]) is not None  # and so it is the one used last
    cache.put(PRUNES, b"newest")
    kept = [key for key in [*keys, PRUNES] if cache.get(key) is not None]
    assert kept == [keys[0], *keys[-4:], PRUNES]  # three quarters of eight


def test_the_bytes_are_bounded_and_an_entry_that_is_too_large_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most_bytes=10_000)
    for number in range(200):
        cache.put(key_of(str(number)), bytes(1000))
    cache.put(PRUNES, b"last")
    assert 0 < cache.describe().size_bytes <= 10_000
    cache.put(KEY, bytes(10_001))
    assert cache.get(KEY) is None


def test_pruning_leaves_other_files_and_removes_what_was_never_finished(tmp_path: Path) -> None:
    unfinished, fresh, foreign = (tmp_path / f".{KEY}.0a1b2c3d", tmp_path / f".{KEY}.ffffffff", tmp_path / "notes.txt")
    for path in (unfinished, fresh, foreign):
        path.write_text("text")
    for path in (unfinished, foreign):
        os.utime(path, (1000, 1000))
    Cache(tmp_path, most_entries=1).put(PRUNES, b"content")
    assert not unfinished.exists()
    assert fresh.exists()
    assert foreign.exists()


def test_contents_are_told(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "not" / "yet")
    assert (cache.describe().entries, cache.describe().size_bytes) == (0, 0)
    cache.put(KEY, bytes(100))
    assert (cache.describe().folder, cache.describe().entries) == (tmp_path / "not" / "yet", 1)
    assert cache.describe().size_bytes == 132
    assert cache.problem() is None
    if os.name != "nt":
        assert stat.S_IMODE((tmp_path / "not" / "yet").stat().st_mode) == 0o700


@pytest.mark.parametrize("said", ["", "off"])
def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("WARPVIZ_CACHE", said)
    cache = default_cache()
    cache.put(KEY, b"content")
    assert cache.get(KEY) is None
    assert cache.describe().folder is None
    assert cache.problem() == "nothing is kept, since WARPVIZ_CACHE switches it off; set WARPVIZ_CACHE=FOLDER"


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPVIZ_CACHE", str(tmp_path / "named"))
    default_cache().put(KEY, b"content")
    assert Cache(tmp_path / "named").get(KEY) == b"content"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the place is the platform's own")
@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"XDG_CACHE_HOME": "/tmp/caches"}, "/tmp/caches/warpviz"),
        ({"HOME": "/tmp/me"}, "/tmp/me/.cache/warpviz"),
        ({}, None),
        ({"HOME": "/dev/null"}, "/dev/null/.cache/warpviz"),
    ],
    ids=["xdg", "home", "none", "closed"],
)
def test_the_place_is_the_platform_s(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], folder: str | None
) -> None:
    for name in ("WARPVIZ_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # a user whom the system does not know
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert default_cache().describe().folder == (folder and Path(folder))
    if folder is None:
        assert default_cache().problem() == "nothing is kept, since there is no home folder; set WARPVIZ_CACHE=FOLDER"


def test_a_process_killed_in_the_middle_leaves_no_half_entry(tmp_path: Path) -> None:
    """Killed again and again, at another moment each time, while it replaces an entry by others of another length."""
    program = f"""
import pathlib
from warpviz.gpu.cache import Cache
cache = Cache(pathlib.Path({str(tmp_path)!r}))
while True:
    for letter in b"abc":
        cache.put({KEY!r}, bytes([letter]) * 100_000 * (letter - 96))
"""
    whole = {bytes([letter]) * 100_000 * (letter - 96) for letter in b"abc"}
    for number in range(4):
        with subprocess.Popen([sys.executable, "-c", program]) as process:
            deadline = time.monotonic() + 20
            while not (tmp_path / KEY).exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            for _ in range(20):
                assert Cache(tmp_path).get(KEY) in whole
            time.sleep(0.003 * number)
            process.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
        assert Cache(tmp_path).get(KEY) in whole
        (tmp_path / KEY).unlink()


def test_processes_share_a_folder(tmp_path: Path) -> None:
    """Four that put, get and prune the same keys at once: nothing is raised and nothing wrong is read."""
    program = f"""
import pathlib
from warpviz.gpu.cache import Cache, key_of
cache = Cache(pathlib.Path({str(tmp_path)!r}), most_entries=20)
for turn in range(10):
    for number in range(60):
        key = key_of(str(number))
        assert cache.get(key) in (None, str(number).encode() * 100)
        cache.put(key, str(number).encode() * 100)
cache.put({PRUNES!r}, b"last")
"""
    processes = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    assert 0 < Cache(tmp_path).describe().entries <= 20


def _run(program: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, **options)
