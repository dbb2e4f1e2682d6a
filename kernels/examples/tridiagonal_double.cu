//@ launch tridiagonal_double grid=16 block=128 lower=f64[2048*24]:-1-i%3 middle=f64[2048*24]:7+i%5 upper=f64[2048*24]:-2+i%2 right=f64[2048*24]:i%13-6 x=f64[2048*24] systems=2048 size=24
// Solves one small tridiagonal system a thread (Thomas). Row r of system s lies at r * systems + s: neighbouring lanes
// read neighbouring doubles, 8 sectors an access, where one system after the other would cost 32.

template <typename Real>
struct Interleaved {
  Real* first;
  int stride;
  __device__ Real& operator[](int row) const { return first[row * stride]; }
};

extern "C" __global__ void tridiagonal_double(const double* lower, const double* middle, const double* upper,
                                              const double* right, double* x, int systems, int size) {
  const int system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= systems) return;
  const auto of = [=](const double* all) { return Interleaved<const double>{all + system, systems}; };
  const auto a = of(lower), b = of(middle), c = of(upper), d = of(right);
  const Interleaved<double> solved{x + system, systems};

  double ratios[24];
  double ratio = 0, value = 0;
  for (int row = 0; row < size; ++row) {
    const double pivot = 1.0 / (b[row] - a[row] * ratio);
    ratios[row] = ratio = c[row] * pivot;
    solved[row] = value = (d[row] - a[row] * value) * pivot;
  }
  for (int row = size - 2; row >= 0; --row) solved[row] = value = solved[row] - ratios[row] * value;
}
