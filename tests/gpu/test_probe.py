"""The worker process: started when needed, and whatever happens to it, the next measurement works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gpu.fake_worker import (
    BABBLES,
    EXITS,
    FAILS,
    HANGS,
    KILLED,
    REFUSES,
    SLOW,
    SLOW_SECONDS,
    WELL,
    Fakes,
    act,
    fakes_in,
    is_running,
    wait_until,
)
from tests.gpu.samples import measurement, request, stride
from warpviz.gpu import GpuError, Measurement, Probe, Unavailable, gpu_present

ASKED = request(stride(32), counters="off")


@pytest.fixture
def fakes(tmp_path: Path) -> Iterator[Fakes]:
    with fakes_in(tmp_path) as fakes:
        yield fakes


def test_no_worker_runs_before_the_first_measurement(fakes: Fakes) -> None:
    assert fakes.pids() == []


def test_one_worker_answers_many_requests(fakes: Fakes) -> None:
    stages: list[str] = []
    assert fakes.probe.measure(act(WELL), progress=stages.append) == measurement()
    assert fakes.probe.measure(act(WELL)) == measurement()
    assert stages == ["starting the GPU", "timing"]
    assert len(fakes.pids()) == 1


def test_many_requests_are_answered_in_their_order(fakes: Fakes) -> None:
    stages: list[str] = []
    assert fakes.probe.measure_all([act(WELL)] * 3, progress=stages.append) == [measurement()] * 3
    assert stages == ["starting the GPU", "1 of 3: timing", "2 of 3: timing", "3 of 3: timing"]
    with pytest.raises(GpuError, match="no room"):
        fakes.probe.measure_all([act(WELL), act(REFUSES), act(WELL)])


def test_what_is_refused_does_not_keep_the_others_from_being_measured(fakes: Fakes) -> None:
    first, refused, last = fakes.probe.measure_each([act(WELL), act(REFUSES), act(WELL)])
    assert first == last == measurement()
    assert isinstance(refused, GpuError)
    assert (refused.kind, refused.sentence) == ("refused", "no room")
    with pytest.raises(GpuError, match="lost"):
        fakes.probe.measure_each([act(WELL), act(FAILS)])


@pytest.mark.parametrize(
    ("what", "kind", "words"),
    [
        (HANGS, "timed_out", r"the GPU gave no answer \(timing\): the measurement was stopped after 0\.5 s"),
        (EXITS, "failed", "ended with exit code 3"),
        (KILLED, "failed", "ended by signal 9"),
        (BABBLES, "failed", "no reply"),
        (FAILS, "failed", "lost"),
    ],
)
def test_a_worker_that_fails_is_replaced(fakes: Fakes, what: int, kind: str, words: str) -> None:
    with pytest.raises(GpuError, match=words) as caught:
        fakes.probe.measure(act(what), timeout_s=0.5 if what == HANGS else 8.0)
    assert caught.value.kind == kind
    assert fakes.probe.measure(act(WELL)) == measurement()
    first, second = fakes.pids()
    assert not is_running(first)
    assert is_running(second)


def test_a_refusal_leaves_the_worker_running(fakes: Fakes) -> None:
    with pytest.raises(GpuError, match="no room") as caught:
        fakes.probe.measure(act(REFUSES))
    assert caught.value.kind == "refused"
    fakes.probe.measure(act(WELL))
    assert len(fakes.pids()) == 1


def test_a_worker_killed_between_measurements_is_replaced(fakes: Fakes) -> None:
    fakes.probe.measure(act(WELL))
    os.kill(fakes.pids()[0], signal.SIGKILL)
    assert wait_until(lambda: not is_running(fakes.pids()[0]))
    assert fakes.probe.measure(act(WELL)) == measurement()


def test_another_thread_may_cancel(fakes: Fakes) -> None:
    canceller = threading.Thread(target=lambda: (wait_until(fakes.pids), time.sleep(0.1), fakes.probe.cancel()))
    canceller.start()
    with pytest.raises(GpuError) as caught:
        fakes.probe.measure(act(HANGS), timeout_s=20)
    canceller.join()
    assert caught.value.kind == "cancelled"
    assert fakes.probe.measure(act(WELL)) == measurement()


def test_what_nobody_wants_any_more_may_end_and_the_worker_stays(fakes: Fakes) -> None:
    fakes.probe.measure(act(WELL))
    wanted = threading.Event()
    wanted.set()
    threading.Timer(1.5 * SLOW_SECONDS, wanted.clear).start()
    with pytest.raises(GpuError) as caught:
        fakes.probe.measure_each([act(SLOW)] * 30, wanted=wanted.is_set)
    assert caught.value.kind == "cancelled"
    assert fakes.acts().count(SLOW) == 2
    assert fakes.probe.measure(act(WELL)) == measurement()
    assert len(fakes.pids()) == 1


def test_a_hang_that_nobody_waits_for_any_more_is_ended_soon(fakes: Fakes) -> None:
    fakes.probe.measure(act(WELL))
    begin = time.monotonic()
    with pytest.raises(GpuError) as caught:
        fakes.probe.measure_each([act(HANGS)], wanted=lambda: time.monotonic() < begin + 0.2)
    assert caught.value.kind == "cancelled"
    assert time.monotonic() - begin < 5
    assert fakes.probe.measure(act(WELL)) == measurement()
    assert [is_running(pid) for pid in fakes.pids()] == [False, True]


def test_counting_that_nobody_wants_any_more_may_be_stopped_alone(fakes: Fakes, hanging_ncu: str) -> None:
    wanted = threading.Event()
    wanted.set()

    def supersede() -> None:
        wanted.clear()
        fakes.probe.stop_counting()

    threading.Timer(1.0, supersede).start()
    with pytest.raises(GpuError) as caught:
        fakes.probe.measure_each([request(stride(32), counters="require")], timeout_s=20, wanted=wanted.is_set)
    assert caught.value.kind == "cancelled"
    assert fakes.probe.measure(act(WELL)) == measurement()
    assert len(fakes.pids()) == 1


def test_an_interruption_leaves_no_answer_for_the_next_request(fakes: Fakes) -> None:
    def interrupt(stage: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fakes.probe.measure(act(REFUSES), progress=interrupt)
    assert fakes.probe.measure(act(WELL)) == measurement()


def test_code_that_cannot_be_read_is_a_value(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = fakes.probe.read_code(measurement())
    assert isinstance(measured, Measurement)
    assert isinstance(measured.code, Unavailable)
    assert measured.code.reason
    monkeypatch.setattr("warpviz.gpu.code.reader.find_disassembler", lambda: Unavailable("nvdisasm is not found"))
    assert fakes.probe.read_code(measurement()).code == Unavailable("nvdisasm is not found")


def test_cancelling_when_nothing_runs_costs_no_measurement(fakes: Fakes) -> None:
    fakes.probe.cancel()
    for _ in range(5):
        assert fakes.probe.measure(act(WELL)) == measurement()
        fakes.probe.cancel()
    assert wait_until(lambda: not any(is_running(pid) for pid in fakes.pids()))


def test_counting_may_be_cancelled(fakes: Fakes, hanging_ncu: str) -> None:
    asked = request(stride(32), counters="require")
    canceller = threading.Timer(1.0, fakes.probe.cancel)
    canceller.start()
    with pytest.raises(GpuError) as caught:
        fakes.probe.measure(asked, timeout_s=20)
    canceller.join()
    assert caught.value.kind == "cancelled"


def test_required_counters_that_cannot_be_read_are_an_error(fakes: Fakes, fake_ncu: str) -> None:
    with pytest.raises(GpuError, match="no kernel was profiled") as caught:
        fakes.probe.measure(request(stride(32), counters="require"))
    assert caught.value.kind == "no_counters"


def test_closing_ends_the_worker(fakes: Fakes) -> None:
    with fakes.probe as probe:
        probe.measure(act(WELL))
    assert not is_running(fakes.pids()[0])


def test_what_was_asked_before_the_end_starts_no_worker_after_it(fakes: Fakes) -> None:
    fakes.probe.measure(act(WELL))

    def measure_until_the_end() -> None:
        with pytest.raises(GpuError):
            fakes.probe.measure_each([act(SLOW)] * 100)

    measuring = threading.Thread(target=measure_until_the_end)
    readers = [threading.Thread(target=fakes.probe.read_code, args=(measurement(),)) for _ in range(20)]
    for thread in (measuring, *readers):
        thread.start()
    time.sleep(0.2)
    fakes.probe.close()
    for thread in (measuring, *readers):
        thread.join()
    assert not any(is_running(pid) for pid in fakes.pids())
    assert len(fakes.pids()) == 1
    assert fakes.probe.measure(act(WELL)) == measurement()


def test_a_command_that_does_not_exist_is_one_sentence() -> None:
    with pytest.raises(GpuError, match="does not start"):
        Probe(command=["/no/such/program"]).measure(ASKED)


@pytest.mark.skipif(gpu_present(), reason="this machine has a GPU")
def test_without_a_driver_the_real_worker_says_so() -> None:
    with Probe() as probe, pytest.raises(GpuError) as caught:
        probe.measure(ASKED)
    assert caught.value.kind == "no_gpu"


# The real worker's own loop, over a GPU that is not there. The warp of a request says what its measurement does.
WORKER = """
import json, os, sys, time
from warpviz.gpu import worker
from warpviz.gpu.measurement import Measurement
open(sys.argv[1], "a").write(f"pid {os.getpid()}\\n")
class Device:
    uuid, arch = "GPU-0", "sm_90"
