"""`warpviz doctor` on GPUs, compilers and tools of all kinds."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.cli.checks import by_name
from tests.gpu.samples import counts, measurement, slope
from warpviz.cli.doctor import tools
from warpviz.cli.doctor.check import Check, missing
from warpviz.cli.doctor.gpus import gpu_checks
from warpviz.gpu import Conditions, GpuError, Unavailable, gpu_present
from warpviz.gpu.machine.inventory import CompilerView, CudaGpu, CudaView, NvmlGpu, NvmlView
from warpviz.gpu.machine.listing import ListedGpu

UUIDS = [f"{digit * 8}-{digit * 4}-{digit * 4}-{digit * 4}-{digit * 12}" for digit in "12"]


class Examined:
    """What the libraries of a GPU were asked."""

    def __init__(self, cuda: Any, nvml: Any, compiler: Any = None) -> None:
        self.cuda, self.nvml = cuda, nvml
        self.found = compiler or CompilerView("13.0", ("sm_75", "sm_90"), None, ())
        self.archs: Sequence[str] = ()

    def compiler(self, archs: Sequence[str]) -> Any:
        self.archs = archs
        return self.found


def cuda(*uuids: str, arch: str = "sm_90") -> CudaView:
    return CudaView("13.0", tuple(CudaGpu("NVIDIA H200", arch, uuid, "default", 150 << 30) for uuid in uuids))


def nvml_gpu(index: int, *, slices: tuple[str, ...] | None = None, **changes: Any) -> NvmlGpu:
    listed = ListedGpu(index, "NVIDIA H200", f"GPU-{UUIDS[index]}", slices)
    values: dict[str, Any] = {
        "listed": listed,
        "arch": "sm_90",
        "compute_mode": "default",
        "free_bytes": 139 << 30,
        "total_bytes": 140 << 30,
        "processes": 0,
        "conditions": Conditions(345, 3201, 30, 75.0, (), None),
    }
    return NvmlGpu(**values | changes)


def nvml(*gpus: NvmlGpu, count: int | None = None) -> NvmlView:
    return NvmlView("580.1", len(gpus) if count is None else count, gpus)


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine with a driver, on which CUDA_VISIBLE_DEVICES is not set."""
    for module in ("gpus", "tools"):
        monkeypatch.setattr(f"warpviz.cli.doctor.{module}.gpu_present", lambda: True)
    monkeypatch.setattr("warpviz.cli.doctor.gpus.module_version", lambda: "580.1")
    monkeypatch.setattr("warpviz.cli.doctor.gpus.why_closed", lambda: None)
    monkeypatch.setattr("warpviz.cli.doctor.gpus.device_nodes", lambda: ["/dev/nvidiactl", "/dev/nvidia0"])
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return monkeypatch


def seen(cuda: Any, nvml: Any) -> dict[str, Check]:
    return by_name(gpu_checks(Examined(cuda, nvml), lambda stage: nullcontext()))  # type: ignore[arg-type]


@pytest.mark.usefixtures("driver")
def test_a_gpu_with_which_all_is_well() -> None:
    found = seen(cuda(UUIDS[0]), nvml(nvml_gpu(0)))
    assert {check.status for check in found.values()} == {"ok"}
    assert found["driver"].value == "580.1"
    assert found["device files"].value == "nvidiactl, nvidia0 can be opened"
    assert found["CUDA"].value == "13.0, shows 1 GPU"
    assert found["GPU 0"].value == f"NVIDIA H200, sm_90, GPU-{UUIDS[0]}"
    assert found["GPU 0 memory"].value == "139.0 of 140.0 GiB free"
    assert found["GPU 0 use"].value == "compute mode default, no process"
    assert found["GPU 0 rules"].value == "measured on sm_90"


