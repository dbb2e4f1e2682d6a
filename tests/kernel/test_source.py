"""A .cu file to PTX: what is for the host is tolerated, lines stay where they are, errors have their line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compiling import compiler
from tests.kernel.ptx_samples import GOLDEN, KERNELS
from tests.kernel.ptx_samples import ptx_of as ptx_in_this_process
from warpviz.gpu.code.compile import compile_cubin
from warpviz.gpu.toolkit import header_folders
from warpviz.kernel.launch import DeclaredParameter, LaunchError, LaunchOptions, launch_of
from warpviz.kernel.ptx import read_module
from warpviz.kernel.source import (
    Compiled,
    CompileError,
    SourceError,
    choose_kernel,
    declared_parameters,
    read_source,
    to_ptx,
)
from warpviz.kernel.source.names import bare, readable, same
from warpviz.kernel.source.scanning import blanked, declarations, without_words

HOST = r"""#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "helper_cuda.h"
#define CHECK(call) do { cudaError_t e = call; if (e != cudaSuccess) { printf("%s\n", text(e)); exit(1); } } while (0)
const int BLOCK = 256;
std::vector<float> kept;
static float* device_data = nullptr;
constexpr int groups(int n, int of) { return (n + of - 1) / of; }
struct Buffer {
  float* data;
  Buffer(size_t n) { cudaMalloc(&data, n); }
  std::vector<float> copy;
};
enum class Mode { fast, exact };
/* adds { two
   vectors */
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float s[groups(256, 2)];
  s[threadIdx.x / 2] = 0;
  __syncthreads();
  if (i < n) c[i] = a[i] + b[i] + s[0];
}
template <typename T, int K = (3 > 2)> void launch(T* a, T* b, T* c, int n) {
#ifdef LARGE
  add<<<groups(n, 2 * BLOCK), BLOCK>>>(a, b, c, n);
#else
  add<<<groups(n, BLOCK), BLOCK>>>(a, b, c, n);
#endif
}
int main(int argc, char** argv) {
  std::vector<float> host(100);
  const char* text = "}{ // \" ";
  const char* raw = R"x(}} " )" )x";
  char brace = '}'; int thousand = 1'000;
  CHECK(cudaMalloc(&device_data, 100));
  launch(device_data, device_data, device_data, 100);
  for (auto& x : host) { x = brace; }
  return thousand;
}
__global__ void last(int* a) { a[0] = 1; }
"""


pytestmark = pytest.mark.usefixtures("nvrtc")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPVIZ_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def compiled(tmp_path: Path) -> Callable[..., Compiled]:
    def compile_text(text: str, kernel: str | None = None, name: str = "file.cu") -> Compiled:
        path = tmp_path / name
        path.write_text(text)
        return to_ptx(read_source(path), kernel=kernel, compiler=compiler())

    return compile_text


def errors_of(compiled: Callable[..., Compiled], text: str, kernel: str | None = None) -> list[str]:
    with pytest.raises(CompileError) as caught:
        compiled(text, kernel)
    return [str(message) for message in caught.value.messages]


@pytest.mark.parametrize("kernel", GOLDEN)
def test_real_kernels_are_compiled_as_they_are(kernel: str) -> None:
    path = KERNELS / f"{kernel}.cu"
    source = read_source(path)
    made = to_ptx(source, compiler=compiler())
    assert made.source.text == path.read_text()
    chosen = choose_kernel(made.names, source.launches)
    assert (chosen.symbol, chosen.name, chosen.line) == (kernel, kernel, source.launches[0])
    routine = read_module(made.ptx, made.source.name).routines[kernel]
    plain = read_module(ptx_in_this_process(source.text, name=path.name)).routines[kernel]
    assert routine.instructions == plain.instructions
    declared = declared_parameters([made.source.text], kernel, len(routine.parameters))
    assert declared is not None
    launch = launch_of(chosen.line, LaunchOptions(), routine, declared, name=kernel, folder=path.parent)
    assert [name for name, _ in source.launches[0].arguments] == [argument.name for argument in launch.arguments]


def test_host_code_is_left_out_and_lines_stay(compiled: Callable[..., Compiled]) -> None:
    made = compiled(HOST)
    assert compile_cubin(made.source, "sm_90").startswith(b"\x7fELF")  # the same, to be measured
    assert dict(made.names) == {"_Z3addPKfS0_Pfi": "add", "_Z4lastPi": "last"}
    add = read_module(made.ptx, made.source.name).routines["_Z3addPKfS0_Pfi"]
    stores = {i.line.number for i in add.instructions if i.opcode == "st" and "global" in i.modifiers}
    assert stores == {HOST.split("\n").index("  if (i < n) c[i] = a[i] + b[i] + s[0];") + 1}


def test_the_kernels_are_those_of_the_file_without_its_host_code(compiled: Callable[..., Compiled]) -> None:
    """What is added for host code changes nothing in the kernels."""
    kernel = (
        "__global__ void k(float* a, int n) {\n  for (int i = threadIdx.x; i < n; i += 32) a[i] *= sqrtf(a[i]);\n}\n"
    )
    alone = compiled(kernel)
    beside = compiled(kernel + "int main() { k<<<1, 2>>>(nullptr, 3); }\n")
    assert "main" not in beside.source.text
    symbol = next(iter(alone.names))
    first, second = (read_module(made.ptx, made.source.name).routines[symbol] for made in (alone, beside))
    assert first.instructions == second.instructions


@pytest.mark.parametrize(
    "statement",
    [
        "a[0] = INT_MAX - CHAR_BIT;",
        "uint32_t x = UINT32_MAX; a[0] = x;",
        "std::int64_t x = threadIdx.x; a[0] = x;",
        "a[0] = (float)M_PI * FLT_MAX < INFINITY;",
        "a[0] = std::max(a[1], std::min(a[2], 3)) + std::abs(a[4]);",
        "a[0] = std::numeric_limits<int>::max() + std::is_same<int, float>::value;",
        'assert(a[0] > 0); printf("%d", a[0]);',
        "uint t = threadIdx.x; ushort u = t; a[0] = u;",
        "a[0] = NAN != NAN; a[1] = std::sqrt(2.0f);",
    ],
)
def test_what_nvcc_knows_without_a_word_is_known(compiled: Callable[..., Compiled], statement: str) -> None:
    assert compiled(f"#include <cmath>\n#include <stdint.h>\n__global__ void k(int* a) {{ {statement} }}\n").names


@pytest.mark.parametrize("header", ["cuda_fp16.h", "cuda_bf16.h", "mma.h", "cuda/std/cstdint", "cuda_pipeline.h"])
def test_headers_for_device_code_go_with_host_code(compiled: Callable[..., Compiled], header: str) -> None:
    if not header_folders():
        pytest.skip("the headers of CUDA are in no toolkit and no Python package here")
    made = compiled(
        f"#include <{header}>\n__global__ void k(uint64_t* a) {{ a[0] = 1; }}\nint main() {{ return f(); }}\n"
    )
    assert list(made.names.values()) == ["k"]


def test_files_beside_it_are_included(compiled: Callable[..., Compiled], tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "local.cuh").write_text(
        '#pragma once\n#include "in.cuh"\n#include "../other.cuh"\n'
        "__device__ float twice(float x) { return IN * x; }\nvoid host() { cudaMalloc(1); }\n"
    )
    (tmp_path / "sub" / "in.cuh").write_text("#define IN 2\r\n")
    (tmp_path / "other.cuh").write_text('#include "sub/local.cuh"\n#define KERNEL __global__ void\n')
    text = '#include "sub/local.cuh"\n#include <other.cuh>\nKERNEL k(float* a) {\n  a[0] = twice(a[0]);\n}\n'
    made = compiled(text)
    assert list(made.names.values()) == ["k"]
    (tmp_path / "sub" / "in.cuh").write_text("#define IN 3\n")
    assert compiled(text).ptx != made.ptx  # what is kept of earlier does not hide the change
    (tmp_path / "sub" / "in.cuh").write_text("#define IN wrong\n")
    assert errors_of(compiled, text) == ['sub/local.cuh:4: identifier "wrong" is undefined']


def test_a_file_may_include_itself_and_others_in_a_circle(compiled: Callable[..., Compiled], tmp_path: Path) -> None:
    (tmp_path / "a.cuh").write_text('#pragma once\n#include "b.cuh"\n')
    (tmp_path / "b.cuh").write_text('#pragma once\n#include "a.cuh"\n#include "file.cu"\n')
    guard = "#ifndef FILE\n#define FILE\n"
    assert compiled(f'{guard}#include "a.cuh"\n__global__ void k(int* a) {{ a[0] = 1; }}\n#endif\n').names


def test_templates_are_compiled_by_name(compiled: Callable[..., Compiled]) -> None:
    text = (
        "//@ launch scale<float, 4> grid=4 block=64 x=f32[256] n=256\n"
        "namespace math {\n"
        "template <typename T, int K> __global__ void scale(T* __restrict__ x, unsigned n) { x[n] *= K; }\n"
        "template __global__ void scale<double, 2>(double*, unsigned);\n"
        "}\nusing math::scale;\n"
    )
    made = compiled(text)
    assert sorted(made.names.values()) == ["math::scale<double, 2>", "scale<float, 4>"]
    chosen = choose_kernel(made.names, (), "scale<float,4>")
    assert ".f32" in made.ptx[made.ptx.index(f"entry {chosen.symbol}") :]
    assert sorted(compiled(text, "scale<int, 7>").names.values()) == ["math::scale<double, 2>", "scale<int, 7>"]
    assert errors_of(compiled, text, "scales<int, 7>") == ["file.cu: has no kernel scales<int, 7>"]
    only = text.replace("template __global__", "//").replace("//@", "//")
    assert errors_of(compiled, only) == [
        "file.cu: has kernels as templates only: name one with its arguments, as in --name 'f<float>'"
    ]


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("__global__ void k(int* a) {\n  a[0] = 1\n  a[1] = 2;\n}\n", ['file.cu:3: expected a ";"']),
        ("#define X y\n\n__global__ void k(int* a) {\n  a[0] = X;\n}\n", ['file.cu:4: identifier "y" is undefined']),
        (
            "#include <vector>\nstd::vector<int> v;\nint main() { k<<<1,2>>>(); }\n"
            "__global__ void k(int* a) { a = 1; }\n",
            ['file.cu:4: a value of type "int" cannot be assigned to an entity of type "int *"'],
        ),
        (
            "struct S { int a b; };\nint main() { k<<<1,2>>>(); }\n__global__ void k(S* s) { s->a = 1; }\n",
            ['file.cu:1: expected a ";"'],
        ),
        (
            "int half_of(int a) { return a / 2; }\n__global__ void k(int* a) {\n  a[0] = half_of(1);\n}\n",
            ["file.cu:3: half_of (line 1) is for the host alone: write __device__ before it"],
        ),
        (
            "#include <nothere.cuh>\n__global__ void k(int* a) {\n  a[0] = thing(3);\n}\n",
            [
                "file.cu:1: nothere.cuh is not found, neither beside the file nor with a CUDA toolkit: "
                "set CUDA_HOME, or pip install 'cuda-toolkit[cudart,cccl]'",
                'file.cu:3: identifier "thing" is undefined',
            ],
        ),
        (
            "__global__ void k(int* a) { for (;;) a[0] = ",
            [
                "file.cu: at the end of the file: expected an expression",
                'file.cu: at the end of the file: expected a ";"',
                'file.cu: at the end of the file: expected a "}"',
            ],
        ),
        ("int main() { return 0; }\n", ["file.cu: has no CUDA kernel: no function is marked __global__"]),
        ("import sys\nprint('hello')\n", ["file.cu: has no CUDA kernel: no function is marked __global__"]),
        ("", ["file.cu: has no CUDA kernel: no function is marked __global__"]),
        ("#error no __global__ here\n", ["file.cu:1: #error directive: no __global__ here"]),
    ],
)
def test_errors_have_their_line(compiled: Callable[..., Compiled], text: str, errors: list[str]) -> None:
    assert errors_of(compiled, text) == errors


def test_errors_have_their_column(compiled: Callable[..., Compiled]) -> None:
    with pytest.raises(CompileError, match=r"^file\.cu:2: .*x.* \(and 1 more\)$") as caught:
        compiled("__global__ void k(int* a) {\n\ta[0] = x;\n   a[1] =  y;\n}\n")
    assert [(message.line, message.column) for message in caught.value.messages] == [(2, 9), (3, 12)]


@pytest.mark.parametrize("name", ["a(3).cu", "two words.cu", "naïve.cu", "-o.cu", "$(x).cu", 'a"b.cu'])
def test_odd_names_of_files(compiled: Callable[..., Compiled], name: str) -> None:
    made = compiled("__global__ void k(int* a) {\n  a[0] = 1;\n}\n", name=name)
    routine = read_module(made.ptx, made.source.name).routines["_Z1kPi"]
    assert {i.line.number for i in routine.instructions} >= {2}


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        (None, r"file\.cu cannot be read: No such file"),
        (b"\xff\xfe\x00", r"file\.cu is not UTF-8 text \(byte 0\)"),
        (b"int a;\0", r"file\.cu is no text: it has a character of value 0"),
        (b" " * 1_000_001, r"file\.cu is larger than 1,000,000 bytes"),
    ],
)
def test_files_that_are_no_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contents: bytes | None, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if contents is not None:
        Path("file.cu").write_bytes(contents)
    with pytest.raises(SourceError, match=sentence):
        read_source(Path("file.cu"))
    with pytest.raises(SourceError, match=r"is a folder; give a \.cu file"):
        read_source(tmp_path)


def test_a_wrong_launch_line_is_an_error_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "file.cu").write_bytes(b"\xef\xbb\xbf// first\r\n//@ launch grid=3\r\n")
    with pytest.raises(LaunchError, match=r"^file\.cu:2:11: the launch names no kernel"):
        read_source(tmp_path / "file.cu")


def test_kernels_are_chosen_by_name() -> None:
    names = {"copy": "copy", "_Z1": "ns::f<int>", "_Z2": "ns::f<float>", "_Z3": "ns::g"}
    assert choose_kernel(names, (), "g").symbol == "_Z3"
    assert choose_kernel(names, (), "ns::g").symbol == "_Z3"
    assert choose_kernel(names, (), "_Z2").name == "ns::f<float>"
    assert choose_kernel(names, (), "ns::f< float >").symbol == "_Z2"
    assert choose_kernel({"copy": "copy"}, ()).symbol == "copy"
    with pytest.raises(SourceError, match=r"f may be ns::f<int> or ns::f<float>: write more of the name"):
        choose_kernel(names, (), "f")
    listed = r"the file has 4 kernels: copy, ns::f<int>, ns::f<float>, ns::g"
    with pytest.raises(SourceError, match=rf"there is no kernel h: {listed}"):
        choose_kernel(names, (), "h")
    with pytest.raises(SourceError, match=rf"^{listed}: choose one with --name, or write a //@ launch line"):
        choose_kernel(names, ())


def test_the_first_launch_line_chooses(tmp_path: Path) -> None:
    (tmp_path / "two.cu").write_text("//@ launch b grid=1 block=1\n//@ launch a grid=2 block=1\n")
    launches = read_source(tmp_path / "two.cu").launches
    names = {"a": "a", "b": "b"}
    assert choose_kernel(names, launches).symbol == "b"
    chosen = choose_kernel(names, launches, "a")
    assert chosen.line is launches[1]


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("copy", "copy"),
        ("_Z3addPKfS0_Pfi", "add"),
        ("_ZN1a1b1cEv", "a::b::c"),
        ("_ZN4math5scaleIdLi2EEEvPT_j", "math::scale<double, 2>"),
        ("_Z1kILin3ELb1EEvv", "k<-3, true>"),
        ("_Z1kIN1n1SES1_PKfEvv", "k<n::S, n::S, const float*>"),
        ("_Z1kIJifEEvv", "k<int, float>"),
        ("_ZL1kPi", "k"),
        ("_Z1kI6float4S0_Evv", "k<float4, float4>"),
        ("_Z1kI3BoxIfEEvT_", "k<Box<float>>"),
        ("_Z1kIXadL_Z1fvEEEvv", "_Z1kIXadL_Z1fvEEEvv"),
        ("_Z", "_Z"),
        ("_Z99k", "_Z99k"),
        ("_Z1kIS9_Evv", "_Z1kIS9_Evv"),
    ],
)
def test_mangled_names(symbol: str, name: str) -> None:
    assert readable(symbol) == name


def test_mangled_names_as_the_compiler_makes_them(compiled: Callable[..., Compiled]) -> None:
    arguments = [
        ("int", "n::Box<n::S>", -3, True),
        ("n::S", "n::S", 4, False),
        ("n::Box<float>", "n::Box<float>", 0, True),
        ("const double*", "float4", 1, False),
        ("unsigned char", "const n::S*", 2, True),
    ]
    text = "namespace n { struct S { int a; }; template <class T> struct Box { T t; };\n"
    text += "template <class A, class B, int K, bool F> __global__ void k(A* a, B* b) { (a + F)[K + 9] = a[0]; }\n}\n"
    wanted = {f"n::k<{a}, {b}, {number}, {str(flag).lower()}>" for a, b, number, flag in arguments}
    text += "".join(
        f"template __global__ void n::k<{a}, {b}, {number}, {str(flag).lower()}>({a}*, {b}*);\n"
        for a, b, number, flag in arguments
    )
    made = compiled(text)
    assert set(made.names.values()) == wanted


@given(st.text(alphabet="_ZNESIKPRLJXSt0123456789abijfd", max_size=30))
def test_any_symbol_has_some_name(symbol: str) -> None:
    assert readable("_Z" + symbol)


def test_names_are_compared_without_blanks() -> None:
    assert same("f<unsigned int, 4u>", "f< unsigned,4>")
    assert not same("f<int>", "f<float>")
    assert bare("a::f<n::S>") == "f"


@pytest.mark.parametrize(
    ("written", "declared"),
    [
        ("const float* __restrict__ in, int n", [("in", "const float*"), ("n", "int")]),
        ("unsigned long long x, float4 v = {}, int a[]", [("x", "unsigned long long"), ("v", "float4"), ("a", "int*")]),
        ("int, float *, const char", [("", "int"), ("", "float*"), ("", "const char")]),
        ("Pair<int, float> p, T (*f)(int, int)", [("p", "Pair<int, float>"), ("f", "a function*")]),
        ("void", []),
        ("", []),
        (
            "/* in */ const T *const in, // out\n  volatile int &out",
            [("in", "const T*const"), ("out", "volatile int&")],
        ),
        ("const __grid_constant__ Params params", [("params", "const Params")]),
        ("float (&tile)[4][4], int rows[3][4]", None),
    ],
)
@pytest.mark.parametrize(
    "head",
    [
        "__global__ void",
        'extern "C" __global__ void __launch_bounds__(256, 2)',
        "template <class T, int N = (3 > 2)>\nstatic __global__ void",
    ],
)
def test_parameters_as_they_are_declared(written: str, declared: list[tuple[str, str]] | None, head: str) -> None:
    others = "#include <k>\nint k = 3; // k(int)\n__device__ void k(int a, int b, int c, int d) { }\n"
    text = f"{others}{head} k({written}) {{\n  f(k(1)); }}\n"
    if declared is None:
        assert declared_parameters([text], "k", 2) is not None
        return
    expected = tuple(DeclaredParameter(*each) for each in declared)
    assert declared_parameters(["int other;", text], "k", len(declared)) == expected
    assert declared_parameters([text], "k", 7) is None
    assert declared_parameters([text], "kk", len(declared)) is None


@given(st.text(alphabet="{}()<>;=\"'/*#\\\n R_a k,[]:", max_size=80))
def test_any_text_has_declarations_in_order(text: str) -> None:
    code = without_words(text)
    assert [i for i, c in enumerate(code) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
    assert len(code) == len(text)
    last = 0
    for declaration in declarations(code):
        assert last <= declaration.start < declaration.end <= len(text)
        last = declaration.end
        assert blanked(text, declaration).count("\n") == text.count("\n")
