"""A rewritten pattern parses, and means what is said."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.expression.ask import CASES, addresses, ask, case_pattern
from warpviz.expression import ExpressionError, Pattern, parse
from warpviz.expression.arrangement import Padding, Swizzle
from warpviz.expression.members import in_shared_memory, split
from warpviz.expression.relayout import padded_index, padded_rows, swizzled
from warpviz.expression.rewrite import rewritten, with_assumed_tiles, with_width
from warpviz.expression.site import site_of

MACROS = "#define N 32\n#define IDX(r, c) ((r)*N + (c))\n#define AT(r, c) s[(r)*N + c]\n"
STRUCT = "struct P { float x, y, z, w; }; const struct P* p;"


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_an_expression_written_anew_is_the_same_access(case: dict[str, object]) -> None:
    pattern = case_pattern(case)
    same = rewritten(pattern, lambda lvalue: lvalue)
    before, after = (parse(p).evaluate(case["set"]) for p in (pattern, same))  # type: ignore[arg-type]
    assert (before.access.addresses == after.access.addresses).all()
    assert before.access.width == after.access.width


@pytest.mark.parametrize(
    ("expression", "declarations", "width", "wide"),
    [
        ("s[k*lane]", "", 1, "((char*)s)[k*lane]"),
        ("s[k*lane]", "", 2, "((short*)s)[k*lane]"),
        ("s[k*lane]", "", 4, "s[k*lane]"),
        ("s[k * lane]", "", 4, "s[k * lane]"),
        ("s[k*lane]", "", 8, "((float2*)s)[k*lane]"),
        ("tile[lane][k]", "", 16, "((float4*)tile[lane])[k]"),
        ("((float4*)s)[k*lane]", "__shared__ float s[2048];", 4, "s[k*lane]"),
        ("((float4*)s)[k*lane]", "__shared__ float s[2048];", 8, "((float2*)s)[k*lane]"),
        ("((float4*)s)[k*lane]", "__shared__ double s[2048];", 4, "((float*)s)[k*lane]"),
        ("*(uint4*)&A[16*lane]", "__shared__ half A[1024];", 8, "*(float2*)&A[16*lane]"),
        ("*(uint4*)&A[16*lane]", "__shared__ half A[1024];", 16, "*(uint4*)&A[16*lane]"),
        ("p[lane + k].x", STRUCT, 16, "((float4*)p)[lane + k]"),
        ("__ldg(&in[lane])", "const float* in;", 16, "((float4*)in)[lane]"),
        ("lane < k ? a[lane] : b[lane]", "float *a, *b;", 8, "lane < k ? ((float2*)a)[lane] : ((float2*)b)[lane]"),
        ("s[IDX(lane, k)]", MACROS + "__shared__ float s[N*N];", 8, "((float2*)s)[IDX(lane, k)]"),
        ("AT(lane, 2)", MACROS + "__shared__ float s[N*N];", 16, "((float4*)s)[lane*32 + 2]"),
        ("s[lane & 0x1fu]", "", 8, "((float2*)s)[lane & 0x1fu]"),
        ("s[(unsigned long long)lane]", "", 2, "((short*)s)[(unsigned long long)lane]"),
    ],
)
def test_another_width(expression: str, declarations: str, width: int, wide: str) -> None:
    pattern = with_width(Pattern(expression, declarations), width)
    assert pattern.expression == wide
    assert parse(pattern).evaluate({"k": 1}).access.width == width


def test_an_undeclared_tile_is_declared_when_its_width_changes() -> None:
    assert with_width(Pattern("tile[lane][1]"), 8).declarations == "__shared__ float tile[32][32];\n"
    assert with_assumed_tiles(Pattern("s[lane]")) == Pattern("s[lane]")


@pytest.mark.parametrize(
    ("expression", "width", "sentence"),
    [
        ("*(s + lane)", 16, "this access has no index in brackets; write it as s[index]"),
        ("s[lane]", 3, "a lane moves 1, 2, 4, 8 or 16 bytes, not 3"),
    ],
)
def test_no_such_width(expression: str, width: int, sentence: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        with_width(Pattern(expression), width)
    assert caught.value.sentence == sentence


@given(
    st.sampled_from(["lane", "3*lane", "lane + k", "k - lane", "lane ^ 5", "lane % 7 << 1", "lane < k ? 3 : lane"]),
    st.sampled_from([1, 2, 4, 8, 16]),
    st.sampled_from(["const char* s;", "float* s;", "double2* s;", "__shared__ short s[9];", ""]),
)
def test_the_index_stays_the_same(index: str, width: int, declarations: str) -> None:
    wide = with_width(Pattern(f"s[{index}]", declarations), width)
    indices = addresses(f"s[{index}]", "const char* s;", {"k": 40})
    assert addresses(wide.expression, wide.declarations, {"k": 40}) == [width * i for i in indices]


def test_macros_with_bodies_that_need_brackets_are_expanded() -> None:
    declarations = "#define SUM(a, b) a + b\n__shared__ float s[256];"
    site = site_of(Pattern("s[SUM(lane, k)]", declarations), {"k": 32})
    assert padded_index(site, Padding(128, 4)).expression == "s[lane + k + (lane + k)/32]"


@pytest.mark.parametrize(
    ("declarations", "grown"),
    [
        ("__shared__ float tile[32][32];", "__shared__ float tile[32][32 + 1];"),
        ("__shared__ float tile[32][32 + pad];", "__shared__ float tile[32][32 + pad + 1];"),
        ("__shared__ float tile[32][1 << 5];", "__shared__ float tile[32][(1 << 5) + 1];"),
        ("__shared__ float tile[32][pad ? 64 : 32];", "__shared__ float tile[32][(pad ? 64 : 32) + 1];"),
        ("#define N 32\n__shared__ float tile[N][N];", "#define N 32\n__shared__ float tile[N][N + 1];"),
        ("#define N 1 << 5\n__shared__ float tile[N][N];", "#define N 1 << 5\n__shared__ float tile[N][(N) + 1];"),
        ("typedef float Row[32]; __shared__ Row tile[32];", "typedef float Row[32 + 1]; __shared__ Row tile[32];"),
        ("__shared__ float tile[32][(32)], b[4];", "__shared__ float tile[32][(32) + 1], b[4];"),
        ("__shared__ float tile [32] [ 32 /* [ */ ];", "__shared__ float tile [32] [32 /* [ */ + 1];"),
    ],
)
def test_longer_rows(declarations: str, grown: str) -> None:
    site = site_of(Pattern("tile[lane][3]", declarations), {"pad": 0})
    pattern = padded_rows(site, Padding(128, 4))
    assert pattern.declarations == grown
    assert addresses("tile[lane][3]", grown, {"pad": 0}) == [132 * lane + 12 for lane in range(32)]


def test_longer_rows_of_a_member() -> None:
    declarations = "struct Q { int a; float t[32][32]; }; __shared__ int before[3]; __shared__ Q q;"
    site = site_of(Pattern("q.t[lane][3]", declarations), {})
    assert (site.path, site.start, site.extents) == ("q.t", 16, (32, 32))
    grown = padded_rows(site, Padding(128, 8)).declarations
    assert "float t[32][32 + 2];" in grown
    assert addresses("q.t[lane][3]", grown)[1] == 16 + 136 + 12


def test_a_dimension_that_a_macro_hides() -> None:
    site = site_of(Pattern("tile[lane][3]", "#define ROWS tile[32][32]\n__shared__ float ROWS;"), {})
    with pytest.raises(ExpressionError, match="a macro hides the length of the rows of tile"):
        padded_rows(site, Padding(128, 4))


@pytest.mark.parametrize(
    ("expression", "declarations", "padding", "padded"),
    [
        ("s[32*lane]", "__shared__ float s[1024];", Padding(128, 4), ("s[32*lane + 32*lane/32]", "s[1024 + 32]")),
        ("s[k + lane]", "__shared__ float s[n];", Padding(256, 8), ("s[k + lane + (k + lane)/64*2]", "s[n + n/64*2]")),
        ("s[lane << 5]", "", Padding(128, 4), ("s[(lane << 5) + (lane << 5)/32]", "")),
        ("((float4*)s)[8*lane]", "__shared__ float s[n + 64];", Padding(128, 16),
         ("((float4*)s)[8*lane + 8*lane/8]", "s[n + 64 + (n + 64)/32*4]")),
        ("t[k][2*lane]", "__shared__ float t[8][64];", Padding(128, 4), ("t[k][2*lane + 2*lane/32]", "t[8][64 + 2]")),
    ],
)  # fmt: skip
def test_a_longer_index(expression: str, declarations: str, padding: Padding, padded: tuple[str, str]) -> None:
    values = {"k": 3, "n": 1024}
    site = site_of(Pattern(expression, declarations), values)
    pattern = padded_index(site, padding)
    assert pattern.expression == padded[0]
    assert padded[1] in pattern.declarations
    assert (site_of(pattern, values).offsets == padding.moved(site.offsets)).all()


@pytest.mark.parametrize(
    ("expression", "declarations", "swizzle", "xored"),
    [
        ("t[lane][k]", "float t[32][32]", Swizzle("row", 0, 32, 4, 128, 32), "t[lane][k ^ lane]"),
        ("t[lane][k]", "float t[64][32]", Swizzle("row", 0, 32, 4, 128, 64), "t[lane][k ^ (lane & 31)]"),
        ("t[lane][k]", "float t[32][16]", Swizzle("row", 1, 16, 4, 64, 32), "t[lane][k ^ (lane >> 1)]"),
        ("t[lane][0]", "float t[32][32]", Swizzle("row", 0, 32, 4, 128, 32), "t[lane][lane]"),
        ("t[lane][k]", "char t[32][128]", Swizzle("row", 0, 32, 4, 128, 32), "t[lane][k ^ 4*lane]"),
        ("t[lane][k]", "double t[32][16]", Swizzle("row", 0, 16, 8, 128, 32), "t[lane][k ^ (lane & 15)]"),
        ("((float4*)t[lane])[k]", "float t[32][32]", Swizzle("row", 0, 8, 16, 128, 32),
         "((float4*)t[lane])[k ^ (lane & 7)]"),
        ("*(uint4*)&t[lane][8*k]", "half t[32][64]", Swizzle("row", 0, 8, 16, 128, 32),
         "*(uint4*)&t[lane][8*k ^ 8*(lane & 7)]"),
        ("t[32*lane]", "float t[1024]", Swizzle("index", 0, 32, 4, 4096, None), "t[32*lane ^ ((32*lane >> 5) & 31)]"),
        ("t[k][lane]", "float t[4][64]", Swizzle("index", 0, 32, 4, 256, None), "t[k][lane ^ ((lane >> 5) & 31)]"),
    ],
)  # fmt: skip
def test_an_xor(expression: str, declarations: str, swizzle: Swizzle, xored: str) -> None:
    site = site_of(Pattern(expression, f"__shared__ {declarations};"), {"k": 2})
    pattern = swizzled(site, swizzle)
    assert pattern.expression == xored
    assert (site_of(pattern, {"k": 2}).offsets == swizzle.moved(site.offsets)).all()


@given(
    st.sampled_from(["row", "index"]), st.integers(0, 5), st.integers(1, 5), st.integers(2, 4), st.integers(1, 6),
    st.sampled_from([None, 4, 8]),
)  # fmt: skip
def test_a_swizzle_is_one_to_one(
    key: str, shift: int, chunk_bits: int, granule: int, spans: int, rows: int | None
) -> None:
    chunks, chunk = 1 << chunk_bits, 1 << granule
    row_bytes = chunks * chunk * spans
    swizzle = Swizzle(key, shift, chunks, chunk, row_bytes, rows)  # type: ignore[arg-type]
    offsets = np.arange(16 * row_bytes)
    moved = swizzle.moved(offsets)
    assert np.array_equal(np.sort(moved), offsets)
    assert (moved // row_bytes == offsets // row_bytes).all()


@pytest.mark.parametrize(
    ("expression", "declarations", "own", "declaration"),
    [
        ("p[k + lane].y", STRUCT, "p_y[k + lane]", "const float* p_y;"),
        ("q[lane][k].b.y", "struct B { char x, y; }; struct Q { B a, b; }; __shared__ Q q[32][4];",
         "q_b_y[lane][k]", "__shared__ char q_b_y[32][4];"),
        ("p[lane].x", STRUCT + " int p_x;", "p_x_[lane]", "const float* p_x_;"),
    ],
)  # fmt: skip
def test_a_member_in_its_own_array(expression: str, declarations: str, own: str, declaration: str) -> None:
    part = split(site_of(Pattern(expression, declarations), {"k": 1}))
    assert (part.expression, part.declaration) == (own, declaration)
    assert ask(part.expression, declarations + declaration, {"k": 1}).access.width in (1, 4)


@pytest.mark.parametrize(
    ("expression", "declarations", "sentence"),
    [
        ("(p + lane)->x", STRUCT, "write the access as p[index].member to give the member its own array"),
        ("q[lane].x", STRUCT + " auto q = p + 4;", "the access does not name p itself, so its index is not known"),
        ("in[lane]", "const float* in;", "the access is no member of a struct that could have an array of its own"),
    ],
)
def test_a_member_that_stays(expression: str, declarations: str, sentence: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        split(site_of(Pattern(expression, declarations), {}))
    assert sentence in caught.value.sentence


def test_a_table_moved_to_shared_memory() -> None:
    site = site_of(Pattern("t[lane]", "__shared__ int s[4]; static __constant__ float a[8], t[32];"), {})
    assert in_shared_memory(site).declarations == "__shared__ int s[4]; static __shared__ float a[8], t[32];"
    site = site_of(Pattern("t[lane]", space="const"), {})
    assert in_shared_memory(site).space == "shared"
    with pytest.raises(ExpressionError, match="has its values from the start"):
        in_shared_memory(site_of(Pattern("t[lane % 2]", "__constant__ int t[2] = {1, 2};"), {}))


def test_where_an_access_falls() -> None:
    with pytest.raises(ExpressionError, match="the lanes fall in a and b at once"):
        site_of(Pattern("lane < 3 ? a[lane] : b[lane]", "__shared__ int a[32], b[32];"), {})
    with pytest.raises(ExpressionError, match="no lane reaches an array in memory"):
        site_of(Pattern("s[lane]", where="lane > 32"), {})
    site = site_of(
        Pattern("row[3]", "int n; const int m = n + 1; __shared__ float t[32][m]; float* row = t[lane];"), {"n": 9}
    )
    assert (site.path, site.extents, site.row_bytes, site.size_bytes) == ("t", (32, 10), 40, 1280)
    assert site.offsets.tolist() == [40 * lane + 12 for lane in range(32)]
    assert site.dimension_names() == {"m", "n"}
