//@ launch stencil3d_planes grid=3,8 block=32,8 in=f32[96*64*32]:(i*i+i/96)%19 out=f32[96*64*32] nx=96 ny=64 nz=32
// The Laplacian of a volume. A block walks along z: the plane it stands in lies in shared memory with a rim of one, the
// planes before and behind in registers, so that each number is fetched once but for the rims.

typedef unsigned int uint;

template <uint BX, uint BY>
__device__ void laplacian(const float* in, float* out, uint nx, uint ny, uint nz) {
  __shared__ float plane[BY + 2][BX + 2];
  const uint x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  const uint tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const uint whole = nx * ny;
  uint at = y * nx + x;

  float behind = 0.f, here = in[at];
  for (uint z = 0; z < nz; z++, at += whole) {
    const float ahead = z + 1 < nz ? in[at + whole] : 0.f;
    plane[ty][tx] = here;
    if (threadIdx.x == 0) plane[ty][0] = x > 0 ? in[at - 1] : 0.f;
    if (threadIdx.x == BX - 1) plane[ty][BX + 1] = x + 1 < nx ? in[at + 1] : 0.f;
    if (threadIdx.y == 0) plane[0][tx] = y > 0 ? in[at - nx] : 0.f;
    if (threadIdx.y == BY - 1) plane[BY + 1][tx] = y + 1 < ny ? in[at + nx] : 0.f;
    __syncthreads();
    out[at] = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx] + behind + ahead - 6 * here;
    __syncthreads();
    behind = here;
    here = ahead;
  }
}

__global__ void stencil3d_planes(const float* in, float* out, uint nx, uint ny, uint nz) {
  laplacian<32, 8>(in, out, nx, ny, nz);
}
