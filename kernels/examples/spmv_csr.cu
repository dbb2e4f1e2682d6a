//@ launch spmv_csr grid=64 block=256 starts=i32[2049]:i/16*240+i%16*(i%16-1) columns=i32[128*240]:(i*7919+i/3)%2048 values=f32[128*240]:i%9-4 x=f32[2048]:i%11 y=f32[2048] rows=2048
// A sparse matrix (compressed rows) times a vector: eight lanes share a row. Its numbers and columns lie one after the
// other; x is gathered from wherever the columns point. Rows of unequal length leave lanes idle.

template <int LANES_PER_ROW>
__device__ float sum_over_row(float value) {
#pragma unroll
  for (int distance = LANES_PER_ROW / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance, LANES_PER_ROW);
  return value;
}

extern "C" __global__ void spmv_csr(const int* __restrict__ starts, const int* __restrict__ columns,
                                    const float* __restrict__ values, const float* __restrict__ x,
                                    float* __restrict__ y, int rows) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = thread >> 3, lane = thread & 7;

  float sum = 0.0f;
  if (row < rows) {
    const int end = __ldg(starts + row + 1);
    for (int k = __ldg(starts + row) + lane; k < end; k += 8) sum += values[k] * x[columns[k]];
  }
  sum = sum_over_row<8>(sum);
  if (lane == 0 && row < rows) y[row] = sum;
}
