"""`warpviz predict`: the contract's answers, its text, and what it says of bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.conftest import DATA

CASES = json.loads((DATA / "cases.json").read_text(encoding="utf-8"))


def arguments_of(case: dict[str, Any]) -> list[str]:
    """The command line that asks this case."""
    said = ["predict", case["expr"], "--decl", case["decl"], "--op", case["op"], "--space", case["space"], "--json"]
    said += ["--block", ",".join(map(str, case["block"])), "--warp", str(case["warp"])]
    said += ["--block-index", ",".join(map(str, case["block_index"]))]
    said += [argument for name, value in case["set"].items() for argument in ("--set", f"{name}={value}")]
    said += ["--where", case["where"]] if case["where"] else []
    return said + (["--matrices", str(case["matrices"])] if "matrices" in case else [])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_cases(run: Run, case: dict[str, Any]) -> None:
    answer = run(*arguments_of(case))
    assert answer.code == 0, answer.err
    (told,) = answer.objects
    expected = dict(case["expect"])
    if "ideal" in expected:
        expected["ideal_wavefronts"] = expected.pop("ideal")
    assert {name: told[name] for name in expected} == expected
    assert (told["space"], told["width"]) == (case["space"], case["width"])


def test_the_json_object_is_the_contract(run: Run) -> None:
    answer = run("predict", "s[k*lane]", "--set", "k=8", "--where", "lane < 4", "--json")
    assert answer.code == 0
    (told,) = answer.objects
    assumption = told.pop("assumptions")
    assert len(assumption) == 1
    assert "float" in assumption[0]
    assert told == {
        "expression": "s[k*lane]",
        "set": {"k": 8},
        "space": "shared",
        "op": "ld",
        "width": 4,
        "arch": "sm_90",
        "active_lanes": 4,
        "requests": None,
        "sectors": None,
        "lines": None,
        "sector_efficiency": None,
        "wavefronts": 1,
        "ideal_wavefronts": 1,
        "conflicts": 0,
        "addresses": [0, 32, 64, 96] + [None] * 28,
    }


def test_ranges_multiply_out_in_order(run: Run) -> None:
    answer = run("predict", "in[k*lane + o]", "--space", "global", "--set", "k=1..2", "--set", "o=0..2", "--json")
    assert [told["set"] for told in answer.objects] == [{"k": k, "o": o} for k in (1, 2) for o in (0, 1, 2)]
    assert [told["sectors"] for told in answer.objects] == [4, 5, 5, 8, 8, 9]
    assert answer.objects[0]["sector_efficiency"] == 1.0


def test_text_shows_the_counts_in_a_table(run: Run) -> None:
    answer = run("predict", "s[k*lane]", "--set", "k=7..8")
    lines = answer.out.splitlines()
    assert lines[0].split() == ["s[k*lane]", "shared", "float", "ld,", "4", "bytes", "a", "lane,", "sm_90"]
    assert [line.split() for line in lines[1:4]] == [
        ["k", "wavefronts", "ideal", "conflicts"],
        ["7", "1", "1", "0"],
        ["8", "8", "1", "7"],
    ]
    assert lines[4].startswith("  assumed: s is not declared")
    assert answer.err == ""


def test_an_array_indexed_twice_is_32_by_32(run: Run) -> None:
    answer = run("predict", "tile[lane][3]", "--json")
    assert answer.objects[0]["addresses"] == [128 * lane + 12 for lane in range(32)]


def test_outside_the_array_is_a_warning_that_still_shows_the_access(run: Run) -> None:
    answer = run("predict", "s[lane + 1]", "--decl", "__shared__ float s[32];", "--json")
    assert answer.code == 0
    assert answer.objects[0]["addresses"][31] == 128
    assert "lane 31" in answer.err
    assert answer.err.startswith("warpviz: warning: expression, column ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["s[0]", "--decl", "__shared__ float s[1];", "--op", "atom"], "loop of compare-and-swap"),
        (["s[0]", "--decl", "__shared__ unsigned long long s[1];", "--op", "red"], "loop of compare-and-swap"),
        (["p[lane/4]", "--decl", "int* p;", "--op", "red"], "out in rounds"),
        (["p[64*lane]", "--decl", "int* p;", "--op", "atom"], "lower bound"),
        (["s[lane]", "--arch", "sm_75"], "measured on sm_90"),
    ],
)
def test_what_is_assumed_is_said(run: Run, arguments: list[str], words: str) -> None:
    assert any(words in sentence for sentence in run("predict", *arguments, "--json").objects[0]["assumptions"])


def test_nothing_is_assumed_without_need(run: Run) -> None:
    for arguments in (
        ["p[lane]", "--decl", "int* p;", "--op", "red"],
        ["s[0]", "--decl", "__shared__ int s[1];", "--op", "atom"],
    ):
        assert run("predict", *arguments, "--json").objects[0]["assumptions"] == []


def test_declarations_from_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "d.h"
    file.write_text("#define N 33\n__shared__ double t[32][N];\n")
    answer = run("predict", "t[lane][0]", "--decl", f"@{file}", "--json")
    assert answer.objects[0]["addresses"][1] == 33 * 8


def test_other_architectures_are_assumed(run: Run) -> None:
    said = run("predict", "p[lane]", "--decl", "float* p;", "--arch", "sm_75", "--json").objects[0]["assumptions"]
    assert any("sm_75" in sentence for sentence in said)


BAD = [
    (["predict"], "EXPR"),
    (["predict", ""], "expression"),
    (["predict", "s[k*lane]"], "k has no value"),
    (["predict", "s["], "column"),
    (["predict", "s[lane/0]"], "lane 0"),
    (["predict", "s[1 << lane + 1]"], "lane 31"),
    (["predict", "3 + 4"], "expression"),
    (["predict", "s[lane]", "--set", "k"], "NAME=INT"),
    (["predict", "s[lane]", "--set", "k=x"], "no whole number"),
    (["predict", "s[lane]", "--set", "k=9..1"], "ends before it begins"),
    (["predict", "s[lane]", "--set", "k=1", "--set", "k=2"], "twice"),
    (["predict", "s[lane]", "--set", "k=99999999999999999999"], "64 bits"),
    (["predict", "s[k+j]", "--set", "k=0..9999", "--set", "j=0..9999"], "multiply out"),
    (["predict", "s[lane]", "--block", "0"], "block"),
    (["predict", "s[lane]", "--block", "1,2,3,4"], "4 numbers"),
    (["predict", "s[lane]", "--block", "x"], "whole numbers"),
    (["predict", "s[lane]", "--block", "2048"], "1024"),
    (["predict", "s[lane]", "--warp", "1"], "warp"),
    (["predict", "s[lane]", "--grid", "2", "--block-index", "2"], "grid"),
    (["predict", "s[lane]", "--arch", "hopper"], "hopper"),
    (["predict", "s[lane]", "--op", "prefetch"], "prefetch"),
    (["predict", "s[lane]", "--matrices", "2"], "matrices"),
    (["predict", "s[lane]", "--where", "lane <"], "where"),
    (["predict", "s[lane]", "--decl", "__shared__ floot s[2];"], "declarations"),
    (["predict", "s[lane]", "--decl", "@nowhere.h"], "nowhere.h"),
    (["predict", "s[lane]", "--decl", "@/dev/zero"], "larger than"),
    (["predict", "p[lane].b", "--decl", "#pragma pack(1)\nstruct P{char a; int b;}; P* p;"], "#pragma pack"),
    (["predict", "s[lane]", "--nonsense"], "nonsense"),
    (["predict", "tile-padding"], "tile-padding is a scene"),
    (["predict", "s[lane/(k-3)]", "--set", "k=0..5"], "(with k=3)"),
    (["predict", "s[lane]", "--decl", "__shared__ float s[2]; #define N 2"], "line of its own"),
    (["no-such-scene"], "no-such-scene"),
    (["kernel.cu"], "kernel.cu"),
    (["nowhere.toml"], "nowhere.toml"),
    (["stride", "-e", "s[lane]"], "both"),
    (["stride", "--op", "st"], "--op"),
    (["stride", "--set", "q=1"], "no knob q"),
    (["stride", "--set", "k=65"], "0 to 64"),
    (["--set", "k=1"], "expression"),
    ([], "terminal"),
    (["stride"], "terminal"),
    (["-e", "s[lane]"], "terminal"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD, ids=lambda value: " ".join(value)[:40])
def test_bad_input_is_one_sentence_and_exit_code_2(run: Run, arguments: list[str], named: str) -> None:
    answer = run(*arguments)
    assert answer.code == 2, answer
    assert answer.out == ""
    assert named in answer.err
    assert answer.err.startswith("warpviz: ")
    assert "Traceback" not in answer.err


def test_scenes_are_listed(run: Run) -> None:
    answer = run("scenes")
    assert answer.code == 0
    assert any(line.startswith("stride ") for line in answer.out.splitlines())


def test_output_that_nobody_reads_or_that_cannot_be_written() -> None:
    command = f"{sys.executable} -m warpviz predict 's[k*lane]' --set k=0..3000 --json"
    for shell, code in ((f"({command}; echo $? >&2) | head -1", "0"), (f"{command} >/dev/full; echo $? >&2", "2")):
        done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
        assert done.stderr.splitlines()[-1] == code
        assert "Traceback" not in done.stderr
    closed = subprocess.run(["sh", "-c", f"{command} >&- <&-"], capture_output=True, text=True, check=False)
    assert (closed.returncode, closed.stderr) == (0, "")


def test_a_name_that_stands_nowhere_is_a_warning(run: Run) -> None:
    answer = run("predict", "s[lane]", "--set", "kk=3", "--json")
    assert answer.code == 0
    assert answer.err == "warpviz: warning: --set kk: the name stands nowhere\n"


def test_version(run: Run) -> None:
    assert run("--version").out.startswith("warpviz")


def test_help_has_examples(run: Run) -> None:
    answer = run("--help")
    assert answer.code == 0
    assert "warpviz predict" in answer.out
