"""Floats, doubles, halves, and what turns them into one another."""

from __future__ import annotations

import numpy as np

from tests.kernel.breadth.case import Array, Case, Inputs


def _fast_math(a: Inputs) -> Inputs:
    x = a["x"].astype("f8") / 64 + 0.5
    return {"out": np.stack([np.sin(x), np.cos(x), np.exp(x), np.log(x), x / 3, x**1.5, 1 / np.sqrt(x)], 1).reshape(-1)}


def _math_library(a: Inputs) -> Inputs:
    from math import erf, lgamma

    x = a["x"].astype("f8") / 100 + 0.01
    gamma, errors = [lgamma(v) for v in x], [erf(v) for v in x]
    rows = [np.sin(x), np.tan(x), np.expm1(x), np.log2(x), np.cbrt(x), np.tanh(x), errors, gamma, np.arctan2(x, 2 - x)]
    rows += [np.hypot(x, 1), np.fmod(x, 0.3), np.round(x), np.floor(x), np.ceil(-x)]
    return {"out": np.stack(rows, 1).reshape(-1)}


def _conversions(a: Inputs) -> Inputs:
    x = (a["x"].astype("f4") - np.float32(50)) * np.float32(0.75)
    return {
        "i": np.stack([np.trunc(x), np.rint(x), np.floor(x), np.ceil(x)], 1).astype("i4").reshape(-1),
        "f": ((x.astype("f8") * 1e10).astype("i8")).astype("f4"),
        "h": x.astype("f2").view("u2"),
    }


def _half_pairs(a: Inputs) -> Inputs:
    x, y = a["x"].reshape(-1, 2), a["y"].reshape(-1, 2)
    fused = (x.astype("f8") * y.astype("f8") + 0.5).astype("f2")
    return {
        "out": np.where(fused > y, fused, -y).reshape(-1),
        "sums": (x[:, 0].astype("f4") + y[:, 1].astype("f4")).astype("f4"),
    }


def _bfloat(values: Array) -> Array:
    """Rounded to nearest, ties to even, as bits of float32."""
    bits = values.astype("f4").view("u4").astype("u8")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype("u4").view("f4")


def _bfloats(a: Inputs) -> Inputs:
    x = _bfloat(a["x"] / np.float32(7))
    return {"out": _bfloat(x * _bfloat(x + np.float32(1))), "bits": (x.view("u4") >> 16).astype("u2")}


def _mandelbrot(a: Inputs) -> Inputs:
    y, x = np.divmod(np.arange(32 * 24), 32)
    c = (x.astype("f8") / 32 * 3 - 2) + 1j * (y / 24 * 2 - 1)
    z, count = np.zeros_like(c), np.zeros(len(c), dtype=np.int32)
    for _ in range(64):
        inside = z.real**2 + z.imag**2 <= 4
        z = np.where(inside, z * z + c, z)
        count += inside
    return {"count": count}


def _saturating(a: Inputs) -> Inputs:
    x = a["x"].astype("f4") / np.float32(16) - np.float32(2)
    return {"f": np.clip(x, 0, 1), "i": np.clip(a["x"].astype("i8") * 50000000 + 2000000000, None, 2**31 - 1)}


def _float_compare(a: Inputs) -> Inputs:
    special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-40], dtype="f4")
    x, y = np.repeat(special, 8), np.tile(special, 8)
    with np.errstate(invalid="ignore"):
        bits = [x < y, x <= y, x == y, x != y, x > y, x >= y, np.isnan(x), np.isinf(y), np.signbit(x), np.isfinite(x)]
    return {"out": sum(bit.astype("i4") << k for k, bit in enumerate(bits))}


def _rounding(a: Inputs) -> Inputs:
    x = a["x"].astype("f8") + 1
    exact = 1 / x
    near = exact.astype("f4")
    below, above = np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(9))
    from fractions import Fraction

    wanted = [Fraction(1, int(v)) for v in x]
    down = [n if Fraction(float(n)) <= w else b for n, b, w in zip(near, below, wanted, strict=True)]
    up = [n if Fraction(float(n)) >= w else b for n, b, w in zip(near, above, wanted, strict=True)]
    return {"down": np.array(down, "f4"), "up": np.array(up, "f4"), "near": exact}


