//@ launch conv2d_halo grid=16,12 block=16,16 image=f32[250*190]:(i*7)%23 out=f32[250*190] width=250 height=190
// A 5 x 5 filter over an image. The block's 16 x 16 pixels and a rim of 2 are fetched once; beyond the border the edge
// goes on. The filter lies in constant memory: all lanes read the same weight, in one request. A warp is two rows of 16
// pixels, 20 words apart in the tile: they overlap in 4 banks, so that every load takes two wavefronts.

#define RADIUS 2
#define BLOCK 16
#define SIDE (BLOCK + 2 * RADIUS)

__constant__ float weights[2 * RADIUS + 1][2 * RADIUS + 1] = {
    {1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};

__device__ int clamped(int value, int limit) { return min(max(value, 0), limit - 1); }

__global__ void conv2d_halo(const float* image, float* out, int width, int height) {
  __shared__ float tile[SIDE][SIDE];
  const int left = blockIdx.x * BLOCK - RADIUS, top = blockIdx.y * BLOCK - RADIUS;
  for (int y = threadIdx.y; y < SIDE; y += BLOCK)
    for (int x = threadIdx.x; x < SIDE; x += BLOCK)
      tile[y][x] = image[clamped(top + y, height) * width + clamped(left + x, width)];
  __syncthreads();

  const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = 0; dy <= 2 * RADIUS; ++dy)
    for (int dx = 0; dx <= 2 * RADIUS; ++dx) sum += weights[dy][dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
  out[y * width + x] = sum / 256;
}
