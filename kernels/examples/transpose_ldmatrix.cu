//@ launch transpose_ldmatrix grid=8,4 block=32,4 in=u16[256*128]:i out=u16[128*256] rows=256 columns=128
// A transpose of 16-bit numbers, 16 x 16 a warp: ldmatrix.trans hands every lane two numbers of a column, ready to be
// stored as one word. Rows of 48 bytes put each eight of them in eight different places of 16 bytes, all 32 banks.

#include <cstdint>

__device__ void load_transposed(uint32_t (&words)[4], const void* row) {
  uint32_t address = __cvta_generic_to_shared(row);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address)
               : "memory");
}

__global__ void transpose_ldmatrix(const uint16_t* in, uint16_t* out, int rows, int columns) {
  __shared__ __align__(16) uint16_t tiles[4][16][24];
  uint16_t(*tile)[24] = tiles[threadIdx.y];
  const int lane = threadIdx.x;
  const int row = blockIdx.y * 64 + threadIdx.y * 16, column = blockIdx.x * 16;

  const int own_row = lane % 16, own_column = lane / 16 * 8;
  *(uint4*)&tile[own_row][own_column] = *(const uint4*)&in[(row + own_row) * columns + column + own_column];
  __syncwarp();

  uint32_t words[4];
  load_transposed(words, &tile[own_row][own_column]);
  for (int part = 0; part < 4; part++) {
    const int c = column + part / 2 * 8 + lane / 4, r = row + part % 2 * 8 + lane % 4 * 2;
    *(uint32_t*)&out[c * rows + r] = words[part];
  }
}
