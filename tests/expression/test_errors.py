"""What is wrong is said in one sentence that names the place, the lane where it matters, and the mend."""

from __future__ import annotations

from typing import Any

import pytest

from tests.expression.ask import ask, error
from warpviz.expression import ExpressionError, Pattern, parse

# (expression, column, part of the sentence)
EXPRESSIONS = [
    ("", 1, "is empty"),
    (" \n /* nothing */ ", 1, "is empty"),
    ("s[lane", 2, "[ is never closed"),
    ("s[lane]]", 8, "] closes nothing"),
    ("s[(lane]", 8, "stands where )"),
    ("s[3+]", 5, "] is not expected"),
    ("s[3 lane]", 5, "lane is not expected"),
    ("s[lane] +", 10, "ends too early"),
    ("s[lane]; s[2]", 8, "one C expression"),
    ("s[lane]) + (3", 8, ") closes nothing"),
    ("s[{lane}]", 3, "one C expression"),
    ("s[half*lane]", 3, "name of a type"),
    ("s[lane] = 3", 1, "--op st"),
    ("s[lane]++", 1, "changes a value"),
    ("s[lane += 1]", 3, "changes a value"),
    ("atomicAdd(&s[lane], 1)", 1, "--op atom"),
    ("s[f(lane)]", 3, "the function f is not known"),
    ("s[min(lane)]", 3, "takes 2 arguments"),
    ("s[lane*0.5f]", 8, "floating-point"),
    ("s[(float)lane]", 3, "a float value is not computed"),
    ("s[idx[lane]]", 3, "what idx holds is not known"),
    ("s[k*lane]", 3, "k has no value; give it one with --set k=INT"),
    ("k*lane", 1, "k has no value"),
    ("lane", 1, "not a place in memory"),
    ("&s[lane]", 2, "not a place in memory"),
    ("threadIdx.x", 1, "local variable"),
    ("s", 1, "s is not declared"),
    ("s[lane][1][2]", 1, "rank 3 needs a declaration"),
    ("s[lane].x", 1, "s is not declared"),
    ("s[s]", 3, "both as an array and as a number"),
    ("s[threadIdx]", 3, "name a member"),
    ("s[threadIdx.w]", 13, "uint3 has no member w"),
    ("s[lane.x]", 8, "needs a struct"),
    ("lane[3]", 1, "no array and no pointer"),
    ("*lane", 2, "* needs a pointer"),
    ("((float*)lane)[0]", 2, "no memory space"),
    ("s[(long)&s[1]]", 3, "a pointer's bits"),
    ("s[&s[1]]", 1, "no array and no pointer"),
    ("s[&s[1] * 2]", 4, "does not go with a pointer"),
    ("s[1 ? &s[1] : 2]", 3, "a pointer in some lanes"),
    ("s[2**70]", 6, "* needs a pointer"),
    ("s[99999999999999999999]", 3, "does not fit 64 bits"),
    ("s[089]", 3, "not a number"),
    ("s[1x]", 3, "not a number"),
    ("s['ab']", 3, "not one character"),
    ('s["a"]', 3, "a string has no meaning"),
    ("s['a]", 3, "does not close"),
    ("s[/* hi]", 3, "never ends"),
    ("s[lane]\0", 8, "U+0000"),
    ("s[läne]", 4, "ä is not a character of C"),
    ("s[lane−1]", 7, "− is not a character of C"),
    ("#define k 3\ns[k]", 1, "belongs in the declarations"),
    ("s[sizeof(struct Q)]", 3, "has no size"),
    ("s[lane # 2]", 8, "has no meaning here"),
    ("s[lane::x]", 9, "x is not expected"),
    ("sizeof s[0]", 1, "not a place in memory"),
]

