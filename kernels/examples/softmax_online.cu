//@ launch softmax_online grid=64 block=32,4 in=f32[256*1000]:(i*37)%211-105 out=f32[256*1000] rows=256 columns=1000 scale=0.125
// Softmax of a row a warp, with one pass for both the maximum and the sum: whenever a greater maximum is found, the sum
// so far is scaled down to it. Lanes then merge what they have, pair by pair. Shared memory is not used at all.

struct Partial {
  float maximum;
  float sum;  // of exp(x - maximum)
};

__device__ Partial merged(Partial a, Partial b) {
  float maximum = fmaxf(a.maximum, b.maximum);
  return {maximum, a.sum * expf(a.maximum - maximum) + b.sum * expf(b.maximum - maximum)};
}

__global__ void softmax_online(const float* __restrict__ in, float* __restrict__ out, int rows, int columns,
                               float scale) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  in += static_cast<size_t>(row) * columns;
  out += static_cast<size_t>(row) * columns;

  Partial own = {-1e30f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += warpSize) own = merged(own, {in[c] * scale, 1.0f});

  for (int partner = 16; partner; partner /= 2) {
    Partial other;
    other.maximum = __shfl_xor_sync(0xffffffff, own.maximum, partner);
    other.sum = __shfl_xor_sync(0xffffffff, own.sum, partner);
    own = merged(own, other);
  }

  const float inverse = 1.0f / own.sum;
  for (int c = threadIdx.x; c < columns; c += warpSize) out[c] = expf(in[c] * scale - own.maximum) * inverse;
}
