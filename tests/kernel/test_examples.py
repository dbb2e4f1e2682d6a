"""The kernels in kernels/examples: they compute what numpy does, and their accesses cost what a count by hand gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tests.compiling import compiler
from warpviz.gpu.toolkit import header_folders
from warpviz.kernel.counting import Count, by_line, totals
from warpviz.kernel.interpret import Outcome, interpret
from warpviz.kernel.launch import LaunchOptions
from warpviz.kernel.prepare import prepare
from warpviz.kernel.source import read_source
from warpviz.resources import resource_folder

FOLDER = resource_folder("kernels") / "examples"
NAMES = sorted(path.stem for path in FOLDER.glob("*.cu"))
NEEDS_HEADERS = frozenset({"axpy_half2"})  # of a CUDA toolkit

Array = NDArray[Any]
Inputs = Mapping[str, Array]


pytestmark = pytest.mark.usefixtures("nvrtc")


@dataclass(frozen=True)
class Run:
    """text: of the file. before, after: the arrays, by the parameter's name."""

    text: str
    before: Inputs
    after: Inputs
    outcome: Outcome


@cache
def run(name: str) -> Run:
    if name in NEEDS_HEADERS and not header_folders():
        pytest.skip("the headers of CUDA (cuda_fp16.h) are in no toolkit and no Python package here")
    prepared = prepare(read_source(FOLDER / f"{name}.cu"), LaunchOptions(), compiler=compiler())
    before = {array.name: array.values() for array in prepared.launch.arrays}
    outcome = interpret(prepared.program, prepared.launch)
    return Run(prepared.source.text, before, outcome.arrays, outcome)


# What numpy computes of the arrays as they are before the launch: those that the kernel writes. In float64 where the
# kernel's own numbers are whole, or multiples of a power of two, and few enough to be exact in any order.


def sgemm(a: Inputs) -> Inputs:
    return {"C": wide(a["A"]).reshape(256, 128) @ wide(a["B"]).reshape(128, 256)}


def scan_blelloch(a: Inputs) -> Inputs:
    rows = a["in"].reshape(64, 512)
    return {"out": np.cumsum(rows, axis=1) - rows, "totals": rows.sum(axis=1)}


def scan_shuffle(a: Inputs) -> Inputs:
    return {"out": np.cumsum(a["in"].reshape(32, 1024), axis=1)}


def reduce_shuffle(a: Inputs) -> Inputs:
    return {"sum": wide(a["in"]).sum(keepdims=True)}


def histogram_per_warp(a: Inputs) -> Inputs:
    return {"bins": np.bincount(a["pixels"], minlength=256)}


def bitonic_sort(a: Inputs) -> Inputs:
    return {"keys": np.sort(a["keys"].reshape(16, 1024), axis=1)}


def fft_stockham(a: Inputs) -> Inputs:
    return {"spectrum": parts(np.fft.fft(complexes(a["signal"]).reshape(32, 512), axis=1))}


def softmax_online(a: Inputs) -> Inputs:
    rows = wide(a["in"]).reshape(256, 1000) * 0.125
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    return {"out": powers / powers.sum(axis=1, keepdims=True)}


def layernorm_welford(a: Inputs) -> Inputs:
    x = wide(a["x"]).reshape(64, 768)
    scaled = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
    return {"y": scaled * a["gain"] + a["shift"]}


def conv2d_halo(a: Inputs) -> Inputs:
    windows = sliding_window_view(np.pad(wide(a["image"]).reshape(190, 250), 2, mode="edge"), (5, 5))
    side = np.array([1, 4, 6, 4, 1])
    return {"out": np.einsum("yxij,i,j->yx", windows, side, side) / 256}


def spmv_csr(a: Inputs) -> Inputs:
    rows = np.repeat(np.arange(2048), np.diff(a["starts"]))
    return {"y": np.bincount(rows, wide(a["values"]) * a["x"][a["columns"]], minlength=2048)}


def stencil3d_planes(a: Inputs) -> Inputs:
    near = np.pad(wide(a["in"]).reshape(32, 64, 96), 1)
    around = sum(np.roll(near, step, axis) for axis in range(3) for step in (-1, 1))
    return {"out": (around - 6 * near)[1:-1, 1:-1, 1:-1]}


def transpose_swizzle(a: Inputs) -> Inputs:
    return {"out": a["in"].reshape(384, 256).T}


def transpose_ldmatrix(a: Inputs) -> Inputs:
    return {"out": a["in"].reshape(256, 128).T}


