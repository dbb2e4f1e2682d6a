"""What Nsight Compute showed for two kernels on an H200, by instruction, read and sorted by line of the source."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conftest import DATA
from warpviz.gpu import Unavailable
from warpviz.gpu.code.sass import Instruction, read_kernel
from warpviz.gpu.counters.heard import Heard, read_instances, read_rows, read_table, read_values, run_with_known
from warpviz.gpu.launching.counts import LaunchCounts, LineCounts, by_line
from warpviz.gpu.launching.lines import line_counts
from warpviz.gpu.launching.metrics import (
    BY_INSTRUCTION,
    EXECUTED,
    GLOBAL_SECTORS,
    IDEAL_WAVEFRONTS,
    LOCAL_SECTORS,
    METRICS,
    WAVEFRONTS,
    counters_of,
    metric_names,
)

FOLDER = DATA / "ncu"


def recorded(kernel: str) -> tuple[dict[str, str], tuple[Instruction, ...]]:
    """The row of the kernel's one launch, and the machine code that was counted."""
    (row,) = read_table((FOLDER / f"{kernel}.csv").read_text())
    routine = read_kernel((FOLDER / f"{kernel}.sass").read_text(), kernel)
    assert routine is not None
    return row, routine.instructions


def counts_of(kernel: str) -> LaunchCounts:
    row, code = recorded(kernel)
    lines = line_counts({name: read_instances(row[name]) for name in BY_INSTRUCTION}, code)
    return LaunchCounts("Nsight Compute", read_values(row, metric_names()), lines)


def test_a_histogram_is_sorted_by_line() -> None:
    lines = counts_of("histogram_shared").lines
    assert isinstance(lines, tuple)
    assert [line.ptx_line for line in lines] == [39, 58, 61, 70, 76]
    assert by_line(lines) == (
        LineCounts(4, 0, "st", "shared", 4, 512, None, 512, 512),
        LineCounts(6, 0, "ld", "global", 1, 8192, 8192),
        LineCounts(6, 0, "atom", "shared", 4, 8192, None, 9204, 8192),
        LineCounts(8, 0, "ld", "shared", 4, 512, None, 512, 512),
        LineCounts(8, 0, "red", "global", 4, 512, 2048),
    )


def test_what_the_counters_show_for_the_kernel_is_what_its_lines_add_up_to() -> None:
    counted = counts_of("scan_hillis")
    assert counted.counters["shared_ld"] == {
        "instructions": 38912, "wavefronts": 36992, "ideal_wavefronts": 36992, "conflicts": 0,
    }  # fmt: skip
    assert counted.counters["shared_st"] == {"wavefronts": 20480, "ideal_wavefronts": 20480, "conflicts": 0}
    assert counted.counters["global_ld"] == {"requests": 2048, "sectors": 8192}
    assert counted.counters["global_st"] == {"sectors": 8192}
    assert counted.counters["global_red"] == {}
    assert isinstance(counted.lines, tuple)
    assert sum(line.instructions for line in counted.lines if line.key == "shared_ld") == 38912


def test_the_ideal_is_left_out_where_the_lines_are_not_all() -> None:
    counted = counts_of("scan_hillis")
    assert isinstance(counted.lines, tuple)
    first = next(line for line in counted.lines if line.key == "shared_ld")
    for lines in (tuple(line for line in counted.lines if line != first), Unavailable("no nvdisasm")):
        fewer = LaunchCounts(counted.tool, counted.metrics, lines)
        assert fewer.counters["shared_ld"] == {"instructions": 38912, "wavefronts": 36992}


def test_values_and_instances_of_a_cell() -> None:
    row = {"a__b.sum": "1,034 (0x7f00: 1,024; 0x7f10: 10)", "c__d.sum": "12.5", "e": "n/a", "inst_executed": "7 (0: 7)"}
    assert read_values(row, ["a__b.sum", "e", "inst_executed", "none"]) == {"a__b.sum": 1034, "inst_executed": 7}
    assert read_instances(row["a__b.sum"]) == {0x7F00: 1024, 0x7F10: 10}
    assert read_instances("0") == read_instances("") == {}


def test_counts_that_are_not_of_this_code_are_refused() -> None:
    row, code = recorded("histogram_shared")
    counted = {name: read_instances(row[name]) for name in BY_INSTRUCTION}
    with pytest.raises(ValueError, match="more instructions were counted"):
        line_counts(counted, code[:20])
    with pytest.raises(ValueError, match="no instruction was counted"):
        line_counts({WAVEFRONTS: {16: 1}}, code)


CODE = (
    Instruction("LDC", "R1, c[0x0][0x28]", line=1),
    Instruction("LDGSTS.E.BYPASS.128", line=2),
    Instruction("LDSM.16.M88.4", line=3),
    Instruction("STSM.16.M88.2", line=3),
    Instruction("LD.E", line=4),
    Instruction("LD.E", line=5),
    Instruction("ATOMS.CAST.SPIN", line=6),
    Instruction("LDL.64", line=7),
    Instruction("STG.E", predicate="@P0", line=8),
    Instruction("STG.E", line=9),
    Instruction("STG.E", line=9),
    Instruction("FFMA", line=9),
)


