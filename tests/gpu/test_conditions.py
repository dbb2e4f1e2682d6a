"""What NVML tells of a GPU, with a stand-in for NVML that can refuse any question."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from warpviz.gpu import Conditions, Unavailable
from warpviz.gpu import conditions as module
from warpviz.gpu.conditions import ConditionsReader, reasons_in_words
from warpviz.gpu.verdict.figures import conditions_in_words

UUID = "GPU-6c1f2a5e-0d9b-4f5c-8d0f-000000000001"
SLICE = "MIG-6c1f2a5e-0d9b-4f5c-8d0f-000000000002"


class NVMLError(Exception):
    pass


class FakeNvml:
    """As pynvml, with one GPU and one slice of it.

    refused: the question it does not answer. missing: those that it does not even know. pids: of the processes.
    """

    NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_TEMPERATURE_GPU = 1, 2, 0
    NVMLError = NVMLError

    def __init__(
        self, refused: tuple[str, Any] | None = None, missing: tuple[str, ...] = (), pids: tuple[int, ...] = (1, 2)
    ) -> None:
        self.refused, self.missing = refused, missing
        self.pids = (os.getpid(), *pids)
        self.reasons = 0x1
        self.asked: list[tuple[str, Any]] = []

    def __getattr__(self, function: str) -> Callable[..., Any]:
        if not function.startswith("nvmlDevice") or function in self.missing:
            raise AttributeError(function)
        return lambda *arguments: self._answer(function, *arguments)

    def _answer(self, function: str, *arguments: Any) -> Any:
        about = arguments[-1] if len(arguments) > 1 else None
        self.asked.append((function, arguments[0]))
        if self.refused == (function, about):
            raise NVMLError("Not Supported")
        match function, about:
            case "nvmlDeviceGetHandleByUUID", None:
                assert isinstance(arguments[0], bytes)  # what every version of pynvml takes
                return {UUID.encode(): "whole", SLICE.encode(): "slice"}[arguments[0]]
            case "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", None:
                return {"slice": "whole"}[arguments[0]]
            case "nvmlDeviceGetComputeRunningProcesses", None:
                return [SimpleNamespace(pid=pid) for pid in self.pids]
        assert arguments[0] == "whole"  # a slice has none of the following
        return {
            ("nvmlDeviceGetClockInfo", self.NVML_CLOCK_SM): 1980,
            ("nvmlDeviceGetClockInfo", self.NVML_CLOCK_MEM): 3201,
            ("nvmlDeviceGetTemperature", self.NVML_TEMPERATURE_GPU): 41,
            ("nvmlDeviceGetPowerUsage", None): 118_400,
            ("nvmlDeviceGetCurrentClocksEventReasons", None): self.reasons,
            ("nvmlDeviceGetCurrentClocksThrottleReasons", None): self.reasons,
        }[function, about]


def told_by(nvml: Any, uuid: str = UUID) -> Conditions | Unavailable:
    return ConditionsReader(lambda: nvml).read(uuid)


FULL = Conditions(1980, 3201, 41, 118.4, (), 2)
REFUSALS = {
    "sm_mhz": ("nvmlDeviceGetClockInfo", 1),
    "memory_mhz": ("nvmlDeviceGetClockInfo", 2),
    "temperature_celsius": ("nvmlDeviceGetTemperature", 0),
    "power_watts": ("nvmlDeviceGetPowerUsage", None),
    "other_processes": ("nvmlDeviceGetComputeRunningProcesses", None),
}


def test_everything_is_told_and_the_sm_clock_is_asked_first() -> None:
    nvml = FakeNvml()
    assert told_by(nvml) == FULL
    assert [question for question, _ in nvml.asked][:2] == ["nvmlDeviceGetHandleByUUID", "nvmlDeviceGetClockInfo"]


@pytest.mark.parametrize("field", REFUSALS)
def test_what_nvml_refuses_is_none_and_the_rest_is_told(field: str) -> None:
    told = told_by(FakeNvml(REFUSALS[field]))
    assert isinstance(told, Conditions)
    assert told.__dict__ == FULL.__dict__ | {field: None}


def test_a_question_that_nvml_does_not_know_is_a_refusal() -> None:
    told = told_by(FakeNvml(missing=("nvmlDeviceGetPowerUsage",)))
    assert isinstance(told, Conditions)
    assert (told.power_watts, told.sm_mhz) == (None, 1980)


def test_the_older_name_of_the_reasons_is_asked_where_there_is_no_newer_one() -> None:
    names = "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"
    for missing, throttled in ((names[:1], ("power cap",)), (names, None)):
        nvml = FakeNvml(missing=missing)
        nvml.reasons = 0x4
        told = told_by(nvml)
        assert isinstance(told, Conditions)
        assert told.throttled == throttled


def test_a_slice_has_the_clocks_of_its_gpu_and_its_own_processes() -> None:
    nvml = FakeNvml()
    assert told_by(nvml, SLICE) == FULL
    assert ("nvmlDeviceGetComputeRunningProcesses", "slice") in nvml.asked


@pytest.mark.parametrize(("pids", "others"), [((), 0), ((7,), 1), ((7, 7), 1)])
def test_this_process_is_no_other_one(pids: tuple[int, ...], others: int) -> None:
    told = told_by(FakeNvml(pids=pids))
    assert isinstance(told, Conditions)
    assert told.other_processes == others


def test_where_processes_are_numbered_otherwise_nobody_knows_how_many_others_there_are() -> None:
    nvml = FakeNvml()
    nvml.pids = (0,)
    told = told_by(nvml)
    assert isinstance(told, Conditions)
    assert told.other_processes is None


@pytest.mark.parametrize("function", ["nvmlDeviceGetHandleByUUID", "nvmlDeviceGetDeviceHandleFromMigDeviceHandle"])
def test_a_gpu_that_nvml_does_not_find_is_named(function: str) -> None:
    told = told_by(FakeNvml((function, None)), SLICE)
    assert told == Unavailable(f"NVML does not find the GPU {SLICE}: Not Supported")


def test_every_reason_has_its_words_and_idling_is_none() -> None:
    words = reasons_in_words(0xFFF)
    assert len(words) == len(set(words)) == 11
    assert words[:2] == ("application clocks", "power cap")
    assert "0x800" in words[-1]
    assert reasons_in_words(0) == reasons_in_words(1) == ()


def test_the_package_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", None)
    told = ConditionsReader().read(UUID)
    assert isinstance(told, Unavailable)
    assert told.reason.endswith("is not installed: pip install nvidia-ml-py")


def test_nvml_may_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise NVMLError("Driver Not Loaded")

    monkeypatch.setitem(sys.modules, "pynvml", SimpleNamespace(nvmlInit=refuse, NVMLError=NVMLError))
    reader = ConditionsReader()
    reader.begin(UUID)
    assert reader.read(UUID) == Unavailable("NVML, which tells the clocks, does not start: Driver Not Loaded")


def test_a_reading_serves_until_it_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"seconds": 100.0}
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock["seconds"]))
    nvml = FakeNvml()
    reader = ConditionsReader(lambda: nvml)

    def readings() -> int:
        assert reader.read(UUID) == FULL
        return sum(function == "nvmlDeviceGetPowerUsage" for function, _ in nvml.asked)

    for clock["seconds"], made in ((100.0, 1), (100.4, 1), (100.6, 2), (101.2, 3)):
        assert readings() == made
    reader.begin(UUID)
    assert readings() == 4


def test_nvml_that_hangs_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr(module, "_FRESH_SECONDS", 0.01)
    hung, started = threading.Event(), []

    def load() -> FakeNvml:
        started.append(1)
        hung.wait(30)
        return FakeNvml()

    reader = ConditionsReader(load)
    silent = Unavailable("NVML, which tells the clocks, gives no answer")
    assert reader.read(UUID) == silent
    begin = time.monotonic()
    assert [reader.read(UUID) for _ in range(50)] == [silent] * 50
    assert time.monotonic() - begin < 50 * 0.05  # the patience of all of them
    assert started == [1]
    hung.set()
    while reader.read(UUID) == silent:
        time.sleep(0.01)
    assert reader.read(UUID) == FULL


def test_conditions_that_nobody_tells_are_said_to_be_unknown() -> None:
    assert conditions_in_words(Conditions(None, None, None, None, None, None)) == "NVML tells nothing about it"
    assert conditions_in_words(Conditions(None, None, 41, None, None, 3)) == "41 °C, 3 other processes compute on it"
