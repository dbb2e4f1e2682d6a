"""Real compilers as oracles: gcc for C's integers and layouts, g++ for what is printed as CUDA, NVRTC to compile it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from math import prod
from pathlib import Path

import pytest

from warpviz.expression import Launch

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle and is not installed")
needs_gxx = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is the oracle and is not installed")

INTRINSICS_IN_C = """
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
static unsigned long long __brevll(unsigned long long x)
{ unsigned long long r = 0; for (int i = 0; i < 64; i++) r |= (x >> i & 1) << (63 - i); return r; }
static unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
static int __popc(unsigned x) { return __builtin_popcount(x); }
static int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static int __ffs(int x) { return __builtin_ffs(x); }
static int __ffsll(long long x) { return __builtin_ffsll(x); }
static int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
static unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
static int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
"""

CUDA_ON_THE_HOST = """
#define __device__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
struct uint3 { unsigned int x, y, z; };
typedef uint3 dim3;
"""
# CUDA's overloads, as math_functions.h has them.
CUDA_ON_THE_HOST += "".join(
    f"static {ctype} min({ctype} a, {ctype} b) {{ return a < b ? a : b; }}\n"
    f"static {ctype} max({ctype} a, {ctype} b) {{ return a > b ? a : b; }}\n"
    for ctype in ("int", "unsigned int", "long long", "unsigned long long")
)


def _run(source: str, compiler: str, suffix: str) -> list[str]:
    """Compile a program that has defined behaviour but for overflow, which wraps, and give its lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"program{suffix}"
        path.write_text(source)
        flags = ["-fwrapv", "-w", "-O0", "-o", f"{folder}/program", str(path)]
        built = subprocess.run([compiler, *flags], capture_output=True, text=True, check=False)
        assert built.returncode == 0, f"{built.stderr}\n{source}"
        return subprocess.run([f"{folder}/program"], capture_output=True, text=True, check=True).stdout.splitlines()


def c_numbers(expressions: Sequence[str], declarations: str = "") -> list[list[int]]:
    """Each expression's value for lane 0 to 31, as gcc computes it."""
    prints = "".join(f'printf("%lld ", (long long)({expression}));' for expression in expressions)
    body = f'for (int lane = 0; lane < 32; lane++) {{ {declarations}\n {prints} printf("\\n"); }}'
    lines = _run(f"{INTRINSICS_IN_C}\nint main(void) {{ {body} }}", "gcc", ".c")
    rows = [[int(number) for number in line.split()] for line in lines]
    return [list(column) for column in zip(*rows, strict=True)]


def c_constants(expressions: Sequence[str], declarations: str) -> list[int]:
    """The value of each constant expression, as gcc computes it."""
    prints = "".join(f'printf("%lld\\n", (long long)({expression}));' for expression in expressions)
    return [
        int(line) for line in _run(f"{INTRINSICS_IN_C}\n{declarations}\nint main(void) {{ {prints} }}", "gcc", ".c")
    ]


def host_addresses(fragments: Sequence[tuple[str, Launch]]) -> list[list[int | None]]:
    """What each fragment of CUDA computes on the host for its 32 lanes: an address, or None where inactive."""
    parts, calls = [CUDA_ON_THE_HOST, INTRINSICS_IN_C.replace("#define m", "// #define m")], []
    for number, (fragment, launch) in enumerate(fragments):
        parts.append(f"namespace fragment{number} {{\n{fragment}\n}}\n")
        calls.append(_lanes(f"fragment{number}", launch))
    lines = iter(_run("".join(parts) + "int main() {\n" + "\n".join(calls) + "\n}", "g++", ".cpp"))
    return [[None if word == "-" else int(word) for word in line.split()] for line in lines]


def _lanes(namespace: str, launch: Launch) -> str:
    (x, y, _), block = launch.block, ", ".join(map(str, launch.block))
    threads = [launch.warp * 32 + lane for lane in range(32)]
    rows = ", ".join(f"{{{t % x}, {t // x % y}, {t // (x * y)}}}" for t in threads)
    index, grid = (", ".join(map(str, extent)) for extent in (launch.block_index, launch.grid_extent))
    return f"""{{ uint3 threads[32] = {{{rows}}};  // {prod(launch.block)} threads
    for (int lane = 0; lane < 32; lane++) {{
        {namespace}::Warp w = {{threads[lane], {{{index}}}, {{{block}}}, {{{grid}}}, lane}};
        if ({namespace}::access_active(w)) printf("%lld ", (long long){namespace}::access_address(w));
        else printf("- ");
    }}
    printf("\\n"); }}"""


def nvrtc_log(source: str) -> str | None:
    """None where NVRTC compiles the source for sm_90, else its log. Skips without NVRTC; needs no GPU."""
    nvrtc = pytest.importorskip("cuda.bindings.nvrtc", reason="NVRTC is the compiler and is not installed")
    try:
        status, program = nvrtc.nvrtcCreateProgram(source.encode(), b"access.cu", 0, [], [])
    except RuntimeError as missing:
        pytest.skip(f"NVRTC cannot be loaded: {missing}")
    options = [b"--std=c++17", b"-arch=sm_90"]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    log = b" " * nvrtc.nvrtcGetProgramLogSize(program)[1]
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(program)
    return None if status == nvrtc.nvrtcResult.NVRTC_SUCCESS else log.decode()
