//@ launch bitonic_sort grid=16 block=512 keys=u32[16*1024]:(i*40503+7)%65521
// Sorts 1,024 keys a block. In every round a thread compares two keys whose places differ in one bit. At distances
// below 32 the 32 places that a warp reads lie in 16 banks: two wavefronts, where longer distances take one.

constexpr unsigned KEYS = 1024;

template <typename Key>
__device__ void order(Key& first, Key& second, bool ascending) {
  if ((first > second) == ascending) {
    Key kept = first;
    first = second;
    second = kept;
  }
}

extern "C" __global__ void bitonic_sort(unsigned* keys) {
  __shared__ unsigned s[KEYS];
  unsigned* mine = keys + blockIdx.x * KEYS;
  for (unsigned i = threadIdx.x; i < KEYS; i += blockDim.x) s[i] = mine[i];
  __syncthreads();

#pragma unroll 1
  for (unsigned length = 2; length <= KEYS; length <<= 1) {
#pragma unroll 1
    for (unsigned distance = length >> 1; distance; distance >>= 1) {
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
      order(s[low], s[low + distance], (low & length) == 0);
      __syncthreads();
    }
  }

  for (unsigned i = threadIdx.x; i < KEYS; i += blockDim.x) mine[i] = s[i];
}
