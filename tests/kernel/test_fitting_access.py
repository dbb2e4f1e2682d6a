"""Whole accesses as C: the variable that they fall in and its type, the width, the lanes, the place among the banks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.fitted import EVERY, WORD, Bools, Ints, Scenery, check, kind, lane
from warpviz.advice.fixes import advise
from warpviz.expression import parse
from warpviz.hardware import LANES
from warpviz.kernel.counting import Recorded
from warpviz.kernel.fitting import Fitter
from warpviz.kernel.fitting.symbols import identifier, variable_name
from warpviz.kernel.memory.observing import Kind

_STRUCTS = """
struct Body { float x, y, z; float m; int id[2]; };
typedef struct { float2 uv; float w[3]; } Vertex;
template <int N> struct Tiles { float a[N][N]; float b[N][N + 1]; };
__global__ void k(const Body* in) {
  __shared__ float tile[32][33]; __shared__ Body bodies[40]; __shared__ Vertex verts[16]; __shared__ Tiles<16> both;
  __shared__ float4 quads[64]; __shared__ half row[8][64]; __shared__ int count; __shared__ unsigned char bytes[256];
  extern __shared__ double more[];
}"""


def _in_source(name: str, size: int, align: int = 4) -> Scenery:
    return Scenery(((f"_ZZ1kPK4BodyE{len(name)}{name}", "shared", size, align),), text=_STRUCTS, kernel="_Z1kPK4Body")


def _expression(scenery: Scenery, offsets: Ints, kind: Kind = WORD, active: Bools = EVERY) -> str:
    return scenery.pattern(scenery.variables[0][0], offsets, active, kind).expression


@pytest.mark.parametrize(
    ("name", "size", "offsets", "access", "text"),
    [
        ("tile", 4224, 132 * lane + 20, kind(), "tile[lane][5]"),
        ("tile", 4224, 4 * lane, kind(op="st"), "tile[0][lane]"),
        ("tile", 4224, 4 * lane + 20, kind(), "((float*)tile)[lane + 5]"),
        ("tile", 4224, 16 * lane, kind(width=16), "((float4*)tile)[lane]"),
        ("bodies", 960, 24 * lane + 4, kind(), "bodies[lane].y"),
        ("bodies", 960, 24 * lane + 20, kind(type="u32"), "bodies[lane].id[1]"),
        ("bodies", 960, 24 * lane, kind(width=8), "*(float2*)&bodies[lane].x"),
        ("bodies", 960, 4 * lane, kind(), "((float*)bodies)[lane]"),
        ("verts", 384, 24 * (lane % 16), kind(width=8), "verts[lane % 16].uv"),
        ("verts", 384, 24 * (lane % 16) + 16, kind(), "verts[lane % 16].w[2]"),
        ("both", 2112, 64 * (lane // 16) + 4 * (lane % 16), kind(), "both.a[lane / 16][lane % 16]"),
        ("both", 2112, 1024 + 68 * (lane % 16) + 8, kind(), "both.b[lane % 16][2]"),
        ("quads", 1024, 16 * lane, kind(width=16), "quads[lane]"),
        ("quads", 1024, 16 * lane + 8, kind(), "quads[lane].z"),
        ("row", 1024, 128 * (lane % 8), kind(op="ldmatrix", width=16, matrices=1), "*(uint4*)&row[lane][0]"),
        ("row", 1024, 4 * lane, kind(type="b32"), "*(half2*)&row[0][2*lane]"),
        ("count", 4, 0 * lane, kind(op="red", type="u32"), "count"),
        ("bytes", 256, 4 * lane, kind(type="b32"), "((uchar4*)bytes)[lane]"),
        ("more", 0, 8 * lane, kind(width=8, type="f64"), "more[lane]"),
        ("more", 0, 4 * lane, kind(), "((float*)more)[lane]"),
    ],
)
def test_an_access_goes_by_the_type_in_the_source(name: str, size: int, offsets: Ints, access: Kind, text: str) -> None:
    align = 16 if access.width == 16 or name == "more" else 8 if access.width == 8 else 4
    scenery = replace(_in_source(name, size, align), shared_bytes=0 if size else 4096)
    if name == "more":
        scenery = replace(scenery, variables=(("more", "shared", 0, 16),))
    assert _expression(scenery, offsets, access) == text


def test_a_parameter_goes_by_the_type_in_the_source() -> None:
    scenery = Scenery((), (("in", 4096),), _STRUCTS, "_Z1kPK4Body")
    pattern = scenery.pattern("in", 24 * lane + 8, EVERY, kind("global"))
    assert pattern.expression == "in[lane].z"
    assert pattern.declarations.endswith("\nstruct Body* in;")


@pytest.mark.parametrize(
    ("access", "text", "declared"),
    [
        (kind("global"), "in[lane]", "float* in;"),
        (kind("global", type="f16", width=2), "in[lane]", "half* in;"),
        (kind("global", type="u8", width=1), "in[lane]", "unsigned char* in;"),
        (kind("global", type="f64", width=16), "((double2*)in)[lane]", "double* in;"),
        (kind("global", type="b32", width=16), "((uint4*)in)[lane]", "unsigned int* in;"),
        (kind("global", type="b64", width=8), "in[lane]", "unsigned long long* in;"),
        (kind("global", type="b128", width=16), "in[lane]", "uint4* in;"),
        (kind("global", type="s16", width=4), "((short2*)in)[lane]", "short* in;"),
    ],
)
def test_without_a_source_the_instruction_tells_the_type(access: Kind, text: str, declared: str) -> None:
    pattern = Scenery().pattern("in", access.width * lane, EVERY, access)
    assert (pattern.expression, pattern.declarations) == (text, declared)


def test_a_variable_of_the_file_lies_where_it_lies() -> None:
    scenery = Scenery((("coef", "const", 36, 4), ("table", "global", 256, 4)), ())
    pattern = scenery.pattern("coef", 0 * lane + 8, EVERY, kind("const"))
    assert (pattern.expression, pattern.declarations) == ("coef[2]", "__constant__ float coef[9];")
    pattern = scenery.pattern("table", 4 * lane, EVERY, kind("global", "st", type="s32"))
    assert (pattern.expression, pattern.declarations) == ("table[lane]", "__device__ int table[64];")


def test_what_lies_before_a_variable_keeps_its_bank() -> None:
    scenery = Scenery((("first", "shared", 100, 4), ("before", "shared", 512, 16)))
    pattern = scenery.pattern("before", 16 * lane, EVERY, kind(width=16))
    assert pattern.declarations.split("\n") == [
        "__shared__ unsigned char before_[112];",
        "__shared__ __align__(16) float before[128];",
    ]
    assert parse(pattern).evaluate({}).access.addresses[0, 0] == 112
    rows = Scenery((("first", "shared", 128, 4), ("second", "shared", 512, 4)))
    assert rows.pattern("second", 4 * lane).declarations == "__shared__ float second[128];"


def test_dynamic_shared_memory_lies_behind_all_other() -> None:
    scenery = Scenery((("fixed", "shared", 24, 4), ("s", "shared", 0, 16)), shared_bytes=1024)
    pattern = scenery.pattern("s", 4 * lane)
    assert pattern.declarations.split("\n")[1:] == ["extern __shared__ float s[];"]
    odd = Scenery((("fixed", "shared", 20, 4), ("s", "shared", 0, 4)), shared_bytes=1024)
    assert odd.start("s") == 32
    assert odd.pattern("s", 4 * lane).expression == "s[lane]"


def test_names_of_the_kernels_own_do_not_meet_those_of_the_language() -> None:
    for name in ("lane", "half", "at", "threadIdx", "float4", "in"):
        scenery = Scenery(((name, "shared", 512, 4),), ())
        assert identifier(name) in scenery.pattern(name, 4 * lane).expression
        assert scenery.pattern(name, 4 * (lane * lane % 37)).declarations.count("[") == 2
    assert identifier("a b") == "a_b"
    assert identifier("at", frozenset(["at"])) == "at_"


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("tile", "tile"),
        ("_ZZ1kIfLi32EEvPT_P1PS1_E4tile", "tile"),
        ("_ZZ1kIfLi32EEvPT_P1PS1_E1a_0", "a"),
        ("_ZZN1n1fEvE5E1tab", "E1tab"),
        ("_ZN1n4coefE", "coef"),
        ("_ZN39_INTERNAL_00000000_9_sample_cu_f378edc71n2stE", "st"),
        ("_ZZweird", "_ZZweird"),
    ],
)
def test_variables_are_called_as_people_call_them(symbol: str, name: str) -> None:
    assert variable_name(symbol) == name


def test_a_warp_that_is_not_full_needs_no_condition() -> None:
    scenery = Scenery(block=(40, 1, 1))
    assert scenery.pattern("s", 4 * lane, lane < 8, warp=1).where == ""
    assert scenery.pattern("s", 4 * lane, lane < 7, warp=1).where == "lane < 7"


def test_the_block_is_told() -> None:
    scenery = Scenery(grid=(4, 3, 2), block=(64, 1, 1))
    pattern = scenery.fitted(Recorded(WORD, 1, 0, 4 * lane, EVERY), block=4 * 3 + 4 * 2 + 3)
    assert pattern is not None
    assert (pattern.launch.block_index, pattern.launch.warp) == ((3, 2, 1), 1)
    assert (pattern.launch.block, pattern.launch.grid) == ((64, 1, 1), (4, 3, 2))


def test_what_no_expression_says_is_left_out() -> None:
    scenery = Scenery()
    for access in (kind("local"), kind(op="atom", width=2, type="f16"), kind("global", "atom", 16, "b128")):
        start = scenery.start("in") if access.space == "global" else 0
        assert scenery.fitted(Recorded(access, 0, 0, start + 16 * lane, EVERY)) is None


def test_a_matrix_store_is_a_store_of_the_rows_that_it_reads() -> None:
    access = kind(op="st", width=16, type="b16", matrices=2)
    pattern = Scenery((("s", "shared", 4096, 16),)).pattern("s", np.where(lane < 16, 16 * lane, 1), EVERY, access)
    assert (pattern.expression, pattern.where, pattern.matrices) == ("((uint4*)s)[lane]", "lane < 16", None)


def test_lanes_in_two_arrays_are_said_exactly() -> None:
    scenery = Scenery(arrays=(("a", 4096), ("b", 4096)))
    apart = scenery.start("b") - scenery.start("a")
    pattern = scenery.pattern("a", 4 * lane + np.where(lane < 9, 0, apart), EVERY, kind("global"))
    assert pattern.expression.startswith("a[lane < 9 ? lane : lane + ")


def test_a_column_of_a_tile_is_mended_by_a_pad_or_a_swizzle() -> None:
    text = "__global__ void k() { __shared__ float tile[32][32]; }"
    pattern = Scenery((("tile", "shared", 4096, 4),), text=text).pattern("tile", 128 * lane + 12)
    fixes = {fix.kind: fix for fix in advise([pattern], {}, "sm_90").fixes}
    assert fixes["pad"].patterns[0].declarations == "__shared__ float tile[32][32 + 1];"
    assert fixes["swizzle"].patterns[0].expression == "tile[lane][3 ^ lane]"
    assert all((fix.before, fix.after) == ((32,), (1,)) for fix in fixes.values())


def test_titles_tell_where_and_what() -> None:
    scenery = _in_source("tile", 4224)
    fitter = Fitter(*scenery.memory(), [scenery.text], scenery.grid, scenery.block)
    assert fitter.title(Recorded(WORD, 3, 4, 4 * lane, EVERY)) == (
        "line 7, warp 3, iteration 4: tile[…] (shared, load)"
    )
    unknown = kind("local", "st", line=0)
    assert fitter.title(Recorded(unknown, 0, 0, 4 * lane, EVERY)) == "st.local.f32, warp 0, iteration 0 (local, store)"


_KINDS = [
    *(("shared", op, width, None) for op in ("ld", "st") for width in (1, 2, 4, 8, 16)),
    *(("global", op, width, None) for op in ("ld", "st") for width in (1, 2, 4, 8, 16)),
    *((space, op, width, None) for space in ("shared", "global") for op in ("atom", "red") for width in (4, 8)),
    *(("shared", "ldmatrix", 16, matrices) for matrices in (1, 2, 4)),
    *(("shared", "st", 16, matrices) for matrices in (1, 2, 4)),
    *(("const", "ld", width, None) for width in (1, 2, 4, 8, 16)),
]
_TYPES = {1: ("u8", "s8", "b8"), 2: ("u16", "f16", "b16"), 4: ("f32", "u32", "s32"), 8: ("f64", "u64", "b64")}
_TEXTS = ["", _STRUCTS, "__shared__ float s[1 / 0]; struct lane { int a; }; __constant__ lane c[32];"]


@st.composite
def _accesses(draw: Any) -> tuple[Scenery, str, Kind, Ints, Bools]:
    space, op, width, matrices = draw(st.sampled_from(_KINDS))
    element = draw(st.sampled_from([size for size in _TYPES if size <= width]))
    access = kind(space, op, width, draw(st.sampled_from(_TYPES[element])), matrices=matrices)
    align = draw(st.sampled_from([1, 2, 4, 8, 16]))
    variables = [("x", space, draw(st.integers(1, 300)), 1), ("s", space, draw(st.integers(16, 3000)), align)]
    scenery = Scenery(
        variables, (), draw(st.sampled_from(_TEXTS)), block=draw(st.sampled_from([(32, 1, 1), (8, 3, 2)]))
    )
    start = scenery.start("s")
    first = -start % width
    places = st.lists(st.integers(0, 400), min_size=LANES, max_size=LANES)
    addresses = first + width * np.array(draw(st.one_of(places, st.integers(0, 9).map(lambda k: k * lane))))
    active = draw(st.integers(1, (1 << LANES) - 1))
    return scenery, "s", access, addresses, np.array([bool(active >> one & 1) for one in range(LANES)])


@given(_accesses())
def test_every_access_is_said_exactly(made: tuple[Scenery, str, Kind, Ints, Bools]) -> None:
    scenery, name, access, offsets, active = made
    if not active[: 8 * (access.matrices or 4)].any():
        return
    scenery.pattern(name, offsets, active, access)


def test_the_check_of_these_tests_tells_other_accesses_apart() -> None:
    pattern = Scenery().pattern("s", 4 * lane)
    check(pattern, Recorded(WORD, 0, 0, 4 * lane + 128, EVERY))
    for other in (4 * lane + 4, 8 * lane):
        with pytest.raises(AssertionError):
            check(pattern, Recorded(WORD, 0, 0, other, EVERY))
    with pytest.raises(AssertionError):
        check(pattern, Recorded(WORD, 0, 0, 4 * lane, lane < 31))
