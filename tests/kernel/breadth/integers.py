"""Integers of 8 to 64 bits, and tricks with their bits."""

from __future__ import annotations

import numpy as np

from tests.kernel.breadth.case import Array, Case, Inputs


def split(a: Inputs, name: str, dtype: str) -> Array:
    return a[name].astype(dtype)


def _integer_division(a: Inputs) -> Inputs:
    x, y = split(a, "x", "i8"), split(a, "y", "i8")
    quotient = (np.abs(x) // np.abs(y)) * np.sign(x) * np.sign(y)
    return {"q": quotient, "r": x - quotient * y}


def _unsigned_division(a: Inputs) -> Inputs:
    x, y = a["x"], a["y"] | np.uint64(1)
    return {"q": x // y, "r": x % y}


def _wide_product(a: Inputs) -> Inputs:
    x = a["x"].astype(object)
    return {"high": ((x * x[::-1]) >> 64).astype(np.uint64), "low": ((x * x[::-1]) % (1 << 64)).astype(np.uint64)}


def _bit_tricks(a: Inputs) -> Inputs:
    values = [int(v) for v in a["x"]]

    def of(v: int) -> tuple[int, ...]:
        reverse = int(f"{v:032b}"[::-1], 2)
        swap = int.from_bytes(v.to_bytes(4, "little"), "big")
        turned = (v << 7 | v >> 25) & 0xFFFFFFFF
        return v.bit_count(), 32 - v.bit_length(), (v & -v).bit_length(), reverse, swap, turned

    return {"out": np.array([of(v) for v in values], dtype=np.uint32).reshape(-1)}


def _bit_tricks_long(a: Inputs) -> Inputs:
    def of(v: int) -> tuple[int, ...]:
        return v.bit_count(), 64 - v.bit_length(), (v & -v).bit_length(), int(f"{v:064b}"[::-1], 2)

    return {"out": np.array([of(int(v)) for v in a["x"]], dtype=np.uint64).reshape(-1)}


def _small_types(a: Inputs) -> Inputs:
    x = a["x"].astype(np.int64)
    return {
        "c": (x * 3).astype(np.int8),
        "s": (x * 300 - 5).astype(np.int16),
        "u": (x + 250).astype(np.uint8),
        "h": (x * 3 >> 1).astype(np.uint16),
    }


def _xorshift(a: Inputs) -> Inputs:
    state = a["seed"] * np.uint64(2654435761) + np.uint64(88172645463325252)
    for _ in range(10):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
    return {"out": ((state >> np.uint64(40)).astype("f4") / np.float32(1 << 24))}


def _modular_power(a: Inputs) -> Inputs:
    return {"out": np.array([pow(int(v), 65537, 1000000007) for v in a["x"]], dtype=np.uint64)}


CASES = {
    "integer division": Case(
        r"""//@ launch k grid=1 block=128 x=i64[128]:(i-64)*12345678901 y=i64[128]:(i%2*9-3)*(i+1) q=i64[128] r=i64[128]
__global__ void k(const long long* x, const long long* y, long long* q, long long* r) {
  int i = threadIdx.x;
  q[i] = x[i] / y[i];
  r[i] = x[i] % y[i];
}
""",
        _integer_division,
    ),
    "unsigned division": Case(
        r"""#include <cstdint>
//@ launch k grid=2 block=64 x=u64[128]:~(unsigned)i*0x9E3779B97F4A7C15ull y=u64[128]:1ull<<(i%60) q=u64[128] r=u64[128]
__global__ void k(const uint64_t* __restrict__ x, const uint64_t* __restrict__ y, uint64_t* q, uint64_t* r) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint64_t divisor = y[i] | 1;
  q[i] = x[i] / divisor, r[i] = x[i] % divisor;
}
""",
        _unsigned_division,
    ),
    "division by constants": Case(
        r"""//@ launch k grid=1 block=256 x=i32[256]:(i-128)*16777619 out=i32[1024]
__global__ void k(const int* x, int* out) {
  int i = threadIdx.x, v = x[i];
  out[4 * i] = v / 7; out[4 * i + 1] = v % 10; out[4 * i + 2] = (unsigned)v / 1000003u; out[4 * i + 3] = v / 16;
}
""",
        lambda a: {
            "out": np.stack(
                [
                    np.trunc(a["x"] / 7),
                    np.fmod(a["x"], 10),
                    a["x"].view("u4") // 1000003,
                    np.trunc(a["x"] / 16),
                ],
                1,
            )
            .astype("i8")
            .astype("i4")
            .reshape(-1)
        },
    ),
    "products of 64 bits": Case(
        r"""//@ launch k grid=1 block=64 x=u64[64]:(i+1)*0x123456789ABCDEFull high=u64[64] low=u64[64]
__global__ void k(const unsigned long long* x, unsigned long long* high, unsigned long long* low) {
  int i = threadIdx.x;
  high[i] = __umul64hi(x[i], x[63 - i]);
  unsigned __int128 both = (unsigned __int128)x[i] * x[63 - i];
  low[i] = (unsigned long long)both;
}
""",
        _wide_product,
    ),
    "bit tricks": Case(
        r"""//@ launch k grid=1 block=96 x=u32[96]:i*2654435761 out=u32[96*6]
__global__ void k(const unsigned* x, unsigned* out) {
  unsigned v = x[threadIdx.x], *o = out + 6 * threadIdx.x;
  o[0] = __popc(v); o[1] = __clz(v); o[2] = __ffs(v); o[3] = __brev(v);
  o[4] = __byte_perm(v, 0, 0x0123);
  o[5] = __funnelshift_l(v, v, 7);
}
""",
        _bit_tricks,
    ),
    "bit tricks of 64 bits": Case(
        r"""//@ launch k grid=1 block=64 x=u64[64]:i*0x9E3779B97F4A7C15ull out=u64[256]
__global__ void k(const unsigned long long* x, unsigned long long* out) {
  unsigned long long v = x[threadIdx.x], *o = out + 4 * threadIdx.x;
  o[0] = __popcll(v); o[1] = __clzll(v); o[2] = __ffsll(v); o[3] = __brevll(v);
}
""",
        _bit_tricks_long,
    ),
    "small types": Case(
        r"""//@ launch k grid=1 block=128 x=i8[128]:i c=i8[128] s=i16[128] u=u8[128] h=u16[128]
__global__ void k(const signed char* x, signed char* c, short* s, unsigned char* u, unsigned short* h) {
  int i = threadIdx.x;
  signed char v = x[i];
  c[i] = v * 3;
  s[i] = v * 300 - 5;
  u[i] = v + 250;
  h[i] = (unsigned short)(v * 3) >> 1;
}
""",
        _small_types,
    ),
    "packed bytes": Case(
        r"""//@ launch k grid=1 block=64 a=u32[64]:i*0x01030507 b=u32[64]:i*0x0B0D1113 out=i32[192]
__global__ void k(const unsigned* a, const unsigned* b, int* out) {
  int i = threadIdx.x;
  out[3 * i] = __dp4a((int)a[i], (int)b[i], 5);
  out[3 * i + 1] = __vadd4(a[i], b[i]);
  out[3 * i + 2] = __vsadu4(a[i], b[i]);
}
""",
        lambda a: {
            "out": np.stack(
                [
                    5 + (a["a"].view("i1").astype("i4") * a["b"].view("i1")).reshape(-1, 4).sum(1),
                    (a["a"].view("u1") + a["b"].view("u1")).view("i4"),
                    np.abs(a["a"].view("u1").astype("i4") - a["b"].view("u1")).reshape(-1, 4).sum(1),
                ],
                1,
            ).reshape(-1)
        },
    ),
    "xorshift": Case(
        r"""//@ launch k grid=2 block=128 seed=u64[256]:i+1 out=f32[256]
typedef unsigned long long u64;
static __device__ __forceinline__ u64 step(u64& s) { s ^= s << 13; s ^= s >> 7; return s ^= s << 17; }
__global__ void __launch_bounds__(128, 4) k(const u64* seed, float* out) {
  int i = blockIdx.x * 128 + threadIdx.x;
  u64 s = seed[i] * 2654435761ull + 88172645463325252ull;
#pragma unroll 5
  for (int n = 0; n < 9; n++) step(s);
  out[i] = (step(s) >> 40) * (1.0f / (1 << 24));
}
""",
        _xorshift,
    ),
    "modular power": Case(
        r"""//@ launch k grid=1 block=64 x=u64[64]:i*i*7919 out=u64[64]
__device__ unsigned long long power(unsigned long long base, unsigned e, unsigned long long m) {
  unsigned long long r = 1;
  for (base %= m; e; e >>= 1, base = base * base % m)
    if (e & 1) r = r * base % m;
  return r;
}
__global__ void k(const unsigned long long* x, unsigned long long* out) {
  out[threadIdx.x] = power(x[threadIdx.x], 65537, 1000000007);
}
""",
        _modular_power,
    ),
}
