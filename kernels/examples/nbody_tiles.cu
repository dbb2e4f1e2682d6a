//@ launch nbody_tiles grid=8 block=128 bodies=f32[4*1024]:i%4==3?1+i%3:(i*193)%1009 pull=f32[4*1024] count=1024 softening=2.5
// The pull of all bodies on each body. A block fetches 128 of them, x, y, z and mass as one float4 a thread; then all
// lanes read the same one: a broadcast, which for 16 bytes takes two wavefronts of 16 lanes.

#include <vector_types.h>

__device__ float3 pulled(float3 sum, float4 here, float4 there, float softening) {
  const float dx = there.x - here.x, dy = there.y - here.y, dz = there.z - here.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening * softening);
  const float strength = there.w * inverse * inverse * inverse;
  sum.x += dx * strength;
  sum.y += dy * strength;
  sum.z += dz * strength;
  return sum;
}

__global__ void __launch_bounds__(128, 4) nbody_tiles(const float4* bodies, float4* pull, int count, float softening) {
  __shared__ float4 tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 here = bodies[i];
  float3 sum = {0, 0, 0};
  for (int start = 0; start < count; start += blockDim.x) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 128; k++) sum = pulled(sum, here, tile[k], softening);
    __syncthreads();
  }
  pull[i] = make_float4(sum.x, sum.y, sum.z, 0);
}
