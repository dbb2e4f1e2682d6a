//@ launch scan_blelloch grid=64 block=256 smem=2112 in=i32[64*512]:i%9-4 out=i32[64*512] totals=i32[64]
// Exclusive prefix sums of 512 numbers a block, with as many additions as there are numbers: sums go up a tree, then
// down. Powers of two are the strides; a blank word after every 32 keeps them off one another's banks.

#define PADDED(n) ((n) + ((n) >> 5))

extern "C" __global__ void scan_blelloch(const int *in, int *out, int *totals)
{
    extern __shared__ int tree[];
    const int count = 2 * blockDim.x;
    const int t = threadIdx.x;
    const int first = blockIdx.x * count;

    tree[PADDED(t)] = in[first + t];
    tree[PADDED(t + count / 2)] = in[first + t + count / 2];

    int distance = 1;
    for (int pairs = count >> 1; pairs > 0; pairs >>= 1, distance <<= 1) {
        __syncthreads();
        if (t < pairs) {
            int left = distance * (2 * t + 1) - 1;
            int right = distance * (2 * t + 2) - 1;
            tree[PADDED(right)] += tree[PADDED(left)];
        }
    }

    if (t == 0) {
        totals[blockIdx.x] = tree[PADDED(count - 1)];
        tree[PADDED(count - 1)] = 0;
    }

    for (int pairs = 1; pairs < count; pairs <<= 1) {
        distance >>= 1;
        __syncthreads();
        if (t < pairs) {
            int left = distance * (2 * t + 1) - 1;
            int right = distance * (2 * t + 2) - 1;
            int kept = tree[PADDED(left)];
            tree[PADDED(left)] = tree[PADDED(right)];
            tree[PADDED(right)] += kept;
        }
    }
    __syncthreads();

    out[first + t] = tree[PADDED(t)];
    out[first + t + count / 2] = tree[PADDED(t + count / 2)];
}
