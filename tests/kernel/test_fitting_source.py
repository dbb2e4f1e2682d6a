"""The types of variables, as the source declares them."""

from __future__ import annotations

import pytest

from warpviz.expression.layout import spelled
from warpviz.kernel.fitting.declared import SourceTypes, Typed

_SOURCE = """
#include <nothing.h>
#define TILE 32 // threads
#define TWICE (2 * TILE)
#define SQUARE(n) ((n) * (n))
#if 0
#endif
constexpr int PAD = 1;
enum { ROWS = 10, COLS = TILE - 12 };
enum class Mode : int { first = 3 };
using Real = double;
typedef unsigned char byte;
namespace sizes { static const unsigned depth = 2 * TILE, width = depth + 1; }
struct alignas(16) Wide { float a[3]; };
__constant__ float coef[] = {1, 2, 3};
__constant__ const int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ int counters[TWICE];
template <typename T, int N = 8> __device__ T twist(T v) {
  __shared__ T own[N][N + PAD];
  __shared__ float tile[N];
  return v;
}
template <class T> struct Pair { T first; T second; void swap() { T t = first; first = second; second = t; } };
template <class T> struct Plain { T first; T second[2]; };
/* __shared__ float tile[9]; */
__global__ void k(const float* __restrict__ in, Wide *wide, const Plain<int>* pairs, byte* bytes, int n) {
  // __shared__ float tile[8];
  __shared__ float tile[TILE][TILE + PAD], other[TWICE];
  __shared__ int cells[ROWS][COLS];
  __shared__ Real reals[sizes::depth];
  static __shared__ byte some[sizes::width];
  __shared__ __align__(16) float4 quads[TILE / 4];
  __shared__ Wide wides[4];
  __shared__ Pair<int> pair;
  __shared__ Plain<Real> plain[TILE];
  __shared__ float squares[SQUARE(4)];
  __shared__ int count;
  __shared__ unsigned* pointers[4];
  __shared__ float unknown[sizeof(something)];
  extern __shared__ float dynamic[];
  const int DEPTH = 3;
  { __shared__ int deep[DEPTH][4]; }
}
__global__ void later() { const int DEPTH = 5; __shared__ int deep[DEPTH][4]; __shared__ double tile[TILE]; }
"""


def _types(text: str = _SOURCE, *others: str) -> SourceTypes:
    return SourceTypes([text, *others], "_Z1kPKfP4WidePK5PlainIiEPhi", 5)


def _spelled(typed: Typed | None) -> str | None:
    return None if typed is None else spelled(typed.type, "x")


@pytest.mark.parametrize(
    ("symbol", "size", "declared"),
    [
        ("_ZZ1kPKfE4tile", 4224, "float x[32][33]"),
        ("_ZZ1kPKfE5other", 256, "float x[64]"),
        ("_ZZ1kPKfE5cells", 800, "int x[10][20]"),
        ("_ZZ1kPKfE5reals", 512, "double x[64]"),
        ("_ZZ1kPKfE4some", 65, "unsigned char x[65]"),
        ("_ZZ1kPKfE5quads", 128, "float4 x[8]"),
        ("_ZZ1kPKfE5wides", 64, "struct Wide x[4]"),
        ("_ZZ1kPKfE5plain", 768, "struct Plain_Real x[32]"),
        ("_ZZ1kPKfE7squares", 64, "float x[16]"),
        ("_ZZ1kPKfE5count", 4, "int x"),
        ("_ZZ1kPKfE8pointers", 32, "unsigned int* x[4]"),
        ("dynamic", 0, "float x[]"),
        ("_ZZ1kPKfE4deep", 48, "int x[3][4]"),
        ("_ZZ5latervE4deep", 80, "int x[5][4]"),
        ("_ZZ5latervE4tile", 256, "double x[32]"),
        ("_ZZ5twistIfLi16EET_S0_E3own", 1088, "float x[16][17]"),
        ("_ZZ5twistIdLi4EET_S0_E3own", 160, "double x[4][5]"),
        ("_ZZ5twistIfLi16EET_S0_E4tile", 64, "float x[16]"),
        ("coef", 12, "float x[3]"),
        ("table", 24, "int x[2][3]"),
        ("counters", 256, "int x[64]"),
        ("_ZZ1kPKfE7unknown", 16, None),
        ("_ZZ1kPKfE4pair", 8, None),
        ("_ZZ1kPKfE4tile", 4096, None),
        ("nowhere", 4, None),
        ("in", 4, None),
    ],
)
def test_a_variable_has_the_type_of_its_declaration(symbol: str, size: int, declared: str | None) -> None:
    assert _spelled(_types().variable(symbol, size)) == declared


@pytest.mark.parametrize(
    ("name", "declared"),
    [("in", "float x[]"), ("wide", "struct Wide x[]"), ("bytes", "unsigned char x[]"), ("n", None), ("gone", None)],
)
def test_a_parameter_points_to_what_its_declaration_says(name: str, declared: str | None) -> None:
    assert _spelled(_types().parameter(name)) == declared


def test_structs_bring_their_definitions() -> None:
    typed = _types().parameter("pairs")
    assert typed is not None
    assert typed.definitions == ("struct Plain_int { int first; int second[2]; };",)
    wide = _types().variable("_ZZ1kPKfE5wides", 64)
    assert wide is not None
    assert wide.definitions == ("struct alignas(16) Wide { float a[3]; };",)


def test_what_is_included_is_known() -> None:
    types = _types(
        "__global__ void k() { __shared__ Item items[COUNT]; }", "#define COUNT 6\nstruct Item { int a; };\n"
    )
    assert _spelled(types.variable("_ZZ1kvE5items", 24)) == "struct Item x[6]"


_ODD = [
    "",
    "\0",
    "}}}}((((",
    "template <> struct",
    "#define A A\n__shared__ int s[A];",
    "__shared__ s s[s]; struct s { s s; };",
]
_LONG = ["struct ", "template <", "typedef ", "const ", "enum {", "x<", "a=", "__shared__ s[", "template<a>struct b{"]


@pytest.mark.parametrize("text", [*_ODD, *(word * 20_000 for word in _LONG)], ids=[*map(repr, _ODD), *_LONG])
def test_any_text_is_borne(text: str) -> None:
    types = _types(text)
    assert types.variable("_ZZ1kvE1s", 4) is None
    assert types.parameter("in") is None
