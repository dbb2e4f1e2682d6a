"""Patterns, fragments and measurements that several tests use."""

from __future__ import annotations

from typing import Any

from warpviz.gpu import Conditions, Counts, FrozenAccess, Gpu, Measurement, ProbeRequest, Run, Slope, Unavailable

CONDITIONS = Conditions(1980, 3201, 41, 118.5, (), 0)
H200 = Gpu("NVIDIA H200", "sm_90", "580.159.04", "13.0", "13.0")


def stride(
    step: int, *, space: Any = "shared", op: Any = "ld", width: int = 4, matrices: int | None = None
) -> FrozenAccess:
    """Lane l at byte l * step."""
    lanes = 32 if matrices is None else 8 * matrices
    addresses = tuple(step * lane if lane < lanes else None for lane in range(32))
    return FrozenAccess(space, op, width, matrices, addresses)


def table_fragment(pattern: FrozenAccess) -> str:
    """An access.cuh that looks the pattern's addresses up: for patterns that no expression made."""
    addresses = ", ".join(f"{address or 0}ull" for address in pattern.addresses)
    active = pattern.mask if pattern.op != "ldmatrix" else 0xFFFF_FFFF
    return f"""
struct Warp {{ uint3 thread, block_index; dim3 block, grid; int lane; }};
__device__ const unsigned long long table[32] = {{{addresses}}};
__device__ __forceinline__ bool access_active(const Warp& w) {{ return {active}u >> w.lane & 1; }}
__device__ __forceinline__ unsigned long long access_address(const Warp& w) {{ return table[w.lane]; }}
"""


def request(pattern: FrozenAccess, **launch: Any) -> ProbeRequest:
    return ProbeRequest(pattern, table_fragment(pattern), **launch)


def slope(count: int | None, doubt: str | None = None) -> Slope:
    cycles = 1.7 if count is None else float(count)
    return Slope(cycles, 0.01, 1.0, Run(32, 1000.0), Run(160, 9000.0), 5, count, doubt)


def measurement(pattern: FrozenAccess | None = None, **changes: Any) -> Measurement:
    values: dict[str, Any] = {
        "origin": "measured",
        "gpu": H200,
        "date": "2026-11-30T18:00:00+00:00",
        "access": pattern or stride(32),
        "wavefronts": slope(8),
        "counters": Unavailable("the hardware counters were not asked for"),
        "bandwidth": None,
        "addresses_agree": True,
        "conditions": CONDITIONS,
    }
    return Measurement(**(values | changes))


def counts(**values: float) -> Counts:
    return Counts("Nsight Compute 2025.3.1", **values)
