//@ launch fft_stockham grid=32 block=256 signal=f32[2*512*32]:(i*29)%17-8 spectrum=f32[2*512*32]
// A Fourier transform of 512 complex numbers a block, radix 2, in nine passes between two buffers, which end in order
// (Stockham). Loads are contiguous float2. Stores leave gaps as wide as what is done, 1, 2, 4, ... numbers: 16 lanes
// reach over 32 numbers, which is twice the banks there are, until the gap is as wide as those 16.

#define POINTS 512
#define HALF (POINTS / 2)

static __device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
static __device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
static __device__ float2 operator*(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* exp(-i pi part) */
static __device__ float2 twiddle(float part) {
  float2 w;
  sincospif(-part, &w.y, &w.x);
  return w;
}

__global__ void fft_stockham(const float2* signal, float2* spectrum) {
  __shared__ float2 buffer[2][POINTS];
  const int j = threadIdx.x;
  const float2* in = signal + blockIdx.x * POINTS;
  float2* out = spectrum + blockIdx.x * POINTS;

  buffer[0][j] = in[j];
  buffer[0][j + HALF] = in[j + HALF];
  int from = 0;
  for (int done = 1; done < POINTS; done *= 2, from ^= 1) {
    __syncthreads();
    const int k = j & (done - 1);
    const float2 even = buffer[from][j];
    const float2 odd = buffer[from][j + HALF] * twiddle((float)k / done);
    const int to = 2 * (j - k) + k;
    buffer[from ^ 1][to] = even + odd;
    buffer[from ^ 1][to + done] = even - odd;
  }
  __syncthreads();
  out[j] = buffer[from][j];
  out[j + HALF] = buffer[from][j + HALF];
}