@pytest.mark.usefixtures("driver")
@pytest.mark.parametrize(
    ("changes", "name", "status", "said"),
    [
        ({"processes": 2}, "GPU 0 use", "degraded", "2 processes"),
        ({"compute_mode": "prohibited"}, "GPU 0 use", "missing", "prohibited"),
        ({"compute_mode": "exclusive process"}, "GPU 0 use", "ok", "exclusive"),
        ({"compute_mode": "exclusive process", "processes": 1}, "GPU 0 use", "missing", "1 process"),
        ({"free_bytes": 5 << 20}, "GPU 0 memory", "degraded", "0.0 of 140.0 GiB"),
        ({"free_bytes": None}, "GPU 0 memory", "ok", "not told"),
        ({"conditions": Conditions(900, None, 90, None, ("power cap",), None)}, "GPU 0 state", "degraded", "power cap"),
        ({"slices": ("MIG-1",)}, "GPU 0 MIG slice", "ok", "--device MIG-1"),
    ],
)
def test_how_a_gpu_stands(changes: dict[str, Any], name: str, status: str, said: str) -> None:
    check = seen(cuda(UUIDS[0]), nvml(nvml_gpu(0, **changes)))[name]
    assert check.status == status
    assert said in check.value


@pytest.mark.usefixtures("driver")
def test_rules_that_are_assumed() -> None:
    check = seen(cuda(UUIDS[0], arch="sm_89"), nvml(nvml_gpu(0)))["GPU 0 rules"]
    assert check.status == "degraded"
    assert "sm_89 is assumed" in check.value


def test_a_gpu_that_is_hidden_is_said_and_not_described(driver: pytest.MonkeyPatch) -> None:
    driver.setenv("CUDA_VISIBLE_DEVICES", "1")
    found = seen(cuda(UUIDS[1]), nvml(nvml_gpu(0), nvml_gpu(1)))
    assert found["visible GPUs"].value == "CUDA_VISIBLE_DEVICES=1 hides GPU 0"
    assert "GPU 0" not in found
    assert found["GPU 1"].status == "ok"


def test_all_gpus_hidden(driver: pytest.MonkeyPatch) -> None:
    driver.setenv("CUDA_VISIBLE_DEVICES", "")
    found = seen(Unavailable("CUDA shows none"), nvml(nvml_gpu(0)))
    assert found["CUDA"].status == found["visible GPUs"].status == "missing"
    assert found["visible GPUs"].mend == "unset CUDA_VISIBLE_DEVICES"


@pytest.mark.usefixtures("driver")
def test_one_library_that_fails_leaves_the_other() -> None:
    without_nvml = seen(cuda(*UUIDS), Unavailable("NVML gives no answer within 20 s"))
    assert without_nvml["NVML"].status == "degraded"
    assert [name for name in without_nvml if name in ("GPU 0", "GPU 1")] == ["GPU 0", "GPU 1"]
    without_cuda = seen(Unavailable("it does not start"), nvml(nvml_gpu(0)))
    assert without_cuda["CUDA"] == missing("CUDA", "it does not start", without_cuda["CUDA"].mend)
    assert without_cuda["GPU 0"].status == "ok"
    assert seen(cuda(UUIDS[0]), nvml(nvml_gpu(0), count=2))["NVML"].status == "degraded"


def test_a_closed_device_file(driver: pytest.MonkeyPatch) -> None:
    driver.setattr("warpviz.cli.doctor.gpus.why_closed", lambda: "this user may not open /dev/nvidia0")
    assert seen(Unavailable("none"), Unavailable("none"))["device files"].status == "missing"


@pytest.mark.skipif(gpu_present(), reason="there is a driver here")
def test_without_a_driver_nothing_more_is_asked() -> None:
    assert list(seen(None, None)) == ["driver"]


class FakeProbe:
    """Measures and counts what a test says."""

    measures: Any = measurement(wavefronts=slope(1))
    counts: Any = counts(wavefronts=1.0)

    def __init__(self, device: str | None = None) -> None:
        pass

    def __enter__(self) -> FakeProbe:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def measure(self, request: object, timeout_s: float) -> Any:
        return given(self.measures)

    def count(self, patterns: Sequence[object], timeout_s: float) -> list[Any]:
        return [given(self.counts)]


