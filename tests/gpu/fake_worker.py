"""Workers that own no GPU: what they do is said by the number of the warp in the request."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.gpu.samples import measurement, request, stride
from warpviz.gpu import Probe, ProbeRequest

WELL, HANGS, EXITS, KILLED, BABBLES, REFUSES, FAILS, SLOW = range(8)
SLOW_SECONDS = 0.1
START_SECONDS = "FAKE_WORKER_START_SECONDS"  # in the environment: how long its start takes

# Notes its process id, and each request.
FAKE = f"""
import json, os, sys, time
notes, answer = sys.argv[1], sys.argv[2]
def note(text): open(notes, "a").write(text + "\\n")
def say(message): print(json.dumps(message), flush=True)
note(f"pid {{os.getpid()}}")
for line in sys.stdin:
    message = json.loads(line)
    if "start" in message:
        say({{"progress": "starting the GPU"}})
        time.sleep(float(os.environ.get("{START_SECONDS}", 0)))
        say({{"started": "GPU-0"}})
        continue
    if "compile" in message:
        say({{"error": {{"kind": "refused", "sentence": "no code here"}}}})
        continue
    if "prepare" in message:
        say({{"prepared": True}})
        continue
    act = message["measure"]["warp"]
    note(f"act {{act}}")
    say({{"progress": "timing"}})
    print("noise on stderr", file=sys.stderr, flush=True)
    if act == {HANGS}: time.sleep(600)
    if act == {EXITS}: os._exit(3)
    if act == {KILLED}: os.kill(os.getpid(), 9)
    if act == {BABBLES}: print("no json", flush=True); time.sleep(600)
    if act == {REFUSES}: say({{"error": {{"kind": "refused", "sentence": "no room"}}}}); continue
    if act == {FAILS}: say({{"error": {{"kind": "failed", "sentence": "lost"}}}}); time.sleep(600)
    if act == {SLOW}: time.sleep({SLOW_SECONDS})
    say({{"measurement": json.loads(answer) | {{"access": message["measure"]["access"]}}}})
"""


class Fakes:
    """A Probe over fake workers, the process ids of those that were started, and what they were asked to do."""

    def __init__(self, folder: Path) -> None:
        self.notes = folder / "notes"
        self.answer = json.dumps(measurement().to_json())
        self.probe = Probe(command=[sys.executable, "-c", FAKE, str(self.notes), self.answer])

    def pids(self) -> list[int]:
        return self._noted("pid")

    def acts(self) -> list[int]:
        return self._noted("act")

    def _noted(self, kind: str) -> list[int]:
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return [int(line.split()[1]) for line in lines if line.startswith(kind)]


@contextmanager
def fakes_in(folder: Path) -> Iterator[Fakes]:
    fakes = Fakes(folder)
    with fakes.probe:
        yield fakes


def act(what: int) -> ProbeRequest:
    """A request for this."""
    return request(stride(32), counters="off", warp=what)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition: Callable[[], object], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(condition())
