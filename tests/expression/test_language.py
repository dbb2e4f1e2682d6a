"""What can be written, and the addresses that it means."""

from __future__ import annotations

import pytest

from tests.expression.ask import addresses, ask, numbers
from warpviz.expression import Launch, Pattern, parse

TILE = "__shared__ float t[32][33];"

# (expression, declarations, the same access written another way, its declarations)
EQUAL = [
    ("t[lane][3]", TILE, "*(*(t + lane) + 3)", TILE),
    ("t[lane][3]", TILE, "((float*)t)[33*lane + 3]", TILE),
    ("t[lane][3]", TILE, "(&t[0][0])[lane*33 + 3]", TILE),
    ("t[lane][3]", TILE, "3[t[lane]]", TILE),
    ("t[lane][3]", TILE, "*(float*)((char*)t + (lane*33 + 3)*sizeof(float))", TILE),
    ("t[lane][3]", TILE, "r", TILE + "float& r = t[lane][3];"),
    ("t[lane][3]", TILE, "*q", TILE + "const float* __restrict__ q = t[lane] + 3;"),
    ("t[lane][3]", TILE, "(*q)[3]", TILE + "float (*q)[33] = t + lane;"),
    ("t[lane][3]", TILE, "q[3]", TILE + "auto q = t[lane];"),
    ("t[lane][3]", TILE, "__ldg(&t[lane][3])", TILE),
    ("t[lane][3]", TILE, "t[lane][3];", TILE),
    ("t[lane][3]", TILE, "(0, t[lane][3])", TILE),
    ("t[lane][3]", TILE, "lane < 7 ? t[lane][3] : *(&t[lane][4] - 1)", TILE),
    ("((float4*)s)[lane].y", "", "reinterpret_cast<float4*>(s)[lane].y", ""),
    ("((float4*)s)[lane].y", "", "reinterpret_cast<const float4 *>(&s[4*lane])->y", ""),
    ("((float4*)s)[lane].y", "", "F4(s[4*lane]).y", "#define F4(x) (reinterpret_cast<float4*>(&(x))[0])"),
    ("((float4*)s)[lane].y", "", "((float4*)(s + 4*lane))->y", ""),
    ("s[lane & 7]", "", "s[static_cast<int>(lane) & int(7 > 0 ? 7 : 0)]", ""),
    ("s[lane % 4 * 2]", "", "s[std::min(lane % 4, 9) * uint32_t(2)]", ""),
    ("s[lane + 1]", "", "s[lane /* a */ + // b\n 1]", ""),
    ("s[lane + 1]", "", "s[lane \\\n + 1]", ""),
    ("p[lane].b", "struct P { char a; int b; }; struct P* p;", "p[lane].b", "struct P { char a; int b; }; P* p;"),
    (
        "p[lane].b",
        "struct P { char a; int b; }; struct P* p;",
        "p[lane].b",
        "typedef struct { char a; int b; } P; P* p;",
    ),
    (
        "p[lane].b",
        "struct P { char a; int b; }; struct P* p;",
        "(p + lane)->b",
        "typedef struct P P; struct P { char a; int b; }; P* p;",
    ),
    ("s[lane*16]", "", "s[lane*half]", "const int half = 16;"),
    ("s[lane*3]", "", "s[lane*B]", "enum E { A = 2, B };"),
    ("s[lane*4]", "", "s[lane*N]", "constexpr int M = 2; const auto N = M*2;"),
    ("s[threadIdx.x]", "", "s[tx]", "#define tx threadIdx.x"),
    ("s[lane + 2]", "", "s[f(lane, g(1))]", "#define f(a, b) ((a) + (b))\n#define g(x) f(x, \\\n 1)"),
    ("s[lane]", "", "s[lane]", "#pragma unroll\n#define X 3\n#undef X\n"),
    ("x[lane]", "__shared__ float x[32];", "x[lane]", "float volatile __shared__ x[32];"),
    ("b[lane]", "float* a; float* b;", "b[lane]", "float *a, *b;"),
    ("((float4*)s)[lane].y", "", "reinterpret_cast<float4&>(s[4*lane]).y", ""),
    ("((float4*)s)[lane]", "", "(float4&)s[4*lane]", ""),
    ("((float4*)s)[lane]", "", "(const float4 &)s[4*lane]", ""),
    ("((float4*)s)[lane]", "", "__ldcs((vec*)s + lane)", "using vec = float4;"),
    ("s[lane & 15]", "", "s[lane & sizeof(row) - 1]", "using row = float[4];"),
    ("s[lane*10]", "", "s[lane*1'0]", ""),
    ("s[lane & 7]", "", "s[lane]", "const int lane = threadIdx.x & 7;"),
    ("s[lane*2]", "__shared__ float s[64];", "m.b[lane*2]", "__shared__ struct { float b[64]; } m;"),
    ("s[33*lane]", "", "s[lane][0]", "extern __shared__ float s[][33];"),
    ("s[lane + 32]", "", "B[lane]", "extern __shared__ char m[]; float* A = (float*)m; float* B = A + 32;"),
    ("s[lane + 3]", "", "*q", "float* q = s + lane + 3;"),
]


