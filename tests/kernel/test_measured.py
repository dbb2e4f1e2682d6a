"""A launch on the GPU beside the same one in the interpreter: what is asked, and what is made of the answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_st

from tests.compiling import compiler
from tests.conftest import DATA
from tests.gpu.samples import CONDITIONS, H200
from warpviz.gpu import GpuError, Unavailable
from warpviz.gpu.code.machine_code import Resources
from warpviz.gpu.launching.counts import LaunchCounts, LineCounts
from warpviz.gpu.launching.measurement import LaunchMeasurement, Occupancy, Timing
from warpviz.gpu.launching.metrics import METRICS
from warpviz.gpu.launching.request import LaunchRequest
from warpviz.kernel.code import Finding
from warpviz.kernel.counting import Count, LineKind, by_line
from warpviz.kernel.interpret import Outcome, interpret
from warpviz.kernel.launch import LaunchOptions, parse_launch
from warpviz.kernel.measured import as_json, as_text, measure
from warpviz.kernel.measured.causes import causes_of_other_numbers
from warpviz.kernel.measured.counters import compare_counters
from warpviz.kernel.measured.lines import as_in_ptx, causes_by_key, compare_lines
from warpviz.kernel.measured.outputs import ArrayComparison, Difference, difference_of
from warpviz.kernel.measured.reporting import seconds_in_words
from warpviz.kernel.prepare import Prepared, prepare
from warpviz.kernel.source import KernelSource, read_source

Arrays = Mapping[str, np.ndarray[Any, Any]]


@cache
def prepared(name: str) -> tuple[Prepared, Outcome]:
    """One of the golden kernels, interpreted."""
    made = prepare(read_source(DATA / "kernels" / f"{name}.cu"), LaunchOptions(), compiler=compiler())
    return made, interpret(made.program, made.launch)


class GpuThatIsNone:
    """Leaves these arrays, and counts this. asked: the last request, given: the arrays that it came with."""

    def __init__(self, arrays: Arrays, counters: LaunchCounts | Unavailable) -> None:
        self._arrays = arrays
        self._counters = counters

    def launch(self, request: LaunchRequest, **how: Any) -> LaunchMeasurement:
        self.asked, self.how = request, how
        self.given = {array.name: array.given.read_bytes() for array in request.arrays}
        for array in request.arrays:
            self._arrays[array.name].tofile(array.result)
        return LaunchMeasurement(
            H200, "2026-12-01T00:00:00+00:00", Timing(4.77e-6, 0.02, 10, ("hist",)), Resources(16, 1024, 0),
            Occupancy(8, 64, 64), CONDITIONS, self._counters,
        )  # fmt: skip


def as_counted(outcome: Outcome, change: Callable[[LineCounts], LineCounts] = lambda line: line) -> LaunchCounts:
    """What a GPU would count that does what was predicted, but for a change of each line."""
    lines = []
    for kind, count in by_line(outcome.counts).items():
        op = "atom" if (kind.space, kind.op) == ("shared", "red") else kind.op
        line = LineCounts(kind.line, 0, op, kind.space, kind.width, count.accesses)
        if kind.space == "shared":
            line = replace(line, wavefronts=count.wavefronts, ideal_wavefronts=count.ideal_wavefronts)
        else:
            line = replace(line, sectors=count.sectors)
        lines.append(change(line))
    metrics = {}
    for key, quantities in METRICS.items():
        of_key = [line for line in lines if line.key == key]
        for quantity, names in quantities.items():
            what = "instructions" if quantity == "requests" else quantity
            metrics |= dict.fromkeys(names, 0) | {names[0]: sum(getattr(line, what) or 0 for line in of_key)}
    return LaunchCounts("Nsight Compute 2025.3.1.0", metrics, tuple(lines))


def test_the_gpu_is_asked_for_the_launch_that_was_interpreted() -> None:
    made, outcome = prepared("histogram_shared")
    gpu = GpuThatIsNone(outcome.arrays, Unavailable("none"))
    measure(made, outcome, gpu, counters="off", timeout_s=7)  # type: ignore[arg-type]
    asked = gpu.asked
    assert (asked.symbol, asked.grid, asked.block, asked.shared_bytes) == (
        "histogram_shared",
        (64, 1, 1),
        (256, 1, 1),
        0,
    )
    assert asked.source == made.compiled.source
    i = np.arange(1 << 18)
    assert gpu.given == {"in": ((i * 7919 + i // 251) % 256).astype(np.uint8).tobytes(), "hist": bytes(1024)}
    filled = asked.parameters_with({"in": 0x1111, "hist": 0x2222})
    assert filled == b"".join(n.to_bytes(8, "little") for n in (0x1111, 0x2222)) + (1 << 18).to_bytes(4, "little")
    assert (gpu.how["counters"], gpu.how["timeout_s"]) == ("off", 7)
    assert not asked.arrays[0].given.exists(), "the files are gone afterwards"


def test_a_gpu_that_does_what_was_predicted_is_equal_in_everything() -> None:
    made, outcome = prepared("histogram_shared")
    measured = measure(made, outcome, GpuThatIsNone(outcome.arrays, as_counted(outcome)))  # type: ignore[arg-type]
    assert measured.is_equal
    assert not isinstance(measured.counters, Unavailable)
    compared = {(counter.key, counter.quantity): counter.measured for counter in measured.counters}
    assert compared["shared_atom", "wavefronts"] == 9204
    assert compared["shared_atom", "conflicts"] == 9204 - 8192
    assert compared["global_red", "sectors"] == 2048
    assert ("global_st", "sectors") not in compared, "it stores nothing"
    assert not isinstance(measured.lines, Unavailable)
    assert {(line.line, line.key) for line in measured.lines} == {
        (4, "shared_st"), (6, "global_ld"), (6, "shared_atom"), (8, "shared_ld"), (8, "global_red"),
    }  # fmt: skip
    assert "  counters   16 of 16 predictions equal what is counted" in list(as_text(measured))


def test_what_differs_is_told_with_its_cause() -> None:
    made, outcome = prepared("matmul_tiled")
    arrays = {name: array.copy() for name, array in outcome.arrays.items()}
    arrays["C"][77] = np.nextafter(arrays["C"][77], np.float32(np.inf))

    def fuse(line: LineCounts) -> LineCounts:
        if line.key != "shared_ld":
            return line
        return replace(line, width=16, instructions=655_360, wavefronts=786_432, ideal_wavefronts=786_432)

    gpu = GpuThatIsNone(arrays, as_counted(outcome, fuse))
    measured = measure(made, outcome, gpu)  # type: ignore[arg-type]
    assert not measured.is_equal
    text = "\n".join(as_text(measured))
    assert "C: 1 of 65,536 elements (0.0015%) differ, the first at 77, by up to " in text
    assert " of the largest value, 1 ulp\n" in text
    assert "  DIFFERS    shared_ld wavefronts: 1,048,576 predicted, 786,432 counted" in text
    assert "             line 11: 1,048,576 of 4 bytes became 655,360 of 16 bytes: fused" in text
    shown = json.loads(json.dumps(as_json(measured), allow_nan=False))
    assert shown["shared_ld"] == {
        "instructions": 655360, "wavefronts": 786432, "ideal_wavefronts": 786432, "conflicts": 0,
    }  # fmt: skip
    assert shown["global_ld"] == {"requests": 65536, "sectors": 262144}
    assert {d["key"] for d in shown["differences"]} == {"shared_ld"}
    assert [o["equal"] for o in shown["outputs"]] == [True, True, False]
    assert shown["outputs"][2]["difference"]["first"] == 77
    assert shown["lines"][-1]["line"] == 14


def test_instructions_are_those_of_the_machine_code() -> None:
    made, outcome = prepared("histogram_shared")
    counted = as_counted(outcome)
    executed = {"shared_ld": 9, "shared_st": 512, "shared_atom": 8192}
    gpu = GpuThatIsNone(outcome.arrays, counted)
    measured = measure(made, replace(outcome, executed=executed), gpu)  # type: ignore[arg-type]
    assert not isinstance(measured.counters, Unavailable)
    assert [(c.key, c.predicted) for c in measured.counters if not c.is_equal] == [("shared_ld", 9)]


def test_without_counters_the_rest_is_there_and_the_reason() -> None:
    made, outcome = prepared("histogram_shared")
    measured = measure(made, outcome, GpuThatIsNone(outcome.arrays, Unavailable("no ncu")))  # type: ignore[arg-type]
    assert measured.is_equal
    shown = as_json(measured)
    assert (shown["lines"], shown["tool"], shown["seconds"]) == (None, None, 4.77e-6)
    assert shown["unavailable"] == {"counters": "no ncu", "lines": "no ncu"}
    assert "global_ld" not in shown
    text = "\n".join(as_text(measured))
    assert "time       4.77 us, median of 10 runs, spread 2%, from cold caches, hist filled anew before each" in text
    assert "counters   none: no ncu" in text


def test_arrays_that_cannot_be_written_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    made, outcome = prepared("histogram_shared")
    monkeypatch.setattr("tempfile.tempdir", "/none/there")
    with pytest.raises(GpuError, match="there is no room for the arrays in files: No such file or directory"):
        measure(made, outcome, GpuThatIsNone(outcome.arrays, Unavailable("")))  # type: ignore[arg-type]


def launch_counts(generic_loads: int = 0, **counters: dict[str, int]) -> LaunchCounts:
    """Where nothing else was counted, and no lines."""
    values = {
        METRICS[key][what][0]: value for key, quantities in counters.items() for what, value in quantities.items()
    }
    values["smsp__inst_executed_op_generic_ld.sum"] = generic_loads
    return LaunchCounts("Nsight Compute", values, Unavailable("no lines"))


TEN_LOADS = {"shared_ld": {"instructions": 10, "wavefronts": 10, "ideal_wavefronts": 10, "conflicts": 0}}


def test_counters_are_compared_where_the_kernel_does_something() -> None:
    measured = launch_counts(shared_ld={"instructions": 14, "wavefronts": 10}, local_ld={"requests": 3, "sectors": 12})
    instructions, wavefronts, ideal, conflicts, requests, sectors = compare_counters(TEN_LOADS, measured, {})
    assert (instructions.is_equal, wavefronts.is_equal, ideal.is_equal) == (False, True, None)
    assert instructions.causes == ("4 were executed with every lane predicated off, and cost no wavefront",)
    assert (conflicts.measured, requests.predicted, sectors.measured) == (None, 0, 12)
    assert "spilled" in sectors.causes[0]


def test_generic_loads_are_counted_apart() -> None:
    measured = launch_counts(4, shared_ld={"instructions": 6, "wavefronts": 10})
    assert compare_counters(TEN_LOADS, measured, {})[0].causes == (
        "4 were executed as generic instructions, which are counted apart",
    )


@pytest.mark.parametrize(
    ("asked", "executed", "words"),
    [
        ({4: 64}, {16: 16}, "line 3: 64 of 4 bytes became 16 of 16 bytes: fused"),
        ({4: 64}, {4: 32, 16: 8}, "line 3: 64 of 4 bytes became 32 of 4 bytes and 8 of 16 bytes: fused"),
        ({16: 8}, {4: 32}, "line 3: 8 of 16 bytes became 32 of 4 bytes"),
        ({1: 8}, {}, "line 3: none of 8 of 1 byte is left in the machine code at this line"),
        ({}, {8: 2}, "line 3: the machine code has 2 of 8 bytes here that PTX has not"),
        ({4: 8}, {4: 8}, None),
    ],
)
def test_a_line_tells_what_became_of_its_accesses(
    asked: dict[int, int], executed: dict[int, int], words: str | None
) -> None:
    predicted = {LineKind(3, "ld", "shared", width): Count(accesses=n, wavefronts=7) for width, n in asked.items()}
    measured = [LineCounts(3, 0, "ld", "shared", width, n, None, 5, 5) for width, n in executed.items()]
    (line,) = compare_lines(predicted, measured)
    assert line.cause == words
    assert (line.predicted, line.measured) == (7 * len(asked), 5 * len(executed))


def test_an_atomic_that_is_a_loop_is_told() -> None:
    predicted = {LineKind(3, "red", "shared", 8): Count(accesses=8, wavefronts=16)}
    (line,) = compare_lines(predicted, [LineCounts(3, 0, "atom", "shared", 8, 70, None, 140, 140)])
    assert (line.key, line.cause) == (
        "shared_atom",
        "line 3: 8 of 8 bytes became 70 of 8 bytes: a loop, again where another thread came between",
    )


def test_what_the_machine_code_is_known_to_do_is_the_cause() -> None:
    """A finding says more than the widths; but only one that says why the counts of the line are not its own."""
    predicted = {LineKind(line, "red", "shared", 8): Count(accesses=8, wavefronts=16) for line in (3, 4, 5)}
    counted = [LineCounts(line, 0, "atom", "shared", 8, 70, None, 16 if line == 5 else 140, 140) for line in (3, 4, 5)]
    findings = [
        Finding("not followed", (3, 5), "line 3: a loop"),
        Finding("predicated", (4,), "line 4: the load is predicated"),
    ]
    assert causes_by_key(compare_lines(predicted, counted), findings) == {
        "shared_atom": [
            "line 3: a loop",
            "line 4: 8 of 8 bytes became 70 of 8 bytes: a loop, again where another thread came between",
        ]
    }


def test_counts_stand_at_the_lines_of_the_interpreter() -> None:
    made, _ = prepared("histogram_shared")
    store = next(i for i in made.program.instructions if i.opcode == "st")
    found = as_in_ptx(
        [
            LineCounts(99, store.ptx_line, "st", "shared", 4, 5, None, 5, 5),
            LineCounts(99, 0, "st", "shared", 4, 1, None, 1, 1),
        ],
        made.program,
    )
    assert [(line.line, line.instructions) for line in found] == [(4, 5), (99, 1)]


def test_constant_memory_is_not_compared_by_line() -> None:
    assert compare_lines({LineKind(3, "ld", "const", 4): Count(requests=1)}, []) == ()


@given(numpy_st.arrays(st.sampled_from(["f2", "f4", "f8", "c8", "i4", "u8", "u2"]), st.integers(1, 40)), st.data())
def test_equal_arrays_have_no_difference_and_one_changed_element_is_found(array: Any, data: st.DataObject) -> None:
    assert difference_of(array, array.copy()) is None
    place = data.draw(st.integers(0, array.size - 1))
    other = array.copy()
    other.view(np.uint8).reshape(array.size, -1)[place, 0] ^= 1
    far = difference_of(array, other)
    if array.dtype.kind in "fc" and np.isnan(array[place]) and np.isnan(other[place]):
        assert far is None
    else:
        assert far is not None
        assert (far.count, far.first) == (1, place)
        assert far.of_largest is not None


@pytest.mark.parametrize(
    ("one", "other", "of_largest", "ulps"),
    [
        ([np.float32(1)], [np.nextafter(np.float32(1), np.float32(2))], 2**-23, 1),
        ([np.float64(-1)], [np.nextafter(np.float64(-1), 0)], 2**-53, 1),
        ([np.float32(0)], [np.float32(-0.0)], 0.0, 0),
        ([np.float32(0)], [np.float32(2)], 1.0, 1 << 30),
        ([np.float16(-1e-7)], [np.float16(1e-7)], 2.0, 4),
        ([np.float32(np.inf)], [np.float32(1)], np.inf, None),
        ([np.float32(np.nan)], [np.float32(1)], np.inf, None),
        ([np.float32(8), np.float32(0)], [np.float32(8), np.float32(1e-6)], 1.25e-7, None),
        ([np.float32(8), np.float32(1)], [np.float32(8), np.float32(1.0000002)], 2**-22 / 8, 2),
        ([np.float32(np.inf), np.float32(4)], [np.float32(np.inf), np.float32(5)], 0.2, 1 << 21),
        ([np.int32(4)], [np.int32(2)], 0.5, None),
        ([np.int32(0)], [np.int32(-3)], 1.0, None),
        ([np.void(b"ab")], [np.void(b"ac")], None, None),
    ],
)
def test_how_far_numbers_lie_apart(one: Any, other: Any, of_largest: float | None, ulps: int | None) -> None:
    """Beside the largest number; in ulps where a number is not near zero beside it."""
    far = difference_of(np.array(one), np.array(other))
    assert far is not None
    assert far.ulps == ulps
    assert far.of_largest == (None if of_largest is None else pytest.approx(of_largest, rel=1e-6))


def test_one_nan_is_as_good_as_another() -> None:
    """Those of a GPU's arithmetic are 0x7fffffff, those of a CPU's 0xffc00000 or 0x7fc00000."""
    ours = np.array([0x7FC00000, 0xFFC00000, 0x3F800000], dtype=np.uint32).view(np.float32)
    theirs = np.array([0x7FFFFFFF, 0x7FFFFFFF, 0x3F800000], dtype=np.uint32).view(np.float32)
    assert difference_of(ours, theirs) is None
    assert difference_of(ours.astype(np.float64), theirs.astype(np.float64)) is None


OF, BESIDE = "of 1,000 elements", "of the largest value"


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (None, "1,000 elements equal"),
        (Difference(720, 3, 1.23e-7, 2), f"720 {OF} (72%) differ, the first at 3, by up to 1.2e-07 {BESIDE}, 2 ulps"),
        (Difference(5, 3, 2.0, None), f"5 {OF} (0.5%) differ, the first at 3, by up to 2 {BESIDE}"),
        (Difference(1, 0, np.inf, 9), f"1 {OF} (0.1%) differ, the first at 0: one of the two is no finite number"),
        (Difference(1, 0, None, None), f"1 {OF} (0.1%) differ, the first at 0"),
    ],
)
def test_a_difference_in_words(difference: Difference | None, words: str) -> None:
    assert str(ArrayComparison("out", "float32", 1000, difference)) == f"out: {words}"


def test_differences_of_parts_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    one = np.arange(1, 100, dtype=np.float32)
    other = one.copy()
    other[[20, 21, 90]] = [np.nextafter(one[20], np.float32(0)), one[21] * 2, np.nan]
    whole = difference_of(one, other)
    monkeypatch.setattr("warpviz.kernel.measured.outputs._CHUNK", 8)
    assert difference_of(one, other) == whole
    assert whole is not None
    assert (whole.count, whole.first, whole.of_largest) == (3, 20, np.inf)
    assert whole.ulps == 1 << 23


def test_floats_may_differ_for_causes_that_the_kernel_has(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "//@ launch k grid=1 block=32 a=f32[32]:i+1 b=f32[1]\n"
        "__global__ void k(float* a, float* b) {\n"
        "  a[threadIdx.x] = __sinf(a[threadIdx.x]); atomicAdd(b, a[threadIdx.x]);\n}\n"
    )
    made = prepare(read_source(source), LaunchOptions(), compiler=compiler())
    outcome = interpret(made.program, made.launch)
    arrays = {name: array + np.float32(1) for name, array in outcome.arrays.items()}
    measured = measure(made, outcome, GpuThatIsNone(arrays, Unavailable("none")))  # type: ignore[arg-type]
    assert [array.causes for array in measured.arrays] == [
        (
            "floating-point atomics add up in an order that is not fixed, and the last bits depend on it",
            "the GPU's approximate functions (sin) have last bits of their own",
        )
    ] * 2


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("a[t] * a[t + 1] - a[t]", True),
        ("__fmul_rn(a[t], a[t + 1]) - a[t]", False),
        ("__fadd_rn(a[t], 2.0f)", False),
        ("a[t] * a[t + 1]", False),
    ],
)
def test_a_product_and_a_sum_may_become_one_instruction(body: str, is_told: bool) -> None:
    """In the machine code alone: a difference of products, of which NVRTC leaves one to ptxas."""
    text = (
        "//@ launch k grid=1 block=32 a=f32[64]:i+1\n"
        "__global__ void k(float* a) {\n  int t = threadIdx.x;\n"
        f"  float v = {body};\n  a[t] = v;\n}}\n"
    )
    source = KernelSource(Path("k.cu"), text, tuple(parse_launch(text)))
    made = prepare(source, LaunchOptions(), compiler=compiler())
    causes = causes_of_other_numbers(made.program, {})
    told = "line 4: a product and a sum may be one multiply-add in the machine code, which rounds once"
    assert causes == ((told,) if is_told else ())


def test_a_difference_adds_up() -> None:
    assert Difference(1, 5, 0.5, None).and_then(Difference(2, 9, 0.25, 3)) == Difference(3, 5, 0.5, 3)


@pytest.mark.parametrize(("seconds", "words"), [(9.996e-4, "1 ms"), (1.5, "1.5 s"), (0.25, "250 ms")])
def test_times_have_three_digits(seconds: float, words: str) -> None:
    assert seconds_in_words(seconds) == words
