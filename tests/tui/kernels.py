"""Kernels opened for the tests of their screen."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from textual.message import Message

from warpviz.tui.interpreted import Interpreted
from warpviz.tui.kernel_launch import AskedKernel
from warpviz.tui.kernels import open_kernel
from warpviz.tui.messages import KernelFailed, KernelInterpreted, KernelProgressed, LaunchWanted
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.state import kernel
from warpviz.tui.state.kernel import KernelView
from warpviz.tui.state.kernel_complaint import KernelComplaint

KERNELS = Path(__file__).parents[1] / "data" / "kernels"

# A tile read by columns: 32 passes a request; written by rows: one. Global memory at its ideal.
COLUMNS = """//@ launch columns grid=2 block=32,32 in=f32[2048]:i out=f32[2048]
// A tile without padding.
__global__ void columns(const float* in, float* out) {
\t__shared__ float tile[32][32];
  int t = threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[blockIdx.x * 1024 + t];
  __syncthreads();
  out[blockIdx.x * 1024 + t] = tile[threadIdx.x][threadIdx.y];
}
"""
TWO = """struct Size { int width, height; };
__global__ void scale(float* out, const float* in, int n, double by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * by;
}
__global__ void fill(unsigned char* bytes, Size size) { bytes[threadIdx.x] = size.width; }
"""
ENDLESS = """//@ launch spin grid=1 block=32 a=i32[32]
__global__ void spin(volatile int* a) { while (a[threadIdx.x] == 0) {} }
"""


def told(text: str, **options: Any) -> list[Message]:
    """All that is posted when a file of this text is opened."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cu"
        path.write_text(text, encoding="utf-8")
        messages: list[Message] = []
        open_kernel(KernelToOpen(path, **options), 7, messages.append, lambda: False)
    return messages


@cache
def interpreted(text: str) -> Interpreted:
    """The kernel of a text that has a launch line."""
    *progress, last = told(text)
    assert all(isinstance(message, KernelProgressed) for message in progress)
    assert isinstance(last, KernelInterpreted)
    return last.interpreted


def complaint(text: str, **options: Any) -> KernelComplaint:
    """Why a text cannot be shown."""
    last = told(text, **options)[-1]
    assert isinstance(last, KernelFailed)
    return last.complaint


@cache
def found(text: str, name: str | None = None) -> AskedKernel:
    """A kernel of a text that does not say how it is launched."""
    last = told(text, name=name)[-1]
    assert isinstance(last, LaunchWanted)
    return last.found


def shown(text: str) -> KernelView:
    """The view of such a kernel as it opens."""
    made = interpreted(text)
    return kernel.arrived(KernelView(made.found.asked), made)
