"""CUDA's own mathematical functions, as NVRTC compiles them, computed by the interpreter: many instructions each."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from tests.kernel.launched import launched
from tests.kernel.ptx_samples import ptx_of

SOURCE = """extern "C" __global__ void sample(double *out, const float *in) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    out[i] = {expression};
}}
"""
VALUES = np.linspace(-9, 9, 512, dtype=np.float32)
SINGLE, DOUBLE = 3e-7, 1e-15
# The expression, what it is worth for the same float, the largest relative error that CUDA's manual allows or less.
FUNCTIONS: dict[str, tuple[Callable[[float], float], float]] = {
    "sinf(x * 1e7f)": (lambda x: math.sin(float(np.float32(x) * np.float32(1e7))), SINGLE),
    "expf(x)": (math.exp, SINGLE),
    "powf(fabsf(x), 1.5f)": (lambda x: abs(x) ** 1.5, SINGLE),
    "erff(x)": (math.erf, SINGLE),
    "lgammaf(fabsf(x) + 2.5f)": (lambda x: math.lgamma(abs(x) + 2.5), SINGLE),
    "fmodf(x, 3.0f)": (lambda x: math.fmod(x, 3), 0),
    "__frcp_rz(3.0f)": (lambda x: float.fromhex("0x1.555554p-2"), 0),
    "sin((double)x)": (math.sin, DOUBLE),
    "exp((double)x)": (math.exp, DOUBLE),
    "log(fabs((double)x))": (lambda x: math.log(abs(x)), DOUBLE),
    "pow(fabs((double)x), 0.3)": (lambda x: abs(x) ** 0.3, DOUBLE),
    "atan2((double)x, 2.0)": (lambda x: math.atan2(x, 2), DOUBLE),
    "(long long)(x * 1e6) / 7 % 1000": (lambda x: math.fmod(int(int(x * 1e6) / 7), 1000), 0),
    "__popcll(__double_as_longlong(x))": (lambda x: int(np.float64(x).view(np.uint64)).bit_count(), 0),
}


@pytest.mark.parametrize("expression", FUNCTIONS)
def test_a_function_of_the_library(expression: str) -> None:
    function, tolerance = FUNCTIONS[expression]
    arguments = {"out": np.zeros(VALUES.size), "in": VALUES}
    ptx = ptx_of(SOURCE.format(expression=expression))
    found = launched(ptx, (2, 1, 1), (256, 1, 1), arguments).arrays["out"].view(np.float64)
    expected = [function(float(value)) for value in VALUES]
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=0)
