"""What is said of files, launches and kernels that cannot be: one sentence, with the place and the mend."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import numpy as np
import pytest

from tests.compiling import compiler
from warpviz.gpu.toolkit import header_folders
from warpviz.kernel.errors import KERNEL_ERRORS, in_file
from warpviz.kernel.interpret import interpret
from warpviz.kernel.launch import DeclaredParameter, LaunchOptions, MissingArguments
from warpviz.kernel.machine import Stopped
from warpviz.kernel.prepare import prepare
from warpviz.kernel.source import read_source

pytestmark = pytest.mark.usefixtures("nvrtc")

PLAIN = "__global__ void k(float* a, int n) { a[threadIdx.x] = n; }\n"
LAUNCH = "k grid=1 block=32 a=f32[32] n=1"


def said(folder: Path, text: str | bytes, options: LaunchOptions | None = None) -> str:
    """What is told of a file; "" when it is run to its end."""
    (folder / "k.cu").write_bytes(text if isinstance(text, bytes) else text.encode())
    with contextlib.chdir(folder):
        try:
            prepared = prepare(read_source(Path("k.cu")), options or LaunchOptions(), compiler=compiler())
            stuck = interpret(prepared.program, prepared.launch).stuck
        except KERNEL_ERRORS as error:
            sentence = in_file(error, "k.cu")
            assert "\n" not in sentence
            return sentence
    return in_file(stuck, "k.cu") if stuck else ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param(bytes(range(128, 256)), "k.cu is not UTF-8 text (byte 0)", id="bytes"),
        (b"\x89PNG\r\n\x1a\n", "k.cu is not UTF-8 text (byte 0)"),
        ("__global__ void k() {}\0", "k.cu is no text: it has a character of value 0"),
        ("", "k.cu: has no CUDA kernel: no function is marked __global__"),
        ("int main() { return 0; }\n", "k.cu: has no CUDA kernel: no function is marked __global__"),
        ("import os\n'__global__'\n", 'k.cu:1: identifier "import" is undefined (and 2 more)'),
        ("__global__ void k(int* a) {\n  a[0] = 1\n}\n", 'k.cu:3: expected a ";"'),
        ("__global__ {{{{ ((( \n", "k.cu:1: expected a declaration"),
        ("__global__ int k() { return 1; }\n", "k.cu:1: a __global__ function must have a void return type"),
        pytest.param("__global__ void k() {}" + " " * 1_000_000, "k.cu is larger than 1,000,000 bytes", id="large"),
        (
            '#include "x.cuh"\n__global__ void k(int* a) { f(a); }\n',
            "k.cu:1: x.cuh is not found, neither beside the file nor with a CUDA toolkit: "
            "set CUDA_HOME, or pip install 'cuda-toolkit[cudart,cccl]' (and 1 more)",
        ),
        (
            "__global__ void c() {}\n__global__ void k() {\n  c<<<1, 32>>>();\n}\n",
            "k.cu:3: a kernel launches another (dynamic parallelism): this is not interpreted",
        ),
    ],
)
def test_files_that_are_no_kernels(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    assert said(tmp_path, text) == sentence


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(KERNEL_ERRORS, match=r"^a+… cannot be read: File name too long$"):
        read_source(Path("a" * 5000))


@pytest.mark.parametrize(
    ("launch", "sentence"),
    [
        (
            "k block=32 a=f32[32] n=1",
            "k is given no grid: add --grid X[,Y[,Z]], or grid=X[,Y[,Z]] to a //@ launch line",
        ),
        (
            "k grid=1 a=f32[32] n=1",
            "k is given no block: add --block X[,Y[,Z]], or block=X[,Y[,Z]] to a //@ launch line",
        ),
        (
            "k grid=1 block=32 a=f32[32]",
            "k is given no value for n (int): add --arg n=VALUE, or n=VALUE to its //@ launch line",
        ),
        (f"{LAUNCH} m=3", "k.cu:1:46: k has no parameter m; its parameters: a, n"),
        (f"{LAUNCH} blah", "k.cu:1:44: blah is not expected here"),
        (
            "k grid=1 block=32 a=3 n=1",
            "k.cu:1:32: a (float*) is a pointer: give an array such as f32[1024], or 0 for none",
        ),
        ("k grid=1 block=32 a=f32[32] n=f32[3]", "k.cu:1:42: n (int) is a number, so it takes no array"),
        ("k grid=1 block=32 a=f32[32] n=1.5", "k.cu:1:42: n (int) is an integer, and 1.5 is none"),
        (
            "k grid=1 block=32 a=f32[32] n=9999999999",
            "k.cu:1:42: 9999999999 does not fit n (int), which holds -2147483648 to 2147483647",
        ),
        (
            "k grid=1 block=32 a=q32[32] n=1",
            "k.cu:1:32: q32 is no type of elements; they are f64 f32 f16 i64 u64 i32 u32 i16 u16 i8 u8",
        ),
        ("k grid=1 block=32 a=f32[-5] n=1", "k.cu:1:36: a has -5 elements; 1 is the least"),
        ("k grid=1 block=32 a=f32[32 n=1", "k.cu:1:35: the [ of the array is never closed"),
        (
            "k grid=1 block=32 a=f32[32]:1/i n=1",
            "k.cu:1:42: for i = 0: division by zero; keep the element out of it with ?:",
        ),
        ("k grid=1 block=32 a=f32[32]:i+ n=1", "k.cu:1:41: the expression ends too early; something is missing"),
        ("k grid=1 block=32 a=f32[32]:j n=1", "k.cu:1:40: j is no integer that this launch gives"),
        ("k grid=-1 block=32 a=f32[32] n=1", "k.cu:1:19: grid -1x1x1 has -1 along x; 1 is the least"),
        ("k grid=0 block=32 a=f32[32] n=1", "k.cu:1:19: grid 0x1x1 has 0 along x; 1 is the least"),
        ("k grid=1 block=2048 a=f32[32] n=1", "k.cu:1:27: block 2048x1x1 has 2048 along x; 1024 is the most"),
        ("k grid=1,1,1,1 block=32 a=f32[32] n=1", "k.cu:1:19: a grid is written X, X,Y or X,Y,Z"),
        (
            "k grid=1 block=32 smem=300000 a=f32[32] n=1",
            "k.cu:1:35: a block has 0 to 232,448 bytes of dynamic shared memory, not 300,000",
        ),
        ("z grid=1 block=32 a=f32[32] n=1", "there is no kernel z: the file has 1 kernel: k"),
        ("grid=1", "k.cu:1:11: the launch names no kernel; write //@ launch NAME grid=… block=… PARAM=VALUE …"),
        ("k grid=1 block=32 a=@missing.npy n=1", "k.cu:1:32: there is no file missing.npy"),
        ("k grid=1 block=32 a=@ n=1", "k.cu:1:32: @ is followed by the path of a .npy file"),
    ],
)
def test_launch_lines(tmp_path: Path, launch: str, sentence: str) -> None:
    assert said(tmp_path, f"//@ launch {launch}\n{PLAIN}") == sentence


@pytest.mark.parametrize("count", ["1<<40", "1ll<<62", "(1<<62)/1"])
def test_arrays_that_are_too_large(tmp_path: Path, count: str) -> None:
    launch = f"//@ launch k grid=1 block=32 a=f32[{count}] n=1\n"
    assert re.fullmatch(
        r"k\.cu:1:32: a has [\d,]+ bytes; [\d,]+ are the most for this machine", said(tmp_path, launch + PLAIN)
    )


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"grid": "abc"}, "--grid: abc is no integer that this launch gives"),
        ({"grid": ""}, "--grid: a grid is written X, X,Y or X,Y,Z"),
        ({"block": "0"}, "--block: block 0x1x1 has 0 along x; 1 is the least"),
        ({"shared_bytes": "x"}, "--smem: x is no integer that this launch gives"),
        ({"arguments": ("n",)}, "--arg: an argument is written NAME=VALUE, such as n=1024 or in=f32[1024]:i"),
        ({"arguments": ("n=nan",)}, "--arg n: n (int) is an integer, and nan is none"),
        ({"arguments": ("n=1/0",)}, "--arg n: division by zero; keep the element out of it with ?:"),
    ],
)
def test_options(tmp_path: Path, option: dict[str, str], sentence: str) -> None:
    assert said(tmp_path, f"//@ launch {LAUNCH}\n{PLAIN}", LaunchOptions(**option)) == sentence  # type: ignore[arg-type]


def test_missing_arguments_are_named(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(PLAIN)
    with pytest.raises(MissingArguments) as caught:
        prepare(read_source(file), LaunchOptions("1", "32"))
    assert caught.value.parameters == (DeclaredParameter("a", "float*"), DeclaredParameter("n", "int"))


NPY = {
    "doubles": np.arange(32.0),
    "longs": np.arange(32),
    "numbers": np.arange(32, dtype="i4"),
    "text": np.array(["a"]),
    "nothing": np.zeros(0, "f4"),
}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("doubles", "doubles.npy holds float64, and a (float*) reads float32: save it .astype('float32')"),
        ("longs", "longs.npy holds int64, and a (float*) reads float32: save it .astype('float32')"),
        ("numbers", "numbers.npy holds int32, and a (float*) reads float32: save it .astype('float32')"),
        ("text", "text.npy holds <U1, which is no array of numbers"),
        ("nothing", "nothing.npy holds no array with an element in it; numpy.save writes one"),
        ("half", "half.npy is no .npy file with an array of numbers in it"),
        ("none", "none.npy is no .npy file with an array of numbers in it"),
    ],
)
def test_files_of_arrays(tmp_path: Path, name: str, sentence: str) -> None:
    for stem, array in NPY.items():
        np.save(tmp_path / f"{stem}.npy", array)
    (tmp_path / "half.npy").write_bytes((tmp_path / "doubles.npy").read_bytes()[:-8])
    (tmp_path / "none.npy").write_bytes(b"hello")
    assert said(tmp_path, f"//@ launch k grid=1 block=32 a=@{name}.npy n=1\n{PLAIN}") == f"k.cu:1:32: {sentence}"


def test_files_of_arrays_that_fit(tmp_path: Path) -> None:
    """Complex numbers, say, are two floats each; a char* is any bytes; unsigned numbers are signed ones."""
    np.save(tmp_path / "x.npy", np.arange(32, dtype="c8"))
    np.save(tmp_path / "u.npy", np.arange(32, dtype="u4"))
    text = "__global__ void k(float* a, int* b, const unsigned char* c) { a[63] = b[31] + c[255]; }\n"
    assert said(tmp_path, f"//@ launch k grid=1 block=1 a=@x.npy b=@u.npy c=@x.npy\n{text}") == ""


THREAD = "thread (0, 0, 0) of block (0, 0, 0)"


@pytest.mark.parametrize(
    ("statements", "sentence"),
    [
        (
            "a[threadIdx.x + 1] = n;",
            "thread (31, 0, 0) of block (0, 0, 0) writes 4 bytes at byte 128 of a, which has 128 bytes",
        ),
        ("a[-1] = n;", f"{THREAD} writes 4 bytes at 4 bytes before a"),
        (
            "a[0] = a[1000000];",
            f"{THREAD} reads 4 bytes at byte 4,000,000 of a, which has 128 bytes, 3,999,872 bytes past its end",
        ),
        (
            "*(float4*)(a + n) = make_float4(1, 2, 3, 4);",
            f"{THREAD} writes 16 bytes at byte 4 of a, which has 128 bytes: 4 is not a multiple of 16",
        ),
        ("*(float*)(size_t)(n - 1) = n;", f"{THREAD} writes 4 bytes at address 0x0, which is in no array"),
        (
            "volatile char big[20]; big[n * 100] = n;",
            f"{THREAD} writes 1 byte at byte 100 of local memory, which has 20 bytes",
        ),
        (
            "__shared__ float s[32]; s[threadIdx.x + n] = 1; a[0] = s[0];",
            "thread (31, 0, 0) of block (0, 0, 0) writes 4 bytes at byte 128 of shared memory, which has 128 bytes",
        ),
        (
            "extern __shared__ float d[]; d[threadIdx.x] = 1; a[0] = d[n];",
            f"{THREAD} writes 4 bytes at byte 0 of shared memory, of which the kernel has none",
        ),
        ("if (threadIdx.x == 7) __trap();", "thread (7, 0, 0) of block (0, 0, 0) reaches a trap"),
        ("assert(n == 2);", f"{THREAD} fails an assertion"),
        (
            'if (threadIdx.x < 16) __syncthreads(); else asm volatile("bar.sync 1, 64;");',
            "16 threads of a block, the first thread (16, 0, 0) of block (0, 0, 0), wait at this barrier, "
            "which waits for 64",
        ),
        ('asm volatile("bogus %0;" :: "f"(a[0]));', "the PTX instruction bogus (PTX line N) is not interpreted"),
        ('asm volatile("this is no ptx;");', "PTX line N: ; is expected, not no"),
        ('int r; asm("mov.u32 %0, %%nosuch;" : "=r"(r)); a[0] = r;', "the special register %nosuch is not interpreted"),
        (
            "a[0] = tex2D<float>((cudaTextureObject_t)n, 1, 1);",
            "the PTX instruction tex.2d.v4.f32.f32 (PTX line N) is not interpreted",
        ),
        (
            "surf2Dwrite(1.0f, (cudaSurfaceObject_t)n, 4, 1);",
            "the PTX instruction sust.b.2d.b32.trap (PTX line N) is not interpreted",
        ),
        ("a[0] = fibonacci(n + threadIdx.x);", "fibonacci calls itself: recursion is not interpreted"),
        (
            "float* p = (float*)malloc(4); p[0] = n; a[0] = p[0]; free(p);",
            "malloc is called: memory that a kernel takes from the heap (malloc, new) is not interpreted",
        ),
        ("a[0] = elsewhere(n);", "elsewhere is called, and the file does not define it"),
        (
            "a[0] = operations[n](n);",
            "a call through a pointer (a virtual or function pointer call) is not interpreted",
        ),
        (
            "unsigned r; asm volatile(\"wgmma.fence.sync.aligned;\"); a[0] = r = n;",
            "the PTX instruction wgmma.fence.sync.aligned (PTX line N) is not interpreted",
        ),
    ],
)  # fmt: skip
def test_kernels_that_go_wrong(tmp_path: Path, statements: str, sentence: str) -> None:
    text = f"""//@ launch {LAUNCH}
