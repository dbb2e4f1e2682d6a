"""Counts of the machine code: on the golden kernels those of an H200, on others those derived by hand from the SASS."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.conftest import DATA
from tests.kernel.coded import Coded, coded
from warpviz.resources import resource_folder

EXAMPLES = resource_folder("kernels") / "examples"
COUNTED: dict[str, Any] = json.loads((DATA / "h200_kernels.json").read_text())


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_golden_kernels_count_as_on_the_hardware(name: str) -> None:
    found = coded((DATA / "kernels" / f"{name}.cu").read_text())
    for kind, counted in COUNTED[name]["counters"].items():
        predicted = {
            quantity: found.executed[kind]
            if quantity == "instructions_executed"
            else getattr(found.counts[kind], quantity)
            for quantity in counted
        }
        assert predicted == counted, kind
    assert "not followed" not in found.kinds


# Of kernels/examples: memory space and op, a quantity, and what Nsight Compute counted on an H200.
COUNTED_EXAMPLES = [
    ("gemv_async", "global_copy", "sectors", 49_152),
    ("gemv_async", "shared_copy", "wavefronts", 21_504),
    ("gemv_async", "shared_copy", "conflicts", 13_312),
    ("histogram_per_warp", "shared_atom", "wavefronts", 25_189),  # ATOMS.POPC.INC
    ("scan_blelloch", "shared_ld", "instructions", 7_936),
    ("scan_blelloch", "shared_st", "instructions", 5_376),
    ("tridiagonal_double", "local_ld", "requests", 2_944),
    ("tridiagonal_double", "local_st", "requests", 3_072),
]


@pytest.mark.parametrize(("name", "key", "quantity", "counted"), COUNTED_EXAMPLES)
def test_examples_count_as_on_the_hardware(name: str, key: str, quantity: str, counted: int) -> None:
    found = coded((EXAMPLES / f"{name}.cu").read_text(encoding="utf-8"))
    predicted = found.executed[key] if quantity == "instructions" else getattr(found.counts[key], quantity)
    assert predicted == counted
    assert "not followed" not in found.kinds


def test_the_fusion_of_the_golden_kernel_is_told() -> None:
    found = coded((DATA / "kernels" / "matmul_tiled.cu").read_text())
    told = [finding.as_json() for finding in found.findings]
    sentence = "line 11: four loads of 4 bytes are one LDS.128 in the machine code (4 times)"
    assert told == [{"kind": "fused", "lines": [11], "sentence": sentence}]
    assert (found.asked["shared_ld"].requests, found.executed["shared_ld"]) == (1_048_576, 655_360)


@dataclass(frozen=True)
class Case:
    """body: of a kernel with int arrays in and out of 4,096 each, n, and t, the thread's place in its block. block:
    threads. ld, st, atom: of shared memory, (executed instructions, wavefronts). others: "global_red.sectors" and the
    like -> count. kinds: of the findings."""

    body: str
    kinds: set[str]
    block: int = 64
    n: int = 40
    ld: tuple[int, int] = (0, 0)
    st: tuple[int, int] = (0, 0)
    atom: tuple[int, int] = (0, 0)
    others: dict[str, int] = field(default_factory=dict)
    before: str = ""

    def text(self) -> str:
        launch = f"//@ launch k grid=1 block={self.block} in=i32[4096]:i out=i32[4096] n={self.n}\n"
        head = 'extern "C" __global__ void k(const int* in, int* out, int n) {\nint t = threadIdx.x;\n'
        return f"{launch}{self.before}{head}{self.body}\n}}\n"


# Two warps where nothing else is said: what one costs is written out twice.
CASES = {
    # Lane l reads bytes 16 l to 16 l + 15: four phases of eight lanes, without a conflict, instead of 4 x 4 passes.
    "four loads are one": Case(
        """__shared__ int s[64][4]; for (int k = 0; k < 4; k++) s[k * 16 + t / 4][t % 4] = in[t] + k;
        __syncthreads(); int v = 0; for (int k = 0; k < 4; k++) v = v * 5 + s[t][k]; out[t] = v;""",
        {"fused"},
        ld=(2, 2 * 4),
        st=(2 * 4, 2 * 4),
    ),
    # A struct of three floats is read by loads of 4 bytes that lie apart; 12 l is no multiple of 8: nothing is fused.
    "three loads stay three": Case(
        """__shared__ float3 s[64]; s[t] = make_float3(t, in[t], 1); __syncthreads();
        float3 v = s[t ^ 1]; out[t] = v.x + v.y * v.z;""",
        set(),
        ld=(2 * 3, 2 * 3),
        st=(2 * 3, 2 * 3),
    ),
    # Neighbouring variables: one store of 8 bytes by one lane, in both warps of which only one has such a lane.
    "stores of neighbours": Case(
        """__shared__ int a, b; if (t == 0) { a = in[0]; b = in[1]; } __syncthreads(); out[t] = a + b;""",
        {"fused", "predicated"},
        ld=(2, 2),
        st=(2, 1),
    ),
    # 16-bit stores of one word; then its two halves are read apart.
    "halves of a word": Case(
        """__shared__ unsigned short q[128]; q[2 * t] = in[t]; q[2 * t + 1] = in[t + 64]; __syncthreads();
        out[t] = q[2 * t] - q[127 - 2 * t];""",
        {"fused"},
        ld=(2 * 2, 2 * 2),
        st=(2, 2),
    ),
    # Of three warps 40 threads store: the third has none of them and executes the instruction all the same.
    "a guarded store": Case(
        """__shared__ int s[96]; int v = in[t]; s[t] = 0; __syncthreads(); if (t < n) s[95 - t] = v; __syncthreads();
        out[t] = s[t];""",
        {"predicated"},
        block=96,
        ld=(3, 3),
        st=(3 + 3, 3 + 2),
    ),
    # Whether t < n is decided by a branch, so that the third warp comes to neither store; t & 1 becomes a predicate.
    "a guarded store behind a branch": Case(
        """__shared__ int s[96]; s[t] = 0; __syncthreads();
        if (t < n) {
          int v = in[t]; for (int k = 0; k < n; k++) v = v * in[k] + (v >> 3);
          if (v ^ t & 1) s[95 - t] = v;
        }
        __syncthreads(); out[t] = s[t];""",
        {"predicated"},
        block=96,
        ld=(3, 3),
        st=(3 + 2, 3 + 2),
    ),
    # Both ways store, each for half of the lanes: two predicated stores.
    "both ways": Case(
        """__shared__ int s[64]; s[t] = 0; __syncthreads();
        if (in[t] & 1) s[t] = 7; else s[63 - t] = t; __syncthreads(); out[t] = s[t];""",
        {"predicated"},
        ld=(2, 2),
        st=(2 + 4, 2 + 4),
    ),
    # A load that only lanes above 31 want.
    "a choice": Case(
        """__shared__ int s[64]; s[t] = in[t]; __syncthreads(); int v = s[t ^ 1]; if (t >= 32) v += s[t - 32];
        out[t] = v;""",
        {"predicated"},
        ld=(2 + 2, 2 + 1),
        st=(2, 2),
    ),
    # Nobody uses y and w of the float4, in rows of 16 bytes: two loads of 4 bytes, each a conflict of four.
    "half of a vector": Case(
        """__shared__ float4 s[64]; s[t] = make_float4(t, 1, in[t], 2); __syncthreads(); float4 v = s[t ^ 5];
        out[t] = v.x + v.z;""",
        {"split"},
        ld=(2 * 2, 2 * 2 * 4),
        st=(2, 2 * 4),
    ),
    # All lanes add to one counter: one lane adds up for all.
    "one counter": Case(
        """__shared__ int c; if (t == 0) c = 0; __syncthreads(); int old = atomicAdd(&c, 1); __syncthreads();
        out[t] = old + c;""",
        {"predicated", "one lane"},
        ld=(2, 2),
        st=(2, 1),
        atom=(2, 2),
    ),
    "one counter in global memory": Case(
        """atomicAdd(out, in[t]);""",
        {"one lane"},
        others={"global_red.requests": 2, "global_red.sectors": 2},
    ),
    # 64 lanes add to 32 banks: no lane shares one.
    "a counter each, where wanted": Case(
        """__shared__ int h[64]; h[t] = 0; __syncthreads(); if (in[t] > 10) atomicAdd(&h[t ^ 3], in[t]);
        __syncthreads(); out[t] = h[t];""",
        set(),
        ld=(2, 2),
        st=(2, 2),
        atom=(2, 2),
    ),
    # Nobody reads what was there: the lanes of a word are counted and make one update. Eight words are one wavefront.
    "a count of lanes": Case(
        """__shared__ int h[8]; if (t < 8) h[t] = 0; __syncthreads(); atomicAdd(&h[in[t] & 7], 1); __syncthreads();
        out[t] = h[t & 7];""",
        {"predicated"},
        ld=(2, 2),
        st=(2, 1),
        atom=(2, 2),
    ),
    # Somebody does: eight words with four lanes each, one after the other.
    "a count of lanes that is read": Case(
        """__shared__ int h[8]; if (t < 8) h[t] = 0; __syncthreads(); out[t] = atomicAdd(&h[in[t] & 7], 1);""",
        {"predicated"},
        st=(2, 1),
        atom=(2, 2 * 4),
    ),
    "an exchange whose result nobody reads": Case(
        """atomicExch(&out[t], in[t]);""",
        set(),
        others={"global_atom.requests": 2, "global_atom.sectors": 2 * 4},
    ),
    "lanes that share words of global memory": Case(
        """atomicAdd(&out[t / 4], in[t]);""",
        set(),
        others={"global_red.requests": 2, "global_red.sectors": 2},
    ),
    # ptxas keeps what it cannot tell apart generic: such instructions are none of shared memory to the counters.
    "an address of either space": Case(
        """__shared__ int s[64]; s[t] = in[t]; __syncthreads(); const int* p = n > 39 ? s : in; out[t] = p[t ^ 1];""",
        set(),
        ld=(0, 2),
        st=(2, 2),
    ),
    "a sum of floats": Case(
        """__shared__ float f[64]; f[t] = 0; __syncthreads(); atomicAdd(&f[t ^ 3], (float)in[t]); __syncthreads();
        out[t] = f[t];""",
        {"not followed"},
        ld=(2, 2),
        st=(2, 2),
        atom=(2, 2),
    ),
    # The loop that sums four words a turn is unrolled again by ptxas; all its copies have the wide load. Its lanes all
    # read the same: two phases of 16 lanes.
    "a loop unrolled twice": Case(
        """__shared__ int s[64]; s[t] = in[t]; __syncthreads();
        int v = 0; for (int k = 0; k < n; k++) v = v * 3 + s[k]; out[t] = v;""",
        {"fused"},
        ld=(2 * 10, 2 * 10 * 2),
        st=(2, 2),
    ),
    # Of eight words ptxas chooses one with comparisons, of 64 it does not.
    "a small local array": Case(
        """int v[8]; for (int k = 0; k < 8; k++) v[k] = in[8 * t + k]; int r = 0;
        for (int k = 0; k < n; k++) r += v[(k * 5 + t) & 7]; out[t] = r;""",
        {"in registers"},
        others={"global_ld.requests": 2 * 8},
    ),
    "a local array": Case(
        """int v[64]; for (int k = 0; k < 64; k++) v[k] = in[64 * t + k]; int r = 0;
        for (int k = 0; k < n; k++) r += v[(k * 5 + t) & 63]; out[t] = r;""",
        set(),
        others={"local_st.requests": 4 * 2 * 16, "local_ld.requests": 2 * 40},
    ),
    # A function of its own is called from two places.
    "a function that is called": Case(
        """__shared__ int s[96]; s[t] = in[t]; if (t < 32) s[t + 64] = t; __syncthreads(); int v = look(s, t);
        if (t & 1) v += look(s, t ^ 3); out[t] = v;""",
        {"predicated"},
        before="__device__ __noinline__ int look(const int* s, int t) { return s[t] * s[t + 1] + s[t + 2]; }\n",
        ld=(2 * 3 + 2 * 3, 2 * 3 + 2 * 3),
        st=(2 + 2, 2 + 1),
    ),
    # PTX's own predicate.
    "a predicate in PTX": Case(
        """__shared__ int s[64]; s[t] = 0; unsigned a = __cvta_generic_to_shared(&s[t]);
        asm volatile("{ .reg .pred p; setp.lt.s32 p, %0, %1; @p st.shared.u32 [%2], %0; }" :: "r"(t), "r"(20), "r"(a));
        __syncthreads(); out[t] = s[t ^ 1];""",
        set(),
        ld=(2, 2),
        st=(2 + 2, 2 + 1),
    ),
    # Before each copy three loads that do nothing.
    "an asynchronous copy": Case(
        """__shared__ __align__(16) int s[256]; unsigned a = __cvta_generic_to_shared(&s[4 * t]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(a), "l"(in + 4 * t));
        asm volatile("cp.async.wait_all;"); __syncthreads(); out[t] = s[t];""",
        {"predicated"},
        ld=(2 + 2 * 3, 2),
    ),
    # A load of 8 bytes serves a way that only some lanes take.
    "a load made ahead": Case(
        """__shared__ __align__(16) int s[64]; s[t] = in[t]; __syncthreads(); int v = s[2];
        if (v * in[t] > 5) { v += s[3]; for (int k = 0; k < v; k++) v ^= in[k & 63] / v; } out[t] = v;""",
        {"fused"},
        ld=(2, 2),
        st=(2, 2),
    ),
    "bytes": Case(
        """__shared__ unsigned char s[256]; for (int k = 0; k < 4; k++) s[4 * t + k] = in[4 * t + k]; __syncthreads();
        unsigned v = 0; for (int k = 0; k < 4; k++) v = v * 31 + s[4 * t + k]; out[t] = v;""",
        set(),
        ld=(2 * 4, 2 * 4),
        st=(2 * 4, 2 * 4),
    ),
}


def seen(found: Coded, op: str) -> tuple[int, int]:
    count = found.counts.get(f"shared_{op}")
    return found.executed[f"shared_{op}"], count.wavefronts if count else 0


@pytest.mark.parametrize("name", CASES)
def test_kernels_count_as_their_machine_code_says(name: str) -> None:
    case = CASES[name]
    found = coded(case.text())
    assert found.kinds == case.kinds, [finding.sentence for finding in found.findings]
    assert {op: seen(found, op) for op in ("ld", "st", "atom")} == {"ld": case.ld, "st": case.st, "atom": case.atom}
    for path, expected in case.others.items():
        kind, quantity = path.split(".")
        assert getattr(found.counts[kind], quantity) == expected, path


@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_100", "sm_120"])
@pytest.mark.parametrize("name", ["four loads are one", "stores of neighbours", "a guarded store", "half of a vector"])
def test_other_architectures_are_followed_too(name: str, arch: str) -> None:
    case = CASES[name]
    found = coded(case.text(), arch)
    assert found.kinds | {"predicated"} == case.kinds | {"predicated"}  # older ones keep some of the branches
    assert {op: seen(found, op)[1] for op in ("ld", "st")} == {"ld": case.ld[1], "st": case.st[1]}


def test_what_is_not_followed_is_told_and_counts_as_in_the_ptx() -> None:
    found = coded(CASES["a sum of floats"].text())
    assert found.sentences("not followed") == [
        "line 4: the reduction is a loop of LDS and ATOMS.CAST.SPIN in the machine code, which goes round until every "
        "lane has had its turn: the counts here are of one turn, a lower bound"
    ]
    assert found.counts == found.asked


def test_arms_that_ptxas_makes_one_are_not_passed_over() -> None:
    """On sm_100 one load stands for those of two ways that part, so that it has more lanes than either."""
    body = """__shared__ int s[64]; s[t] = in[t]; __syncthreads(); int k = in[t + 64];
        switch (k & 3) { case 0: s[t] = 1; break; case 1: s[t] += 2; break; case 2: s[t ^ 1] = s[t]; break;
        default: out[t + 256] = s[t]; } __syncthreads(); out[t] = s[t];"""
    found = coded(Case(body, set()).text(), "sm_100")
    assert any("LDS for more lanes" in sentence for sentence in found.sentences("not followed"))