# (declarations, expression, line, column, part of the sentence); the place is in the declarations
DECLARATIONS = [
    ("float x", "s[0]", 1, 8, "end without ;"),
    ("foo bar;", "s[0]", 1, 1, "foo is not expected"),
    ("#include <x>", "s[0]", 1, 1, "not followed"),
    ("\n#if 1\n", "s[0]", 2, 1, "#if is not known"),
    ("#define\n", "s[0]", 1, 1, "needs a name"),
    ("#define f(a b) a", "s[0]", 1, 13, "not a macro parameter"),
    ("#define f(a) #a", "s[0]", 1, 14, "# in a macro"),
    ("int f(int x) { return x; }", "s[0]", 1, 5, "#define NAME(x)"),
    ("__shared__ float s[0];", "s[0]", 1, 20, "a dimension is 0"),
    ("__shared__ float s[2 - 3];", "s[0]", 1, 20, "a dimension is -1"),
    ("__shared__ float s[lane];", "s[0]", 1, 20, "differs from lane to lane"),
    ("__shared__ float s[1 << 30][1 << 30];", "s[0]", 1, 20, "larger than any memory"),
    ("__shared__ float s[4];\nint s;", "s[0]", 2, 5, "declared twice"),
    ("int a = b; int b = 1;", "s[a]", 1, 9, "used before it is declared"),
    ("int a = a + 1;", "s[a]", 1, 9, "used before it is declared"),
    ("struct P { int a : 3; };", "s[0]", 1, 16, "bit-field"),
    ("struct P { int a; int a; };", "s[0]", 1, 23, "there twice"),
    ("struct P { int a; };\nstruct P { int b; };", "s[0]", 2, 8, "defined twice"),
    ("struct P { struct Q q; };", "s[0]", 1, 21, "has no size"),
    ("__shared__ void v;", "s[0]", 1, 17, "no size"),
    ("typedef float __align__(8) f;", "s[0]", 1, 15, "typedef"),
    ("struct __attribute__((packed)) P { int a; };", "s[0]", 1, 8, "packed"),
    ("__shared__ __align__(3) float s[4];", "s[0]", 1, 22, "power of two"),
    ("__shared__ __constant__ float s[4];", "s[0]", 1, 31, "two memory qualifiers"),
    ("const int t[2] = {1, 2, 3};", "s[t[0]]", 1, 25, "more values"),
    ("const int t[2] = {[1] = 2};", "s[t[0]]", 1, 25, "designated"),
    ("const int t[2] = 3;", "s[t[0]]", 1, 18, "in braces"),
    ("float& r;", "r", 1, 1, ""),
    ("long double x;", "s[0]", 1, 1, "long double is not a type"),
    ("unsigned float x;", "s[0]", 1, 1, "unsigned float is not a type"),
    ("enum { A = 1ll << 40 };", "s[A]", 1, 8, "does not fit an int"),
    ("const int q = 7 / lane;", "s[q]", 1, 19, "division by zero"),
    ("const int q = idx[lane];", "s[q]", 1, 15, "what idx holds"),
]


@pytest.mark.parametrize(("expression", "column", "words"), EXPRESSIONS)
def test_the_expression_is_wrong(expression: str, column: int, words: str) -> None:
    caught = error(expression)
    assert (caught.source, caught.column) == ("expression", column)
    assert words in caught.sentence
    assert "\n" not in str(caught)


@pytest.mark.parametrize(("declarations", "expression", "line", "column", "words"), DECLARATIONS)
def test_the_declarations_are_wrong(declarations: str, expression: str, line: int, column: int, words: str) -> None:
    caught = error(expression, declarations)
    assert caught.source == "declarations"
    assert words in caught.sentence
    if words:
        assert (caught.line, caught.column) == (line, column)


@pytest.mark.parametrize(
    ("expression", "declarations", "lane", "sentence"),
    [
        ("s[7 / (lane - 5)]", "", 5, "division by zero; keep the lane out of it with ?: or --where"),
        ("s[7u % (lane ^ 3)]", "", 3, "division by zero; keep the lane out of it with ?: or --where"),
        ("s[1 << lane*2]", "", 16, "a 32-bit value is shifted by 32; C allows 0 to 31"),
        ("s[1ll >> (20 - lane)]", "", 21, "a 64-bit value is shifted by -1; C allows 0 to 63"),
        ("*(float4*)&s[lane & ~1]", "", 2, "the float4 at byte 8 is not aligned; its address is a multiple of 16"),
        (
            "*(int*)(c + lane)",
            "unsigned char* c;",
            1,
            "the int at byte 1 is not aligned; its address is a multiple of 4",
        ),
        ("s[t[lane & 7]]", "const int t[6] = {0};", 6, "index 6 is outside 0..5 of t"),
    ],
)
def test_an_error_names_the_first_lane_in_which_it_happens(
    expression: str, declarations: str, lane: int, sentence: str
) -> None:
    caught = error(expression, declarations)
    assert (caught.lane, caught.sentence) == (lane, sentence)
    assert str(caught) == f"expression, column {caught.column}, lane {lane}: {sentence}"


