"""The disassembler is found where it usually lies; one that fails, hangs or prints rubbish comes to one sentence."""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.gpu.samples import stride
from warpviz.gpu import Unavailable, toolkit
from warpviz.gpu.code import disassembler
from warpviz.gpu.code.disassembler import Disassembler, find_disassembler, kept_listing
from warpviz.gpu.code.machine_code import Resources, code_in
from warpviz.gpu.toolkit import find_program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")

RESOURCES = Resources(32, 0, 0)
VERSION = 'if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.85"; exit; fi\n'


def put(folder: Path, script: str = "", name: str = "nvdisasm") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text("#!/bin/sh\nPATH=/usr/bin:/bin\n" + script)
    program.chmod(0o755)
    return str(program)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a toolkit, and without packages; its root folder."""
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setattr(toolkit, "_INSTALLED", tmp_path / "local")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages")])
    return tmp_path


def told(script: str, bare: Path) -> str:
    """The sentence for what a listing by this nvdisasm comes to."""
    put(bare / "path", script)
    found = find_disassembler()
    listing = found if isinstance(found, Unavailable) else found.listing(b"\x7fELF")
    read = code_in(listing, "timed", stride(4), RESOURCES, "nvdisasm 13.0") if isinstance(listing, str) else listing
    assert isinstance(read, Unavailable)
    assert "\n" not in read.reason
    return read.reason


def test_a_missing_one_is_named_with_the_mend(bare: Path) -> None:
    assert find_disassembler() == Unavailable(
        "nvdisasm is not found: install the CUDA toolkit, or pip install nvidia-cuda-nvdisasm"
    )


def test_the_first_place_wins(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_HOME", str(bare / "home"))
    monkeypatch.setenv("CUDA_PATH", str(bare / "named"))
    last_to_first = [
        "packages/nvidia/cu13/bin",
        "local/cuda-9.2/bin",
        "local/cuda-13.0/bin",
        "local/cuda/bin",
        "named/bin",
        "home/bin",
        "path",
    ]
    for place in last_to_first:
        program = put(bare / place)
        assert find_program("nvdisasm", ["nvidia/*/bin"]) == program


@pytest.mark.parametrize("package", ["nvidia/cu13/bin", "nvidia/cuda_nvcc/bin", "triton/backends/nvidia/bin"])
def test_packages_bring_it_too(package: str, bare: Path) -> None:
    program = put(bare / "packages" / package, VERSION)
    assert find_disassembler() == Disassembler(program, "nvdisasm 13.0")


def test_any_program_of_the_toolkit_is_found_and_only_if_it_can_be_executed(bare: Path) -> None:
    program = Path(put(bare / "local/cuda-12.8/bin", name="ncu"))
    assert find_program("ncu") == str(program)
    program.chmod(0o644)
    assert find_program("ncu") is None


def test_without_a_version_it_has_its_name(bare: Path) -> None:
    program = put(bare / "path", "echo hello\n")
    assert find_disassembler() == Disassembler(program, "nvdisasm")


def test_one_that_fails_is_quoted(bare: Path) -> None:
    sentence = told(VERSION + 'echo >&2; echo "nvdisasm fatal : unsupported architecture\a" >&2; exit 1\n', bare)
    assert sentence.endswith("nvdisasm fails: nvdisasm fatal : unsupported architecture")


def test_one_that_fails_without_a_word_is_told_by_its_exit_code(bare: Path) -> None:
    assert told(VERSION + "exit 7\n", bare).endswith("nvdisasm fails: with exit code 7")
    assert told(VERSION + "kill -9 $$\n", bare).endswith("nvdisasm fails: by signal 9")


def test_one_that_does_not_even_tell_its_version_is_not_used(bare: Path) -> None:
    assert told("echo broken >&2; exit 1\n", bare).endswith("nvdisasm fails: broken")


def test_one_that_is_no_program_does_not_start(bare: Path) -> None:
    program = Path(put(bare / "path"))
    program.write_bytes(b"\x00\x01\x02")
    answer = find_disassembler()
    assert answer == Unavailable(f"{program} does not start: Exec format error")


@pytest.mark.parametrize("hang", ["exec sleep 600\n", "(sleep 1; echo > late) & wait\n"], ids=["itself", "a child"])
def test_one_that_hangs_is_stopped_with_all_that_it_started(
    hang: str, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disassembler, "_SECONDS", 0.3)
    monkeypatch.chdir(bare)
    begin = time.monotonic()
    assert told(VERSION + hang, bare).endswith("nvdisasm was not done within 0.3 s and was stopped")
    time.sleep(max(0.0, begin + 1.5 - time.monotonic()))
    assert not (bare / "late").exists()
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("rubbish", ["", "echo rubbish\n", "head -c 100000 /dev/urandom\n"])
def test_one_that_prints_rubbish_lists_no_kernel(rubbish: str, bare: Path) -> None:
    assert told(VERSION + rubbish, bare) == "nvdisasm 13.0 lists no machine code of the kernel timed"


def test_without_room_for_a_file_it_is_said(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryDirectory", _no_room)
    assert told(VERSION, bare).startswith("the machine code cannot be put into a file to disassemble it: ")


def _no_room(prefix: str) -> None:
    raise OSError(28, "No space left on device")


def test_the_real_one_refuses_what_is_no_machine_code() -> None:
    found = find_disassembler()
    if isinstance(found, Unavailable):
        pytest.skip(found.reason)
    answer = found.listing(b"no machine code")
    assert isinstance(answer, Unavailable)
    assert "nvdisasm fails: " in answer.reason


@dataclass(frozen=True)
class _Listing(Disassembler):
    """Lists how often it was asked."""

    asked: list[bool] = field(default_factory=list)

    def listing(self, cubin: bytes, *, with_lines: bool = False) -> str | Unavailable:
        self.asked.append(with_lines)
        return f"{cubin!r} {len(self.asked)}" if cubin else Unavailable("it is empty")


def test_what_was_disassembled_once_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPVIZ_CACHE", str(tmp_path / "cache"))
    one = _Listing("", "nvdisasm 13.0")
    with_lines = kept_listing(one, b"x", with_lines=True)
    assert kept_listing(one, b"x") != with_lines
    assert kept_listing(one, b"x", with_lines=True) == with_lines
    assert one.asked == [True, False]
    for _ in range(2):
        assert kept_listing(one, b"") == Unavailable("it is empty")
    assert len(one.asked) == 4
    assert kept_listing(_Listing("", "nvdisasm 13.1"), b"x") == "b'x' 1"
