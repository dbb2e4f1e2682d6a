"""Stand-ins for Nsight Compute, as executables on the PATH."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Complaining = Callable[..., str]

ROOT = Path(__file__).resolve().parent.parent.parent
FIND_LOG = 'while [ "$1" != --log-file ]; do shift; done\n'


def _put_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> str:
    ncu = folder / "ncu"
    ncu.write_text(script)
    ncu.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return str(ncu)


@pytest.fixture
def complaining_ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Complaining:
    """Makes one that writes a text into its log file, prints another, and counts nothing."""

    def make(text: str = "", printed: str = "", code: int = 1) -> str:
        (tmp_path / "log").write_text(text)
        (tmp_path / "printed").write_text(printed)
        say = f'cat "{tmp_path}/log" > "$2"\ncat "{tmp_path}/printed"\nexit {code}\n'
        return _put_on_path(tmp_path, monkeypatch, f"#!/bin/sh\n{FIND_LOG}{say}")

    return make


@pytest.fixture
def fake_ncu(complaining_ncu: Complaining) -> str:
    """One that writes an error into its log file and counts nothing."""
    return complaining_ncu("==ERROR== no kernel was profiled")


@pytest.fixture
def hanging_ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """One that never ends."""
    return _put_on_path(tmp_path, monkeypatch, "#!/bin/sh\nexec sleep 600\n")


@pytest.fixture
def killed_ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """One that is killed while it runs."""
    return _put_on_path(tmp_path, monkeypatch, "#!/bin/sh\nkill -9 $$\n")


@pytest.fixture
def counting_ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """One that counts what the model predicts: see fake_ncu.py."""
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom tests.gpu.fake_ncu import main\nmain()\n"
    return _put_on_path(tmp_path, monkeypatch, f"#!{sys.executable}\n{script}")
