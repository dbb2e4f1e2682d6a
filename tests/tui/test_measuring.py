"""What `m` says where there is no GPU, and which of several requests is answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from textual.message import Message

from tests.gpu.fake_worker import FAILS, HANGS, SLOW, START_SECONDS, WELL, Fakes, fakes_in, is_running, wait_until
from warpviz.access import Access
from warpviz.expression import Launch, Pattern, parse
from warpviz.gpu import Measurement
from warpviz.tui.measuring import Measurer, look_up, refuse
from warpviz.tui.messages import Measured, MeasureFailed, MeasureProgressed
from warpviz.tui.to_measure import AccessesToMeasure


def test_without_a_gpu_a_recording_is_said_not_to_be_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.gpu.gpu_present", lambda: False)
    recorded = refuse(Access.of(np.arange(32) * 32, space="shared"), "sm_90", None)
    assert recorded.measurement is not None
    assert recorded.said == "no GPU here: see warpviz doctor"
    unknown = refuse(Access.of(np.arange(32) * 3996, space="shared"), "sm_90", None)
    assert unknown.measurement is None
    assert unknown.said == "no GPU here, and nothing is recorded for this access on sm_90"


def test_a_recording_of_another_architecture_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.gpu.gpu_present", lambda: False)
    access = Access.of(np.arange(32) * 32, space="shared")
    assert look_up(access, "sm_90a").measurement is not None
    elsewhere = look_up(access, "sm_75")
    assert elsewhere.measurement is None
    assert elsewhere.said == "no GPU here, and nothing is recorded for this access on sm_75"


class Asker:
    """Asks a Measurer over fake workers, and keeps what it posts."""

    def __init__(self, fakes: Fakes) -> None:
        self.fakes = fakes
        self.measurer = Measurer(lambda: fakes.probe)
        self.posted: list[Message] = []
        self.longest_start_s = 0.0

    def ask(self, serial: int, what: int, points: int = 1) -> None:
        """what: the act of the fake worker, which is the number of the warp."""
        launch = Launch((1024, 1, 1), (0, 0, 0), None, what)
        evaluation = parse(Pattern("s[lane]", launch=launch)).evaluate({})
        begin = time.monotonic()
        self.measurer.start(AccessesToMeasure(serial, [evaluation] * points, launch), self.posted.append)
        self.longest_start_s = max(self.longest_start_s, time.monotonic() - begin)

    def answers(self) -> list[tuple[str, int]]:
        """Whether it was measured or failed, and the serial, each once."""
        seen = [
            (type(message).__name__, message.serial)
            for message in self.posted
            if isinstance(message, Measured | MeasureFailed)
        ]
        return list(dict.fromkeys(seen))

    def answered(self, serial: int) -> Callable[[], bool]:
        return lambda: any(number == serial for _, number in self.answers())


@pytest.fixture
def asker(tmp_path: Path) -> Iterator[Asker]:
    with fakes_in(tmp_path) as fakes:
        asker = Asker(fakes)
        yield asker
        asker.measurer.close()


@pytest.mark.parametrize("start_seconds", ["0", "0.9"])
def test_of_ten_requests_in_a_second_the_latest_is_answered_by_the_same_worker(
    asker: Asker, monkeypatch: pytest.MonkeyPatch, start_seconds: str
) -> None:
    monkeypatch.setenv(START_SECONDS, start_seconds)
    for serial in range(1, 11):
        asker.ask(serial, SLOW)
        time.sleep(0.1)
    assert wait_until(asker.answered(10))
    assert asker.answers()[-1] == ("Measured", 10)
    assert len(asker.fakes.pids()) == 1
    assert asker.longest_start_s < 0.5


def test_requests_at_once_are_not_all_measured(asker: Asker) -> None:
    asker.ask(1, WELL)
    assert wait_until(asker.answered(1))
    for serial in range(2, 12):
        asker.ask(serial, SLOW)
    assert wait_until(asker.answered(11))
    assert asker.answers() == [("Measured", 1), ("Measured", 11)]
    assert asker.fakes.acts().count(SLOW) <= 3


def test_a_later_request_ends_a_sweep_between_two_accesses(asker: Asker) -> None:
    asker.ask(1, SLOW, points=100)
    assert wait_until(lambda: asker.fakes.acts().count(SLOW) > 1)
    asker.ask(2, WELL)
    assert wait_until(asker.answered(2))
    assert asker.answers() == [("Measured", 2)]
    assert asker.fakes.acts().count(SLOW) < 20
    assert len(asker.fakes.pids()) == 1


def test_a_later_request_ends_one_that_hangs(asker: Asker) -> None:
    asker.ask(1, HANGS)
    assert wait_until(lambda: HANGS in asker.fakes.acts())
    asker.ask(2, WELL)
    assert wait_until(asker.answered(2))
    assert asker.answers() == [("Measured", 2)]
    assert [is_running(pid) for pid in asker.fakes.pids()] == [False, True]


def test_after_one_that_hangs_is_cancelled_the_next_is_answered(asker: Asker) -> None:
    asker.ask(1, HANGS)
    assert wait_until(lambda: HANGS in asker.fakes.acts())
    begin = time.monotonic()
    asker.measurer.cancel()
    assert time.monotonic() - begin < 0.5
    assert wait_until(lambda: not is_running(asker.fakes.pids()[0]))
    asker.ask(2, WELL)
    assert wait_until(asker.answered(2))
    assert asker.answers() == [("Measured", 2)]


def test_a_failure_is_one_sentence_and_the_next_is_answered(asker: Asker) -> None:
    asker.ask(1, FAILS)
    assert wait_until(asker.answered(1))
    (failed,) = [message for message in asker.posted if isinstance(message, MeasureFailed)]
    assert failed.sentence == "lost"
    asker.ask(2, WELL)
    assert wait_until(asker.answered(2))
    assert asker.answers() == [("MeasureFailed", 1), ("Measured", 2)]


def test_the_code_comes_after_the_measurement(asker: Asker) -> None:
    asker.ask(1, WELL)
    assert wait_until(lambda: sum(isinstance(message, Measured) for message in asker.posted) == 2)
    first, second = [message for message in asker.posted if isinstance(message, Measured)]
    assert [one.code for one in first.outcomes if isinstance(one, Measurement)] == [None]
    assert all(one.code is not None for one in second.outcomes if isinstance(one, Measurement))
    assert second.serial == 1


def test_closing_ends_the_worker_in_the_middle_of_a_measurement(asker: Asker) -> None:
    asker.ask(1, HANGS)
    assert wait_until(lambda: HANGS in asker.fakes.acts())
    asker.measurer.close()
    assert wait_until(lambda: not is_running(asker.fakes.pids()[0]))
    assert asker.answers() == []
    assert any(isinstance(message, MeasureProgressed) for message in asker.posted)
