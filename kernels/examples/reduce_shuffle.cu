//@ launch reduce_shuffle grid=64 block=256 in=f32[1<<18]:i%8 sum=f32[1] count=65536
// A sum over any number of elements by a grid of any size: float4 loads over the grid, shuffles within a warp, one word
// of shared memory a warp, one atomic a block. No access has a conflict.

__inline__ __device__ float warp_sum(float value) {
#pragma unroll
  for (int distance = warpSize / 2; distance > 0; distance >>= 1) value += __shfl_down_sync(~0u, value, distance);
  return value;
}

__inline__ __device__ float block_sum(float value) {
  static __shared__ float partial[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  value = warp_sum(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / warpSize ? partial[lane] : 0.0f;
  return warp == 0 ? warp_sum(value) : value;
}

__global__ void reduce_shuffle(const float4* in, float* sum, int count) {
  float own = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    float4 four = in[i];
    own += (four.x + four.y) + (four.z + four.w);
  }
  own = block_sum(own);
  if (threadIdx.x == 0) atomicAdd(sum, own);
}
