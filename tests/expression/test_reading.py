"""Which part of an expression varies with the lane, and by how much."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.expression.ask import AS_OFFSET, CASES, ask, case_pattern
from warpviz.expression import parse
from warpviz.expression.reading import Reading, growth_per_lane

K = Reading("k", "uniform", 8, None, 1)


@pytest.mark.parametrize(
    ("expression", "declarations", "values", "readings"),
    [
        ("s[k*lane]", "", {"k": 8}, [Reading("k*lane", "linear", None, 8, 32, (K,))]),
        ("s[lane - 40]", "", {}, [Reading("lane - 40", "linear", None, 1, 32)]),
        (
            "s[100 - 2*lane]",
            "",
            {},
            [Reading("100 - 2*lane", "linear", None, -2, 32, (Reading("2*lane", "linear", None, 2, 32),))],
        ),
        (
            "s[k*lane + off]",
            "",
            {"k": 8, "off": 2},
            [
                Reading(
                    "k*lane + off",
                    "linear",
                    None,
                    8,
                    32,
                    (Reading("k*lane", "linear", None, 8, 32), Reading("off", "uniform", 2, None, 1)),
                )
            ],
        ),
        (
            "tile[r][c ^ lane]",
            "",
            {"r": 3, "c": 5},
            [
                Reading("r", "uniform", 3, None, 1),
                Reading("c ^ lane", "varying", None, None, 32, (Reading("c", "uniform", 5, None, 1),)),
            ],
        ),
        ("s[lane % k]", "", {"k": 8}, [Reading("lane%k", "varying", None, None, 8, (K,))]),
        ("s[k*k]", "", {"k": 8}, [Reading("k*k", "uniform", 64, None, 1)]),
        ("3[s]", "__shared__ float s[9];", {}, [Reading("3", "uniform", 3, None, 1)]),
        (
            "*(4 + p + lane)",
            "float* p;",
            {},
            [Reading("4", "uniform", 4, None, 1), Reading("lane", "linear", None, 1, 32)],
        ),
        ("*(float4*)&s[4*lane]", "", {}, [Reading("4*lane", "linear", None, 4, 32)]),
        ("p[lane].x", "struct P { float x, y; }; P* p;", {}, [Reading("lane", "linear", None, 1, 32)]),
        ("(p + lane)->x", "struct P { float x, y; }; P* p;", {}, [Reading("lane", "linear", None, 1, 32)]),
        (
            "q[lane]",
            "__shared__ float s[99]; const int i = 2*lane; float* q = &s[i];",
            {},
            [Reading("i", "linear", None, 2, 32), Reading("lane", "linear", None, 1, 32)],
        ),
        ("r", "__shared__ int s[99]; int& r = s[lane];", {}, [Reading("lane", "linear", None, 1, 32)]),
        ("(lane < 9 ? s : s + 9)[lane]", "__shared__ int s[99];", {}, [Reading("lane", "linear", None, 1, 32)]),
        ("s[0u - lane]", "float* s;", {}, [Reading("0 - lane", "varying", None, None, 32)]),
        (
            "s[q - p + lane]",
            "float* p; float* q = p + 3;",
            {},
            [Reading("q - p + lane", "linear", None, 1, 32, (Reading("q - p", "uniform", 3, None, 1),))],
        ),
        ("s[q - p]", "float* p; float* q = p + lane;", {}, [Reading("q - p", "linear", None, 1, 32)]),
        ("x", "__shared__ float x;", {}, []),
    ],
)
def test_each_index_is_read(
    expression: str, declarations: str, values: dict[str, int], readings: list[Reading]
) -> None:
    assert list(ask(expression, declarations, values).readings()) == readings


def test_only_active_lanes_are_read() -> None:
    reading, *rest = ask("s[96 / lane]", where="lane == 2 || lane == 4 || lane == 6").readings()
    assert not rest
    assert (reading.kind, reading.distinct) == ("varying", 3)
    (one,) = ask("s[96 / lane]", where="lane == 6").readings()
    assert (one.kind, one.value) == ("uniform", 16)
    (none,) = ask("s[96 / lane]", where="lane > 99").readings()
    assert (none.kind, none.value, none.distinct) == ("uniform", None, 0)


def test_lanes_of_an_ldmatrix_whose_address_is_not_read_do_not_count() -> None:
    first, second = ask(
        "*(uint4*)&A[lane % 8][8 * (lane / 8)]", "__shared__ half A[8][64];", op="ldmatrix", matrices=1
    ).readings()
    assert (first.kind, first.stride) == ("linear", 1)
    assert (second.kind, second.value) == ("uniform", 0)


def test_growth_counts_lane_numbers_that_are_left_out() -> None:
    assert growth_per_lane({0: 0, 2: 4, 30: 60}) == 2
    assert growth_per_lane({0: 0, 2: 5}) is None
    assert growth_per_lane({0: 0, 2: 4, 3: 8}) is None
    assert growth_per_lane({7: 7}) is None
    assert growth_per_lane({}) is None


OPERATIONS = ["({} + {})", "({} - {})", "({} * {})", "({} ^ {})", "({} & {})", "({} | {})"]
GUARDED = ["({} << ({} & 3))", "({} >> ({} & 3))", "({} / ({} | 1))", "({} % ({} | 1))"]
terms = st.recursive(
    st.sampled_from(["lane", "k", "3", "threadIdx.x", "-7"]),
    lambda inner: st.builds(str.format, st.sampled_from(OPERATIONS + GUARDED), inner, inner),
    max_leaves=6,
)
BLANK = {"block": [32, 1, 1], "block_index": [0, 0, 0], "warp": 0, "op": "ld"}


@given(terms, st.integers(1, 5), st.sampled_from(["", "lane % 3 == 1", "lane == 7"]))
def test_a_reading_is_what_the_addresses_are(term: str, k: int, where: str) -> None:
    expression, declarations = AS_OFFSET.format(term), "char* origin;"
    program = parse(case_pattern({**BLANK, "expr": expression, "decl": declarations, "where": where}))
    evaluation = program.evaluate({"k": k} if program.free_names else {})
    access = evaluation.access
    values = {lane: int(access.addresses[0, lane]) for lane in range(32) if access.active[0, lane]}
    (reading,) = evaluation.readings()
    assert reading.distinct == len(set(values.values()))
    steps = {(values[b] - values[a], b - a) for a in values for b in values if a < b}
    if len(set(values.values())) == 1:
        assert (reading.kind, reading.value) == ("uniform", values[min(values)])
    elif reading.kind == "linear":
        assert all(grown == reading.stride * lanes for grown, lanes in steps)
    else:
        assert reading.kind == "varying"
        slopes = {Fraction(grown, lanes) for grown, lanes in steps}
        assert len(slopes) > 1 or slopes.pop().denominator > 1


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_real_questions_are_read(case: dict[str, object]) -> None:
    program = parse(case_pattern(case))
    readings = program.evaluate(case["set"]).readings()  # type: ignore[arg-type]
    assert "[" not in case["expr"] or readings  # type: ignore[operator]
    for reading in readings:
        assert (reading.kind == "uniform") == (reading.distinct <= 1)
        assert (reading.stride is not None) == (reading.kind == "linear")


def test_a_deep_expression_is_read() -> None:
    deep = "lane" + " + k" * 60
    (reading,) = ask(f"s[{deep}]", values={"k": 2}).readings()
    assert (reading.kind, reading.stride, len(reading.parts)) == ("linear", 1, 60)
