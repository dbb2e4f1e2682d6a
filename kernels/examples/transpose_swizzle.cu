//@ launch transpose_swizzle grid=8,12 block=32,8 in=f32[384*256]:i out=f32[256*384] rows=384 columns=256
// A transpose through shared memory without padding: row r keeps its column c at c ^ r. A row's 32 columns are still 32
// banks, in another order, and so are a column's 32 rows: neither the stores nor the loads have a conflict.

static constexpr int SIDE = 32;

class Swizzled {
  float (*const rows_)[SIDE];

 public:
  __device__ explicit Swizzled(float (*rows)[SIDE]) : rows_(rows) {}
  __device__ float& operator()(int row, int column) { return rows_[row][column ^ row]; }
};

__global__ void transpose_swizzle(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float storage[SIDE][SIDE];
  Swizzled tile(storage);

  const int column = blockIdx.x * SIDE + threadIdx.x;
  const int row = blockIdx.y * SIDE;
  for (int r = threadIdx.y; r < SIDE; r += blockDim.y) tile(r, threadIdx.x) = in[(row + r) * columns + column];
  __syncthreads();

  for (int r = threadIdx.y; r < SIDE; r += blockDim.y)
    out[(blockIdx.x * SIDE + r) * rows + row + threadIdx.x] = tile(threadIdx.x, r);
}
