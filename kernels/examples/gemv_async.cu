//@ launch gemv_async grid=8 block=256 A=f32[512*512]:(i+i/512)%13-6 x=f32[512]:i%4 y=f32[512] columns=512
// A matrix times a vector: while one tile of 64 x 32 numbers is added up, cp.async fetches the next straight into the
// other buffer, 16 bytes a thread. Rows of 36 floats stay aligned to 16 bytes, and eight of them begin in eight banks
// four apart, so that a warp's 8 rows x 4 columns fill all 32.

namespace tile {
constexpr int rows = 64, columns = 32, pitch = columns + 4;
}

__device__ __forceinline__ void fetch16(void* to, const void* from) {
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
}

__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int PENDING>
__device__ __forceinline__ void arrived() {
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
  __syncthreads();
}

__device__ void fetch_tile(float (*to)[tile::pitch], const float* from, int columns) {
  for (int chunk = threadIdx.x; chunk < tile::rows * tile::columns / 4; chunk += blockDim.x) {
    const int row = chunk / 8, column = chunk % 8 * 4;
    fetch16(&to[row][column], from + row * columns + column);
  }
  commit();
}

extern "C" __global__ void gemv_async(const float* A, const float* x, float* y, int columns) {
  __shared__ __align__(16) float tiles[2][tile::rows][tile::pitch];
  const int row = threadIdx.x / 4, quarter = threadIdx.x % 4;
  A += blockIdx.x * tile::rows * columns;

  fetch_tile(tiles[0], A, columns);
  float sum = 0.0f;
  int current = 0;
  for (int start = 0; start < columns; start += tile::columns) {
    const int next = start + tile::columns;
    if (next < columns) {
      fetch_tile(tiles[current ^ 1], A + next, columns);
      arrived<1>();
    } else {
      arrived<0>();
    }
#pragma unroll
    for (int c = 0; c < tile::columns; c += 4) sum += tiles[current][row][c + quarter] * x[start + c + quarter];
    __syncthreads();
    current ^= 1;
  }

  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  sum += __shfl_xor_sync(0xffffffffu, sum, 2);
  if (quarter == 0) y[blockIdx.x * tile::rows + row] = sum;
}