def test_every_kind_of_instruction_is_sorted() -> None:
    each = [7 if place != 8 else 0 for place in range(len(CODE))]
    wavefronts = dict(zip(range(len(CODE)), [0, 28, 28, 14, 7, 0, 70, 0, 0, 0, 0, 0], strict=True))
    sectors = dict(zip(range(len(CODE)), [0, 112, 0, 0, 0, 28, 0, 0, 0, 5, 6, 0], strict=True))
    counted = {
        EXECUTED: {0x500 + 16 * place: value for place, value in enumerate(each) if value},
        WAVEFRONTS: {0x500 + 16 * place: value for place, value in wavefronts.items() if value},
        IDEAL_WAVEFRONTS: {0x500 + 16 * place: value for place, value in wavefronts.items() if 0 < value < 70},
        GLOBAL_SECTORS: {0x500 + 16 * place: value for place, value in sectors.items() if value},
        LOCAL_SECTORS: {0x570: 56},
    }
    assert line_counts(counted, CODE) == (
        LineCounts(2, 0, "copy", "global", 16, 7, 112),
        LineCounts(2, 0, "copy", "shared", 16, 7, None, 28, 28),
        LineCounts(3, 0, "ldmatrix", "shared", 16, 7, None, 28, 28),
        LineCounts(3, 0, "st", "shared", 16, 7, None, 14, 14),
        LineCounts(4, 0, "ld", "shared", 4, 7, None, 7, 7),
        LineCounts(5, 0, "ld", "global", 4, 7, 28),
        LineCounts(6, 0, "atom", "shared", 4, 7, None, 70, 0),
        LineCounts(7, 0, "ld", "local", 8, 7, 56),
        LineCounts(9, 0, "st", "global", 4, 14, 11),
    )


def test_generic_instructions_are_told_apart() -> None:
    counted = LaunchCounts("Nsight Compute", {"smsp__inst_executed_op_generic_ld.sum": 4}, ())
    assert counted.generic == {"ld": 4, "st": 0, "atom": 0}


def test_lines_of_several_instructions_of_the_ptx_are_put_together() -> None:
    one, other = (
        LineCounts(5, 20, "ld", "shared", 4, 3, None, 3, 3),
        LineCounts(5, 22, "ld", "shared", 4, 1, None, 9, 1),
    )
    wide, first = replace(one, width=16), replace(one, line=2)
    assert by_line([one, wide, other, first]) == (
        LineCounts(2, 0, "ld", "shared", 4, 3, None, 3, 3),
        LineCounts(5, 0, "ld", "shared", 4, 4, None, 12, 4),
        LineCounts(5, 0, "ld", "shared", 16, 3, None, 3, 3),
    )


def test_what_was_not_counted_stays_unknown() -> None:
    (line,) = line_counts({EXECUTED: {0: 3}}, [Instruction("LDS.U8", line=4)])
    assert line == LineCounts(4, 0, "ld", "shared", 1, 3)
    (line,) = line_counts({EXECUTED: {0: 3, 16: 4}}, [Instruction("STL", line=4)] * 2)
    assert line == LineCounts(4, 0, "st", "local", 4, 7)


def test_every_metric_is_asked_for_once_and_adds_up() -> None:
    names = metric_names()
    assert len(names) == len(set(names))
    values = {name: 10 for quantities in METRICS.values() for parts in quantities.values() for name in parts}
    assert {*names} - {*values, *BY_INSTRUCTION} == {
        f"smsp__inst_executed_op_generic_{op}.sum" for op in ("ld", "st", "atom")
    }
    counters = counters_of(values)
    assert counters["global_ld"] == {"requests": 10, "sectors": 10}
    assert counters["shared_ld"] == {"instructions": 20, "wavefronts": 20}
    assert counters["global_copy"] == {"requests": 10, "sectors": 10}
    without = {name: value for name, value in values.items() if "stsm" not in name and "global_op_red" not in name}
    assert counters_of(without)["shared_st"] == {"instructions": 10, "wavefronts": 10}
    assert counters_of(without)["global_red"] == {}


def test_ncu_runs_again_without_what_it_does_not_know() -> None:
    asked: list[list[str]] = []

    def run(wanted: list[str]) -> Heard:
        asked.append(list(wanted))
        heard = Heard(frozenset({"launched"}))
        unknown = next((name for name in wanted if name.startswith("new__")), None)
        if unknown:
            heard.listen(f"==ERROR== Failed to find metric {unknown}\n".encode())
        else:
            heard.listen(b'{"launched": "sm_90"}\n')
            heard.said.append('"ID","a__b.sum"\n"",""\n"0","1,034 (0x7f00: 1,034)"\n')
        return heard

    heard = run_with_known(run, ["a__b.sum", "new__c.sum", "new__d.sum"])  # type: ignore[arg-type]
    assert asked == [["a__b.sum", "new__c.sum", "new__d.sum"], ["a__b.sum", "new__d.sum"], ["a__b.sum"]]
    assert heard.answers == [{"launched": "sm_90"}]
    assert read_rows(heard.text) == [{}], "a cell with instances is no plain number"
    assert read_values(read_table(heard.text)[0], ["a__b.sum"]) == {"a__b.sum": 1034}
