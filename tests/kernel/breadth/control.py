"""Control flow: switches, loops of every kind, early returns, a stack in place of recursion."""

from __future__ import annotations

import numpy as np

from tests.kernel.breadth.case import Array, Case, Inputs


def _opcodes(a: Inputs) -> Inputs:
    x, op = a["x"].astype("i8"), np.arange(256) % 12
    values = [x + 1, x * x, x >> 1, -x, x ^ 0x55, x & 15, x | 128, ~x, x - 7, x % 5, x * 3, np.zeros_like(x) - 1]
    return {"out": np.choose(op, values)}


def _collatz(a: Inputs) -> Inputs:
    def steps(n: int) -> int:
        count = 0
        while n != 1:
            n, count = n // 2 if n % 2 == 0 else 3 * n + 1, count + 1
        return count

    return {"out": np.array([steps(i + 1) for i in range(200)])}


def _nested(a: Inputs) -> Inputs:
    def of(i: int) -> int:
        total = 0
        for j in range(i % 7):
            k = j
            while True:
                k += 3
                if k % 5 == i % 5:
                    break
                if k > 40:
                    total += 100
                    break
                if k % 2:
                    continue
                total += k
        return total

    return {"out": np.array([of(i) for i in range(128)])}


def _primes(a: Inputs) -> Inputs:
    prime = [n > 1 and all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(256)]
    return {"out": np.array(prime, dtype="u1")}


def _search(a: Inputs) -> Inputs:
    return {"out": np.searchsorted(a["sorted"], a["wanted"], side="left")}


def _local_arrays(a: Inputs) -> Inputs:
    rows = a["x"].reshape(64, 16)
    return {"out": np.sort(rows, 1).reshape(-1), "counts": np.array([np.bincount(r % 8, minlength=8) for r in rows])}


def _crc(a: Inputs) -> Inputs:
    from zlib import crc32

    return {"out": np.array([crc32(bytes(row)) for row in a["x"].reshape(32, 16)], dtype="u4")}


