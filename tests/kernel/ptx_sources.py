"""CUDA sources in many styles, by name: what NVRTC writes for them is what the parser has to read."""

# ruff: noqa: E501
from __future__ import annotations

SOURCES: dict[str, str] = {
    "templates": """
template <typename T, int N> __device__ T total(const T* v) { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; }
template <typename T> __global__ void sums(const T* in, T* out) { out[threadIdx.x] = total<T, 4>(in + 4 * threadIdx.x); }
template __global__ void sums<float>(const float*, float*);
template __global__ void sums<double>(const double*, double*);
template __global__ void sums<short>(const short*, short*);
template __global__ void sums<long long>(const long long*, long long*);
""",
    "device_functions": """
struct Pair { float first; int second; };
__device__ __noinline__ float twice(float x) { return x * 2; }
__device__ __noinline__ Pair both(Pair p, int k) { return {p.first * k, p.second + k}; }
__device__ __noinline__ void store(float* out, double value) { out[threadIdx.x] = (float)value; }
extern "C" __global__ void calls(float* out, int k) {
  Pair p = both({twice(out[threadIdx.x]), k}, threadIdx.x);
  store(out, p.first + (double)p.second);
}
""",
    "recursion": """
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursive(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
""",
    "struct_by_value": """
struct Inner { short s; char c; };
struct Options { int n; double scale; Inner inner[3]; float* data; };
extern "C" __global__ void by_value(char first, Options o, short last, float4 v) {
  if (threadIdx.x < o.n) o.data[threadIdx.x] = o.scale * o.inner[threadIdx.x % 3].s + first + last + v.y;
}
""",
    "switch": """
extern "C" __global__ void choose(int* out, const int* in) {
  int i = threadIdx.x, v = in[i];
  switch (v) {
    case 0: v = in[i + 1]; break;   case 1: out[i + 3] = 4; v *= 77; break;  case 2: v ^= out[i + 5]; break;
    case 3: atomicAdd(out, v); break; case 4: v = __popc(v) * in[9]; break; case 5: out[7] = v; v = 3; break;
    case 6: v = v / in[3]; break; case 7: __syncwarp(); v -= 9; break; default: v = -1;
  }
  out[i] = v;
}
""",
    "printing": """
extern "C" __device__ int printf(const char*, ...);
extern "C" __global__ void prints(const float* in) {
  if (in[threadIdx.x] > 1) printf("lane %d: %f // no comment; { \\"quoted\\" }\\n", threadIdx.x, in[threadIdx.x]);
}
""",
    "asserting": """
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, size_t) __attribute__((noreturn));
extern "C" __global__ void asserts(const int* in, int* out) {
  if (in[threadIdx.x] < 0) __assertfail("in >= 0", "file.cu", 4, "asserts", 1);
  if (in[threadIdx.x] == 7) __trap();
  if (in[threadIdx.x] == 8) __brkpt();
  out[threadIdx.x] = in[threadIdx.x];
}
""",
    "function_pointers": """
__device__ float plus(float a, float b) { return a + b; }
__device__ float times(float a, float b) { return a * b; }
typedef float (*Operation)(float, float);
__device__ Operation operations[2] = {plus, times};
extern "C" __global__ void indirect(float* out, int k) { out[threadIdx.x] = operations[k & 1](out[threadIdx.x], 3); }
""",
    "virtual_functions": """
struct Shape { __device__ virtual float area() const = 0; };
struct Square : Shape { float a; __device__ Square(float a) : a(a) {} __device__ float area() const override { return a * a; } };
struct Disc : Shape { float r; __device__ Disc(float r) : r(r) {} __device__ float area() const override { return 3 * r * r; } };
extern "C" __global__ void areas(float* out) {
  Square square(out[0]); Disc disc(out[1]);
  const Shape* shape = threadIdx.x & 1 ? (const Shape*)&square : (const Shape*)&disc;
  out[threadIdx.x] = shape->area();
}
""",
    "textures": """
extern "C" __global__ void fetches(unsigned long long image, unsigned long long surface, float4* out, int* ints) {
  float x = threadIdx.x, y = blockIdx.x; float4 v; int i = threadIdx.x, w;
  asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(image), "f"(x), "f"(y));
  asm volatile("suld.b.1d.b32.trap {%0}, [%1, {%2}];" : "=r"(w) : "l"(surface), "r"(i));
  asm volatile("sust.b.1d.b32.trap [%0, {%1}], {%2};" :: "l"(surface), "r"(i), "r"(w));
  out[i] = v; ints[i] = w;
}
""",
    "texture_objects": """
extern "C" __global__ void samples(cudaTextureObject_t image, cudaSurfaceObject_t surface, float4* out) {
  out[threadIdx.x] = tex2D<float4>(image, threadIdx.x + 0.5f, 1.5f);
  out[threadIdx.x + 32].x = tex1Dfetch<float>(image, threadIdx.x);
  surf2Dwrite(out[3].x, surface, 4 * threadIdx.x, 2);
}
""",
    "inline_asm": """
__device__ unsigned lane() { unsigned r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
extern "C" __global__ void assembles(unsigned* out, unsigned long long* wide) {
  unsigned a = lane(), b = out[a], c, d;
  asm("{ .reg .pred p, q;\\n\\t .reg .b32 t;\\n\\t setp.ne.and.u32 p|q, %1, 0x1F, !p0;\\n\\t @!p add.u32 t, %1, 052;\\n\\t"
      "@p mov.u32 t, 0b101U;\\n\\t /* a comment; of\\n two lines */ selp.b32 %0, t, -3, q; }" : "=r"(c) : "r"(b));
  asm("{ .reg .pred p, q;\\n\\t setp.lt.s32 p, %1, WARP_SZ;\\n\\t { .reg .b32 t; mov.b32 t, 7; add.u32 %0, t, %1; }\\n\\t"
      "@p bra DONE;\\n\\t add.u32 %0, %0, 1;\\n DONE: }" : "=r"(d) : "r"(a));
  asm volatile("{ .reg .pred p; SPIN: setp.ne.u32 p, %0, %0; @p bra.uni SPIN; }" :: "r"(d));
  asm volatile("{ .reg .pred p; SPIN: setp.ne.u32 p, %0, 3; @p bra SPIN; @!p bra OUT; bra SPIN; OUT: }" :: "r"(d));
  unsigned long long clock; asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
  unsigned mask, e; asm volatile("mov.u32 %0, %%lanemask_lt; mov.b32 %1, %%envreg3;" : "=r"(mask), "=r"(e));
  asm volatile("st.volatile.global.v2.b32 [%0 + 16], {%1, %2};" :: "l"(wide), "r"(c), "r"(d) : "memory");
  asm volatile("prefetch.global.L2 [%0]; prefetchu.L1 [%0];" :: "l"(wide));
  asm volatile("{ .reg .b64 %hi<3>; mov.b64 %hi1, %0; st.global.b64 [%1+-8], %hi1; }" :: "l"(clock), "l"(wide + 8));
  out[a] = c + d + mask + e;
}
""".replace(", !p0", ""),
    "barriers": """
extern __shared__ int buffer[];
extern "C" __global__ void waits(int* out) {
  buffer[threadIdx.x] = out[threadIdx.x];
  asm volatile("barrier.sync 1, 64;" ::: "memory"); asm volatile("bar.arrive 2, 128;" ::: "memory");
  int n = __syncthreads_count(buffer[0] > 3), a = __syncthreads_and(n), o = __syncthreads_or(a + n);
  __threadfence(); __threadfence_block(); __threadfence_system(); __syncwarp(); __syncwarp(0xff); __nanosleep(20);
  out[threadIdx.x] = n + a + o + buffer[threadIdx.x ^ 1];
}
""",
    "warp": """
extern "C" __global__ void warps(int* out, float* real, unsigned long long* wide) {
  int v = out[threadIdx.x]; unsigned all = 0xffffffffu;
  v += __shfl_sync(all, v, 3) + __shfl_up_sync(all, v, 1) + __shfl_down_sync(all, v, 2, 16) + __shfl_xor_sync(all, v, v);
  v += __any_sync(all, v) + __all_sync(all, v) + __ballot_sync(all, v > 3) + __activemask();
  v += __match_any_sync(all, v); int same; v += __match_all_sync(all, v, &same) + same;
  v += __reduce_add_sync(all, v) + __reduce_max_sync(all, v) + __reduce_xor_sync(all, (unsigned)v);
  real[threadIdx.x] = __shfl_xor_sync(all, real[threadIdx.x], 16);
  wide[threadIdx.x] = __shfl_sync(all, wide[threadIdx.x], 7);
  unsigned elected; asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p; }" : "=r"(elected));
  out[threadIdx.x] = v + elected;
}
""",
    "atomics": """
extern "C" __global__ void updates(int* i, unsigned* u, unsigned long long* l, float* f, double* d, long long* s) {
  __shared__ int count[32]; __shared__ float sum; __shared__ unsigned long long wide[4]; int t = threadIdx.x;
  count[t] = atomicAdd(i, 1) + atomicSub(i, t) + atomicExch(i, t) + atomicMin(i, t) + atomicMax(i, t) + atomicAnd(i, t);
  u[t] = atomicInc(u, 9) + atomicDec(u, 9) + atomicCAS(u, 1, 2) + atomicOr(u, 4) + atomicXor(u, t) + atomicMin(u, 3);
  atomicAdd(f, 1.5f); atomicAdd(d, 2.5); atomicAdd(l, 1ull); atomicCAS(l, 1ull, 2ull); atomicMax(s, -4ll); atomicExch(f, 2);
  atomicAdd(&count[t & 3], 1); atomicAdd(&sum, 1); atomicCAS(&count[1], 2, t); atomicMax(&wide[t & 1], 5ull);
  atomicAdd_block(i, 1); atomicAdd_system(u, 1u);
  __syncthreads();
  i[t] = count[t] + sum + wide[0];
}
""",
    "tensor_cores": """
extern "C" __global__ void multiplies(const int* in, float* out) {
  __shared__ __align__(16) unsigned tile[512]; int t = threadIdx.x; unsigned a[4], b[2]; float c[4] = {0, 0, 0, 0};
  unsigned at = (unsigned)__cvta_generic_to_shared(tile) + 16 * t;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16; cp.async.cg.shared.global.L2::128B [%0], [%1], 16, 8;"
               "cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all;" :: "r"(at), "l"(in + 4 * t) : "memory");
  __syncthreads();
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(at));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(at), "r"(a[0]) : "memory");
  out[t] = c[0] + c[1] + c[2] + c[3] + tile[t];
}
""",
    "transaction_barriers": """
extern "C" __global__ void bulk(const int* in, int* out, const char* map) {
  __shared__ alignas(128) int tile[256]; __shared__ unsigned long long bar;
  unsigned at = (unsigned)__cvta_generic_to_shared(tile), b = (unsigned)__cvta_generic_to_shared(&bar);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" :: "r"(b) : "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(b), "r"(1024) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
               :: "r"(at), "l"(in), "r"(b) : "memory");
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, 0}], [%3];"
               :: "r"(at), "l"(map), "r"(4), "r"(b) : "memory");
  asm volatile("{ .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1; @P1 bra DONE;"
               " bra LAB_WAIT; DONE: }" :: "r"(b), "r"(0) : "memory");
  asm volatile("{ .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1; @P1 bra DONE;"
               " bra LAB_WAIT; DONE: }" :: "r"(b), "r"(1) : "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}
""",
    "doubles": """
extern "C" __global__ void reals(const double* a, double* b, float* f) {
  int i = threadIdx.x; double x = a[i];
  b[i] = sqrt(x) + x / 3.1 + fma(x, x, 1e-300) + fabs(x) + fmin(x, 2.0) + floor(x) + rint(x) + (double)(long long)x;
  f[i] = sinf(f[i]) + __expf(f[i]) + sqrtf(f[i]) + 1 / f[i] + __fdividef(f[i], 3) + logf(f[i]) + rsqrtf(f[i]) + tanhf(f[i]);
  f[i] += __fmul_rz(f[i], 2) + __fadd_ru(f[i], 1) + __saturatef(f[i]) + (float)__float2int_rd(f[i]) + __frcp_rn(f[i]);
  b[i] += exp(x) + sin(x) + pow(x, 2.5) + __longlong_as_double(0x7ff8000000000000ll) + isnan(x) + copysign(x, -1.0);
}
""",
    "integers": """
extern "C" __global__ void integers(int* s, unsigned* u, long long* l, unsigned char* c, short* h, const signed char* k) {
  int i = threadIdx.x; long long w = l[i]; unsigned v = u[i]; int x = s[i];
  l[i] = w / 7 + w % 5 + (w << 3) + (w >> 2) + __mul64hi(w, w) + __popcll(w) + __clzll(w) + __ffsll(w) + __brevll(w);
  u[i] = v / 7u + v % s[3] + __umulhi(v, 5) + __brev(v) + __byte_perm(v, x, 0x3210) + __funnelshift_l(v, x, 3) + __clz(v);
  s[i] = x / u[2] + x % 13 + abs(x) + min(x, 3) + max(x, -3) + __mulhi(x, x) + (x >> 3) + __sad(x, 2, 3u) + __ffs(x);
  s[i] += __dp4a(x, x, 3) + __vadd4(v, 7u) + (v >> 8 & 255) + __mul24(x, 5) + __hadd(x, 9) + __fns(v, 0, 2);
  c[i] = c[i + 1] * 3 + k[i]; h[i] = h[i] * h[i + 1] - k[i]; l[i + 64] = (unsigned long long)v * v + (long long)x * x;
}
""",
    "local_arrays": """
extern "C" __global__ void locals(float* out, const int* in) {
  float scratch[16]; struct { char c; double d; } pairs[3] = {{1, 2.5}, {3, 4.5}, {5, 6.5}};
  for (int i = 0; i < 16; i++) scratch[in[i] & 15] = out[i];
  out[threadIdx.x] = scratch[in[threadIdx.x] & 15] + pairs[in[0] % 3].d + pairs[in[1] % 3].c;
}
""",
    "initialisers": """
struct Node { const float* data; const Node* next; int n; };
__constant__ float table[2][3] = {{1, -2, 3.5f}, {4e-30f, 5, 6}}; __constant__ double half = 0.5;
__constant__ short shorts[4] = {-1, 2, -32768}; __constant__ unsigned long long big = 0x8000000000000001ull;
__device__ float values[4] = {1.5f, 2}; __device__ int counter; __device__ float4 vector = {1, 2, 3, 4};
__device__ Node last = {values + 1, nullptr, 3}; __device__ Node head = {values, &last, 4};
__device__ const float* const pointers[3] = {values + 2, nullptr, &table[1][2]};
__device__ const char* text = "text"; __device__ int matrix[3][5] = {{1}, {0, 2}}; __device__ char letters[6] = "hello";
__device__ int* where = &counter; __managed__ int shared_with_host = 5; __constant__ const int* constant_pointer = &matrix[1][2];
extern "C" __global__ void reads(float* out, int i) {
  out[i] = table[i][1] + half + shorts[i] + big + values[i] + vector.z + head.next->data[i] + pointers[i][0] + text[i];
  out[i + 1] = matrix[1][i] + letters[i] + *where + shared_with_host + constant_pointer[i]; counter = i;
}
""",
    "shared": """
extern __shared__ __align__(16) double dynamic[];
__device__ float* choose(float* a, float* b, bool p) { return p ? a : b; }
extern "C" __global__ void shares(float* out, int p) {
  __shared__ float a[8][33], b[64]; __shared__ volatile int flag; __shared__ float4 quads[16];
  union { float f; unsigned u; unsigned short h[2]; } word;
  flag = p; a[threadIdx.x & 7][p] = out[p]; dynamic[threadIdx.x] = p; quads[p] = make_float4(1, 2, 3, 4);
  __syncthreads();
  word.f = choose(&a[1][0], b, p > 3)[threadIdx.x] + flag + (float)dynamic[p]; word.h[1] ^= 5; word.u += p;
  out[threadIdx.x] = word.f + quads[threadIdx.x & 15].z;
}
""",
    "half_by_asm": """
extern "C" __global__ void halves(unsigned short* h, unsigned* two, float* f) {
  int i = threadIdx.x; unsigned short r; float x; unsigned p;
  asm("{ add.f16 %0, %1, %2; }" : "=h"(r) : "h"(h[i]), "h"(h[i + 1]));
  asm("{ cvt.f32.f16 %0, %1; }" : "=f"(x) : "h"(r)); asm("{ cvt.rn.bf16x2.f32 %0, %1, %2; }" : "=r"(p) : "f"(x), "f"(f[i]));
  asm("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo}; }" : "=r"(p) : "r"(p));
  asm("{ .reg .b16 lo; mov.b32 {lo, _}, %1; cvt.u32.u16 %0, lo; }" : "=r"(p) : "r"(p));
  asm("{ fma.rn.f16x2 %0, %1, %1, %1; }" : "=r"(p) : "r"(p));
  h[i] = r; two[i] = p; f[i] = x;
}
""",
    "control": """
extern "C" __global__ void __launch_bounds__(256, 2) loops(int* out, int n) {
  int i = threadIdx.x, s = 0;
#pragma unroll 1
  for (int a = 0; a < n; a++) {
    if (a == i) continue;
    for (int b = a; b < n * i; b += 3) { if (out[b] == 5) goto done; if (out[b] < 0) break; s += out[b] * a; }
    do s--; while (s > out[a]);
  }
done:
  while (s & 1) s = s * 3 + 1;
  if (s == 4) return;
  out[i] = s;
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) clustered(int* out) { out[threadIdx.x] = 1; }
extern "C" __global__ void empty() {}
""",
    "line_numbers": """
__device__ __forceinline__ float inner(const float* in, int i) {
  return in[i] * 2;
}
__device__ __forceinline__ float outer(const float* in, int i) {
  float a = inner(in, i);
  return a + inner(in, i + 1);
}
extern "C" __global__ void lines(const float* in, float* out) {
  out[threadIdx.x] =
      outer(in, threadIdx.x);
}
""",
}