@pytest.mark.parametrize(
    ("expression", "declarations", "pattern", "words"),
    [
        ("p[lane]", "float3* p;", {}, "the compiler splits float3 (12 bytes, aligned to 4)"),
        ("p[lane]", "double4* p;", {}, "the compiler splits double4 (32 bytes"),
        ("p[lane]", "struct P { float x, y; }; P* p;", {}, "the compiler splits struct P (8 bytes, aligned to 4)"),
        ("t[lane]", "__shared__ float t[32][32];", {}, "a whole array, float[32]; index it once more"),
        ("p[lane]", "struct Q* p;", {}, "struct Q has no size"),
        ("*p", "void* p;", {}, "void has no value"),
        ("p[1]", "void* p;", {}, "void pointer"),
        ("lane & 1 ? a[lane] : b[lane]", "float* a; __shared__ float b[32];", {}, "one access is in one memory space"),
        ("q[0]", "__shared__ float* q;", {}, "what q holds is not known"),
        ("a[&b[1] - &a[1]]", "float *a, *b;", {}, "different objects"),
        ("s[lane]", "", {"op": "ldmatrix", "space": "global"}, "global memory has no 'ldmatrix'"),
        ("s[lane]", "", {"matrices": 2}, "matrices goes with op 'ldmatrix'"),
        ("s[lane]", "__shared__ short s[32];", {"op": "atom"}, "4, 8"),
        ("s[lane]", "", {"op": "ldmatrix"}, "the matrix row at byte 4 is not aligned"),
    ],
)
def test_an_access_that_the_hardware_does_not_make(
    expression: str, declarations: str, pattern: dict[str, Any], words: str
) -> None:
    assert words in error(expression, declarations, **pattern).sentence


def test_the_condition_is_wrong() -> None:
    caught = error("s[lane]", where="lane < ")
    assert (caught.source, caught.column, caught.sentence) == (
        "where",
        8,
        "the condition ends too early; something is missing",
    )
    assert error("s[lane]", where="x").source == "where"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"k": 2**63}, "does not fit 64 bits"),
        ({"k": 1, "t": 3}, "declared with a meaning of its own"),
        ({"k": 1, "M": 3}, "a macro"),
        ({"k": 1, "s": 3}, "an array"),
        ({"k": 1, "lane": 3}, "CUDA gives a value"),
    ],
)
def test_a_set_value_is_wrong(values: dict[str, int], words: str) -> None:
    caught = error("s[k + t]", "#define M 3\nconst int t = 4;", values)
    assert caught.source == "set"
    assert words in caught.sentence


def test_values_of_names_that_do_not_occur_are_of_no_account() -> None:
    assert ask("s[k]", "", {"k": 1, "unused": 5}).access.addresses[0, 0] == 4


def test_a_place_inside_a_macro_is_where_it_is_used_and_inside_its_argument_where_that_stands() -> None:
    declared = "#define HALF(x) ((x) / 0)\n#define TWICE(x) HALF(x)"
    assert error("s[1 + TWICE(lane)]", declared).column == 7
    assert error("s[1 + TWICE(7 / 0)]", declared).column == 17


def test_the_caret_stands_under_the_column() -> None:
    caught = error("s[lane]", "__shared__ float s[32];\n\tconst int t = ?;\n")
    line, mark = caught.caret().split("\n")
    assert (line, mark) == (" const int t = ?;", " " * 15 + "^")
    assert str(caught).startswith("declarations, line 2, column 16: ")


def test_the_caret_of_a_long_line_fits_a_terminal() -> None:
    line, mark = error("s[lane + " + "1 + " * 100 + "k]").caret().split("\n")
    assert len(line) <= 80
    assert line[mark.index("^")] == "k"


def test_parsing_fails_before_any_value_is_asked_for() -> None:
    with pytest.raises(ExpressionError):
        parse(Pattern("s[k*]"))
    assert parse(Pattern("s[k*lane]")).free_names == ("k",)
