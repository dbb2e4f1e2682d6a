"""A kernel measured from its screen: what is asked, told, drawn; what is refused; what gives way to what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.message import Message

from tests.gpu.fake_worker import wait_until
from tests.kernel.test_measured import as_counted
from tests.tui.conftest import texts
from tests.tui.kernels import COLUMNS, interpreted, shown
from tests.tui.measured_kernels import KernelProbe, measured_with, probe_for, twice_the_loads
from tests.tui.measurements import HeldProbe
from tests.tui.test_kernel_screen import kernel_of, text_of
from tests.tui.test_screens import settled
from warpviz.expression import Pattern, parse
from warpviz.gpu import Unavailable
from warpviz.gpu.launching.counts import LineCounts
from warpviz.kernel.measured import CounterComparison
from warpviz.tui.app import WarpvizApp
from warpviz.tui.glyphs import ASCII, UNICODE
from warpviz.tui.kernel_footer import footer_keys
from warpviz.tui.measured_kernel import KernelToMeasure
from warpviz.tui.measuring import Measurer
from warpviz.tui.messages import KernelMeasured, Measured, MeasureFailed, MeasureProgressed
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.render.kernel import kernel_layout, kernel_strips
from warpviz.tui.render.text import Look
from warpviz.tui.state import kernel_measuring
from warpviz.tui.state.kernel import KernelPanel, KernelView
from warpviz.tui.to_measure import AccessesToMeasure

pytestmark = pytest.mark.usefixtures("nvrtc", "nothing_recorded")

LINES = ("ld global", "st shared", "ld shared", "st global")  # of COLUMNS
STUCK = """//@ launch stuck grid=4 block=32 a=i32[64]
__global__ void stuck(int* a) {
  __shared__ int tile[32];
  tile[threadIdx.x] = a[threadIdx.x * 2];
  if (threadIdx.x < 32) { asm volatile("bar.sync 1, 64;"); }
  a[threadIdx.x] = tile[31 - threadIdx.x];
}
"""
Change = Callable[[LineCounts], LineCounts]


def measured(change: Change = lambda line: line, text: str = COLUMNS, **parts: Any) -> KernelView:
    """The view of a kernel once it is measured. parts: of Measured, other ones."""
    view = kernel_measuring.begin_measuring(shown(text), 1)
    assert view.shown is not None
    made = measured_with(view.shown, probe_for(view.shown, change))
    return kernel_measuring.measured(view, 1, replace(made, all=replace(made.all, **parts)))


def drawn(view: KernelView, look: Look, panel: KernelPanel = "", width: int = 100, height: int = 39) -> str:
    return "\n".join(texts(kernel_strips(replace(view, panel=panel), width, height, look)))


def row_of(text: str, access: str) -> str:
    return next(line for line in text.splitlines() if access in line)


# What is drawn


def test_what_is_as_predicted_is_marked(look: Look) -> None:
    text = drawn(measured(), look)
    assert "measured, ✓ equal" in text.splitlines()[0]
    assert [row_of(text, access).count("✓") for access in LINES] == [1] * 4
    assert "2,048 wavefronts counted   ✓ as predicted" in text
    assert "✗" not in text


def test_what_differs_stands_beside_its_row(look: Look) -> None:
    text = drawn(measured(twice_the_loads), look)
    assert "measured, ✗ differs" in text.splitlines()[0]
    assert " 32.00 64.00 ✗ 1.00 " in " ".join(row_of(text, "ld shared").split())
    assert "4,096 wavefronts counted   ✗ 2,048 predicted" in text
    assert "✓" in row_of(text, "st shared")


def test_where_there_is_little_room_the_mark_is_left(look: Look) -> None:
    text = drawn(measured(twice_the_loads), look, width=60)
    assert "64.00" not in text
    assert "✗" in row_of(text, "ld shared")
    assert "✓" in row_of(text, "ld global")
    ascii_text = drawn(measured(twice_the_loads), replace(look, glyphs=ASCII), "evidence")
    assert ascii_text.isascii()


def test_widths_that_are_not_those_of_the_prediction_are_told_of_the_line(look: Look) -> None:
    def wider(line: LineCounts) -> LineCounts:
        return replace(line, width=16, instructions=16, wavefronts=512) if line.key == "shared_ld" else line

    text = drawn(measured(wider), look)
    assert "512 wavefronts counted for the line   ✗ 2,048 predicted" in text
    assert "64 of 4 bytes became 16 of 16 bytes: fused" in text
    assert "✗" in row_of(text, "ld shared")


def test_totals_stand_beside_each_other_with_the_cause(look: Look) -> None:
    view = measured(twice_the_loads)
    assert view.measured is not None
    counters = view.measured.all.counters
    assert not isinstance(counters, Unavailable)
    spilled = CounterComparison("local_st", "sectors", 0, 128, ("registers that did not suffice were spilled",))
    missing = next(one for one in counters if (one.key, one.quantity) == ("global_st", "sectors"))
    others = tuple(replace(one, measured=None) if one is missing else one for one in counters)
    lines = drawn(measured(twice_the_loads, counters=(*others, spilled)), look, "totals", 120).splitlines()
    at = next(place for place, line in enumerate(lines) if "wavefronts_mem_shared_op_ld" in line)
    assert lines[at].split()[:3] == ["2,048", "4,096", "✗"]
    assert lines[at + 1].strip() == "the cause is not known"
    assert row_of("\n".join(lines), "sectors_pipe_lsu_mem_global_op_ld").split()[:3] == ["256", "256", "✓"]
    assert row_of("\n".join(lines), "sectors_pipe_lsu_mem_global_op_st").split()[0] == "256"
    at = next(place for place, line in enumerate(lines) if "mem_local_op_st" in line)
    assert lines[at].split()[:3] == ["0", "128", "✗"]
    assert "were spilled" in lines[at + 1]
    narrow = drawn(view, look, "totals", 80)
    assert "wavefronts_mem_shared_op_ld.sum" in narrow, "what tells the metrics apart stays"


def test_the_evidence_says_all_that_was_measured(look: Look) -> None:
    view = measured(twice_the_loads)
    text = drawn(view, look, "evidence")
    for said in (
        "✓ in, out: every element as predicted",
        "4.77 us, median of 10 runs, spread 2%, from cold caches",
        "16 registers and 0 bytes of local memory a thread",
        "2 blocks an SM: 64 of 64 warps",
        "c: which, and why",
        "SM 1,980 MHz",
        "NVIDIA H200 (sm_90, driver 580.159.04",
    ):
        assert said in text
    assert "as predicted; c shows them" in drawn(measured(), look, "evidence")
    assert "not yet: m runs it on the GPU" in drawn(shown(COLUMNS), look, "evidence")


def test_an_output_that_differs_is_said_with_its_cause(look: Look) -> None:
    view = shown(COLUMNS)
    assert view.shown is not None
    arrays = {name: array.copy() for name, array in view.shown.outcome.arrays.items()}
    arrays["out"][3] += 1
    made = measured_with(view.shown, KernelProbe(arrays, as_counted(view.shown.outcome)))
    other = replace(made.all.arrays[1], causes=("the order of the atomics",))
    made = replace(made, all=replace(made.all, arrays=(made.all.arrays[0], other)))
    text = drawn(kernel_measuring.measured(kernel_measuring.begin_measuring(view, 1), 1, made), look, "evidence")
    assert "✓ in: every element as predicted" in text
    assert f"✗ {other}"[:60] in text
    assert "possible cause: the order of the atomics" in text


def test_without_counters_the_rest_is_shown(look: Look) -> None:
    none = Unavailable("the counters need a permission")
    view = shown(COLUMNS)
    assert view.shown is not None
    made = measured_with(view.shown, KernelProbe(view.shown.outcome.arrays, none))
    view = kernel_measuring.measured(kernel_measuring.begin_measuring(view, 1), 1, made)
    assert "none: the counters need a permission" in drawn(view, look, "evidence")
    assert "not counted: the counters need a permission" in drawn(view, look, "totals")
    assert "lines: the counters need a permission" in drawn(view, look)
    assert "2,048" in row_of(drawn(view, look, "totals"), "wavefronts_mem_shared_op_ld")


@pytest.mark.parametrize("size", [(60, 19), (80, 23), (100, 29), (160, 44)])
@pytest.mark.parametrize("panel", ["", "totals", "evidence"])
def test_every_size_is_filled(size: tuple[int, int], panel: KernelPanel, look: Look) -> None:
    strips = kernel_strips(replace(measured(twice_the_loads), panel=panel), *size, look)
    assert [strip.cell_length for strip in strips] == [size[0]] * size[1]


# What is refused


def test_a_kernel_that_does_not_end_shows_its_hazards_and_is_not_run(look: Look) -> None:
    view = shown(STUCK)
    text = drawn(view, look, "hazards")
    assert text.splitlines()[1].strip() == "it does not end, and the counts are those until then: line 5 waits for ever"
    assert "does not end" in text.splitlines()[0]
    assert "the barrier is for 64 threads" in text
    assert "8.00" in row_of(text, "ld global")
    assert "5!" in row_of(text, "asm volatile").split()
    assert view.shown is not None
    assert kernel_measuring.refusal(view.shown).startswith("it does not end")
    assert ("m", "measure") not in footer_keys(view)
    assert ("h", "1 hazard") in footer_keys(view)


def test_a_sample_says_so_and_is_not_compared(look: Look) -> None:
    whole = interpreted(COLUMNS)
    part = replace(whole.outcome, statistics=replace(whole.outcome.statistics, blocks=1))
    view = replace(shown(COLUMNS), shown=replace(whole, outcome=part))
    second = drawn(view, look).splitlines()[1].strip()
    assert second == "the counts are those of a sample: 1 of 2 blocks, spread over the grid"
    places = kernel_layout(view, 100, 29, look)
    assert places.code.height + 1 == kernel_layout(shown(COLUMNS), 100, 29, look).code.height
    assert view.shown is not None
    assert kernel_measuring.refusal(view.shown).startswith("a sample")
    assert not kernel_measuring.refusal(whole)


def test_late_news_changes_nothing() -> None:
    view = kernel_measuring.begin_measuring(shown(COLUMNS), 2)
    assert view.shown is not None
    made = measured_with(view.shown, probe_for(view.shown))
    assert kernel_measuring.measured(view, 1, made) is view
    assert kernel_measuring.told(view, replace(view.measuring, serial=1, said="late")) is view
    assert kernel_measuring.measured(view, 2, made).measured is made


# The thread that measures


class Asked:
    """Asks a Measurer for kernels, and keeps what it posts."""

    def __init__(self, measurer: Measurer) -> None:
        self.measurer = measurer
        self.posted: list[Message] = []

    def kernel(self, serial: int) -> None:
        self.measurer.start(KernelToMeasure(serial, interpreted(COLUMNS)), self.posted.append)

    def access(self, serial: int) -> None:
        evaluation = parse(Pattern("s[lane]")).evaluate({})
        self.measurer.start(AccessesToMeasure(serial, [evaluation], Pattern("s[lane]").launch), self.posted.append)

    def has(self, kind: type[Message]) -> Callable[[], bool]:
        return lambda: any(isinstance(message, kind) for message in self.posted)


def test_it_is_measured_for_the_architecture_of_the_gpu() -> None:
    asked = Asked(Measurer(lambda: probe_for(interpreted(COLUMNS), here="sm_80")))  # type: ignore[arg-type, return-value]
    asked.kernel(1)
    assert wait_until(asked.has(MeasureFailed))
    (failed,) = asked.posted
    assert isinstance(failed, MeasureFailed)
    assert failed.sentence == "this GPU is sm_80 and the prediction is for sm_90: open the file with --arch sm_80"


class BothProbe(KernelProbe):
    """Measures accesses too, when it has nothing else to do."""

    def measure_each(self, requests: Any, **how: Any) -> list[Any]:
        held = HeldProbe()
        held.release.set()
        return list(held.measure_each(requests, **how))

    def read_code(self, measurement: Any) -> Any:
        return measurement


def test_an_access_that_is_asked_for_later_takes_the_kernel_s_place() -> None:
    outcome = interpreted(COLUMNS).outcome
    probe = BothProbe(outcome.arrays, as_counted(outcome))
    measurer = Measurer(lambda: probe)  # type: ignore[arg-type, return-value]
    kernel, explorer = Asked(measurer), Asked(measurer)
    kernel.kernel(1)
    assert wait_until(kernel.has(MeasureProgressed))
    explorer.access(1)
    assert wait_until(explorer.has(Measured))
    assert probe.cancelled.is_set()
    last = kernel.posted[-1]
    assert isinstance(last, MeasureFailed)
    assert (last.serial, last.sentence) == (1, "it gave way to another measurement")
    probe.release.set()
    kernel.kernel(2)
    assert wait_until(kernel.has(KernelMeasured))


def test_what_is_cancelled_before_it_is_launched_is_not_launched() -> None:
    outcome = interpreted(COLUMNS).outcome
    probe = KernelProbe(outcome.arrays, as_counted(outcome))
    asked = Asked(Measurer(lambda: probe))  # type: ignore[arg-type, return-value]
    measure = KernelToMeasure(1, interpreted(COLUMNS))
    answers = measure.answers(probe, lambda said: None, lambda: False)  # type: ignore[arg-type]
    with pytest.raises(Exception, match="the measurement was cancelled"):
        next(answers)
    assert not asked.posted


# The screen


@pytest.fixture
def columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("warpviz.tui.screens.kernel.can_measure", lambda: True)
    path = tmp_path / "columns.cu"
    path.write_text(COLUMNS)
    return path


def app_with(path: Path, probe: KernelProbe) -> WarpvizApp:
    make_probe: Any = lambda: probe  # noqa: E731
    return WarpvizApp(KernelToOpen(path), gallery=(), make_probe=make_probe, depth="rgb", glyphs=UNICODE)


async def test_it_is_measured_cancelled_and_measured_again(columns: Path) -> None:
    probe = probe_for(interpreted(COLUMNS))
    async with app_with(columns, probe).run_test(size=(100, 30)) as pilot:
        screen = await kernel_of(pilot)
        assert "m measure" in text_of(screen)
        await pilot.press("m", "m")
        await settled(pilot, lambda: "measuring: copying 64 MB" in text_of(screen))
        assert "esc stop" in text_of(screen)
        assert probe.launched == ["columns"]
        await pilot.press("escape")
        assert "cancelled" in text_of(screen)
        await settled(pilot, probe.cancelled.is_set)
        probe.release.set()
        await pilot.press("m")
        await settled(pilot, lambda: screen.view.measured is not None)
        assert "measured, ✓ equal" in text_of(screen)
        await pilot.press("v")
        assert "every element as predicted" in text_of(screen)
        assert "4.77 us" in text_of(screen)


async def test_a_reload_ends_what_is_measured_and_drops_what_was(columns: Path) -> None:
    probe = probe_for(interpreted(COLUMNS))
    async with app_with(columns, probe).run_test(size=(100, 30)) as pilot:
        screen = await kernel_of(pilot)
        await pilot.press("m")
        await settled(pilot, lambda: bool(probe.launched))
        before = screen.view.shown
        await pilot.press("r")
        await settled(pilot, lambda: screen.view.shown is not before)
        await settled(pilot, probe.cancelled.is_set)
        probe.release.set()
        await pilot.pause(0.1)
        assert screen.view.measured is None
        assert "predicted" in text_of(screen).splitlines()[0]


async def test_without_a_gpu_the_sentence_is_the_explorer_s(columns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.tui.screens.kernel.can_measure", lambda: False)
    async with app_with(columns, probe_for(interpreted(COLUMNS))).run_test(size=(100, 30)) as pilot:
        screen = await kernel_of(pilot)
        await pilot.press("m")
        assert "no GPU here: see warpviz doctor" in text_of(screen)
