// When each warp of a block begins and ends, in cycles of its multiprocessor.
#pragma once
#include "lanes.cuh"

struct Clocks {
  long long begin, end;
};

// All warps set off together.
__device__ __forceinline__ long long start_clock() {
  __syncthreads();
  return clock64();
}

// Once every warp of the block is through. clocks: one for each warp.
__device__ __forceinline__ void stop_clock(long long begin, Clocks* clocks) {
  __syncthreads();
  const long long end = clock64();
  if (lane_id() == 0) clocks[threadIdx.x / LANES] = {begin, end};
}