def _queens(a: Inputs) -> Inputs:
    def solve(row: int, columns: int, left: int, right: int) -> int:
        if row == 7:
            return 1
        free = 127 & ~(columns | left | right)
        found = 0
        while free:
            bit = free & -free
            free ^= bit
            found += solve(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
        return found

    return {"out": np.array([solve(1, 1 << c, 2 << c, 1 << c >> 1) for c in range(7)])}


def _words(a: Inputs) -> Inputs:
    text: Array = a["text"]
    letter = (text >= 97) & (text <= 122)
    starts = letter & ~np.concatenate([[False], letter[:-1]])
    return {"count": np.array([starts.sum()]), "text": np.where(letter, text - 32, text)}


def next_sum(n: int) -> int:
    total = 0
    while n > 0 and total < 100:
        total, n = total + n, n - 1
    return total


CASES = {
    "a switch": Case(
        r"""//@ launch k grid=1 block=256 x=i32[256]:i*3 out=i32[256]
__global__ void k(const int* x, int* out) {
  int v = x[threadIdx.x], r = -1;
  switch (threadIdx.x % 12) {
    case 0: r = v + 1; break;
    case 1: r = v * v; break;
    case 2: r = v >> 1; break;
    case 3: r = -v; break;
    case 4: r = v ^ 0x55; break;
    case 5: r = v & 15; break;
    case 6: r = v | 128; break;
    case 7: r = ~v; break;
    case 8: r = v - 7; break;
    case 9: r = v % 5; break;
    case 10: r = v * 3; break;
    default: break;
  }
  out[threadIdx.x] = r;
}
""",
        _opcodes,
    ),
    "a loop of each thread's own length": Case(
        r"""//@ launch k grid=2 block=100 out=i32[200] n=200
__global__ void k(int* out, const int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    long long value = i + 1;
    int steps = 0;
    do {
      if (value == 1) break;
      value = value % 2 == 0 ? value / 2 : 3 * value + 1;
      ++steps;
    } while (true);
    out[i] = steps;
  }
}
""",
        _collatz,
    ),
    "nested loops with break and continue": Case(
        r"""//@ launch k grid=2 block=64 out=i32[128]
__global__ void k(int* out) {
  int i = blockIdx.x * 64 + threadIdx.x, total = 0;
  for (int j = 0; j < i % 7; ++j) {
    int k = j;
    while (true) {
      k += 3;
      if (k % 5 == i % 5) break;
      if (k > 40) {
        total += 100;
        break;
      }
      if (k % 2) continue;
      total += k;
    }
  }
  out[i] = total;
}
""",
        _nested,
    ),
    "early returns": Case(
        r"""//@ launch k grid=2 block=128 out=u8[256]
__device__ bool is_prime(unsigned n) {
  if (n < 2) return false;
  for (unsigned d = 2; d * d <= n; d++)
    if (n % d == 0) return false;
  return true;
}
__global__ void k(bool* out) {
  unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (!is_prime(n)) return;
  out[n] = true;
}
""",
        _primes,
    ),
    "goto": Case(
        r"""//@ launch k grid=1 block=64 out=i32[64]
__global__ void k(int* out) {
  int n = threadIdx.x, sum = 0;
again:
  if (n <= 0) goto done;
  sum += n--;
  if (sum < 100) goto again;
done:
  out[threadIdx.x] = sum;
}
""",
        lambda a: {"out": np.array([next_sum(n) for n in range(64)])},
    ),
    "binary search": Case(
        r"""//@ launch k grid=1 block=128 sorted=i32[1000]:i*3 n=1000 wanted=i32[128]:i*25-7 out=i32[128]
template <typename T> __device__ int lower_bound(const T* a, int n, T value) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + ((high - low) >> 1);
    if (__ldg(a + middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
__global__ void k(const int* sorted, int n, const int* wanted, int* out) {
  out[threadIdx.x] = lower_bound(sorted, n, wanted[threadIdx.x]);
}
""",
        _search,
    ),
    "local arrays": Case(
        r"""//@ launch k grid=1 block=64 x=i32[1024]:i*7919%1009 out=i32[1024] counts=i32[512]
__global__ void k(const int* x, int* out, int* counts) {
  int mine[16], count[8] = {};
  for (int i = 0; i < 16; ++i) mine[i] = x[threadIdx.x * 16 + i];
  for (int i = 0; i < 16; ++i) count[mine[i] & 7]++;
  for (int i = 1; i < 16; ++i) {
    int v = mine[i], j = i - 1;
    for (; j >= 0 && mine[j] > v; --j) mine[j + 1] = mine[j];
    mine[j + 1] = v;
  }
  memcpy(out + threadIdx.x * 16, mine, sizeof mine);
  for (int i = 0; i < 8; ++i) counts[threadIdx.x * 8 + i] = count[i];
}
""",
        _local_arrays,
    ),
    "tables of constants": Case(
        r"""//@ launch k grid=1 block=32 x=u8[512]:i*7 out=u32[32]
__constant__ unsigned nibbles[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
__global__ void k(const unsigned char* x, unsigned* out) {
  unsigned crc = ~0u;
  for (int i = 0; i < 16; ++i) {
    unsigned char byte = x[threadIdx.x * 16 + i];
    crc = nibbles[(crc ^ byte) & 15] ^ (crc >> 4);
    crc = nibbles[(crc ^ (byte >> 4)) & 15] ^ (crc >> 4);
  }
  out[threadIdx.x] = ~crc;
}
""",
        _crc,
    ),
    "a stack in place of recursion": Case(
        r"""//@ launch queens grid=1 block=7 out=i32[7]
struct Frame { int columns, left, right, free; };
__global__ void queens(int* out) {
  Frame stack[8];
  int c = threadIdx.x, top = 0, found = 0;
  auto push = [&](int columns, int left, int right) {
    stack[top++] = {columns, left, right, 127 & ~(columns | left | right)};
  };
  push(1 << c, 2 << c, 1 << c >> 1);
  while (top) {
    Frame& f = stack[top - 1];
    if (!f.free) { --top; continue; }
    int bit = f.free & -f.free;
    f.free ^= bit;
    if (top == 6) { ++found; continue; }
    push(f.columns | bit, (f.left | bit) << 1, (f.right | bit) >> 1);
  }
  out[c] = found;
}
""",
        _queens,
    ),
    "text": Case(
        r"""#include <cctype>
//@ launch k grid=1 block=256 text=u8[256]:i%7==3?32:97+i*i%26 count=i32[1] n=256
__device__ inline bool letter(char c) { return c >= 'a' && c <= 'z'; }
__global__ void k(char* text, int* count, size_t n) {
  size_t i = threadIdx.x;
  char c = text[i], before = i > 0 ? text[i - 1] : ' ';
  __syncthreads();
  if (i >= n || !letter(c)) return;
  if (!letter(before)) atomicAdd(count, 1);
  text[i] -= 'a' - 'A';
}
""",
        _words,
    ),
}