def measure(device, request, conditions, progress):
    print("noise"); os.system("echo noise; echo noise >&2")
    if request.warp == 1: time.sleep(600)
    if request.warp == 2: raise ZeroDivisionError("by 0")
    return Measurement.from_json(json.loads(sys.argv[2]))
worker.Device, worker.measure = Device, measure
worker.main()
"""
PARENT = """
import sys
from tests.gpu.samples import request, stride
from warpviz.gpu import Probe
probe = Probe(command=sys.argv[2:])
probe.measure(request(stride(32), counters="off", warp=int(sys.argv[1])), timeout_s=60)
"""


def real_worker(fakes: Fakes) -> list[str]:
    return [sys.executable, "-c", WORKER, str(fakes.notes), fakes.answer]


def start_parent(fakes: Fakes, what: int) -> subprocess.Popen[bytes]:
    parent = [sys.executable, "-c", PARENT, str(what), *real_worker(fakes)]
    return subprocess.Popen(parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_nothing_that_the_worker_prints_reaches_the_terminal(fakes: Fakes) -> None:
    assert start_parent(fakes, WELL).communicate(timeout=30) == (b"", b"")


@pytest.mark.parametrize("what", [WELL, HANGS])
def test_no_worker_outlives_its_parent(fakes: Fakes, what: int) -> None:
    parent = start_parent(fakes, what)
    assert wait_until(fakes.pids)
    if what == HANGS:
        time.sleep(0.3)
        parent.kill()
    parent.communicate(timeout=30)
    assert wait_until(lambda: not is_running(fakes.pids()[0]))


def test_an_error_nobody_thought_of_is_one_sentence(fakes: Fakes) -> None:
    with (
        Probe(command=real_worker(fakes)) as probe,
        pytest.raises(GpuError, match="stumbles over ZeroDivisionError"),
    ):
        probe.measure(act(EXITS))


def test_importing_the_package_loads_no_cuda() -> None:
    code = "import sys, warpviz.gpu; print([name for name in sys.modules if name.startswith(('cuda.', 'nvidia'))])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
