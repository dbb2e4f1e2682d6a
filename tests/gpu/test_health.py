"""What CUDA, NVML and NVRTC say of a machine, each asked in a process of its own.

Libraries that answer, refuse, hang and crash are Python modules of their names, in front of the real ones.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from warpviz.gpu import Conditions, Unavailable, gpu_present
from warpviz.gpu.machine.health import Examination
from warpviz.gpu.machine.inventory import CompilerView, CudaGpu, CudaView, NvmlView
from warpviz.gpu.machine.listing import ListedGpu

FIRST, SECOND, SLICE = (f"{digit * 8}-{digit * 4}-{digit * 4}-{digit * 4}-{digit * 12}" for digit in "123")

# Two GPUs, of which the second is cut into one slice. FAKE_NVML: what goes wrong.
PYNVML = f"""
import os, sys, time
from types import SimpleNamespace as Answer
wrong = os.environ.get("FAKE_NVML", "")
if wrong == "absent": raise ImportError("No module named 'pynvml'")
class NVMLError(Exception): pass
NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_TEMPERATURE_GPU = 1, 2, 0
GPUS = {{"GPU-{FIRST}": 0, "GPU-{SECOND}": 1}}
def nvmlInit():
    if wrong == "hangs": time.sleep(600)
    if wrong == "crashes": os.abort()
    if wrong == "fails": raise NVMLError("Driver/library version mismatch")
    if wrong == "chatters": print("{{not JSON", flush=True); print("NVML says hello", flush=True)
def nvmlShutdown(): pass
def nvmlSystemGetDriverVersion(): return "580.1"
def nvmlDeviceGetCount(): return 2
def nvmlDeviceGetHandleByIndex(index):
    if wrong == "lost" and index == 1: raise NVMLError("GPU is lost")
    return index
def nvmlDeviceGetHandleByUUID(uuid): return GPUS[uuid.decode()]
def nvmlDeviceGetName(gpu): return "NVIDIA H200"
def nvmlDeviceGetUUID(gpu): return "MIG-{SLICE}" if gpu == "slice" else list(GPUS)[gpu]
def nvmlDeviceGetMigMode(gpu):
    if gpu == 0: raise NVMLError("Not Supported")
    return [1, 1]
def nvmlDeviceGetMaxMigDeviceCount(gpu): return 7
def nvmlDeviceGetMigDeviceHandleByIndex(gpu, index):
    if index: raise NVMLError("Not Found")
    return "slice"
def refusing(answer):
    def ask(*_):
        if wrong == "refuses": raise NVMLError("Not Supported")
        return answer
    return ask
nvmlDeviceGetMemoryInfo = refusing(Answer(total=1000, free=600))
nvmlDeviceGetComputeRunningProcesses = refusing([Answer(pid=1)])
nvmlDeviceGetComputeMode = refusing(3)
nvmlDeviceGetCudaComputeCapability = refusing((9, 0))
nvmlDeviceGetClockInfo = refusing(1980)
nvmlDeviceGetTemperature = refusing(41)
nvmlDeviceGetPowerUsage = refusing(118000)
nvmlDeviceGetCurrentClocksEventReasons = refusing(4)
"""

# One GPU and the slice. FAKE_CUDA: what goes wrong.
CUDA_DRIVER = f"""
import enum, os, time, uuid
wrong = os.environ.get("FAKE_CUDA", "")
class CUresult(enum.IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803
class CUdevice_attribute(enum.IntEnum):
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20
ATTRIBUTES = {{75: 9, 76: 0, 20: 0}}
class Uuid:
    def __init__(self, text): self.bytes = uuid.UUID(text).bytes
OK = CUresult.CUDA_SUCCESS
def cuInit(flags):
    if wrong == "hangs": time.sleep(600)
    return (CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH if wrong == "fails" else OK,)
def cuDriverGetVersion():
    if wrong == "absent": raise RuntimeError("Failed to dlopen libcuda.so.1")
    return OK, 12040
def cuGetErrorString(status): return OK, b"system has unsupported display driver / cuda driver combination"
def cuDeviceGetCount(): return OK, 2
def cuDeviceGet(number): return OK, number
def cuDeviceGetName(size, gpu): return OK, b"NVIDIA H200" + bytes(size - 11)
def cuDeviceGetUuid(gpu): return OK, Uuid(["{FIRST}", "{SLICE}"][gpu])
def cuDeviceGetAttribute(attribute, gpu): return OK, ATTRIBUTES[attribute]
def cuDeviceTotalMem(gpu): return OK, 1000
"""


@pytest.fixture
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with the stand-ins; of the package cuda there is the driver alone, so that NVRTC is missing."""
    bindings = tmp_path / "cuda" / "bindings"
    bindings.mkdir(parents=True)
    for folder in (bindings, bindings.parent):
        (folder / "__init__.py").write_text("")
    (bindings / "driver.py").write_text(CUDA_DRIVER)
    (tmp_path / "pynvml.py").write_text(PYNVML)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


@pytest.fixture
def examination(libraries: Path) -> Iterator[Examination]:
    with Examination() as examination:
        yield examination


def test_cuda_and_nvml_tell_what_there_is(examination: Examination) -> None:
    one, other = (CudaGpu("NVIDIA H200", "sm_90", uuid, "default", 1000) for uuid in (FIRST, SLICE))
    assert examination.cuda == CudaView("12.4", (one, other))
    nvml = examination.nvml
    assert isinstance(nvml, NvmlView)
    assert (nvml.driver, nvml.count) == ("580.1", 2)
    assert [gpu.listed for gpu in nvml.gpus] == [
        ListedGpu(0, "NVIDIA H200", f"GPU-{FIRST}", None),
        ListedGpu(1, "NVIDIA H200", f"GPU-{SECOND}", (f"MIG-{SLICE}",)),
    ]
    gpu = nvml.gpus[0]
    assert (gpu.arch, gpu.compute_mode, gpu.free_bytes, gpu.total_bytes, gpu.processes) == (
        "sm_90",
        "exclusive process",
        600,
        1000,
        1,
    )
    assert gpu.conditions == Conditions(1980, 1980, 41, 118.0, ("power cap",), None)


def test_cuda_is_asked_without_the_compiler(examination: Examination) -> None:
    """Which of the two is missing is what the user wants to know."""
    assert isinstance(examination.cuda, CudaView)
    compiler = examination.compiler(["sm_90"])
    assert isinstance(compiler, Unavailable)
    assert "NVRTC" in compiler.reason


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("absent", "nvidia-ml-py is not installed"),
        ("fails", "Driver/library version mismatch"),
        ("crashes", "ended by signal 6"),
    ],
)
def test_without_nvml_there_is_a_sentence_and_cuda_answers(
    libraries: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, said: str
) -> None:
    monkeypatch.setenv("FAKE_NVML", wrong)
    with Examination() as examination:
        assert isinstance(examination.nvml, Unavailable)
        assert said in examination.nvml.reason
        assert isinstance(examination.cuda, CudaView)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("absent", "no NVIDIA driver is found"), ("fails", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH")],
)
def test_without_cuda_there_is_a_sentence_and_nvml_answers(
    libraries: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, said: str
) -> None:
    monkeypatch.setenv("FAKE_CUDA", wrong)
    with Examination() as examination:
        assert isinstance(examination.cuda, Unavailable)
        assert said in examination.cuda.reason
        assert isinstance(examination.nvml, NvmlView)


