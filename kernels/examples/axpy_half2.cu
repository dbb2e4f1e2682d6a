//@ launch axpy_half2 grid=64 block=256 x=u16[1<<16]:15360+i*37%1024 y=u16[1<<16]:14336+i*11%2048 a=0.75 pairs=32768
// y = a x + y on 16-bit floats, two in a word and two words a thread: half the bytes of float, and one fused
// multiplication and addition for both.

#include <cuda_fp16.h>

__device__ unsigned int axpy(__half2 a, unsigned int x, unsigned int y) {
  const __half2 sum = __hfma2(a, reinterpret_cast<__half2&>(x), reinterpret_cast<__half2&>(y));
  return reinterpret_cast<const unsigned int&>(sum);
}

__global__ void axpy_half2(const uint2* __restrict__ x, uint2* __restrict__ y, float a, int pairs) {
  const __half2 factor = __float2half2_rn(a);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i >= pairs) return;
  const uint2 given = x[i];
  uint2 result = y[i];
  result.x = axpy(factor, given.x, result.x);
  result.y = axpy(factor, given.y, result.y);
  y[i] = result;
}
