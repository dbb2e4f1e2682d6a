// Constant memory: how many requests one access takes of the constant cache, told by time.
//
// One block; every warp of it plays the same warp. A request takes the same few cycles whatever it asks for, as long as its
// line stays in the constant cache, so the slope of the accesses over the slope of single requests is the requests of an
// access. Two launches with different `turns` give a slope, free of what a launch costs once.
#include "clocks.cuh"
#include "lanes.cuh"
#include "memory.cuh"

// step is 0 and sink is null, but only the host knows: see accesses.cu.
extern "C" __global__ void __launch_bounds__(1024)
    timed(const __grid_constant__ Lanes lanes, Address step, int turns, Clocks* clocks, Word* sink) {
  Address address = start_of_memory() + static_cast<Address>(lanes.offset[lane_id()]);
  Word seen = 0;
  const long long begin = start_clock();
  if (takes_part(lanes)) {
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
      for (int i = 0; i < UNROLLED; ++i, address += step) access(address, lane_id(), seen);
    }
  }
  stop_clock(begin, clocks);
  if (sink) *sink = seen;
}

// Single requests: all lanes of a warp at one address, and that one after the other of the 32 offsets. Even warps go through
// the first 16, odd warps through the others. Slower than requests of one address alone when the lines of the pattern
// drive each other out of the constant cache.
extern "C" __global__ void __launch_bounds__(1024)
    timed_singles(const __grid_constant__ Lanes lanes, Address step, int turns, Clocks* clocks, Word* sink) {
  Address addresses[UNROLLED];
#pragma unroll
  for (int i = 0; i < UNROLLED; ++i) {
    const int lane = threadIdx.x / LANES * UNROLLED % LANES + i;
    addresses[i] = start_of_memory() + static_cast<Address>(lanes.offset[lane]);
  }
  Word seen = 0;
  const long long begin = start_clock();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < UNROLLED; ++i) {
      access(addresses[i], lane_id(), seen);
      addresses[i] += step;
    }
  }
  stop_clock(begin, clocks);
  if (sink) *sink = seen;
}
