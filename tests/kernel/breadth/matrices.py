"""Products of small matrices that a warp holds in pieces: mma.sync of every type.

Which elements a lane holds is written in each kernel as the PTX manual lists it.
"""

from __future__ import annotations

import numpy as np

from tests.kernel.breadth.case import Case, Inputs


def _matmul_half(a: Inputs) -> Inputs:
    return {"c": a["a"].astype("f8").reshape(16, 16) @ a["b"].astype("f8").reshape(16, 8)}


def _tf32(a: Inputs) -> Inputs:
    left = (a["a"].view("u4") & np.uint32(0xFFFFE000)).view("f4").astype("f8").reshape(16, 8)
    return {"c": left @ a["b"].astype("f8").reshape(8, 8) + 1}


def _bf16(a: Inputs) -> Inputs:
    return {"c": a["a"].astype("f8").reshape(16, 8) @ a["b"].astype("f8").reshape(8, 8) + a["c"].reshape(16, 8)}


def _bytes(a: Inputs) -> Inputs:
    return {"c": a["a"].astype("i4").reshape(16, 32) @ a["b"].astype("i4").reshape(8, 32).T + a["c"].reshape(16, 8)}


def _doubles(a: Inputs) -> Inputs:
    return {"c": a["a"].reshape(8, 4) @ a["b"].reshape(4, 8) + a["c"].reshape(8, 8)}


def _halves(a: Inputs) -> Inputs:
    product = a["a"].astype("f8").reshape(16, 8) @ a["b"].astype("f8").reshape(8, 8)
    return {"c": (product + a["c"].astype("f8").reshape(16, 8)).astype("f2")}


CASES = {
    "a product of matrices by ldmatrix and mma": Case(
        r"""#include <cuda_fp16.h>
//@ launch k grid=1 block=32 a=f16[256]:i%7 b=f16[128]:i%5-2 c=f32[128]
__global__ void k(const half* a, const half* b, float* c) {
  __shared__ __align__(16) half as[16 * 16], bs[16 * 8];
  int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) as[i] = a[i];
  for (int i = lane; i < 128; i += 32) bs[i] = b[i];
  __syncwarp();
  unsigned ra[4], rb[2];
  unsigned at = (unsigned)__cvta_generic_to_shared(&as[lane % 16 * 16 + lane / 16 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(at));
  unsigned bt = (unsigned)__cvta_generic_to_shared(&bs[lane % 16 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(bt));
  float d[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
               "{%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  int row = lane / 4, column = lane % 4 * 2;
  *(float2*)&c[row * 8 + column] = make_float2(d[0], d[1]);
  *(float2*)&c[(row + 8) * 8 + column] = make_float2(d[2], d[3]);
}
""",
        _matmul_half,
    ),
    "tf32": Case(
        r"""//@ launch k grid=1 block=32 a=f32[128]:i%13*16385-7 b=f32[64]:i%5-2 c=f32[128]:1
__global__ void k(const float* a, const float* b, float* c) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  float *c0 = c + g * 8 + 2 * t, *c2 = c + (g + 8) * 8 + 2 * t;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
               "{%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c0[0]), "+f"(c0[1]), "+f"(c2[0]), "+f"(c2[1])
               : "r"(__float_as_uint(a[g * 8 + t])), "r"(__float_as_uint(a[(g + 8) * 8 + t])),
                 "r"(__float_as_uint(a[g * 8 + t + 4])), "r"(__float_as_uint(a[(g + 8) * 8 + t + 4])),
                 "r"(__float_as_uint(b[t * 8 + g])), "r"(__float_as_uint(b[(t + 4) * 8 + g])));
}
""",
        _tf32,
    ),
    "bf16": Case(
        r"""#include <cuda_bf16.h>
//@ launch k grid=1 block=32 a=f32[128]:i%13-7 b=f32[64]:i%5-2 c=f32[128]:i
__device__ unsigned pair(float low, float high) {
  __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<unsigned*>(&both);
}
__global__ void k(const float* a, const float* b, float* c) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  float *c0 = c + g * 8 + 2 * t, *c2 = c0 + 64;
  const float *a0 = a + g * 8 + 2 * t, *a2 = a0 + 64;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(c0[0]), "+f"(c0[1]), "+f"(c2[0]), "+f"(c2[1])
               : "r"(pair(a0[0], a0[1])), "r"(pair(a2[0], a2[1])), "r"(pair(b[2 * t * 8 + g], b[(2 * t + 1) * 8 + g])));
}
""",
        _bf16,
    ),
    "signed by unsigned bytes": Case(
        r"""//@ launch k grid=1 block=32 a=i8[512]:i*7 b=u8[256]:i*5 c=i32[128]:i
__global__ void k(const signed char* a, const unsigned char* b, int* c) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  int *c0 = c + g * 8 + 2 * t, *c2 = c0 + 64;
  const int* of_a = reinterpret_cast<const int*>(a + g * 32 + 4 * t);
  const int* of_b = reinterpret_cast<const int*>(b + g * 32 + 4 * t);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(c0[0]), "+r"(c0[1]), "+r"(c2[0]), "+r"(c2[1])
               : "r"(of_a[0]), "r"(of_a[64]), "r"(of_a[4]), "r"(of_a[68]), "r"(of_b[0]), "r"(of_b[4]));
}
""",
        _bytes,
    ),
    "doubles": Case(
        r"""//@ launch k grid=1 block=32 a=f64[32]:i%7 b=f64[32]:i%5-2 c=f64[64]:i
__global__ void k(const double* a, const double* b, double* c) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  double* c0 = c + g * 8 + 2 * t;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(c0[0]), "+d"(c0[1]) : "d"(a[g * 4 + t]), "d"(b[t * 8 + g]));
}
""",
        _doubles,
    ),
    "sums of halves": Case(
        r"""//@ launch k grid=1 block=32 a=f16[128]:i%13-7 b=f16[64]:i%5-2 c=f16[128]:i
__global__ void k(const unsigned short* a, const unsigned short* b, unsigned short* c) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  unsigned *c0 = (unsigned*)(c + g * 8 + 2 * t), *c1 = c0 + 32;
  const unsigned* a0 = (const unsigned*)(a + g * 8 + 2 * t);
  unsigned of_b = b[2 * t * 8 + g] | b[(2 * t + 1) * 8 + g] << 16;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
               : "+r"(*c0), "+r"(*c1) : "r"(a0[0]), "r"(a0[32]), "r"(of_b));
}
""",
        _halves,
    ),
}
