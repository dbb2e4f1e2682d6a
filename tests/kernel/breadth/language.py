"""C++ in kernels: templates, structs, lambdas, variables of a module, inline PTX, host code beside them."""

from __future__ import annotations

import numpy as np

from tests.kernel.breadth.case import Array, Case, Inputs


def _structs(a: Inputs) -> Inputs:
    position = np.arange(96, dtype="f8").reshape(32, 3)
    moved = np.concatenate([position + 0.5, np.arange(32)[:, None] * 2.0], 1)
    return {"p": moved.astype("f4").reshape(-1)}


def _game_of_life(a: Inputs) -> Inputs:
    cells = a["now"].reshape(32, 32).astype("i4")
    near = sum(np.roll(cells, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - cells
    return {"next": ((near == 3) | ((near == 2) & (cells == 1))).astype("u1").reshape(-1)}


def moved(row: Array, kept: int) -> Array:
    line = np.full(64, 0xAB, dtype="u1")
    line[:kept] = row[:kept]
    return line


CASES = {
    "templates of types, values and kernels": Case(
        r"""//@ launch apply<4, Square, float> grid=1 block=32 x=f32[128]:i out=f32[128]
struct Square { template <class T> __device__ T operator()(T v) const { return v * v; } };
template <int N, typename F, typename T, typename... Rest>
__global__ void apply(const T* __restrict__ x, T* __restrict__ out) {
  static_assert(N > 0 && sizeof...(Rest) == 0, "");
  F f;
  T kept[N];
#pragma unroll
  for (int n = 0; n < N; ++n) kept[n] = f(x[threadIdx.x * N + n]);
  for (int n = 0; n < N; ++n) {
    if constexpr (N == 4) out[n * 32 + threadIdx.x] = kept[n];
    else out[n] = -1;
  }
}
template __global__ void apply<2, Square, double>(const double*, double*);
""",
        lambda a: {"out": (a["x"] ** 2).reshape(32, 4).T.reshape(-1)},
    ),
    "lambdas": Case(
        r"""//@ launch k grid=1 block=64 x=i32[64]:i out=i32[64]
template <class F> __device__ int twice(F f, int v) { return f(f(v)); }
__global__ void k(const int* x, int* out) {
  int by = threadIdx.x % 3;
  auto grow = [=](int v) { return v * 2 + by; };
  auto keep = [&](int v) mutable { by += v; return by; };
  int first = twice(grow, x[threadIdx.x]);
  out[threadIdx.x] = first + keep(1) + by;
}
""",
        lambda a: {"out": 4 * a["x"] + 3 * (np.arange(64) % 3) + 2 * (np.arange(64) % 3 + 1)},
    ),
    "structs and unions": Case(
        r"""//@ launch k grid=1 block=32 p=f32[128] step=0.5f
struct __align__(16) Particle {
  float x, y, z;
  union { float charge; unsigned bits; };
};
class Mover {
  float by;
 public:
  __device__ explicit Mover(float b) : by(b) {}
  __device__ Particle& operator()(Particle& p) const { p.x += by; p.y += by; p.z += by; return p; }
};
__global__ void k(Particle* p, float step) {
  int i = threadIdx.x;
  Particle mine = {3.0f * i, 3.0f * i + 1, 3.0f * i + 2, {0}};
  mine.bits = __float_as_uint(2.0f * i);
  p[i] = Mover(step)(mine);
}
""",
        _structs,
    ),
    "structs by value": Case(
        r"""#include <cstdio>
//@ launch k grid=1 block=64 view=u8[24]:i<8?0:i==8?8:i==12?8:i==16?3:0 out=i32[64]
struct View { int* data; int rows, columns; char kind; };
__global__ void k(const View view, int* out) {
  out[threadIdx.x] = view.data ? -1 : view.rows * view.columns + view.kind + threadIdx.x;
}
int main() {
  View v{nullptr, 8, 8, 3};
  k<<<1, 64>>>(v, nullptr);
  printf("done\n");
  return 0;
}
""",
        lambda a: {"out": 67 + np.arange(64)},
    ),
    "variables of the module": Case(
        r"""//@ launch k grid=2 block=64 out=i32[128]
__device__ int offset = 7;
__device__ int scratch[128];
static __device__ const float factors[] = {1.f, 2.f, 4.f};
__device__ int* where = scratch + 1;
__managed__ int shared_with_host = 2;
__global__ void k(int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[i] = i * offset;
  __syncthreads();
  out[i] = scratch[i ^ 1] + (int)factors[i % 3] + shared_with_host + (where == &scratch[1]);
}
""",
        lambda a: {"out": (np.arange(128) ^ 1) * 7 + np.array([1, 2, 4])[np.arange(128) % 3] + 3},
    ),
    "static variables of a function": Case(
        r"""//@ launch k grid=2 block=32 out=i32[1]
__device__ int next() { static int count; return atomicAdd(&count, 1); }
__global__ void k(int* out) { if (next() == 63) *out = 63; }
""",
        lambda a: {"out": np.array([63])},
    ),
    "macros": Case(
        r"""//@ launch life grid=2,2 block=16,16 now=u8[1024]:i*i%3==1 next=u8[1024] width=32 height=32
#define IDX(y, x) ((((y) + height) % height) * width + (((x) + width) % width))
#define KERNEL(name, ...) __global__ void __launch_bounds__(256) name(__VA_ARGS__)
#define NEAR(dy, dx) (now[IDX(y + (dy), x + (dx))])
KERNEL(life, const unsigned char* now, unsigned char* next, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int near = NEAR(-1, -1) + NEAR(-1, 0) + NEAR(-1, 1) + NEAR(0, -1) + NEAR(0, 1) + NEAR(1, -1) + NEAR(1, 0) +
             NEAR(1, 1);
  next[IDX(y, x)] = near == 3 || (near == 2 && now[IDX(y, x)]);
}
""",
        _game_of_life,
    ),
    "printf, assert and clocks": Case(
        r"""#include <cassert>
#include <cstdio>
//@ launch k grid=1 block=64 out=i32[64]
__global__ void k(int* out) {
  long long start = clock64();
  assert(blockDim.x == 64 && "the block is wrong");
  if (threadIdx.x == 0) printf("block %d of %u: %s %f\n", blockIdx.x, gridDim.x, "text", 1.5);
  out[threadIdx.x] = clock64() - start >= 0 && (int)(clock() * 0) == 0 ? 1 : 0;
  __nanosleep(100);
}
""",
        lambda a: {"out": np.ones(64)},
    ),
    "inline PTX": Case(
        r"""//@ launch k grid=1 block=64 x=u32[64]:i*0x01234567 out=u32[384]
__device__ __forceinline__ unsigned lane_id() { unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__global__ void k(const unsigned* x, unsigned* out) {
  unsigned v = x[threadIdx.x], r, *o = out + 6 * threadIdx.x;
  asm volatile("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(v), "r"(5), "r"(v >> 3));
  o[0] = r;
  asm("bfe.u32 %0, %1, 4, 9;" : "=r"(r) : "r"(v));
  o[1] = r;
  asm("{\n\t.reg .u32 t;\n\tmul.lo.u32 t, %1, 3;\n\tadd.u32 %0, t, %2;\n\t}" : "=r"(r) : "r"(v), "n"(11));
  o[2] = r;
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(r) : "l"(x + threadIdx.x) : "memory");
  o[3] = r;
  asm("mov.b32 {%0, _}, %1;" : "=h"(*(unsigned short*)&r) : "r"(v));
  o[4] = r & 0xffff;
  o[5] = lane_id();
}
""",
        lambda a: {
            "out": np.stack(
                [
                    a["x"] ^ np.uint32(5) ^ a["x"] >> np.uint32(3),
                    a["x"] >> np.uint32(4) & np.uint32(511),
                    a["x"] * np.uint32(3) + np.uint32(11),
                    a["x"],
                    a["x"] & np.uint32(0xFFFF),
                    np.arange(64, dtype="u4") % 32,
                ],
                1,
            ).reshape(-1)
        },
    ),
    "host code around it": Case(
        r"""#include <iostream>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
//@ launch saxpy grid=4 block=64 n=250 a=2 x=f32[256]:i y=f32[256]:3*i
#define CUDA_CHECK(e) if ((e) != cudaSuccess) { std::cerr << cudaGetErrorString(e) << std::endl; std::exit(1); }
template <typename T> class DeviceVector {
 public:
  explicit DeviceVector(size_t n) : n_(n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(T))); }
  ~DeviceVector() { cudaFree(data_); }
  T* get() const { return data_; }
 private:
  T* data_{};
  size_t n_;
};
__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void unused(std::size_t n) {}
static double seconds() { return std::chrono::duration<double>(clock_type::now() - start).count(); }
int main(int argc, char** argv) {
  const int n = argc > 1 ? std::stoi(argv[1]) : 250;
  std::vector<float> x(n), y(n);
  std::generate(x.begin(), x.end(), [k = 0]() mutable { return float(k++); });
  DeviceVector<float> dx(n), dy(n);
  cudaMemcpy(dx.get(), x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(64), grid((n + block.x - 1) / block.x);
  saxpy<<<grid, block, 0, 0>>>(n, 2.0f, dx.get(), dy.get());
  CUDA_CHECK(cudaDeviceSynchronize());
  for (auto v : y) std::cout << v << '\n';
  return std::all_of(y.begin(), y.end(), [](float v) { return v >= 0; }) ? 0 : 1;
}
""",
        lambda a: {"y": np.where(np.arange(256) < 250, 5 * a["x"], a["y"])},
    ),
    "memory of a thread set and copied": Case(
        r"""#include <cstring>
//@ launch k grid=1 block=32 x=u8[2048]:i*5 out=u8[2048]
__global__ void k(const unsigned char* x, unsigned char* out) {
  unsigned char line[64];
  memset(line, 0xAB, sizeof(line));
  int n = threadIdx.x * 2;
  memcpy(line, x + threadIdx.x * 64, n);
  for (int i = 0; i < 64; i++) out[threadIdx.x * 64 + i] = line[i];
}
""",
        lambda a: {"out": np.concatenate([moved(row, 2 * t) for t, row in enumerate(a["x"].reshape(32, 64))])},
    ),
    "several kernels": Case(
        r"""//@ launch second grid=1 block=32 x=i32[32]:i
__global__ void first(float* y) { y[threadIdx.x] = 1; }
namespace inner { namespace { __global__ void second(int* x) { x[threadIdx.x] *= 2; } } }
extern "C" { __global__ void third() {} }
""",
        lambda a: {"x": a["x"] * 2},
    ),
}
