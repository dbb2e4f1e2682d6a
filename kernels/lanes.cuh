// What the host hands every kernel: where each lane of the warp under study goes.
#pragma once
#include "access_instruction.cuh"

constexpr int LANES = 32;

// It travels as a kernel parameter and so costs no global traffic; and the compiler knows nothing of what is in it.
struct Lanes {
  unsigned long long offset[LANES];  // bytes from the start of the memory that the kernel owns
  unsigned int active;               // bit l: lane l takes part
};

__device__ __forceinline__ int lane_id() { return threadIdx.x % LANES; }

// An ldmatrix is executed by the whole warp, also by lanes whose address it does not read.
__device__ __forceinline__ bool takes_part(const Lanes& lanes) {
#if OP == LDMATRIX
  return true;
#else
  return lanes.active >> lane_id() & 1;
#endif
}
