"""The kernels of `tests.bench.interpreter` in Numba's CUDA simulator.

Run as a script by any Python that has Numba, with NUMBA_ENABLE_CUDASIM=1; arguments: the cores that it may use. Prints
a JSON object: by the kernel's name, how many threads run, and in how many seconds.
"""

import json
import os
import sys
import time

import numpy as np
from numba import cuda, float32

R, BLOCK, T = 3, 256, 16


@cuda.jit
def stencil(source, out, n):
    """As tests/data/kernels/avg_shared_r3.cu."""
    tile = cuda.shared.array(BLOCK + 2 * R, float32)
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    t = cuda.threadIdx.x + R
    if i < n:
        tile[t] = source[i]
    if cuda.threadIdx.x < R:
        if i >= R:
            tile[t - R] = source[i - R]
        if i + BLOCK < n:
            tile[t + BLOCK] = source[i + BLOCK]
    cuda.syncthreads()
    if i < R or i >= n - R:
        return
    total = 0.0
    for k in range(-R, R + 1):
        total += tile[t + k]
    out[i] = total / (2 * R + 1)


@cuda.jit
def matmul(a, b, c, n):
    """As tests/data/kernels/matmul_tiled.cu."""
    left = cuda.shared.array((T, T), float32)
    right = cuda.shared.array((T, T), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * T + tx, cuda.blockIdx.y * T + ty
    total = 0.0
    for t in range(0, n, T):
        left[ty, tx] = a[y * n + t + tx]
        right[ty, tx] = b[(t + ty) * n + x]
        cuda.syncthreads()
        for k in range(T):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    c[y * n + x] = total


def main() -> None:
    """A few blocks of each; what they compute is checked."""
    os.sched_setaffinity(0, map(int, sys.argv[1:]))
    n = 1 << 20
    source, out = np.arange(n, dtype=np.float32) % 7, np.zeros(n, dtype=np.float32)
    blocks = 8
    told = {"avg_shared_r3": timed(stencil[blocks, BLOCK], (source, out, n), blocks * BLOCK)}
    windows = np.lib.stride_tricks.sliding_window_view(source[: blocks * BLOCK + R], 2 * R + 1)
    assert np.allclose(out[R : blocks * BLOCK], windows.mean(axis=1))

    n = 256
    a, b = (np.arange(n * n, dtype=np.float32) % m for m in (5, 3))
    c = np.zeros(n * n, dtype=np.float32)
    told["matmul_tiled"] = timed(matmul[(2, 1), (T, T)], (a, b, c, n), 2 * T * T)
    assert np.array_equal(c.reshape(n, n)[:T, : 2 * T], (a.reshape(n, n) @ b.reshape(n, n))[:T, : 2 * T])
    print(json.dumps(told))


def timed(kernel, arguments, threads):
    """The threads, and the seconds that they take in the fastest of three runs."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        kernel(*arguments)
        best = min(best, time.perf_counter() - start)
    return {"threads": threads, "seconds": best}


if __name__ == "__main__":
    main()
