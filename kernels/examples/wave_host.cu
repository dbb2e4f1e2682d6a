//@ launch wave_step grid=8,16 block=32,8 before=f32[256*128]:i%5 now=f32[256*128]:i%7 after=f32[256*128] width=256 height=128 courant=0.25
// One step of a wave on a membrane, in a file with its host program. Neighbours are read straight from global memory:
// those to the left and right lie a float beside a line, and cost a fifth sector.

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t status = (call);                                                 \
    if (status != cudaSuccess) {                                                 \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                   \
    }                                                                            \
  } while (0)

__global__ void wave_step(const float* before, const float* now, float* after, int width, int height, float courant) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int at = y * width + x;
  float bend = now[at - 1] + now[at + 1] + now[at - width] + now[at + width] - 4.0f * now[at];
  after[at] = 2.0f * now[at] - before[at] + courant * bend;
}

static std::vector<float> plucked(int width, int height) {
  std::vector<float> height_of(width * height, 0.0f);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      height_of[y * width + x] = std::exp(-0.01f * (std::pow(x - width / 2, 2) + std::pow(y - height / 2, 2)));
  return height_of;
}

int main(int argc, char** argv) {
  const int width = 256, height = 128, steps = argc > 1 ? std::atoi(argv[1]) : 100;
  const std::vector<float> start = plucked(width, height);
  const size_t bytes = start.size() * sizeof(float);
  float *before, *now, *after;
  for (float** membrane : {&before, &now, &after}) {
    CHECK(cudaMalloc(membrane, bytes));
    CHECK(cudaMemcpy(*membrane, start.data(), bytes, cudaMemcpyHostToDevice));
  }

  const dim3 block(32, 8), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  for (int step = 0; step < steps; ++step) {
    wave_step<<<grid, block>>>(before, now, after, width, height, 0.25f);
    CHECK(cudaGetLastError());
    float* oldest = before;
    before = now;
    now = after;
    after = oldest;
  }

  std::vector<float> end(start.size());
  CHECK(cudaMemcpy(end.data(), now, bytes, cudaMemcpyDeviceToHost));
  std::printf("centre %g\n", end[height / 2 * width + width / 2]);
  for (float* membrane : {before, now, after}) CHECK(cudaFree(membrane));
  return EXIT_SUCCESS;
}
