"""Stand-ins for Nsight Compute, as executables on the PATH."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def _put_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> str:
    ncu = folder / "ncu"
    ncu.write_text("#!/bin/sh\n" + script)
    ncu.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return str(ncu)


@pytest.fixture
def fake_ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """One that writes an error into its log file and counts nothing."""
    find_log = 'while [ "$1" != --log-file ]; do shift; done\n'
    return _put_on_path(tmp_path, monkeypatch, find_log + 'echo "==ERROR== no kernel was profiled" > "$2"\n')


@pytest.fixture
def hanging_ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """One that never ends."""
    return _put_on_path(tmp_path, monkeypatch, "exec sleep 600\n")
