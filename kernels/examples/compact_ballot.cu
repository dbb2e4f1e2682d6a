//@ launch compact_ballot grid=64 block=256 in=i32[64*256]:(i*48271)%1000-300 out=i32[64*256] kept=i32[64] count=16300
// Keeps the positive numbers of each block, in order. A ballot tells every lane which lanes keep theirs; the bits below
// its own are its place. Stores are dense whatever is kept, but begin anywhere in a line.

__global__ void compact_ballot(const int* in, int* out, int* kept, int count) {
  __shared__ int starts[33];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;

  const int value = i < count ? in[i] : 0;
  const unsigned keepers = __ballot_sync(~0u, value > 0);
  if (lane == 0) starts[warp + 1] = __popc(keepers);
  if (threadIdx.x == 0) starts[0] = 0;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 0; w < blockDim.x / 32; ++w) starts[w + 1] += starts[w];
  __syncthreads();

  if (value > 0) out[blockIdx.x * blockDim.x + starts[warp] + __popc(keepers & ((1u << lane) - 1))] = value;
  if (threadIdx.x == 0) kept[blockIdx.x] = starts[blockDim.x / 32];
}