#include <cassert>
__device__ int fibonacci(int n) {{ return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }}
extern __device__ float elsewhere(int);
__device__ __noinline__ float twice(float v) {{ return 2 * v; }}
__device__ __noinline__ float half_of(float v) {{ return v / 2; }}
__device__ float (*operations[2])(float) = {{twice, half_of}};
__global__ void k(float* a, int n) {{
  {statements}
}}
"""
    line = 3 if "fibonacci" in statements else 9
    assert re.sub(r"PTX line \d+", "PTX line N", said(tmp_path, text)) == f"k.cu:{line}: {sentence}"


@pytest.mark.parametrize(
    ("declared", "smem", "sentence"),
    [
        (
            "__shared__ float s[20000];",
            0,
            "the __shared__ variables take 80,000 bytes; 49,152 are the most, beyond that shared memory is dynamic: "
            "extern __shared__, and smem=BYTES of the launch",
        ),
        (
            "__shared__ float s[10000]; extern __shared__ float d[]; d[threadIdx.x] = n;",
            200_000,
            "a block has 240,000 bytes of shared memory, static and dynamic; 232,448 are the most",
        ),
        (
            "volatile char s[600000];",
            0,
            "a thread has 600,000 bytes of local memory for its arrays; 524,288 are the most",
        ),
    ],
)
def test_too_much_memory(tmp_path: Path, declared: str, smem: int, sentence: str) -> None:
    text = f"__global__ void k(float* a, int n) {{ {declared} s[threadIdx.x] = n; __syncthreads(); a[0] = s[n]; }}\n"
    launch = f"//@ launch k grid=1 block=32 smem={smem} a=f32[32] n=1\n"
    assert said(tmp_path, launch + text) == f"k.cu: {sentence}"


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "cooperative_groups::this_grid().sync();",
            "k.cu:4: a group of the whole grid (cooperative_groups::this_grid) is not interpreted: "
            "make a kernel of each part between its grid.sync()",
        ),
        (
            "cooperative_groups::this_cluster().sync();",
            "k.cu:4: the PTX instruction barrier.cluster.arrive (PTX line N) is not",
        ),
        (
            "using namespace nvcuda::wmma; fragment<accumulator, 16, 16, 16, float> c; fill_fragment(c, 0.f); "
            "store_matrix_sync(a, c, 16, mem_row_major);",
            "k.cu:4: the PTX instruction wmma.store.d.sync.aligned.row.m16n16k16.global.f32 (PTX line N) is not",
        ),
    ],
)  # fmt: skip
def test_what_toolkit_headers_offer(tmp_path: Path, statement: str, sentence: str) -> None:
    if not header_folders():
        pytest.skip("the headers of CUDA are in no toolkit and no Python package here")
    text = f"//@ launch {LAUNCH}\n#include <cooperative_groups.h>\n#include <mma.h>\n"
    text += f"__global__ void k(float* a, int n) {{ {statement} a[1] = n; }}\n"
    assert re.sub(r"PTX line \d+", "PTX line N", said(tmp_path, text)).startswith(sentence)


def test_a_kernel_that_never_ends_is_stopped_when_nobody_waits(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        f"//@ launch {LAUNCH}\n__global__ void k(volatile float* a, int n) {{ while (a[0] == 0) {{}} a[1] = n; }}\n"
    )
    prepared = prepare(read_source(file), LaunchOptions(), compiler=compiler())
    asked: list[None] = []

    def cancelled() -> bool:
        asked.append(None)
        return len(asked) > 3

    with pytest.raises(Stopped):
        interpret(prepared.program, prepared.launch, cancelled=cancelled)
