"""The fake CUDA driver, built by the C compiler of this machine, and what a device over it comes to."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

_HERE = Path(__file__).parent
FAKE_NVML = _HERE / "fake_nvml"

# Opens the device anew for each environment, and measures with it.
_TRY = """
import json, os, sys
from tests.gpu.samples import request, stride
from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.measure import measure
for changes in json.load(sys.stdin):
    os.environ.update(changes)
    device = None
    try:
        device = Device()
        measure(device, request(stride(4)), None, lambda stage: None)
    except GpuError as error:
        print(json.dumps([error.kind, error.sentence, device and device.uuid, device and device.name]), flush=True)
    for name in changes:
        del os.environ[name]
"""


@dataclass(frozen=True)
class Outcome:
    """The error that a measurement came to, and the device, where there was one."""

    kind: str
    sentence: str
    uuid: str | None
    name: str | None


def build(folder: Path) -> Path:
    """Gives the folder that has the driver; skips the test where nothing compiles it."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler makes the fake driver here")
    source, library = _HERE / "fake_driver.c", folder / "libcuda.so.1"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return folder


def environment(folder: Path, *, nvml: bool = True) -> dict[str, str]:
    """What makes a process use the fake driver, and the fake NVML too."""
    return {"LD_LIBRARY_PATH": str(folder)} | ({"PYTHONPATH": str(FAKE_NVML)} if nvml else {})


def load_fake_nvml() -> ModuleType:
    """The fake NVML, for this process."""
    spec = importlib.util.spec_from_file_location("pynvml", FAKE_NVML / "pynvml.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcomes(folder: Path, environments: Sequence[Mapping[str, str]], *, nvml: bool = True) -> list[Outcome]:
    """What a measurement comes to in each of these environments, all in one process."""
    path = os.pathsep.join([*([str(FAKE_NVML)] if nvml else []), str(_HERE.parent.parent)])
    done = subprocess.run(
        [sys.executable, "-c", _TRY],
        input=json.dumps(environments),
        env={**os.environ, **environment(folder), "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return [Outcome(*json.loads(line)) for line in done.stdout.splitlines()]
