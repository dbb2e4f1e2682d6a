//@ launch layernorm_welford grid=64 block=256 x=f32[64*768]:(i*i)%97-40 gain=f32[768]:1+i%3 shift=f32[768]:i%5 y=f32[64*768] columns=768 epsilon=1e-5
// Normalizes a row a block to mean 0 and variance 1. Means and variances of parts are merged (Welford, Chan), which
// stays exact where a sum of squares would cancel: within a thread, by shuffles within a warp, then among the warps.

template <typename Float>
class Moments {
 public:
  __device__ void add(Float value) {
    count_ += 1;
    const Float change = value - mean_;
    mean_ += change / count_;
    squares_ += change * (value - mean_);
  }

  __device__ void merge(const Moments& other) {
    const Float count = count_ + other.count_;
    if (count == 0) return;
    const Float change = other.mean_ - mean_, part = other.count_ / count;
    mean_ += change * part;
    squares_ += other.squares_ + change * change * count_ * part;
    count_ = count;
  }

  __device__ Moments of_lane(int partner) const {
    Moments there;
    there.count_ = __shfl_xor_sync(0xffffffffu, count_, partner);
    there.mean_ = __shfl_xor_sync(0xffffffffu, mean_, partner);
    there.squares_ = __shfl_xor_sync(0xffffffffu, squares_, partner);
    return there;
  }

  __device__ Float mean() const { return mean_; }
  __device__ Float variance() const { return squares_ / count_; }

 private:
  Float count_, mean_, squares_;
};

__global__ void layernorm_welford(const float* __restrict__ x, const float* __restrict__ gain,
                                  const float* __restrict__ shift, float* __restrict__ y, int columns, float epsilon) {
  __shared__ Moments<float> of_warp[8];
  const float* row = x + blockIdx.x * columns;

  Moments<float> own{};
  for (int c = threadIdx.x; c < columns; c += blockDim.x) own.add(row[c]);
  for (int partner = 1; partner < 32; partner <<= 1) own.merge(own.of_lane(partner));
  if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = own;
  __syncthreads();

  Moments<float> all = of_warp[0];
  for (int warp = 1; warp < 8; ++warp) all.merge(of_warp[warp]);
  const float inverse = rsqrtf(all.variance() + epsilon);
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    y[blockIdx.x * columns + c] = (row[c] - all.mean()) * inverse * gain[c] + shift[c];
}
