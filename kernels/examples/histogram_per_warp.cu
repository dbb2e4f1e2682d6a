//@ launch histogram_per_warp grid=32 block=256 pixels=u8[1<<18]:(i*i/64+i%5)%256 bins=u32[256] quads=65536
// A histogram of bytes, read four at a time. Each warp counts into bins of its own: only lanes of one warp can want the
// same bin at once. What is left of the conflicts depends on the picture.

#define WARPS 8
#define BINS 256

__device__ inline void tally(unsigned int* own, uchar4 quad) {
  atomicAdd(own + quad.x, 1);
  atomicAdd(own + quad.y, 1);
  atomicAdd(own + quad.z, 1);
  atomicAdd(own + quad.w, 1);
}

__global__ void histogram_per_warp(const uchar4* pixels, unsigned int* bins, unsigned int quads) {
  __shared__ unsigned int counts[WARPS][BINS];
  for (unsigned int k = threadIdx.x; k < WARPS * BINS; k += blockDim.x) counts[k / BINS][k % BINS] = 0;
  __syncthreads();

  unsigned int* own = counts[threadIdx.x / 32];
  const unsigned int stride = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += stride) tally(own, pixels[i]);
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
    unsigned int sum = 0;
    for (int warp = 0; warp < WARPS; ++warp) sum += counts[warp][bin];
    if (sum) atomicAdd(&bins[bin], sum);
  }
}