def gemv_async(a: Inputs) -> Inputs:
    return {"y": wide(a["A"]).reshape(512, 512) @ wide(a["x"])}


def axpy_half2(a: Inputs) -> Inputs:
    x, y = (wide(a[name].view(np.float16)) for name in "xy")
    return {"y": (0.75 * x + y).astype(np.float16).view(np.uint16)}


def polynomial_template(a: Inputs) -> Inputs:
    y = np.zeros(1 << 13)
    y[90:8090] = np.polyval([5, 1, -1, -1, 1], wide(a["x"])[90:8090])
    return {"y": y}


def wave_host(a: Inputs) -> Inputs:
    now, before = wide(a["now"]).reshape(128, 256), wide(a["before"]).reshape(128, 256)
    around = sum(np.roll(now, step, axis) for axis in range(2) for step in (-1, 1))
    after = 2 * now - before + 0.25 * (around - 4 * now)
    return {"after": np.pad(after[1:-1, 1:-1], 1)}


def compact_ballot(a: Inputs) -> Inputs:
    values = np.where(np.arange(1 << 14) < 16300, a["in"], 0).reshape(64, 256)
    out = np.zeros_like(values)
    for row, block in zip(values, out, strict=True):
        kept = row[row > 0]
        block[: len(kept)] = kept
    return {"out": out, "kept": (values > 0).sum(axis=1)}


def nbody_tiles(a: Inputs) -> Inputs:
    bodies = wide(a["bodies"]).reshape(1024, 4)
    apart = bodies[None, :, :3] - bodies[:, None, :3]
    strength = bodies[:, 3] / ((apart**2).sum(axis=2) + 2.5**2) ** 1.5
    return {"pull": np.pad(np.einsum("ij,ijc->ic", strength, apart), ((0, 0), (0, 1)))}


def tridiagonal_double(a: Inputs) -> Inputs:
    lower, middle, upper, right = (a[n].reshape(24, 2048).T for n in ("lower", "middle", "upper", "right"))
    matrices, at = np.zeros((2048, 24, 24)), np.arange(24)
    matrices[:, at, at] = middle
    matrices[:, at[1:], at[:-1]] = lower[:, 1:]
    matrices[:, at[:-1], at[1:]] = upper[:, :-1]
    return {"x": np.linalg.solve(matrices, right[..., np.newaxis])[..., 0].T}