@pytest.mark.parametrize(("expression", "declarations", "other", "others"), EQUAL, ids=lambda text: text[:40])
def test_two_ways_to_write_one_access(expression: str, declarations: str, other: str, others: str) -> None:
    warnings = ask(other, others).warnings
    assert warnings == ask(expression, declarations).warnings
    assert addresses(other, others) == addresses(expression, declarations)


@pytest.mark.parametrize(
    ("expression", "declarations", "width", "spelled", "name"),
    [
        ("s[lane]", "", 4, "float", "s"),
        ("h[lane]", "__shared__ half h[32];", 2, "half", "h"),
        ("p[lane].y", "double2* p;", 8, "double", "p"),
        ("p[lane]", "double2* p;", 16, "double2", "p"),
        ("u[lane]", "typedef unsigned int word; __shared__ word u[32];", 4, "word", "u"),
        ("u[lane]", "__shared__ long unsigned u[32];", 8, "unsigned long", "u"),
        ("c[lane]", "__shared__ uchar4 c[32];", 4, "uchar4", "c"),
        ("q[lane]", "struct Q { float x; }; Q* q;", 4, "struct Q", "q"),
        ("q[lane]", "float** q;", 8, "float*", "q"),
        ("*(uint4*)&h[8*lane]", "__shared__ half h[256];", 16, "uint4", "h"),
        ("row[lane]", "__shared__ float t[4][32]; float* row = t[1];", 4, "float", "t"),
        ("lane & 1 ? a[lane] : b[lane]", "float *a, *b;", 4, "float", "b, a"),
        ("x", "__shared__ bool x;", 1, "bool", "x"),
    ],
)
def test_width_type_and_object(expression: str, declarations: str, width: int, spelled: str, name: str) -> None:
    evaluation = ask(expression, declarations)
    assert (evaluation.access.width, evaluation.element_type, evaluation.object_name) == (width, spelled, name)


def test_undeclared_arrays_are_float_and_said_to_be() -> None:
    evaluation = ask("s[lane]")
    assert evaluation.access.space == "shared"
    assert evaluation.assumptions == ("s is not declared: float s[] in shared memory",)
    square = ask("s[lane][1]", space="global")
    assert square.access.space == "global"
    assert square.assumptions == ("s is not declared: float s[32][32] in global memory",)
    assert square.access.addresses[0].tolist() == [128 * lane + 4 for lane in range(32)]
    assert ask("*(s + 2*lane)").access.addresses[0, 3] == 24


def test_an_array_without_a_qualifier_is_taken_to_be_in_the_space_of_undeclared_ones() -> None:
    evaluation = ask("t[lane]", "double t[32];", space="const")
    assert evaluation.access.space == "const"
    assert evaluation.assumptions == ("t has no memory qualifier: it is taken to be in constant memory",)


def test_free_names_are_in_order_of_first_appearance() -> None:
    program = parse(Pattern("t[r][c + pad]", "__shared__ float t[n][32 + pad]; int unused;", "lane < limit"))
    assert program.free_names == ("n", "pad", "limit", "r", "c")


def test_turning_a_knob_changes_the_declared_layout() -> None:
    program = parse(Pattern("t[lane][c]", "__shared__ float t[32][32 + pad];"))
    for pad in (0, 1, 4):
        row = program.evaluate({"pad": pad, "c": 2}).access.addresses[0].tolist()
        assert row == [lane * (32 + pad) * 4 + 8 for lane in range(32)]