def given(value: Any) -> Any:
    if isinstance(value, Exception):
        raise value
    return value


@pytest.fixture
def equipped(driver: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """A machine with a GPU and an ncu."""
    driver.setattr(tools, "Probe", FakeProbe)
    driver.setattr(tools, "find_ncu", lambda: "/opt/ncu")
    driver.setattr(tools, "tool_name", lambda path: "Nsight Compute 2025.3.1.0")
    (tmp_path / "params").write_text("ModifyDeviceFiles: 1\nRmProfilingAdminOnly: 1\n")
    driver.setattr(tools, "_PARAMETERS", tmp_path / "params")
    return driver


def tried(examined: Examined | None = None) -> dict[str, Check]:
    examined = examined or Examined(cuda(UUIDS[0]), nvml(nvml_gpu(0)))
    return by_name(tools.tool_checks(examined, lambda stage: nullcontext(), None))  # type: ignore[arg-type]


@pytest.mark.usefixtures("equipped")
def test_tools_that_work() -> None:
    found = tried()
    assert found["NVRTC"].value == "13.0, knows sm_75 to sm_90"
    assert found["code for sm_90"].status == "ok"
    assert found["measuring"].value.startswith("s[lane] takes ")
    assert found["ncu"].value == "Nsight Compute 2025.3.1.0, /opt/ncu"
    assert found["counters"].status == "ok"
    assert found["counters"].value.endswith("RmProfilingAdminOnly is 1")


@pytest.mark.usefixtures("equipped")
@pytest.mark.parametrize(
    ("compiler", "name", "said"),
    [
        (Unavailable("NVRTC is not there"), "NVRTC", "not there"),
        (CompilerView("13.0", ("sm_75",), "the driver runs CUDA 12.4", ()), "NVRTC", "12.4"),
        (CompilerView("13.0", ("sm_75",), None, (("sm_90", "does not compile"),)), "code for sm_90", "not compile"),
    ],
)
def test_a_compiler_that_does_not_do(compiler: Any, name: str, said: str) -> None:
    check = tried(Examined(cuda(UUIDS[0]), nvml(nvml_gpu(0)), compiler))[name]
    assert check.status == "missing"
    assert said in check.value


@pytest.mark.usefixtures("equipped")
def test_it_is_compiled_for_every_architecture_here() -> None:
    for cuda_view, archs in [(cuda(*UUIDS, arch="sm_80"), ["sm_80"]), (Unavailable("none"), ["sm_90"])]:
        examined = Examined(cuda_view, Unavailable("none"))
        tried(examined)
        assert examined.archs == archs


@pytest.mark.parametrize(
    ("measures", "status", "said"),
    [
        (GpuError("timed_out", "the GPU gave no answer"), "missing", "gave no answer"),
        (measurement(wavefronts=slope(3)), "degraded", "3 wavefronts"),
        (measurement(wavefronts=slope(None, "they scatter")), "degraded", "no whole number"),
    ],
)
def test_a_measurement_that_goes_wrong(equipped: pytest.MonkeyPatch, measures: Any, status: str, said: str) -> None:
    equipped.setattr(FakeProbe, "measures", measures)
    check = tried()["measuring"]
    assert check.status == status
    assert said in check.value


@pytest.mark.parametrize("answer", [Unavailable("not permitted"), GpuError("timed_out", "not permitted")])
def test_counters_that_are_locked(equipped: pytest.MonkeyPatch, answer: Any) -> None:
    equipped.setattr(FakeProbe, "counts", answer)
    check = tried()["counters"]
    assert (check.status, check.value) == ("missing", "not permitted; RmProfilingAdminOnly is 1")


def test_tools_that_are_missing(equipped: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise GpuError("no_counters", "ncu is not found")

    equipped.setattr(tools, "find_ncu", none)
    equipped.setattr(tools, "find_disassembler", lambda: Unavailable("nvdisasm is not found"))
    found = tried()
    assert found["ncu"].status == found["disassembler"].status == "missing"
    assert "counters" not in found