def collatz_steps(a: Inputs) -> Inputs:
    steps = np.zeros(1 << 14, dtype=np.int64)
    numbers = np.arange(1, len(steps) + 1)
    while (going := numbers != 1).any():
        numbers = np.where(going, np.where(numbers % 2 == 0, numbers // 2, 3 * numbers + 1), 1)
        steps += going
    return {"steps": steps, "longest": steps.max(keepdims=True)}


def wide(values: Array) -> Array:
    return values.astype(np.float64)


def complexes(pairs: Array) -> Array:
    return wide(pairs).view(np.complex128)


def parts(numbers: Array) -> Array:
    return np.ascontiguousarray(numbers).view(np.float64)


ORACLES: dict[str, Callable[[Inputs], Inputs]] = {
    "axpy_half2": axpy_half2,
    "bitonic_sort": bitonic_sort,
    "collatz_steps": collatz_steps,
    "compact_ballot": compact_ballot,
    "conv2d_halo": conv2d_halo,
    "fft_stockham": fft_stockham,
    "gemv_async": gemv_async,
    "histogram_per_warp": histogram_per_warp,
    "layernorm_welford": layernorm_welford,
    "nbody_tiles": nbody_tiles,
    "polynomial_template": polynomial_template,
    "reduce_shuffle": reduce_shuffle,
    "scan_blelloch": scan_blelloch,
    "scan_shuffle": scan_shuffle,
    "sgemm_register_tiles": sgemm,
    "softmax_online": softmax_online,
    "spmv_csr": spmv_csr,
    "stencil3d_planes": stencil3d_planes,
    "transpose_ldmatrix": transpose_ldmatrix,
    "transpose_swizzle": transpose_swizzle,
    "tridiagonal_double": tridiagonal_double,
    "wave_host": wave_host,
}

# Where results are rounded: the largest difference, as a part of the largest result.
HALF_UNIT = {np.dtype(np.float32): 2**-24, np.dtype(np.float64): 2**-53}
ROUNDED = {
    "fft_stockham": 2,
    "layernorm_welford": 4,
    "nbody_tiles": 16,  # 1,024 addends of both signs
    "softmax_online": 4,
    "tridiagonal_double": 4,
}

# What accesses cost, counted by hand: the kernel; a piece of their line's text, or "" for those of all lines; memory
# space and op; requests; sectors of global memory, wavefronts of shared memory.
COSTS = [
    ("axpy_half2", "given = x[i]", "global_ld", 512, 512 * 8),
    # 16 blocks x 16 warps: two words each at first and last; then 55 rounds of two, of which 40 lie within 16 banks.
    ("bitonic_sort", "", "shared_ld", 256 * 2 * (1 + 55), 256 * 2 * (1 + 15 + 40 * 2)),
    ("collatz_steps", "steps[i] =", "global_st", 512, 512 * 2),
    ("collatz_steps", "atomicMax", "global_red", 512, 512),
    # 509 whole warps, and 12 lanes.
    ("compact_ballot", "in[i]", "global_ld", 510, 509 * 4 + 2),
    # 95 warps in each of 16 columns of blocks; in the last one 10 of 16 pixels, whose rows do not overlap in the banks.
    ("conv2d_halo", "tile[threadIdx.y + dy]", "shared_ld", 16 * 95 * 25, (15 * 2 + 1) * 95 * 25),
    # 16 lanes reach over twice the banks in four of the nine passes.
    ("fft_stockham", "buffer[from ^ 1][to] =", "shared_st", 256 * 9, 256 * (4 * 4 + 5 * 2)),
    ("fft_stockham", "odd = buffer[from][j + HALF]", "shared_ld", 256 * 9, 256 * 9 * 2),
    # 8 blocks x 16 tiles, each 512 pieces of 16 bytes: four rows a warp. Of a pitch of 144 bytes each second row lies
    # half a sector off: its sectors go to two places each. So an H200 counts them, and the wavefronts.
    ("gemv_async", "", "global_copy", 8 * 16 * 16, 8 * 16 * 16 * (4 + 8 + 4 + 8)),
    ("gemv_async", "", "shared_copy", 8 * 16 * 16, 8 * 16 * 8 * (10 + 11)),
    ("gemv_async", "tiles[current][row]", "shared_ld", 64 * 16 * 8, 64 * 16 * 8),
    ("gemv_async", "tiles[current][row]", "global_ld", 64 * 16 * 8, 64 * 16 * 8),
    ("histogram_per_warp", "counts[k / BINS]", "shared_st", 256 * 8, 256 * 8),
    ("histogram_per_warp", "atomicAdd(&bins[bin]", "global_red", 256, 256 * 4),
    # A lane writes three words, and all lanes read the same ones.
    ("layernorm_welford", "of_warp[threadIdx.x >> 5] =", "shared_st", 512 * 3, 512 * 3),
    ("layernorm_welford", "", "shared_ld", 512 * 8 * 3, 512 * 8 * 3),
    ("nbody_tiles", "tile[k]", "shared_ld", 32 * 1024, 32 * 1024 * 2),
    ("nbody_tiles", "tile[threadIdx.x] =", "shared_st", 32 * 8, 32 * 8 * 4),
    ("polynomial_template", "y[i] = p(x[i])", "global_ld", 250, 250 * 5),
    ("polynomial_template", "y[i] = p(x[i])", "global_st", 250, 250 * 5),
    ("reduce_shuffle", "four = in[i]", "global_ld", 2048, 2048 * 16),
    ("reduce_shuffle", "atomicAdd", "global_red", 64, 64),
    # The tree has 8 + 4 + 2 + 1 + 1 + 1 + 1 + 1 + 1 warps at work, which read two words on the way up and three on the
    # way down; and not one conflict.
    ("scan_blelloch", "", "shared_ld", 64 * (2 * 20 + 3 * 20 + 1 + 16), 64 * 117),
    ("scan_blelloch", "", "shared_st", 64 * (20 + 2 * 20 + 1 + 16), 64 * 77),
    ("scan_shuffle", "four = in[place]", "global_ld", 256, 256 * 16),
    ("scan_shuffle", "", "shared_ld", 32 + 32 * 7, 32 + 32 * 7),
    # In each step a row of A is a broadcast of 16 bytes to 16 lanes, twice, and one of B is 16 x 16 bytes, twice.
    ("sgemm_register_tiles", "", "shared_ld", 128 * 128 * 2, 128 * 128 * (2 + 4)),
    ("sgemm_register_tiles", "", "shared_st", 128 * 8 * 5, 128 * 8 * (4 * 2 + 4)),
    ("sgemm_register_tiles", "(C + r * N) =", "global_st", 128 * 4, 128 * 4 * 16),
    # Four rows a warp.
    ("spmv_csr", "y[row] = sum", "global_st", 512, 512),
    # 24 blocks x 8 warps x 32 planes; in each, two lanes add a rim word, and two warps a rim row.
    ("stencil3d_planes", "", "shared_ld", 6144 * 4, 6144 * 4),
    ("stencil3d_planes", "", "shared_st", 6144 * 3 + 768 * 2, 6144 * 3 + 768 * 2),
    ("transpose_ldmatrix", "tile[own_row][own_column] = *", "shared_st", 128, 128 * 4),
    ("transpose_ldmatrix", "", "shared_ld", 128, 128 * 4),
    ("transpose_ldmatrix", "out[c * rows + r]", "global_st", 512, 512 * 8),
    ("transpose_swizzle", "tile(r, threadIdx.x) = in", "global_ld", 96 * 32, 96 * 32 * 4),
    ("transpose_swizzle", "tile(r, threadIdx.x) = in", "shared_st", 96 * 32, 96 * 32),
    ("transpose_swizzle", "= tile(threadIdx.x, r)", "shared_ld", 96 * 32, 96 * 32),
    ("transpose_swizzle", "= tile(threadIdx.x, r)", "global_st", 96 * 32, 96 * 32 * 4),
    ("tridiagonal_double", "", "global_st", 64 * (24 + 23), 64 * (24 + 23) * 8),
    # 126 rows of 8 warps: neighbours to the left and to the right cost 5 sectors, but 4 at the border.
    ("wave_host", "float bend", "global_ld", 126 * 8 * 5, 126 * (2 * (7 * 5 + 4) + 3 * 32)),
]


def test_every_kernel_is_held_to_numpy() -> None:
    assert sorted(ORACLES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_numpy(name: str) -> None:
    done = run(name)
    expected = ORACLES[name](done.before)
    for array, after in done.after.items():
        wanted = np.asarray(expected.get(array, done.before[array])).reshape(-1)
        if name in ROUNDED and array in expected:
            apart = np.abs(after - wanted).max() / np.abs(wanted).max()
            assert apart <= ROUNDED[name] * HALF_UNIT[after.dtype], array
        else:
            assert np.array_equal(after, wanted), array


@pytest.mark.parametrize(("name", "text", "kind", "requests", "cost"), COSTS)
def test_accesses_cost_what_a_count_by_hand_gives(name: str, text: str, kind: str, requests: int, cost: int) -> None:
    count = counted(run(name), text, kind)
    assert (count.requests, count.sectors if kind.startswith("global") else count.wavefronts) == (requests, cost)


def test_lanes_that_leave_a_loop_early_cost_no_sector() -> None:
    """Rows of 1,000 floats are 125 sectors, in however many requests."""
    assert totals(run("softmax_online").outcome.counts)["global_st"].sectors == 256 * 125


def test_shared_atomics_meet_in_the_banks_as_the_picture_has_it() -> None:
    """An atomic takes as many wavefronts as the bank has lanes that has the most. Each warp reads 32 quads in turn."""
    done = run("histogram_per_warp")
    bins = done.before["pixels"].reshape(-1, 32, 4)
    lanes = (bins[..., np.newaxis] % 32 == np.arange(32)).sum(axis=1)
    count = totals(done.outcome.counts)["shared_atom"]
    assert (count.requests, count.wavefronts) == (len(bins) * 4, lanes.max(axis=2).sum())


@pytest.mark.parametrize("name", NAMES)
def test_a_file_opens_with_its_launch_and_what_it_shows(name: str) -> None:
    lines = (FOLDER / f"{name}.cu").read_text(encoding="utf-8").split("\n")
    assert lines[0].startswith("//@ launch ")
    assert lines[1].startswith("// ")
    assert max(map(len, lines[1:])) <= 120


def counted(done: Run, text: str, kind: str) -> Count:
    """What the accesses of one line cost, or of all. text: a piece that no other line has."""
    if not text:
        return totals(done.outcome.counts)[kind]
    (line,) = (number for number, line in enumerate(done.text.split("\n"), 1) if text in line)
    counts = by_line(done.outcome.counts).items()
    (count,) = (count for key, count in counts if key.line == line and f"{key.space}_{key.op}" == kind)
    return count
