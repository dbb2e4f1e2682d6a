// The memory of each space that the kernels own, aligned to 1,024 bytes as the predicted addresses assume.
#pragma once
#include "access_instruction.cuh"

#if SPACE == SHARED
extern __shared__ __align__(1024) unsigned char block_memory[];
#elif SPACE == CONST
__constant__ __align__(1024) unsigned char constant_memory[65536];
#endif

// The address of offset 0. buffer: where global memory for it was allocated; the other spaces do without.
__device__ __forceinline__ Address start_of_memory(unsigned long long buffer = 0) {
#if SPACE == SHARED
  return static_cast<Address>(__cvta_generic_to_shared(block_memory));
#elif SPACE == CONST
  return static_cast<Address>(__cvta_generic_to_constant(constant_memory));
#else
  return buffer;
#endif
}
