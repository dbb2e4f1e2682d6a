"""The worker process: started when needed, and whatever happens to it, the next measurement works."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.gpu.samples import measurement, request, stride
from warpviz.gpu import GpuError, Probe, gpu_present

ASKED = request(stride(32), counters="off")

# A worker that does what the last field of the request's launch says, and notes its process id.
FAKE = """
import json, os, sys, time
notes, answer = sys.argv[1], sys.argv[2]
open(notes, "a").write(f"{os.getpid()}\\n")
for line in sys.stdin:
    act = json.loads(line)["warp"]
    print(json.dumps({"progress": "timing"}), flush=True)
    print("noise on stderr", file=sys.stderr, flush=True)
    if act == 1: time.sleep(600)
    if act == 2: os._exit(3)
    if act == 3: os.kill(os.getpid(), 9)
    if act == 4: print("no json", flush=True); time.sleep(600)
    if act == 5: print(json.dumps({"error": {"kind": "refused", "sentence": "no room"}}), flush=True); continue
    if act == 6: print(json.dumps({"error": {"kind": "failed", "sentence": "lost"}}), flush=True); time.sleep(600)
    print(json.dumps({"measurement": json.loads(answer)}), flush=True)
"""
WELL, HANGS, EXITS, KILLED, BABBLES, REFUSES, FAILS = range(7)


class Fakes:
    """A Probe over fake workers, and the process ids of those that were started."""

    def __init__(self, folder: Path) -> None:
        self._notes = folder / "pids"
        answer = json.dumps(measurement().to_json())
        self.command = [sys.executable, "-c", FAKE, str(self._notes), answer]
        self.probe = Probe(self.command)

    def pids(self) -> list[int]:
        return [int(line) for line in self._notes.read_text().split()] if self._notes.exists() else []


@pytest.fixture
def fakes(tmp_path: Path) -> Fakes:
    fakes = Fakes(tmp_path)
    yield fakes  # type: ignore[misc]
    fakes.probe.close()


def act(what: int):  # type: ignore[no-untyped-def]
    return request(stride(32), counters="off", warp=what)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds: float = 10.0) -> bool:  # type: ignore[no-untyped-def]
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(condition())


def test_no_worker_runs_before_the_first_measurement(fakes: Fakes) -> None:
    assert fakes.pids() == []


def test_one_worker_answers_many_requests(fakes: Fakes) -> None:
    stages: list[str] = []
    assert fakes.probe.measure(act(WELL), progress=stages.append) == measurement()
    assert fakes.probe.measure(act(WELL)) == measurement()
    assert stages == ["timing"]
    assert len(fakes.pids()) == 1


def test_many_requests_are_answered_in_their_order(fakes: Fakes) -> None:
    stages: list[str] = []
    assert fakes.probe.measure_all([act(WELL)] * 3, progress=stages.append) == [measurement()] * 3
    assert stages == ["1 of 3: timing", "2 of 3: timing", "3 of 3: timing"]
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
        (HANGS, "timed_out", r"no answer within 0\.5 s"),
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


def test_a_command_that_does_not_exist_is_one_sentence() -> None:
    with pytest.raises(GpuError, match="does not start"):
        Probe(["/no/such/program"]).measure(ASKED)


@pytest.mark.skipif(gpu_present(), reason="this machine has a GPU")
def test_without_a_driver_the_real_worker_says_so() -> None:
    with Probe() as probe, pytest.raises(GpuError) as caught:
        probe.measure(ASKED)
    assert caught.value.kind == "no_gpu"


# The real worker's own loop, over a GPU that is not there. The fragment of a request says what its measurement does.
WORKER = """
import json, os, sys, time
from warpviz.gpu import worker
from warpviz.gpu.measurement import Measurement
open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
def measure(device, request, progress):
    print("noise"); os.system("echo noise; echo noise >&2")
    if request.warp == 1: time.sleep(600)
    if request.warp == 2: raise ZeroDivisionError("by 0")
    return Measurement.from_json(json.loads(sys.argv[2]))
worker.Device, worker.measure = object, measure
worker.main()
"""
PARENT = """
import sys
from tests.gpu.samples import request, stride
from warpviz.gpu import Probe
probe = Probe(sys.argv[2:])
probe.measure(request(stride(32), counters="off", warp=int(sys.argv[1])), timeout_s=60)
"""


def start_parent(fakes: Fakes, what: int) -> subprocess.Popen[bytes]:
    command = [*fakes.command[:2], WORKER, *fakes.command[3:]]
    parent = [sys.executable, "-c", PARENT, str(what), *command]
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
        Probe([*fakes.command[:2], WORKER, *fakes.command[3:]]) as probe,
        pytest.raises(GpuError, match="stumbles over ZeroDivisionError"),
    ):
        probe.measure(act(EXITS))


def test_importing_the_package_loads_no_cuda() -> None:
    code = "import sys, warpviz.gpu; print([name for name in sys.modules if name.split('.')[0] in ('cuda', 'nvidia')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
