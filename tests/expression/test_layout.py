"""Sizes, alignments and offsets: against gcc for C's own types, against NVRTC for CUDA's."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.expression.ask import addresses, ask, numbers
from tests.expression.compilers import c_constants, needs_gcc, nvrtc_log
from warpviz.expression.layout import Record, align_of, size_of
from warpviz.expression.names import NAMED_TYPES

SCALARS = ["char", "signed char", "unsigned short", "int", "long", "long long unsigned", "float", "double", "_Bool"]
SCALARS += ["uint8_t", "int16_t", "uint64_t", "size_t", "void*", "float*", "int (*%)[3]", "enum Colour"]
DECLARED = "enum Colour { RED, GREEN = 7, BLUE };\n"


def member(ctype: str, name: str) -> str:
    return f"{ctype.replace('%', name)};" if "%" in ctype else f"{ctype} {name};"


def aggregate(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A struct or union of these, its members named by their places, some of them arrays or more aligned."""
    dims = st.sampled_from(["", "[3]", "[2][5]"])
    align = st.sampled_from(["", "", "", "_Alignas(16) "])
    part = st.tuples(align, inner, dims)

    def text(keyword: str, parts: list[tuple[str, str, str]]) -> str:
        members = [
            a + (member(ctype, f"m{i}") if "%" in ctype else f"{ctype} m{i}{dim};")
            for i, (a, ctype, dim) in enumerate(parts)
        ]
        return f"{keyword} {{ {' '.join(members)} }}"

    return st.builds(text, st.sampled_from(["struct", "struct", "union"]), st.lists(part, min_size=1, max_size=4))


types = st.recursive(st.sampled_from(SCALARS), aggregate, max_leaves=8).filter(lambda text: text.endswith("}"))


@needs_gcc
@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(st.lists(types, min_size=12, max_size=12))
def test_structs_are_laid_out_as_gcc_does(batch: list[str]) -> None:
    declarations = DECLARED + "".join(f"typedef {ctype} T{i};\n" for i, ctype in enumerate(batch))
    asked = [f"{what}(T{i})" for i in range(len(batch)) for what in ("sizeof", "_Alignof")]
    asked += [f"offsetof(T{i}, m0)" for i in range(len(batch))]
    asked += [f"offsetof(T{i}, m1)" for i, ctype in enumerate(batch) if top_members(ctype) > 1]
    for question, answer in zip(asked, c_constants(asked, declarations), strict=True):
        assert numbers(question, declarations)[0] == answer, (question, declarations)


def top_members(ctype: str) -> int:
    """How many members the outermost braces of a type hold."""
    depth = count = 0
    for character in ctype:
        depth += (character == "{") - (character == "}")
        count += character == ";" and depth == 1
    return count


def test_cuda_lays_out_its_vector_types_as_they_are_here() -> None:
    lines = [
        f"static_assert(sizeof({name}) == {size_of(ctype)} && alignof({name}) == {align_of(ctype)});"
        for name, ctype in NAMED_TYPES.items()
        if isinstance(ctype, Record) and "half" not in name and "bfloat" not in name
    ]
    assert len(lines) > 50
    assert nvrtc_log("\n".join(lines)) is None


def test_half_types_have_the_size_that_cuda_documents() -> None:
    for name, size in [
        ("half", 2),
        ("__half", 2),
        ("half2", 4),
        ("__half2", 4),
        ("__nv_bfloat16", 2),
        ("__nv_bfloat162", 4),
    ]:
        assert ask("s[lane]", f"__shared__ {name} s[32];").access.width == size


def test_shared_objects_lie_one_after_the_other_at_their_alignment() -> None:
    declared = "__shared__ char a[5]; __shared__ double b[2]; __shared__ char c; __shared__ float4 d[4], e;"
    assert addresses("c", declared)[0] == 24
    assert [addresses(f"{name}[0]", declared)[0] for name in "abd"] == [0, 8, 32]
    assert addresses("e.x", declared)[0] == 96


def test_constant_objects_have_a_space_of_their_own() -> None:
    declared = "__shared__ char a[5]; __constant__ float b[3]; __shared__ char c; __constant__ double d[2];"
    assert addresses("c", declared)[0] == 5
    assert addresses("d[1]", declared)[0] == 24
    assert ask("d[1]", declared).access.space == "const"


def test_dynamic_shared_memory_begins_after_the_static_arrays_at_16_bytes() -> None:
    """ptxas for sm_90 puts them there: after 5 bytes at 0x10, after 20 at 0x20, at 0x80 where 128 is asked for."""
    assert addresses("d[0]", "extern __shared__ float d[]; __shared__ char a[5];")[0] == 16
    assert addresses("d[0]", "__shared__ char a[20]; extern __shared__ char d[];")[0] == 32
    assert addresses("d[0]", "__shared__ char a[20]; extern __shared__ __align__(128) char d[];")[0] == 128
    assert addresses("d[lane]", "extern __shared__ float d[];")[:3] == [0, 4, 8]


def test_pointers_are_apart_and_the_first_that_is_reached_is_at_0() -> None:
    assert addresses("b[lane]", "float *a, *b;")[:2] == [0, 4]
    both = addresses("lane < 16 ? a[lane] : b[lane]", "float *a, *b;")
    assert both[:16] == [4 * lane for lane in range(16)]
    assert both[16] % 1024 == 64
    assert min(both[16:]) - max(both[:16]) > 1 << 30


def test_alignments_of_structs_and_objects() -> None:
    for written in (
        "struct __align__(16) P { float x; };",
        "struct alignas(16) P { float x; };",
        "struct P { float x; } __attribute__((aligned(16)));",
        "struct P { _Alignas(16) float x; };",
    ):
        assert addresses("p[lane].x", written + " __shared__ P p[32];")[:2] == [0, 16]
    assert addresses("b[0]", "__shared__ char a; __shared__ __align__(32) char b[4];")[0] == 32
    assert addresses("b[0]", "__shared__ char a; __align__(8) __shared__ char b[4];")[0] == 8