CASES = {
    "fast math": Case(
        r"""//@ launch k grid=1 block=64 x=f32[64]:i out=f32[64*7]
__global__ void k(const float* x, float* out) {
  float v = x[threadIdx.x] / 64 + 0.5f, *o = out + 7 * threadIdx.x;
  o[0] = __sinf(v), o[1] = __cosf(v), o[2] = __expf(v), o[3] = __logf(v);
  o[4] = __fdividef(v, 3.0f), o[5] = __powf(v, 1.5f), o[6] = __frsqrt_rn(v);
}
""",
        _fast_math,
        2e-6,
    ),
    "math library": Case(
        r"""#include <cmath>
#include <math_constants.h>
//@ launch k grid=1 block=200 x=f64[200]:i out=f64[200*14]
__global__ void k(const double* x, double* out) {
  double v = x[threadIdx.x] / 100 + 0.01, *o = out + 14 * threadIdx.x;
  o[0] = sin(v), o[1] = tan(v), o[2] = expm1(v), o[3] = log2(v), o[4] = cbrt(v), o[5] = tanh(v), o[6] = erf(v);
  o[7] = lgamma(v), o[8] = atan2(v, 2 - v), o[9] = hypot(v, 1.0), o[10] = fmod(v, 0.3), o[11] = rint(v);
  o[12] = floor(v), o[13] = ceil(-v);
}
""",
        _math_library,
        1e-15,
    ),
    "conversions": Case(
        r"""#include <cuda_fp16.h>
//@ launch k grid=1 block=128 x=f32[128]:i i=i32[512] f=f32[128] h=u16[128]
__global__ void k(const float* x, int* i, float* f, __half* h) {
  int t = threadIdx.x;
  float v = (x[t] - 50) * 0.75f;
  i[4 * t] = (int)v, i[4 * t + 1] = __float2int_rn(v), i[4 * t + 2] = __float2int_rd(v);
  i[4 * t + 3] = __float2int_ru(v);
  f[t] = (float)(long long)((double)v * 1e10);
  h[t] = __float2half(v);
}
""",
        _conversions,
    ),
    "half pairs": Case(
        r"""#include <cuda_fp16.h>
//@ launch k grid=1 block=64 x=f16[128]:i-64 y=f16[128]:i%13-6 out=f16[128] sums=f32[64]
__global__ void k(const half2* x, const __half2* y, half2* out, float* sums) {
  int i = threadIdx.x;
  const half2 fused = __hfma2(x[i], y[i], __float2half2_rn(0.5f));
  out[i] = __halves2half2(__hgt(fused.x, y[i].x) ? fused.x : __hneg(y[i].x),
                          __hgt(__high2half(fused), __high2half(y[i])) ? __high2half(fused) : -__high2half(y[i]));
  sums[i] = __low2float(x[i]) + __high2float(y[i]);
}
""",
        _half_pairs,
    ),
    "bfloats": Case(
        r"""#include <cuda_bf16.h>
//@ launch k grid=1 block=64 x=f32[64]:i*i out=f32[64] bits=u16[64]
__global__ void k(const float* x, float* out, __nv_bfloat16* bits) {
  int i = threadIdx.x;
  __nv_bfloat16 v = __float2bfloat16(x[i] / 7.0f), one = __float2bfloat16(1.0f);
  bits[i] = v;
  out[i] = __bfloat162float(v * (v + one));
}
""",
        _bfloats,
    ),
    "mandelbrot in double": Case(
        r"""//@ launch k grid=4,3 block=8,8 count=i32[32*24] w=32 h=24
struct Complex {
  double re, im;
  __device__ Complex operator*(const Complex& o) const { return {__dsub_rn(__dmul_rn(re, o.re), __dmul_rn(im, o.im)),
                                                                __dadd_rn(__dmul_rn(re, o.im), __dmul_rn(im, o.re))}; }
  __device__ Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
  __device__ double norm() const { return __dadd_rn(__dmul_rn(re, re), __dmul_rn(im, im)); }
};
__global__ void k(int* count, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  Complex c{__dadd_rn(__dmul_rn((double)x / w, 3), -2), __dadd_rn(__dmul_rn((double)y / h, 2), -1)}, z{0, 0};
  int n = 0;
  while (n < 64 && z.norm() <= 4) z = z * z + c, ++n;
  count[y * w + x] = n;
}
""",
        _mandelbrot,
    ),
    "saturation": Case(
        r"""//@ launch k grid=1 block=64 x=i32[64]:i f=f32[64] i=i32[64]
__global__ void k(const int* x, float* f, int* i) {
  int t = threadIdx.x;
  f[t] = __saturatef(x[t] / 16.0f - 2.0f);
  long long wide = x[t] * 50000000ll + 2000000000;
  i[t] = (int)min(wide, (long long)0x7fffffff);
}
""",
        _saturating,
    ),
    "comparisons of special floats": Case(
        r"""#include <cmath>
//@ launch k grid=1 block=64 out=i32[64]
__constant__ float table[8] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 1e-40f};
__global__ void k(int* out) {
  float x = table[threadIdx.x / 8], y = table[threadIdx.x % 8];
  out[threadIdx.x] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x > y) << 4 | (x >= y) << 5 |
                     (isnan(x) != 0) << 6 | (isinf(y) != 0) << 7 | (signbit(x) != 0) << 8 | (isfinite(x) != 0) << 9;
}
""",
        _float_compare,
    ),
    "rounding modes": Case(
        r"""//@ launch k grid=1 block=96 x=f32[96]:i down=f32[96] up=f32[96] near=f64[96]
__global__ void k(const float* x, float* down, float* up, double* near) {
  int i = threadIdx.x;
  down[i] = __frcp_rd(x[i] + 1), up[i] = __fdiv_ru(1.0f, x[i] + 1), near[i] = __drcp_rn((double)x[i] + 1);
}
""",
        _rounding,
    ),
}