def test_threads_are_numbered_x_first() -> None:
    launch = Launch(block=(5, 4, 3), block_index=(1, 2, 3), grid=(2, 3, 4), warp=1)
    for axis, expected in (
        ("x", [t % 5 for t in range(32, 60)]),
        ("y", [t // 5 % 4 for t in range(32, 60)]),
        ("z", [t // 20 for t in range(32, 60)]),
    ):
        assert numbers(f"threadIdx.{axis}", launch=launch)[:28] == expected
    given = "blockIdx.x*1 + blockIdx.y*10 + blockIdx.z*100 + gridDim.z*1000 + blockDim.x*10000 + warpSize*100000"
    assert numbers(given, launch=launch)[0] == 3254321
    assert numbers("threadIdx.x - 1u > 0", launch=Launch())[0] == 1


def test_lanes_without_a_thread_and_lanes_that_where_leaves_out_are_inactive() -> None:
    access = ask("s[100 / (lane - 3)]", where="lane > 3 && lane != 7", launch=Launch(block=(40, 1, 1))).access
    assert access.active[0].tolist() == [lane > 3 and lane != 7 for lane in range(32)]
    rest = ask("s[lane]", launch=Launch(block=(40, 1, 1), warp=1)).access
    assert rest.active[0].tolist() == [lane < 8 for lane in range(32)]
    assert rest.addresses[0].tolist() == [4 * lane if lane < 8 else 0 for lane in range(32)]


@pytest.mark.parametrize(
    "index",
    [
        "lane ? 100 / lane : 0",
        "lane && 100 / lane",
        "!lane || 100 / lane > 3",
        "lane < 31 ? 1 << lane : 1 << lane % 31",
        "lane < 4 ? table[lane] : quotient",
    ],
)
def test_only_the_lanes_that_reach_an_operation_can_be_in_error(index: str) -> None:
    ask(f"s[{index}]", "const int table[4] = {3, 1, 2}; const int quotient = 12 / (lane / 4);")


def test_values_that_are_not_read_need_not_be_known() -> None:
    declared = "__shared__ int idx[32]; int v = idx[lane]; float x = 0.5f * v; const float pi = 3.14f; double t[3][3];"
    assert addresses("idx[lane]", declared) == [4 * lane for lane in range(32)]


def test_tables_follow_the_rules_for_left_out_braces() -> None:
    declared = "const short a[][3] = {1, 2, 3, {4}, {5, 6}}; const int2 v[2] = {{1, 2}, 3}; const int one = {7};"
    assert numbers("sizeof a", declared)[0] == 18
    assert numbers("a[lane/3][lane%3]", declared, where="lane < 9")[:9] == [1, 2, 3, 4, 0, 0, 5, 6, 0]
    assert numbers("v[lane].x*10 + v[lane].y", declared, where="lane < 2")[:2] == [12, 30]
    assert numbers("((const int*)v)[1] + one", declared)[0] == 9


def test_pointers_into_one_object_are_compared_and_subtracted() -> None:
    declared = "double* p; double *q = p + 3*lane, *r = &q[2];"
    assert numbers("r - q", declared)[5] == 2
    assert numbers("q - r", declared)[5] == -2
    assert numbers("(q < r) + (p == q) * 2", declared)[:2] == [3, 1]


def test_ldmatrix_takes_a_row_address_from_any_type() -> None:
    evaluation = ask("h[lane % 16][lane / 16 * 8]", "__shared__ half h[16][64];", op="ldmatrix")
    assert (evaluation.access.width, evaluation.access.matrices) == (16, 4)
    assert evaluation.element_type == "half"
    assert ask("h[lane]", "__shared__ half h[64][8];", op="ldmatrix", matrices=2).access.matrices == 2
    rows = "*(uint4*)&h[lane < 8 ? 8*lane : 1]"
    assert ask(rows, "__shared__ half h[64];", op="ldmatrix", matrices=1).access.matrices == 1


@pytest.mark.parametrize(
    ("expression", "declarations", "lane", "text"),
    [
        ("t[0][28 + lane]", "__shared__ float t[32][32];", 4, "index 32 is outside 0..31 of t (28 lanes)"),
        ("s[lane - 1]", "__shared__ float s[31];", 0, "index -1 is outside 0..30 of s"),
        ("s[lane - 1]", "", 0, "byte -4 is outside s"),
        ("*(float4*)&s[4*lane]", "__shared__ float s[126];", 31, "byte 496 is outside s, which has 504 bytes"),
        ("*(s + lane)", "__shared__ float s[30];", 30, "byte 120 is outside s, which has 120 bytes (2 lanes)"),
        (
            "p[lane].a[lane & 3]",
            "struct P { int a[3]; }; __shared__ P p[32];",
            3,
            "index 3 is outside 0..2 of p (8 lanes)",
        ),
    ],
)
def test_outside_an_array_is_a_warning(expression: str, declarations: str, lane: int, text: str) -> None:
    (notice,) = ask(expression, declarations).warnings
    assert (notice.lane, notice.sentence) == (lane, text)
    assert str(notice).startswith(f"expression, column {notice.place.column}, lane {lane}: ")


def test_what_c_allows_outside_an_array_is_no_warning() -> None:
    assert ask("*(&s[32] - 1 - lane)", "__shared__ float s[32];").warnings == ()
    assert ask("p[lane - 40]", "float* p;").warnings == ()
    assert ask("p[lane - 40]", "float* p;").access.addresses[0, 0] == -160
