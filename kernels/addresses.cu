// Where the expression sends the lanes, worked out by the GPU itself. No memory under study is touched: what comes out is
// compared with the prediction, and every other kernel is launched with it.
#include "access.cuh"  // struct Warp, access_active and access_address: made from the expression

// offset: 32 byte addresses, 0 for an inactive lane. active: bit l is set when lane l takes part; a lane that lies outside
// the block does not.
extern "C" __global__ void addresses(dim3 block, uint3 block_index, dim3 grid, unsigned int warp,
                                     unsigned long long* offset, unsigned int* active) {
  const unsigned int thread = warp * 32 + threadIdx.x;
  Warp w;
  w.thread = make_uint3(thread % block.x, thread / block.x % block.y, thread / block.x / block.y);
  w.block_index = block_index;
  w.block = block;
  w.grid = grid;
  w.lane = threadIdx.x;
  const bool takes_part = thread < block.x * block.y * block.z && access_active(w);
  offset[threadIdx.x] = takes_part ? access_address(w) : 0;
  const unsigned int ballot = __ballot_sync(0xffffffff, takes_part);
  if (threadIdx.x == 0) *active = ballot;
}
