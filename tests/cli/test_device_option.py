"""`--device`: handed to what measures, by every command that does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Run
from warpviz.gpu import GpuError


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Of the probes that are made, none of which measures."""
    made: list[str | None] = []

    def probe(device: str | None = None) -> None:
        made.append(device)
        raise GpuError("no_gpu", "there is none")

    for command in ("measure", "sweep"):
        monkeypatch.setattr(f"warpviz.cli.{command}.Probe", probe)
        monkeypatch.setattr(f"warpviz.cli.{command}.gpu_present", lambda: True)
    return made


@pytest.mark.parametrize("device", ["1", "GPU-8d5a", "MIG-12345678-9abc-def0-1234-56789abcdef0"])
def test_the_chosen_gpu_is_asked(run: Run, devices: list[str | None], device: str) -> None:
    assert run("measure", "s[lane]", "--device", device).code == 3
    assert run("sweep", "s[k*lane]", "--over", "k=0..4", "--measure", "--device", device).code == 3
    assert devices == [device, device]


def test_without_it_the_first_is_asked(run: Run, devices: list[str | None]) -> None:
    assert run("measure", "s[lane]").code == 3
    assert devices == [None]


@pytest.mark.parametrize("device", ["", "one", "-1", "1.5", "GPU", "GPU-xyz", "0,1", "12345", "１"])
def test_what_names_no_gpu_is_refused(run: Run, devices: list[str | None], device: str) -> None:
    answer = run("measure", "s[lane]", "--device", device)
    assert (answer.code, answer.out) == (2, "")
    assert f"{device!r} is no GPU; one is named by its number (0, 1, …) or by its UUID" in answer.err
    assert devices == []


def test_a_sweep_that_measures_nothing_takes_no_device(run: Run) -> None:
    answer = run("sweep", "s[k*lane]", "--over", "k=0..4", "--device", "1")
    assert (answer.code, answer.out) == (2, "")
    assert "give --measure as well" in answer.err


@pytest.mark.parametrize("what", [(), ("stride",), ("-e", "s[lane]")])
def test_the_explorer_is_given_the_device(run: Run, monkeypatch: pytest.MonkeyPatch, what: tuple[str, ...]) -> None:
    opened: list[tuple[Any, ...]] = []
    monkeypatch.setattr("warpviz.cli.open.at_terminal", lambda: True)
    monkeypatch.setattr("warpviz.tui.app.run", lambda *given: opened.append(given) or 0)
    assert run(*what, "--device", "1").code == 0
    ((_, _, device),) = opened
    assert device == "1"
