// How many cycles the companion of a shared-memory access takes alone. See shared.cu.
#include "clocks.cuh"
#include "companion.cuh"

// step is 0, but only the host knows: see accesses.cu.
extern "C" __global__ void __launch_bounds__(1024) timed(Address step, int turns, Clocks* clocks) {
  Address beside = companion_address();
  const long long begin = start_clock();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < UNROLLED; ++i, beside += step) companion(beside);
  }
  stop_clock(begin, clocks);
}
