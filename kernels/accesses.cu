// One warp makes the access again and again, and nothing else: for the hardware counters. Two launches with different
// `turns` give the counts of an access, free of what a launch costs once.
#include "lanes.cuh"
#include "memory.cuh"

// memory: the buffer, for global memory. step is 0 and sink is null, but only the host knows: to the compiler every access
// has an address of its own, so none is folded into another, and what the loads return is needed, so none is dropped.
extern "C" __global__ void __launch_bounds__(LANES)
    accesses(const __grid_constant__ Lanes lanes, unsigned long long memory, Address step, int turns, Word* sink) {
  Address address = start_of_memory(memory) + static_cast<Address>(lanes.offset[lane_id()]);
  Word seen = 0;
  if (takes_part(lanes)) {
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
      for (int i = 0; i < UNROLLED; ++i, address += step) access(address, lane_id(), seen);
    }
  }
  if (sink) *sink = seen;
}
