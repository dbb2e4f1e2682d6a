// The companion of an access of shared memory: a store of 8 wavefronts. See shared.cu.
#pragma once
#include "lanes.cuh"
#include "memory.cuh"

constexpr int COMPANION_WAVEFRONTS = 8;

// Four lanes each in 8 words of bank 0: one wavefront a word.
__device__ __forceinline__ Address companion_address() {
  return start_of_memory() + lane_id() % COMPANION_WAVEFRONTS * 128;
}

__device__ __forceinline__ void companion(Address address) {
  asm volatile("st.shared.u32 [%0], %1;" :: "r"(address), "r"(0));
}
