"""What is printed as CUDA: it compiles, it computes the predicted addresses, and it holds none of the user's text."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.expression.ask import CASES, ask, case_pattern
from tests.expression.compilers import host_addresses, needs_gxx, nvrtc_log
from warpviz.expression import Evaluation, Launch, parse

Sample = tuple[str, str, dict[str, int], dict[str, Any]]

# (expression, declarations, values, other fields of the pattern)
SAMPLES: list[Sample] = [
    ("s[k*lane]", "", {"k": -3}, {}),
    ("s[lane][lane ^ k]", "", {"k": 5}, {}),
    ("*(float4*)&s[4*lane]", "", {}, {}),
    ("lane < 16 ? a[lane] : b[lane - 16]", "float* a; const double* c; float* b;", {}, {}),
    ("*(lane & 1 ? p : q + lane)", "int *p, *q;", {}, {}),
    ("n->next", "struct Node { struct Node* next; int value; }; struct Node* n;", {}, {}),
    ("row[lane]", "__shared__ float t[32][33]; float* row = &t[threadIdx.x % 8][1];", {}, {}),
    ("r.y", "__shared__ float4 t[64]; auto& r = t[lane*k];", {"k": 2}, {}),
    ("p[t.x].v", "uint3 t = threadIdx; struct P { char c; double v; }; P* p;", {}, {}),
    ("asm[clock]", "__constant__ half2 asm[64]; auto clock = threadIdx.x;", {}, {}),
    ("m[lane % 2][lane][1]", "float (*m)[32][3];", {}, {}),
    ("h[int_]", "__shared__ half h[256]; const int int_ = (3, lane);", {}, {"op": "st"}),
    (
        "q[lane].in.z[k]",
        "typedef struct __align__(32) { char c; union { int i; double d; }; struct { short z[3]; } in; half h;"
        " float3 f; __align__(8) char last; } Q; __shared__ char before; __shared__ Q q[32];",
        {"k": 2},
        {},
    ),
    (
        "s[perm[lane & 3][1] - -k + min(lane, 3u) + max(-1, k) + __popc(lane) + (int)sizeof(float4)]",
        "const int perm[4][2] = {{3, 1}, {2}, 7}; enum { A, B = -2 }; const short q = 4;",
        {"k": -2},
        {"where": "(lane > q || A) && lane + B != 9"},
    ),
    ("s[__brev(lane) >> 27 | __clz(lane) << 5]", "", {}, {}),
    (
        "s[threadIdx.y*blockDim.x + gridDim.x*blockIdx.y]",
        "",
        {},
        {"launch": Launch((8, 5, 2), (1, 2, 0), (4, 4, 1), warp=2)},
    ),
    ("*(u + 1)", "unsigned long long* v; unsigned char* u = (unsigned char*)(v + lane) + n;", {"n": 3}, {}),
    (
        "((struct Q*)raw)[lane].b",
        "struct Q { short a; int b; }; extern __shared__ char raw[]; __shared__ char x[5];",
        {},
        {},
    ),
    (
        "s[(c ? lane : -lane) + (d < e) * 4 + !f]",
        "const bool c = lane & 1; const char d = 200 + lane; const unsigned char e = d; int f;",
        {"f": 0},
        {},
    ),
    (
        "t[lane].inner[1].b[2]",
        "typedef union { struct { half a; __nv_bfloat16 b[3]; } inner[2]; long long whole; } T; T* t;",
        {},
        {},
    ),
]


def evaluated(sample: Sample) -> Evaluation:
    expression, declarations, values, pattern = sample
    return ask(expression, declarations, values, **pattern)


def predicted(evaluation: Evaluation) -> list[int | None]:
    """The addresses as the fragment gives them: None where it says inactive."""
    access = evaluation.access
    pairs = zip(access.addresses[0].tolist(), access.active[0].tolist(), strict=True)
    return [address if active else None for address, active in pairs]


def kernel(fragment: str) -> str:
    """A kernel round a fragment, which must stand without a header."""
    body = "if (access_active(w)) *out = access_address(w);"
    return f'{fragment}\nextern "C" __global__ void probe(unsigned long long* out, Warp w) {{ {body} }}\n'


@needs_gxx
def test_the_samples_compute_on_the_host_what_is_predicted() -> None:
    evaluations = [evaluated(sample) for sample in SAMPLES]
    launches = [sample[3].get("launch", Launch()) for sample in SAMPLES]
    fragments = [(evaluation.cuda_source(), launch) for evaluation, launch in zip(evaluations, launches, strict=True)]
    for sample, evaluation, computed in zip(SAMPLES, evaluations, host_addresses(fragments), strict=True):
        assert computed == predicted(evaluation), sample[0]


@needs_gxx
def test_every_case_computes_on_the_host_what_is_predicted() -> None:
    patterns = [case_pattern(case) for case in CASES]
    evaluations = [parse(pattern).evaluate(case["set"]) for pattern, case in zip(patterns, CASES, strict=True)]
    fragments = [(e.cuda_source(), pattern.launch) for e, pattern in zip(evaluations, patterns, strict=True)]
    for case, evaluation, computed in zip(CASES, evaluations, host_addresses(fragments), strict=True):
        assert computed == predicted(evaluation), case["id"]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample[0])
def test_nvrtc_compiles_the_samples_and_agrees_with_their_layout(sample: Sample) -> None:
    assert nvrtc_log(kernel(evaluated(sample).cuda_source())) is None


def test_nvrtc_compiles_every_different_case() -> None:
    sources = {parse(case_pattern(case)).evaluate(case["set"]).cuda_source() for case in CASES}
    for source in sorted(sources):
        assert nvrtc_log(kernel(source)) is None, source


def test_nvrtc_refuses_a_fragment_whose_layout_is_wrong() -> None:
    source = evaluated(SAMPLES[8]).cuda_source()
    assert "u_v) == 8" in source
    log = nvrtc_log(kernel(source.replace("u_v) == 8", "u_v) == 4")))
    assert log is not None
    assert "static assertion failed" in log


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample[0])
def test_the_same_pattern_gives_the_same_text(sample: Sample) -> None:
    assert evaluated(sample).cuda_source() == evaluated(sample).cuda_source()


def test_no_name_of_the_user_stands_alone() -> None:
    source = ask(
        "__shfl_sync[evil].printf",
        "#define twice(x) ((x)*2)\n"
        "struct clock64 { int printf; }; clock64* __shfl_sync; const int evil = twice(system);",
        {"system": 3},
    ).cuda_source()
    for name in ("twice", "system", " evil", " printf", ".printf", " __shfl", " clock64"):
        assert name not in source
    assert set(re.findall(r"#define (\w+)", source)) == {"OFFSET_OF"}
    assert nvrtc_log(kernel(source)) is None


def test_numbers_of_a_set_become_literals() -> None:
    assert "u_s[7*w.lane]" in ask("s[k*lane]", "", {"k": 7}).cuda_source()
    assert "(-9223372036854775807ll - 1)" in ask("s[k & lane]", "", {"k": -(2**63)}).cuda_source()
