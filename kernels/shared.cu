// Shared memory: how many cycles one access keeps the data stage busy, which is its wavefronts.
//
// One block; every warp of it plays the same warp. Beside each access goes a companion, a store of 8 wavefronts: it keeps
// the data stage the one bottleneck, also where an access alone would wait for something else (a 16-byte load of a few
// lanes takes 1 wavefront, but 4 cycles to hand back its registers). What the companion takes alone (companion.cu) is
// subtracted. Two launches with different `turns` give the slope, free of what a launch costs once.
#include "clocks.cuh"
#include "companion.cuh"

// step is 0 and sink is null, but only the host knows: see accesses.cu.
extern "C" __global__ void __launch_bounds__(1024)
    timed(const __grid_constant__ Lanes lanes, Address step, int turns, Clocks* clocks, Word* sink) {
  Address address = start_of_memory() + static_cast<Address>(lanes.offset[lane_id()]);
  Address beside = companion_address();
  const bool active = takes_part(lanes);
  Word seen = 0;
  const long long begin = start_clock();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < UNROLLED; ++i, address += step, beside += step) {
      if (active) access(address, lane_id(), seen);
      companion(beside);
    }
  }
  stop_clock(begin, clocks);
  if (sink) *sink = seen;
}