HEADERS: dict[str, str] = {
    "half": """
#include <cuda_fp16.h>
extern "C" __global__ void halves(__half* h, __half2* two, float* f) {
  int i = threadIdx.x; __half a = h[i]; __half2 b = two[i];
  h[i] = __hfma(a, a, __float2half(f[i])) + hexp(a) + hsqrt(a) + __hmax(a, h[0]);
  two[i] = __hmul2(b, __hadd2(b, __halves2half2(a, a))) + h2sin(b); f[i] = __half2float(a) + __low2float(b) + (a > h[3]);
  atomicAdd(h, a); atomicAdd(two, b); f[i + 1] = __half2int_rz(a) + __hisnan(a); h[i + 9] = __shfl_xor_sync(~0u, a, 1);
}
""",
    "bfloat": """
#include <cuda_bf16.h>
extern "C" __global__ void brains(__nv_bfloat16* h, __nv_bfloat162* two, float* f) {
  int i = threadIdx.x; h[i] = __float2bfloat16(f[i]) * h[i + 1]; two[i] = __hfma2(two[i], two[i], two[i]);
  f[i] = __bfloat162float(h[i]) + __high2float(two[i]); atomicAdd(two, two[1]);
}
""",
    "eighths": """
#include <cuda_fp8.h>
extern "C" __global__ void eighths(__nv_fp8_e4m3* h, __nv_fp8x2_e5m2* two, float* f) {
  int i = threadIdx.x; h[i] = __nv_fp8_e4m3(f[i]); two[i] = __nv_fp8x2_e5m2(make_float2(f[i], f[i + 1])); f[i] += float(h[i + 1]);
}
""",
    "matrices": """
#include <mma.h>
extern "C" __global__ void fragments(const __half* a, const __half* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> x; fragment<matrix_b, 16, 16, 16, __half, col_major> y;
  fragment<accumulator, 16, 16, 16, float> z; fill_fragment(z, 0.0f);
  load_matrix_sync(x, a, 16); load_matrix_sync(y, b, 16); mma_sync(z, x, y, z); store_matrix_sync(c, z, 16, mem_row_major);
}
""",
    "groups": """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void grouped(int* out) {
  auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<16>(block); auto active = cg::coalesced_threads();
  int v = cg::reduce(tile, out[threadIdx.x], cg::plus<int>()); block.sync(); out[threadIdx.x] = v + active.size() + tile.shfl(v, 3);
  cg::this_grid().sync();
}
""",
    "pipelines": """
#include <cuda_pipeline.h>
extern "C" __global__ void pipes(const float4* in, float4* out) {
  __shared__ float4 tile[64]; __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16);
  __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads(); out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
""",
}
