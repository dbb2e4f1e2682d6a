"""Threads of a warp together: shuffles, votes, matches, reductions, cooperative groups."""

from __future__ import annotations

import numpy as np

from tests.kernel.breadth.case import Case, Inputs

LANES = np.arange(32)


def _shuffles(a: Inputs) -> Inputs:
    x = a["x"].reshape(-1, 32)
    up = np.where(LANES % 8 >= 3, np.roll(x, 3, 1), x)
    down = np.where(LANES % 16 + 5 < 16, np.roll(x, -5, 1), x)
    return {"out": np.stack([x[:, LANES // 8 * 8 + 2], up, down, x[:, LANES ^ 9]], 2).reshape(-1)}


def _shuffled_types(a: Inputs) -> Inputs:
    rows = {name: a[name].reshape(-1, 32)[:, ::-1].reshape(-1) for name in ("d", "l", "f")}
    return {"d": rows["d"], "l": rows["l"], "f": rows["f"]}


def _votes(a: Inputs) -> Inputs:
    x = a["x"].reshape(-1, 32)
    odd = x % 2 == 1
    ballot = (odd.astype("u8") << LANES.astype("u8")).sum(1)
    same = (x % 2 == x[:, :1] % 2).all(1)
    rows = [np.broadcast_to(ballot[:, None], x.shape), np.broadcast_to(odd.all(1)[:, None], x.shape)]
    rows += [np.broadcast_to(odd.any(1)[:, None], x.shape), np.broadcast_to(same[:, None], x.shape)]
    return {"out": np.stack(rows, 2).reshape(-1)}


def _matches(a: Inputs) -> Inputs:
    x = a["x"].reshape(-1, 32)
    equal = x[:, :, None] == x[:, None, :]
    masks = (equal.astype("u8") << LANES.astype("u8")).sum(2)
    return {"any": masks.reshape(-1), "all": np.repeat(np.where(equal.all((1, 2)), 0xFFFFFFFF, 0), 32)}


def _reduced(a: Inputs) -> Inputs:
    x, u = a["x"].reshape(-1, 32), a["x"].view("u4").reshape(-1, 32)
    rows = [x.sum(1), x.min(1), x.max(1), u.min(1), np.bitwise_and.reduce(x, 1), np.bitwise_or.reduce(x, 1)]
    return {"out": np.stack([*rows, np.bitwise_xor.reduce(x, 1)], 1).astype("i4").reshape(-1)}


def _active(a: Inputs) -> Inputs:
    x = a["x"].reshape(-1, 32)
    low = x < 7
    masks = [(part.astype("u8") << LANES.astype("u8")).sum(1)[:, None] for part in (low, ~low)]
    return {"out": np.where(low, masks[0], masks[1]).reshape(-1)}


def _aggregated(a: Inputs) -> Inputs:
    return {"count": np.array([(a["x"] % 3 == 0).sum(), (a["x"] % 3 != 0).sum()])}


def _segments(a: Inputs) -> Inputs:
    values, heads = a["x"].reshape(-1, 32).copy(), a["head"].reshape(-1, 32) != 0
    for row, starts in zip(values, heads, strict=True):
        for lane in range(1, 32):
            if not starts[lane]:
                row[lane] += row[lane - 1]
    return {"x": values.reshape(-1)}


def _tiles(a: Inputs) -> Inputs:
    return {"sums": a["x"].reshape(-1, 16).sum(1)}


def _block_sum(a: Inputs) -> Inputs:
    return {"out": a["x"].astype("f8").reshape(-1, 256).sum(1)}


def _coalesced(a: Inputs) -> Inputs:
    x = a["x"].reshape(-1, 32)
    odd = x % 2 == 1
    rank = np.cumsum(odd, 1) - 1
    size = np.broadcast_to(odd.sum(1)[:, None], x.shape)
    return {"out": np.where(odd, rank * 100 + size, -1).reshape(-1)}


def _transposed(a: Inputs) -> Inputs:
    return {"out": a["x"].reshape(-1, 8, 8).transpose(0, 2, 1).reshape(-1)}


def _sorted(a: Inputs) -> Inputs:
    return {"x": np.sort(a["x"].reshape(-1, 32), 1).reshape(-1)}


CASES = {
    "shuffles": Case(
        r"""//@ launch k grid=2 block=64 x=i32[128]:i*i out=i32[512]
#define FULL 0xffffffffu
__global__ void k(const int* x, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
  int4 r;
  r.x = __shfl_sync(FULL, v, 2, 8);
  r.y = __shfl_up_sync(FULL, v, 3, 8);
  r.z = __shfl_down_sync(FULL, v, 5, 16);
  r.w = __shfl_xor_sync(FULL, v, 9);
  reinterpret_cast<int4*>(out)[i] = r;
}
""",
        _shuffles,
    ),
    "shuffles of other types": Case(
        r"""//@ launch k grid=1 block=64 d=f64[64]:i*3 l=i64[64]:i*0x123456789ABll f=f32[64]:i
__global__ void k(double* d, long long* l, float* f) {
  int i = threadIdx.x;
  d[i] = __shfl_sync(~0u, d[i], 31 - i % warpSize);
  l[i] = __shfl_xor_sync(~0u, l[i], 31);
  f[i] = __shfl_sync(0xffffffff, f[i], 31 - (i & 31), 32);
}
""",
        _shuffled_types,
    ),
    "votes": Case(
        r"""//@ launch k grid=1 block=96 x=i32[96]:i<32?i*2+1:i<64?2:i/2 out=u32[384]
__global__ void k(const int* x, unsigned* out) {
  int i = threadIdx.x, same;
  bool odd = x[i] % 2;
  out[4 * i] = __ballot_sync(0xffffffff, odd);
  out[4 * i + 1] = __all_sync(0xffffffff, odd);
  out[4 * i + 2] = __any_sync(0xffffffff, odd);
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.uni.pred q, p, -1; selp.s32 %0, 1, 0, q; }"
               : "=r"(same) : "r"((int)odd));
  out[4 * i + 3] = same;
}
""",
        _votes,
    ),
    "matches": Case(
        r"""//@ launch k grid=1 block=64 x=i32[64]:i<32?i*i%5:7 any=u32[64] all=u32[64]
__global__ void k(const int* x, unsigned* any, unsigned* all) {
  int i = threadIdx.x, holds;
  any[i] = __match_any_sync(0xffffffff, x[i]);
  all[i] = __match_all_sync(0xffffffff, x[i], &holds);
  if (!holds != !all[i]) __trap();
}
""",
        _matches,
    ),
    "reductions": Case(
        r"""//@ launch k grid=1 block=64 x=i32[64]:(i-20)*123457 out=i32[14]
__global__ void k(const int* x, int* out) {
  int v = x[threadIdx.x];
  int r[] = {__reduce_add_sync(~0u, v), __reduce_min_sync(~0u, v), __reduce_max_sync(~0u, v),
             (int)__reduce_min_sync(~0u, (unsigned)v), (int)__reduce_and_sync(~0u, (unsigned)v),
             (int)__reduce_or_sync(~0u, (unsigned)v), (int)__reduce_xor_sync(~0u, (unsigned)v)};
  if (threadIdx.x % 32 == 0)
    for (int n = 0; n < 7; n++) out[threadIdx.x / 32 * 7 + n] = r[n];
}
""",
        _reduced,
    ),
    "active masks": Case(
        r"""//@ launch k grid=1 block=64 x=i32[64]:i*7%13 out=u32[64]
__global__ void k(const int* x, unsigned* out) {
  int i = threadIdx.x;
  unsigned mask;
  if (x[i] < 7) {
    mask = __activemask();
  } else {
    mask = __activemask();
  }
  __syncwarp();
  out[i] = mask;
}
""",
        _active,
    ),
    "an atomic for each warp": Case(
        r"""//@ launch k grid=3 block=100 x=i32[300]:i*i count=i32[2]
__device__ int add(int* to) {
  unsigned active = __activemask();
  int leader = __ffs(active) - 1, lane = threadIdx.x & 31, first;
  if (lane == leader) first = atomicAdd(to, __popc(active));
  return __shfl_sync(active, first, leader) + __popc(active & ((1u << lane) - 1));
}
__global__ void k(const int* x, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] % 3 == 0)
    add(&count[0]);
  else
    add(&count[1]);
}
""",
        _aggregated,
    ),
    "segmented scan": Case(
        r"""//@ launch k grid=2 block=32 x=i32[64]:i%7 head=i32[64]:i*i%11==3
__global__ void k(int* x, const int* head) {
  int lane = threadIdx.x, i = blockIdx.x * 32 + lane, sum = x[i];
  unsigned heads = __ballot_sync(~0u, head[i] || lane == 0) & (0xffffffffu >> (31 - lane));
  int start = 31 - __clz(heads);
  for (int d = 1; d < 32; d <<= 1) {
    int below = __shfl_up_sync(~0u, sum, d);
    if (lane - d >= start) sum += below;
  }
  x[i] = sum;
}
""",
        _segments,
    ),
    "tiles of a block": Case(
        r"""#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
//@ launch k grid=2 block=64 x=i32[128]:i*i sums=i32[8]
namespace cg = cooperative_groups;
__global__ void k(const int* x, int* sums) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int v = x[blockIdx.x * block.size() + block.thread_rank()];
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  block.sync();
  if (tile.thread_rank() == 0) sums[blockIdx.x * tile.meta_group_size() + tile.meta_group_rank()] = v;
}
""",
        _tiles,
    ),
    "a group's reduction": Case(
        r"""#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
//@ launch k grid=4 block=256 x=f32[1024]:i%9 out=f32[4]
__global__ void k(const float* __restrict__ x, float* __restrict__ out) {
  __shared__ float parts[8];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float sum = cg::reduce(warp, x[blockIdx.x * 256 + threadIdx.x], cg::plus<float>());
  if (warp.thread_rank() == 0) parts[warp.meta_group_rank()] = sum;
  cg::sync(block);
  if (threadIdx.x == 0) {
    sum = 0;
    for (float part : parts) sum += part;
    out[blockIdx.x] = sum;
  }
}
""",
        _block_sum,
    ),
    "coalesced threads": Case(
        r"""#include <cooperative_groups.h>
using namespace cooperative_groups;
//@ launch k grid=1 block=64 x=i32[64]:i*i%7 out=i32[64]
__global__ void k(const int* x, int* out) {
  int i = threadIdx.x, result = -1;
  if (x[i] % 2) {
    coalesced_group active = coalesced_threads();
    result = active.thread_rank() * 100 + active.size();
    active.sync();
  }
  out[i] = result;
}
""",
        _coalesced,
    ),
    "transpose in registers": Case(
        r"""//@ launch k grid=1 block=32 x=i32[256]:i*3 out=i32[256]
__global__ void k(const int* x, int* out) {
  int lane = threadIdx.x, row = lane % 8, part = lane / 8;
  int r[8];
  for (int c = 0; c < 8; c++) r[c] = x[part * 64 + row * 8 + c];
  for (int d = 1; d < 8; d <<= 1)
    for (int c = 0; c < 8; c++)
      if (!(c & d)) {
        int& keep = row & d ? r[c | d] : r[c];
        int& give = row & d ? r[c] : r[c | d];
        give = __shfl_xor_sync(~0u, give, d);
      }
  for (int c = 0; c < 8; c++) out[part * 64 + row * 8 + c] = r[c];
}
""",
        _transposed,
    ),
    "bitonic sort of a warp": Case(
        r"""//@ launch k grid=4 block=32 x=i32[128]:i*7919%1009-500
__global__ void k(int* x) {
  int lane = threadIdx.x, i = blockIdx.x * 32 + lane, v = x[i];
  for (int size = 2; size <= 32; size *= 2)
    for (int d = size / 2; d > 0; d /= 2) {
      int other = __shfl_xor_sync(0xffffffff, v, d);
      bool up = !(lane & size), low = !(lane & d);
      v = (low == up) ? min(v, other) : max(v, other);
    }
  x[i] = v;
}
""",
        _sorted,
    ),
}
