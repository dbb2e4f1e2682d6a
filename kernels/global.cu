// Global memory: bandwidth on more data than L2 holds. Time does not tell the sectors of one access (a load also pays for
// banks and tags in L1): those are counted, see accesses.cu.
#include "lanes.cuh"
#include "memory.cuh"

constexpr int WARPS = 8;  // of a block
constexpr int COPIES_A_WARP = 8;

// The warp's pattern laid out side by side, `pitch` bytes from copy to copy; every copy is accessed once, by one warp.
// A block has WARPS x COPIES_A_WARP neighbours. sink is null, but only the host knows: what the loads return is needed.
// One warp hands the offsets to the others through shared memory: from constant memory they are 32 requests, which take
// about as long as the 8 accesses of a warp.
extern "C" __global__ void __launch_bounds__(WARPS * LANES)
    stream(const __grid_constant__ Lanes lanes, unsigned long long memory, unsigned long long pitch, Word* sink) {
  __shared__ unsigned long long offset[LANES];
  if (threadIdx.x < LANES) offset[threadIdx.x] = lanes.offset[threadIdx.x];
  __syncthreads();
  const unsigned int first = blockIdx.x * WARPS * COPIES_A_WARP + threadIdx.x / LANES;
  const Address address = start_of_memory(memory) + offset[lane_id()];
  Word seen = 0;
  if (takes_part(lanes)) {
#pragma unroll
    for (int i = 0; i < COPIES_A_WARP; ++i) access(address + (first + i * WARPS) * pitch, lane_id(), seen);
  }
  if (sink) *sink = seen;
}
