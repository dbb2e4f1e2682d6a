"""Memory in all its forms: vectors, caches, shared memory, copies past the registers, matrices."""

from __future__ import annotations

import numpy as np

from tests.kernel.breadth.case import Case, Inputs


def _vectors(a: Inputs) -> Inputs:
    return {
        "f4": a["f4"].reshape(-1, 4)[:, ::-1].reshape(-1),
        "i2": a["i2"].reshape(-1, 2)[:, ::-1].reshape(-1),
        "c4": a["c4"].reshape(-1, 4)[:, [1, 2, 3, 0]].reshape(-1),
        "l2": a["l2"].reshape(-1, 2).sum(1).repeat(2),
        "d2": a["d2"].reshape(-1, 2)[:, ::-1].reshape(-1) * 2,
        "s3": a["s3"].reshape(-1, 3)[:, [2, 0, 1]].reshape(-1),
    }


def _matmul(a: Inputs) -> Inputs:
    return {"c": a["a"].astype("f8").reshape(64, 48) @ a["b"].astype("f8").reshape(48, 32)}


def _convolved(a: Inputs) -> Inputs:
    return {"out": np.convolve(a["x"].astype("f8"), np.array([1, 2, 3, 2, 1]), "full")[4 : 4 + 1024]}


def _two_kinds(a: Inputs) -> Inputs:
    return {"out": a["x"].astype("f8")[::-1] + np.arange(128) % 64 * 2}


def _reversed_blocks(a: Inputs) -> Inputs:
    return {"x": a["x"].reshape(-1, 64)[:, ::-1].reshape(-1)}