def test_a_library_that_hangs_is_given_up_on_and_leaves_no_process(
    libraries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_CUDA", "hangs")
    with Examination(seconds=3) as examination:
        assert examination.cuda == Unavailable("CUDA gives no answer within 3 s")
        assert isinstance(examination.nvml, NvmlView)
    assert not _children()


def test_what_was_not_waited_for_is_ended(libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML", "hangs")
    begin = time.monotonic()
    with Examination():
        assert _children()
    assert not _children()
    assert time.monotonic() - begin < 10


def test_what_a_library_prints_is_no_answer(libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML", "chatters")
    with Examination() as examination:
        assert isinstance(examination.nvml, NvmlView)


def test_what_nvml_refuses_is_not_there(libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML", "refuses")
    with Examination() as examination:
        assert isinstance(examination.nvml, NvmlView)
        gpu = examination.nvml.gpus[0]
    assert gpu.listed.uuid == f"GPU-{FIRST}"
    assert {gpu.arch, gpu.compute_mode, gpu.free_bytes, gpu.total_bytes, gpu.processes} == {None}
    assert gpu.conditions == Conditions(None, None, None, None, None, None)


def test_a_lost_gpu_is_counted(libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML", "lost")
    with Examination() as examination:
        assert isinstance(examination.nvml, NvmlView)
        assert (examination.nvml.count, len(examination.nvml.gpus)) == (2, 1)


@pytest.mark.skipif(gpu_present(), reason="the driver here tells its own version")
def test_the_compiler_tells_what_it_compiles_for(nvrtc: str) -> None:
    with Examination() as examination:
        compiler = examination.compiler(["sm_90", "sm_20"])
    assert isinstance(compiler, CompilerView)
    assert compiler.version == nvrtc
    assert "sm_90" in compiler.archs
    assert compiler.too_new is None
    assert [arch for arch, _ in compiler.refusals] == ["sm_20"]
    assert "does not compile for sm_20" in compiler.refusals[0][1]


def test_the_compiler_is_too_new_for_an_older_driver(
    nvrtc: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with Examination() as examination:
        examination.__dict__["cuda"] = CudaView("11.8", ())
        compiler = examination.compiler([])
    assert isinstance(compiler, CompilerView)
    assert compiler.too_new is not None
    assert "CUDA 11.8" in compiler.too_new


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no NVIDIA driver")
def test_the_gpu_here_answers_to_all() -> None:
    with Examination() as examination:
        cuda, nvml = examination.cuda, examination.nvml
        assert isinstance(cuda, CudaView)
        assert isinstance(nvml, NvmlView)
        assert cuda.gpus
        uuids = {uuid.partition("-")[2] for gpu in nvml.gpus for uuid in (gpu.listed.uuid, *(gpu.listed.slices or ()))}
        assert {gpu.uuid for gpu in cuda.gpus} <= uuids
        compiler = examination.compiler([gpu.arch for gpu in cuda.gpus])
        assert isinstance(compiler, CompilerView)
        assert (compiler.too_new, compiler.refusals) == (None, ())


def _children() -> list[str]:
    """The processes of this one that run an inventory; a system without /proc shows none."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if b"warpviz.gpu.machine.inventory" in command and parent == str(os.getpid()):
            found.append(folder.name)
    return found
