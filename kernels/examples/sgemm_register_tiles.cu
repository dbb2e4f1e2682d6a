//@ launch sgemm grid=4,4 block=16,16 A=f32[256*128]:i%7-3 B=f32[128*256]:i%5-2 C=f32[256*256] N=256 K=128
// C = A B, where each thread keeps 4 x 4 results in registers: 16 multiplications for each pair of float4 loads.
// A's tile is stored transposed, so that a thread reads 4 rows of it in one load. The stores pay for it: rows of 68
// floats begin 4 banks apart, so a warp's four columns meet two by two.

constexpr int TILE = 64;   // rows and columns of C in a block
constexpr int DEPTH = 16;  // columns of A and rows of B in shared memory at once

struct __align__(16) Tiles {
  float a[DEPTH][TILE + 4];
  float b[DEPTH][TILE];
};

__device__ __forceinline__ float4 load4(const float* from) { return *reinterpret_cast<const float4*>(from); }

__global__ void __launch_bounds__(256) sgemm(const float* __restrict__ A, const float* __restrict__ B,
                                             float* __restrict__ C, int N, int K) {
  __shared__ Tiles tiles;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int a_row = thread / 4, a_column = thread % 4 * 4;
  const int b_row = thread / 16, b_column = thread % 16 * 4;
  A += (blockIdx.y * TILE + a_row) * K + a_column;
  B += b_row * N + blockIdx.x * TILE + b_column;

  float sums[4][4] = {};
  for (int start = 0; start < K; start += DEPTH, A += DEPTH, B += DEPTH * N) {
    const float4 a = load4(A);
    tiles.a[a_column + 0][a_row] = a.x;
    tiles.a[a_column + 1][a_row] = a.y;
    tiles.a[a_column + 2][a_row] = a.z;
    tiles.a[a_column + 3][a_row] = a.w;
    *reinterpret_cast<float4*>(&tiles.b[b_row][b_column]) = load4(B);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      const float4 left = load4(&tiles.a[k][threadIdx.y * 4]);
      const float4 top = load4(&tiles.b[k][threadIdx.x * 4]);
      const float rows[4] = {left.x, left.y, left.z, left.w};
      const float columns[4] = {top.x, top.y, top.z, top.w};
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c) sums[r][c] = fmaf(rows[r], columns[c], sums[r][c]);
    }
    __syncthreads();
  }

  C += (blockIdx.y * TILE + threadIdx.y * 4) * N + blockIdx.x * TILE + threadIdx.x * 4;
#pragma unroll
  for (int r = 0; r < 4; ++r)
    *reinterpret_cast<float4*>(C + r * N) = make_float4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
}
