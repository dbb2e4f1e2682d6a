// One lane's access as one instruction, chosen by these macros:
//   OP       one of LD ST ATOM RED LDMATRIX
//   SPACE    one of SHARED GLOBAL CONST
//   WIDTH    bytes a lane: 1 2 4 8 16 (LDMATRIX: the 16 bytes of a row)
//   MATRICES how many 8x8 matrices an LDMATRIX loads: 1 2 4
// The instructions are written in PTX, so that the compiler neither widens nor narrows them.
#pragma once

#define LD 1
#define ST 2
#define ATOM 3
#define RED 4
#define LDMATRIX 5
#define SHARED 1
#define GLOBAL 2
#define CONST 3

#if SPACE == SHARED
#define SPACE_NAME ".shared"
#elif SPACE == GLOBAL
#define SPACE_NAME ".global"
#else
#define SPACE_NAME ".const"
#endif

// An address within the memory space. Global memory alone needs 64 bits.
#if SPACE == GLOBAL
using Address = unsigned long long;
#define ADDRESS(a) "l"(a)
#else
using Address = unsigned int;
#define ADDRESS(a) "r"(a)
#endif

constexpr int UNROLLED = 16;  // accesses in one turn of a kernel's loop

using Word = unsigned int;
using DoubleWord = unsigned long long;

#if OP == LD && WIDTH == 1
#define LOAD_TYPE ".u8"
#elif OP == LD && WIDTH == 2
#define LOAD_TYPE ".u16"
#elif OP == LD
#define LOAD_TYPE ".u32"
#endif

// Makes one access at `address`. Folds what comes back into `seen`, so that no load is dropped as unused; `value` is
// what goes out, different in every lane, so that no two lanes' atomics are merged before they reach the memory.
__device__ __forceinline__ void access(Address address, Word value, Word& seen) {
#if OP == LD && WIDTH <= 4
  Word a;
  asm volatile("ld" SPACE_NAME LOAD_TYPE " %0, [%1];" : "=r"(a) : ADDRESS(address));
  seen ^= a;
#elif OP == LD && WIDTH == 8 && SPACE == CONST
  DoubleWord a;
  asm volatile("ld.const.u64 %0, [%1];" : "=l"(a) : ADDRESS(address));
  seen ^= static_cast<Word>(a ^ a >> 32);
#elif OP == LD && WIDTH == 16 && SPACE == CONST
  // Constant memory has no 16-byte instruction: ptxas makes two of 8 bytes of it, as it does for a float4.
  DoubleWord a, b;
  asm volatile("ld.const.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(b) : ADDRESS(address));
  seen ^= static_cast<Word>(a ^ a >> 32 ^ b ^ b >> 32);
#elif OP == LD && WIDTH == 8
  Word a, b;
  asm volatile("ld" SPACE_NAME ".v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : ADDRESS(address));
  seen ^= a ^ b;
#elif OP == LD && WIDTH == 16
  Word a, b, c, d;
  asm volatile("ld" SPACE_NAME ".v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : ADDRESS(address));
  seen ^= a ^ b ^ c ^ d;
#elif OP == ST && WIDTH == 1
  asm volatile("st" SPACE_NAME ".u8 [%0], %1;" :: ADDRESS(address), "r"(value));
#elif OP == ST && WIDTH == 2
  asm volatile("st" SPACE_NAME ".u16 [%0], %1;" :: ADDRESS(address), "h"(static_cast<unsigned short>(value)));
#elif OP == ST && WIDTH == 4
  asm volatile("st" SPACE_NAME ".u32 [%0], %1;" :: ADDRESS(address), "r"(value));
#elif OP == ST && WIDTH == 8
  asm volatile("st" SPACE_NAME ".v2.u32 [%0], {%1, %1};" :: ADDRESS(address), "r"(value));
#elif OP == ST && WIDTH == 16
  asm volatile("st" SPACE_NAME ".v4.u32 [%0], {%1, %1, %1, %1};" :: ADDRESS(address), "r"(value));
#elif OP == ATOM && WIDTH == 4
  Word a;
  asm volatile("atom" SPACE_NAME ".add.u32 %0, [%1], %2;" : "=r"(a) : ADDRESS(address), "r"(value));
  seen ^= a;
#elif OP == ATOM && WIDTH == 8
  // Shared memory has no 64-bit add in hardware (it becomes a loop), but an exchange it has.
  DoubleWord a;
  asm volatile("atom" SPACE_NAME ".exch.b64 %0, [%1], %2;" : "=l"(a) : ADDRESS(address), "l"(DoubleWord{value}));
  seen ^= static_cast<Word>(a);
#elif OP == RED && WIDTH == 4
  asm volatile("red" SPACE_NAME ".add.u32 [%0], %1;" :: ADDRESS(address), "r"(value));
#elif OP == RED && WIDTH == 8 && SPACE == SHARED
  // See ATOM: an exchange whose old value nobody reads.
  asm volatile("{ .reg .b64 old; atom.shared.exch.b64 old, [%0], %1; }" :: ADDRESS(address), "l"(DoubleWord{value}));
#elif OP == RED && WIDTH == 8
  asm volatile("red" SPACE_NAME ".add.u64 [%0], %1;" :: ADDRESS(address), "l"(DoubleWord{value}));
#elif OP == LDMATRIX && MATRICES == 1
  Word a;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : ADDRESS(address));
  seen ^= a;
#elif OP == LDMATRIX && MATRICES == 2
  Word a, b;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : ADDRESS(address));
  seen ^= a ^ b;
#elif OP == LDMATRIX && MATRICES == 4
  Word a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : ADDRESS(address));
  seen ^= a ^ b ^ c ^ d;
#endif
}
