//@ launch scan_shuffle grid=32 block=256 in=u32[32*1024]:(i*2654435761)%1000 out=u32[32*1024]
// Inclusive prefix sums of 1,024 numbers a block in registers: each thread adds up four, each warp scans its 32 sums by
// shuffles, and shared memory carries no more than one number a warp.

namespace {

constexpr unsigned ALL = 0xffffffffu;

__device__ unsigned scanned_in_warp(unsigned value) {
  const unsigned lane = threadIdx.x & 31;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned below = __shfl_up_sync(ALL, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

}  // namespace

__global__ void scan_shuffle(const uint4* __restrict__ in, uint4* __restrict__ out) {
  __shared__ unsigned of_warp[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const unsigned place = blockIdx.x * blockDim.x + threadIdx.x;

  uint4 four = in[place];
  four.y += four.x;
  four.z += four.y;
  four.w += four.z;

  const unsigned upto = scanned_in_warp(four.w);
  if (lane == 31) of_warp[warp] = upto;
  __syncthreads();
  if (warp == 0) {
    const unsigned total = scanned_in_warp(lane < warps ? of_warp[lane] : 0u);
    if (lane < warps) of_warp[lane] = total;
  }
  __syncthreads();

  const unsigned before = upto - four.w + (warp > 0 ? of_warp[warp - 1] : 0u);
  out[place] = make_uint4(four.x + before, four.y + before, four.z + before, four.w + before);
}