CASES = {
    "vectors": Case(
        r"""//@ launch k grid=1 block=32 f4=f32[128]:i i2=i32[64]:i c4=u8[128]:i l2=i64[64]:i d2=f64[64]:i s3=i16[96]:i
__global__ void k(float4* f4, int2* i2, uchar4* c4, longlong2* l2, double2* d2, short3* s3) {
  int i = threadIdx.x;
  float4 f = f4[i];
  f4[i] = make_float4(f.w, f.z, f.y, f.x);
  i2[i] = make_int2(i2[i].y, i2[i].x);
  uchar4 c = c4[i];
  c4[i] = make_uchar4(c.y, c.z, c.w, c.x);
  longlong2 l = l2[i];
  l.x += l.y, l.y = l.x;
  l2[i] = l;
  double2 d = __ldg(&d2[i]);
  d2[i] = {d.y * 2, d.x * 2};
  short3 s = s3[i];
  s3[i] = {s.z, s.x, s.y};
}
""",
        _vectors,
    ),
    "caches and their hints": Case(
        r"""//@ launch k grid=2 block=64 x=f32[128]:i y=f32[128]:2*i out=f32[128]
__global__ void k(const float* __restrict__ x, const float* y, float* out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  float v = __ldg(x + i) + __ldcg(&y[i]) + __ldca(&y[i]) + __ldcs(&x[i]) + __ldlu(&x[i]) + __ldcv(&x[i]);
  if (i % 2) __stcs(&out[i], v); else __stwt(&out[i], v);
}
""",
        lambda a: {"out": 4 * a["x"] + 2 * a["y"]},
    ),
    "a pitch in bytes": Case(
        r"""//@ launch k grid=2,4 block=16,8 image=u8[32*160]:i pitch=160 width=32 height=32 sum=u32[1]
__global__ void k(char* image, size_t pitch, int width, int height, unsigned* sum) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned* row = (unsigned*)(image + y * pitch);
  row[x] = x + y;
  atomicAdd(sum, row[x]);
}
""",
        lambda a: {
            "sum": np.array([32 * 32 * 31]),
            "image": np.concatenate(
                [
                    (np.arange(32)[:, None] + np.arange(32)).astype("u4").view("u1").reshape(32, 128),
                    a["image"].reshape(32, 160)[:, 128:],
                ],
                1,
            ).reshape(-1),
        },
    ),
    "tiles of a product": Case(
        r"""//@ launch matmul<16> grid=2,4 block=16,16 a=f32[64*48]:i%7 b=f32[48*32]:i%5-2 c=f32[64*32] m=64 n=32 k=48
template <int TILE>
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][TILE + 1], bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    as[threadIdx.y][threadIdx.x] = row < m && t * TILE + threadIdx.x < k ? a[row * k + t * TILE + threadIdx.x] : 0.f;
    bs[threadIdx.y][threadIdx.x] = col < n && t * TILE + threadIdx.y < k ? b[(t * TILE + threadIdx.y) * n + col] : 0.f;
    __syncthreads();
    for (int e = 0; e < TILE; ++e) sum = fmaf(as[threadIdx.y][e], bs[e][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}
""",
        _matmul,
    ),
    "dynamic shared memory of two types": Case(
        r"""//@ launch k grid=2 block=64 smem=64*(4+8) x=f32[128]:i out=f64[128]
extern __shared__ __align__(16) unsigned char raw[];
__global__ void k(const float* x, double* out) {
  double* doubles = reinterpret_cast<double*>(raw);
  float* floats = reinterpret_cast<float*>(raw + 64 * sizeof(double));
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  floats[t] = x[127 - i];
  doubles[t] = t * 2.0;
  __syncthreads();
  out[i] = floats[t] + doubles[t];
}
""",
        _two_kinds,
    ),
    "shared memory of a template's type": Case(
        r"""//@ launch turn<double> grid=3 block=64 smem=64*8 x=f64[192]:i
template <typename T> struct Shared { __device__ operator T*() { extern __shared__ int memory[]; return (T*)memory; } };
template <class T> __global__ void turn(T* x) {
  T* s = Shared<T>();
  s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  x[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
""",
        _reversed_blocks,
    ),
    "copies past the registers": Case(
        r"""//@ launch k grid=4 block=64 x=f32[1024]:i out=f32[1024]
__device__ __forceinline__ void copy16(void* to, const void* from) {
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(address), "l"(from));
}
__global__ void k(const float* x, float* out) {
  __shared__ alignas(16) float s[2][128];
  const float* mine = x + blockIdx.x * 256;
  if (threadIdx.x < 32) copy16(&s[0][threadIdx.x * 4], mine + threadIdx.x * 4);
  asm volatile("cp.async.commit_group;\n" ::);
  if (threadIdx.x < 32) copy16(&s[1][threadIdx.x * 4], mine + 128 + threadIdx.x * 4);
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(1));
  __syncthreads();
  for (int i = threadIdx.x; i < 128; i += 64) out[blockIdx.x * 256 + i] = s[0][127 - i];
  asm volatile("cp.async.wait_all;\n" ::);
  __syncthreads();
  for (int i = threadIdx.x; i < 128; i += 64) out[blockIdx.x * 256 + 128 + i] = s[1][i];
}
""",
        lambda a: {
            "out": np.concatenate([np.concatenate([r[127::-1], r[128:]]) for r in a["x"].reshape(4, 256)]),
        },
    ),
    "a pipeline of copies": Case(
        r"""#include <cuda_pipeline.h>
#include <cooperative_groups.h>
//@ launch k grid=2 block=32 x=f32[512]:i out=f32[64]
__global__ void k(const float* x, float* out) {
  __shared__ float s[2][32];
  const float* mine = x + blockIdx.x * 256;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][threadIdx.x], mine + threadIdx.x, sizeof(float));
  __pipeline_commit();
  for (int t = 0; t < 8; t++) {
    if (t + 1 < 8) __pipeline_memcpy_async(&s[(t + 1) & 1][threadIdx.x], mine + (t + 1) * 32 + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[t & 1][31 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}
""",
        lambda a: {"out": a["x"].reshape(2, 8, 32).sum(1)[:, ::-1].reshape(-1)},
    ),
    "a window in constant memory": Case(
        r"""//@ launch convolve grid=4 block=256 x=f32[1028]:i*i%17 out=f32[1024]
#define RADIUS 2
__constant__ float window[2 * RADIUS + 1] = {1, 2, 3, 2, 1};
__global__ void convolve(const float* x, float* out) {
  __shared__ float s[256 + 2 * RADIUS];
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = threadIdx.x; i < blockDim.x + 2 * RADIUS; i += blockDim.x) s[i] = x[blockIdx.x * blockDim.x + i];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = -RADIUS; j <= RADIUS; j++) sum += window[j + RADIUS] * s[threadIdx.x + RADIUS + j];
  out[g] = sum;
}
""",
        _convolved,
    ),
    "a block's sum by cub": Case(
        r"""#include <cub/cub.cuh>
//@ launch k grid=2 block=128 x=i32[256]:i*i out=i32[2]
__global__ void k(const int* x, int* out) {
  typedef cub::BlockReduce<int, 128> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  int sum = Reduce(storage).Sum(x[blockIdx.x * 128 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
""",
        lambda a: {"out": a["x"].reshape(2, 128).sum(1)},
    ),
}
