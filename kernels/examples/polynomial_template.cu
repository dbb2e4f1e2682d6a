//@ launch polynomial<float,5> grid=64 block=128 x=f32[1<<13]:i%9-4 y=f32[1<<13] p=f32[5]:i*i-3*i+1 range=i32[2]:i*8000+90
// A template with structs as arguments: they travel with the launch and are read from constant memory, all lanes at
// once. The range begins inside a line, so that each access takes a sector more than it would.

template <typename T, int N>
struct Polynomial {
  T coefficient[N];
  __device__ T operator()(T x) const {
    T value = coefficient[N - 1];
#pragma unroll
    for (int n = N - 2; n >= 0; --n) value = value * x + coefficient[n];
    return value;
  }
};

struct Range {
  int first, end;
};

template <typename T, int N>
__global__ void polynomial(const T* x, T* y, Polynomial<T, N> p, Range range) {
  const int i = range.first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < range.end) y[i] = p(x[i]);
}
