//@ launch collatz_steps grid=64 block=256 steps=u16[1<<14] count=16384 longest=u32[1]
// How often n is halved, or tripled and increased, until it is 1. Lanes leave the loop one by one, and their warp stays
// until the last one has: much computing, next to no memory.

typedef unsigned long long u64;

__device__ unsigned steps_of(u64 n) {
  unsigned steps = 0;
  while (true) {
    if (n == 1) break;
    if (n & 1)
      n = 3 * n + 1;
    else
      n >>= 1;
    ++steps;
  }
  return steps;
}

__global__ void collatz_steps(unsigned short* steps, int count, unsigned* longest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned own = steps_of(i + 1ull);
  steps[i] = own;
  unsigned most = __reduce_max_sync(__activemask(), own);
  if (i % 32 == 0) atomicMax(longest, most);
}
