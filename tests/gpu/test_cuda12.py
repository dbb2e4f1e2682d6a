"""The line with which the README installs for a driver of CUDA 12: it resolves, and what it installs compiles all."""

from __future__ import annotations

import json
import os
import pickle
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.gpu.samples import stride, table_fragment
from warpviz.gpu.kernels import Source, address_kernel, companion_kernel, copy_kernel, counted_kernel, timed_kernel
from warpviz.resources import resource_folder

ROOT = Path(__file__).parents[2]
SOURCES: list[Source] = [
    timed_kernel(stride(4)),
    timed_kernel(stride(16, op="ldmatrix", width=16, matrices=4)),
    timed_kernel(stride(8, space="global", op="red", width=8)),
    timed_kernel(stride(4, space="const")),
    counted_kernel(stride(8, op="atom", width=8)),
    companion_kernel(),
    copy_kernel(),
    address_kernel(table_fragment(stride(4))),
]
COMPILE = """
import json, pickle, sys
import warpviz.cli
from cuda.bindings import driver
from warpviz.gpu.code.compile import compile_cubin, nvrtc_version, too_new_for
sources, functions = pickle.load(sys.stdin.buffer)
cubins = {f"{source.name} {arch}": len(compile_cubin(source, arch)) for source in sources for arch in sys.argv[1:]}
lacking = [name for name in functions if not hasattr(driver, name)]
print(json.dumps([nvrtc_version(), too_new_for((12, 0)), cubins, lacking]))
"""


def _documented() -> list[str]:
    """The arguments of pip, as the README has them."""
    lines = re.findall(r"^\$ \S*pip (install .*'cuda-bindings<13'.*)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(lines) == 1, "the README has one line that installs for a driver of CUDA 12"
    return shlex.split(lines[0])


def _functions() -> set[str]:
    """The functions of the driver that are called, by name."""
    texts = [path.read_text() for path in (ROOT / "warpviz" / "gpu").rglob("*.py")]
    return {name for text in texts for name in re.findall(r'"(cu[A-Z]\w+)"', text)}


def _run(python: Path | str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    environ = os.environ | {"WARPVIZ_CACHE": "off"}
    return subprocess.run([python, *arguments], capture_output=True, env=environ, timeout=600, **options)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the line is for Linux")
def test_the_documented_line_installs_what_compiles_every_kernel(tmp_path: Path) -> None:
    assert {source.name for source in SOURCES} == {path.name for path in resource_folder("kernels").glob("*.cu")}
    assert _run(sys.executable, "-m", "venv", str(tmp_path / "venv")).returncode == 0
    python = tmp_path / "venv" / "bin" / "python"
    download = ("download", "--retries", "0", "--timeout", "10", "--no-deps", "--dest", str(tmp_path), "platformdirs")
    if _run(python, "-m", "pip", *download).returncode != 0:
        pytest.skip("no package index answers")

    installed = _run(python, "-m", "pip", *_documented(), cwd=ROOT)
    assert installed.returncode == 0, installed.stderr.decode()
    archs = ("sm_75", "sm_80", "sm_90")
    compiled = _run(python, "-c", COMPILE, *archs, input=pickle.dumps((SOURCES, _functions())), cwd=tmp_path)
    assert compiled.returncode == 0, compiled.stderr.decode()
    version, too_new, cubins, lacking = json.loads(compiled.stdout)
    assert version.startswith("12.")
    assert too_new is None
    assert len(cubins) == len({source.name for source in SOURCES}) * len(archs)
    assert lacking == []
