"""Atomics of every type."""

from __future__ import annotations

import numpy as np

from tests.kernel.breadth.case import Array, Case, Inputs


def _binned(values: Array, bins: Array, count: int) -> Array:
    sums = np.zeros(count, dtype=values.dtype)
    np.add.at(sums, bins, values)
    return sums


def _added(a: Inputs) -> Inputs:
    x = a["x"]
    bins = np.arange(len(x)) % 8
    return {name: _binned(x.astype(a[name].dtype), bins, 8) for name in ("i", "u", "l", "f", "d")}


def _extremes(a: Inputs) -> Inputs:
    x = a["x"]
    wide = x.astype("i8") << 33
    unsigned = x.view("u4")
    return {
        "i": np.array([x.min(), x.max()]),
        "u": np.array([min(unsigned), max(unsigned)]),
        "l": np.array([wide.min(), wide.max()]),
        "ul": np.array([wide.view("u8").min(), wide.view("u8").max()]),
    }


def _logic(a: Inputs) -> Inputs:
    x = a["x"]
    return {"out": np.array([np.bitwise_and.reduce(x), np.bitwise_or.reduce(x), np.bitwise_xor.reduce(x)])}


def _counters(a: Inputs) -> Inputs:
    return {"out": np.array([200 % 8, (-200) % 8, 199 // 1 * 0 + 1])}


def _float_max(a: Inputs) -> Inputs:
    x = (a["x"] * 7919 % 1009 - 500).astype("f4") / 8
    return {"out": np.array([x.max(), x.min()], "f4")}


def _products(a: Inputs) -> Inputs:
    return {"out": np.array([np.prod(2.0 ** (np.arange(64) % 3 - 1))])}


def _halves(a: Inputs) -> Inputs:
    x = a["x"].reshape(-1, 2).astype("f8")
    return {"h": x.sum(0).astype("f2").view("u2"), "b": ((x.sum(0).astype("f4").view("u4")) >> 16).astype("u2")}


def _old_values(a: Inputs) -> Inputs:
    return {"seen": np.ones(256, "i4"), "last": np.array([256])}


def _lists(a: Inputs) -> Inputs:
    return {"heads": np.bincount(a["key"], np.arange(128), 8), "next": np.full(128, -1)}


CASES = {
    "sums of every type": Case(
        r"""//@ launch k grid=2 block=128 x=i32[256]:i%50-20 i=i32[8] u=u32[8] l=u64[8] f=f32[8] d=f64[8]
__global__ void k(const int* x, int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, bin = t % 8;
  atomicAdd(&i[bin], x[t]);
  atomicSub(&u[bin], (unsigned)-x[t]);
  atomicAdd(l + bin, (unsigned long long)(long long)x[t]);
  atomicAdd(f + bin, (float)x[t]);
  atomicAdd(d + bin, (double)x[t]);
}
""",
        _added,
    ),
    "sums in shared memory": Case(
        r"""//@ launch k grid=2 block=128 x=i32[256]:i%50-20 i=i32[8] u=u32[8] l=u64[8] f=f32[8] d=f64[8]
template <typename T> __device__ void all(const int* x, T* out) {
  __shared__ T sums[8];
  if (threadIdx.x < 8) sums[threadIdx.x] = T(0);
  __syncthreads();
  atomicAdd_block(&sums[threadIdx.x % 8], (T)(long long)x[blockIdx.x * 128 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd_system(&out[threadIdx.x], sums[threadIdx.x]);
}
__global__ void k(const int* x, int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  all(x, i), all(x, u), all(x, l), all(x, f), all(x, d);
}
""",
        _added,
    ),
    "extremes": Case(
        r"""//@ launch k grid=1 block=256 x=i32[256]:i*7919%1009-500 i=i32[2] u=u32[2]:i?0:~0u l=i64[2] ul=u64[2]:~-i
__global__ void k(const int* x, int* i, unsigned* u, long long* l, unsigned long long* ul) {
  int v = x[threadIdx.x];
  long long w = (long long)v << 33;
  atomicMin(&i[0], v), atomicMax(&i[1], v);
  atomicMin(&u[0], (unsigned)v), atomicMax(&u[1], (unsigned)v);
  atomicMin(&l[0], w), atomicMax(&l[1], w);
  atomicMin(&ul[0], (unsigned long long)w), atomicMax(&ul[1], (unsigned long long)w);
}
""",
        _extremes,
    ),
    "logic": Case(
        r"""//@ launch k grid=1 block=128 x=u32[128]:i*0x10204080+0xF out=u32[3]:i==0?~0u:0
__global__ void k(const unsigned* x, unsigned* out) {
  atomicAnd(&out[0], x[threadIdx.x]);
  atomicOr(&out[1], x[threadIdx.x]);
  atomicXor(&out[2], x[threadIdx.x]);
}
""",
        _logic,
    ),
    "counters that wrap": Case(
        r"""//@ launch k grid=2 block=100 out=u32[3]
__global__ void k(unsigned* out) {
  atomicInc(&out[0], 7);
  atomicDec(&out[1], 7);
  atomicExch(&out[2], 1);
}
""",
        _counters,
    ),
    "the largest float by compare and swap": Case(
        r"""//@ launch k grid=2 block=128 x=i32[256]:i out=f32[2]
__device__ float atomicMaxFloat(float* address, float value) {
  int* bits = (int*)address;
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__device__ __forceinline__ float atomicMinFloat(float* a, float v) {
  return v >= 0 ? __int_as_float(atomicMin((int*)a, __float_as_int(v)))
                : __uint_as_float(atomicMax((unsigned*)a, __float_as_uint(v)));
}
__global__ void k(const int* x, float* out) {
  float v = (x[blockIdx.x * 128 + threadIdx.x] * 7919 % 1009 - 500) / 8.0f;
  atomicMaxFloat(out, v);
  atomicMinFloat(out + 1, v);
}
""",
        _float_max,
    ),
    "a product of doubles by compare and swap": Case(
        r"""//@ launch k grid=1 block=64 out=f64[1]:1
__global__ void k(double* out) {
  double by = exp2((double)((int)threadIdx.x % 3 - 1));
  unsigned long long int* p = (unsigned long long int*)out;
  unsigned long long int old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(by * __longlong_as_double(assumed)));
  } while (assumed != old);
}
""",
        _products,
    ),
    "halves": Case(
        r"""#include <cuda_fp16.h>
#include <cuda_bf16.h>
//@ launch k grid=1 block=64 x=f32[128]:i%4 h=u16[2] b=u16[2]
__global__ void k(const float2* x, half2* h, __nv_bfloat162* b) {
  float2 v = x[threadIdx.x];
  atomicAdd(h, __float22half2_rn(v));
  atomicAdd(&b->x, __float2bfloat16(v.x));
  atomicAdd(&b->y, __float2bfloat16(v.y));
}
""",
        _halves,
    ),
    "old values": Case(
        r"""//@ launch k grid=2 block=128 seen=i32[256] last=i32[1]
__global__ void k(int* seen, int* last) { atomicAdd(&seen[atomicAdd(last, 1)], 1); }
""",
        _old_values,
    ),
    "the last block": Case(
        r"""//@ launch k grid=16 block=64 x=i32[1024]:i%13 parts=i32[16] sum=i32[1]
__device__ unsigned int done = 0;
__global__ void k(const int* x, volatile int* parts, int* sum) {
  __shared__ int mine;
  __shared__ bool last;
  if (threadIdx.x == 0) mine = 0;
  __syncthreads();
  atomicAdd(&mine, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = mine;
    __threadfence();
    last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < 32) {
    int v = threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0;
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0) *sum = v, done = 0;
  }
}
""",
        lambda a: {"parts": a["x"].reshape(16, 64).sum(1), "sum": a["x"].sum(keepdims=True)},
    ),
    "lists": Case(
        r"""//@ launch k grid=1 block=128 key=i32[128]:i*i%8 heads=i32[8]:-1 next=i32[128]
__global__ void k(const int* key, int* heads, int* next) {
  int i = threadIdx.x;
  next[i] = atomicExch(&heads[key[i]], i);
  __syncthreads();
  int sum = 0;
  if (i < 8)
    for (int at = heads[i]; at >= 0; at = next[at]) sum += at;
  __syncthreads();
  next[i] = -1;
  if (i < 8) heads[i] = sum;
}
""",
        _lists,
    ),
    "a lock": Case(
        r"""//@ launch k grid=4 block=32 lock=i32[1] total=i32[1]
__global__ void k(int* lock, volatile int* total) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *total = *total + (int)blockIdx.x + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
""",
        lambda a: {"total": np.array([10])},
    ),
    "a lock of every thread": Case(
        r"""//@ launch k grid=2 block=64 lock=i32[1] total=i32[1]
__global__ void k(int* lock, volatile int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *total = *total + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
""",
        lambda a: {"total": np.array([128])},
    ),
}
