"""How a kernel is run: lines, options, arrays, numbers; and what is said of each that is wrong."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.ptx_samples import GOLDEN, KERNELS
from warpviz.kernel.launch import (
    Array,
    DeclaredParameter,
    FileArray,
    Launch,
    LaunchError,
    LaunchOptions,
    launch_of,
    parse_launch,
)
from warpviz.kernel.launch import arrays as arrays_module
from warpviz.kernel.ptx.syntax import Parameter, Routine

SAXPY = (("n", "int", "u32"), ("a", "float", "f32"), ("x", "const float*", "u64"), ("y", "float*", "u64"))
LINE = "//@ launch saxpy grid=4 block=256 n=1024 a=0.5f x=f32[n]:i%7 y=f32[1<<10]\n"
BYTES = {"b8": 1, "u8": 1, "u16": 2, "b16": 2, "u32": 4, "f32": 4, "u64": 8, "f64": 8}


def routine(parameters: tuple[tuple[str, str, str], ...], struct_bytes: int = 0) -> Routine:
    """parameters: (name, C type, PTX type). struct_bytes: of those of type b8."""
    placed, offset = [], 0
    for number, (_, _, ptx) in enumerate(parameters):
        size, align = (struct_bytes, 4) if ptx == "b8" else (BYTES[ptx], BYTES[ptx])
        offset = -(-offset // align) * align
        placed.append(Parameter(f"kernel_param_{number}", ptx, offset, size, align))
        offset += size
    return Routine("kernel", True, tuple(placed), (), {}, (), (), {}, {})


def launched(
    text: str, options: LaunchOptions | None = None, parameters: tuple[tuple[str, str, str], ...] = SAXPY, size: int = 0
) -> Launch:
    line = next(iter(parse_launch(text)), None)
    declared = [DeclaredParameter(name, ctype) for name, ctype, _ in parameters]
    made = routine(parameters, size)
    return launch_of(line, options or LaunchOptions(), made, declared, name="saxpy", folder=Path())


def number(written: str, ctype: str, ptx: str) -> bytes:
    """The bytes of one parameter."""
    launch = launched(f"//@ launch k grid=1 block=1 p={written}", parameters=(("p", ctype, ptx),))
    return launch.parameter_bytes(routine((("p", ctype, ptx),)).parameters, lambda name: 0)


def elements(written: str) -> np.ndarray:
    (array,) = launched(f"//@ launch k grid=1 block=1 p={written}", parameters=(("p", "float*", "u64"),)).arrays
    return array.values()


def test_a_line_gives_all_that_a_launch_needs() -> None:
    launch = launched("// saxpy\n" + LINE)
    assert (launch.name, launch.grid, launch.block, launch.shared_bytes) == ("saxpy", (4, 1, 1), (256, 1, 1), 0)
    assert [(array.name, array.dtype, array.count, array.size) for array in launch.arrays] == [
        ("x", np.float32, 1024, 4096),
        ("y", np.float32, 1024, 4096),
    ]
    x, y = (array.values() for array in launch.arrays)
    assert np.array_equal(x, np.arange(1024) % 7)
    assert not y.any()
    addresses = {"x": 0x7F00_0000_0000, "y": 0x7F00_0001_0000}
    contents = launch.parameter_bytes(routine(SAXPY).parameters, addresses.__getitem__)
    assert contents == struct.pack("<ifQQ", 1024, 0.5, addresses["x"], addresses["y"])


@pytest.mark.parametrize("kernel", GOLDEN)
def test_the_lines_of_real_kernels(kernel: str) -> None:
    (line,) = parse_launch((KERNELS / f"{kernel}.cu").read_text())
    assert line.name == kernel
    assert line.where.line == 1
    assert line.grid is not None
    assert line.block is not None
    assert line.arguments


def test_options_win_over_the_line() -> None:
    options = LaunchOptions(grid="2,3", block="n/8,2", shared_bytes="1<<10", arguments=("n=64", "y=f64[5]:1-i"))
    launch = launched(LINE, options)
    assert (launch.grid, launch.block, launch.shared_bytes) == ((2, 3, 1), (8, 2, 1), 1024)
    assert [array.count for array in launch.arrays] == [64, 5]
    assert launch.arrays[1].values().tolist() == [1, 0, -1, -2, -3]


def test_options_alone_are_enough() -> None:
    options = LaunchOptions("1", "32", None, ("y=f32[8]", "n=8", "a=1", "x=f32[8]"))
    launch = launched("", options)
    assert [argument.name for argument in launch.arguments] == ["n", "a", "x", "y"]


def test_several_lines_and_blanks_in_values() -> None:
    text = (
        "//@ launch ns::f<int, 4> grid=1 block=1 smem=64 p=f32[ 4 ] : (i == 2) ? 5 : i  q= 3\n\n  //@ launch g grid=2"
    )
    first, second = parse_launch(text)
    assert (first.name, second.name) == ("ns::f<int, 4>", "g")
    assert first.shared_bytes is not None
    assert first.shared_bytes.text == "64"
    assert [(key, value.text) for key, value in first.arguments] == [("p", "f32[ 4 ] : (i == 2) ? 5 : i"), ("q", "3")]
    assert elements("f32[ 4 ] : (i == 2) ? 5 : i").tolist() == [0, 1, 5, 3]
    for _, value in first.arguments:
        assert text.split("\n")[value.where.line - 1][value.where.column - 1 :].startswith(value.text)


def test_a_parameter_may_be_called_as_a_part_of_the_launch() -> None:
    parameters = (("p", "int", "u32"), ("grid", "int", "u32"), ("smem", "int", "u32"))
    launch = launched("//@ launch k grid=1 block=1 p=1 grid=2 smem=3", parameters=parameters)
    assert launch.grid == (1, 1, 1)
    assert launch.parameter_bytes(routine(parameters).parameters, lambda name: 0) == struct.pack("<iii", 1, 2, 3)


def wrapped(value: int) -> int:
    return ctypes.c_int64(value).value


def quotient(left: int, right: int) -> int:
    """Toward zero."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


Computed = Callable[[int], int]  # of i
BINARY: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda left, right: wrapped(left + right),
    "-": lambda left, right: wrapped(left - right),
    "*": lambda left, right: wrapped(left * right),
    "/": lambda left, right: wrapped(quotient(left, right | 1)),
    "%": lambda left, right: left - quotient(left, right | 1) * (right | 1),
    "&": int.__and__,
    "|": int.__or__,
    "^": int.__xor__,
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "&&": lambda left, right: int(left != 0 and right != 0),
    "||": lambda left, right: int(left != 0 or right != 0),
}


def binary(operator: str, left: tuple[str, Computed], right: tuple[str, Computed]) -> tuple[str, Computed]:
    divisor = "|1" if operator in "/%" else ""
    compute = BINARY[operator]
    return f"({left[0]} {operator} ({right[0]}{divisor}))", lambda i: compute(left[1](i), right[1](i))


def choice(test: tuple[str, Computed], yes: tuple[str, Computed], no: tuple[str, Computed]) -> tuple[str, Computed]:
    return f"({test[0]} ? {yes[0]} : {no[0]})", lambda i: yes[1](i) if test[1](i) else no[1](i)


# An expression's text, and what C makes of it, in Python's own whole numbers.
LEAVES = st.one_of(
    st.just(("i", lambda i: i)), st.integers(-(1 << 40), 1 << 40).map(lambda value: (f"({value})", lambda i: value))
)
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(binary, st.sampled_from(sorted(BINARY)), inner, inner),
        st.builds(choice, inner, inner, inner),
        inner.map(lambda part: (f"(~{part[0]})", lambda i: ~part[1](i))),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, st.integers(1, 50))
def test_elements_are_what_c_makes_of_them(expression: tuple[str, Computed], count: int) -> None:
    text, compute = expression
    assert elements(f"i64[{count}]:{text}").tolist() == [compute(i) for i in range(count)]


def test_elements_of_every_type_are_converted_as_c_converts() -> None:
    assert elements("u8[300]:i").tolist() == [i % 256 for i in range(300)]
    assert elements("i8[300]:i").tolist() == [(i + 128) % 256 - 128 for i in range(300)]
    assert elements("u32[2]:-1-i").tolist() == [2**32 - 1, 2**32 - 2]
    assert elements("u64[1]:-1").tolist() == [2**64 - 1]
    assert elements("f16[3]:i*60000").tolist() == [0, 60000, float("inf")]
    assert elements("f32[2]:16777217+2*i").tolist() == [16777216, 16777220]  # to nearest, ties to even
    assert elements("i16[2]:(unsigned char)(i-1)").tolist() == [255, 0]
    assert elements("u64[1]:0xffffffffffffffffull/2").tolist() == [2**63 - 1]
    assert elements("i32[3]:min(i,1)+__popc(i)").tolist() == [0, 2, 2]
    for name, dtype in (("f64", "f8"), ("u16", "u2"), ("i64", "i8"), ("u32", "u4")):
        assert elements(f"{name}[3]").dtype == np.dtype(dtype)


def test_elements_beyond_32_bits_and_beyond_one_chunk() -> None:
    many = elements("i64[200000]:(i*48271+11)%1048576")
    assert np.array_equal(many, (np.arange(200_000) * 48271 + 11) % 1048576)
    assert elements("i64[1]:4096*1024*1024").tolist() == [1 << 32]


def test_only_the_elements_that_are_reached_can_be_wrong() -> None:
    assert elements("i32[4]:i ? 12/i : -1").tolist() == [-1, 12, 6, 4]
    assert elements("i32[4]:i && 12/i > 5").tolist() == [0, 1, 1, 0]
    (array,) = launched(
        "//@ launch k grid=1 block=1 p=i32[90000]:1/(80000-i)", parameters=(("p", "int*", "u64"),)
    ).arrays
    with pytest.raises(LaunchError, match=r"line 1, column 4\d: for i = 80000: division by zero"):
        array.values()


def test_looking_at_a_launch_makes_no_array() -> None:
    (array,) = launched("//@ launch k grid=1 block=1 p=u8[1<<28]:i", parameters=(("p", "float*", "u64"),)).arrays
    assert isinstance(array, Array)
    assert array.size == 1 << 28
    out = np.zeros(4, np.uint8)
    array.fill(out)
    assert out.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("written", "ctype", "ptx", "contents"),
    [
        ("-5", "int", "u32", struct.pack("<i", -5)),
        ("4294967295", "unsigned int", "u32", struct.pack("<I", 2**32 - 1)),
        ("0xff", "const unsigned char", "u8", b"\xff"),
        ("1<<40", "size_t", "u64", struct.pack("<Q", 1 << 40)),
        ("18446744073709551615", "std::uint64_t", "u64", b"\xff" * 8),
        ("1e6", "int", "u32", struct.pack("<i", 10**6)),
        ("true", "bool", "u8", b"\1"),
        ("3", "T", "u32", struct.pack("<i", 3)),
        ("-3", "T", "u32", struct.pack("<i", -3)),
        ("4294967295", "T", "u32", b"\xff" * 4),
        ("0.1f", "float", "f32", struct.pack("<f", 0.1)),
        ("3", "float", "f32", struct.pack("<f", 3)),
        ("-.5", "T", "f32", struct.pack("<f", -0.5)),
        ("-inf", "double", "f64", struct.pack("<d", float("-inf"))),
        ("1e300", "T", "f64", struct.pack("<d", 1e300)),
        ("1.5", "__half", "u16", struct.pack("<e", 1.5)),
        ("1.00390625", "__nv_bfloat16", "u16", b"\x80\x3f"),  # ties to even
        ("1.01171875", "__nv_bfloat16", "u16", b"\x82\x3f"),
        ("0", "float*", "u64", bytes(8)),
        ("nullptr", "const float* const", "u64", bytes(8)),
    ],
)
def test_numbers_have_the_bytes_of_their_type(written: str, ctype: str, ptx: str, contents: bytes) -> None:
    assert number(written, ctype, ptx) == contents


@given(st.integers(-(2**33), 2**33))
def test_an_integer_fits_or_is_refused(value: int) -> None:
    for ctype, least, most in (("int", -(2**31), 2**31 - 1), ("uint32_t", 0, 2**32 - 1)):
        if least <= value <= most:
            assert number(str(value), ctype, "u32") == (value % 2**32).to_bytes(4, "little")
        else:
            with pytest.raises(
                LaunchError, match=f"{value} does not fit p \\({ctype}\\), which holds {least} to {most}"
            ):
                number(str(value), ctype, "u32")


def test_a_struct_takes_its_bytes() -> None:
    parameters = (("v", "float4", "b8"), ("n", "int", "u32"))
    launch = launched("//@ launch k grid=1 block=1 v=f32[4]:i+1 n=7", parameters=parameters, size=16)
    contents = launch.parameter_bytes(routine(parameters, 16).parameters, lambda name: 0)
    assert contents == struct.pack("<4fi", 1, 2, 3, 4, 7)
    assert launch.arrays == ()
    with pytest.raises(LaunchError, match=r"v \(float4\) is a struct of 16 bytes, and is given 12"):
        launched("//@ launch k grid=1 block=1 v=f32[3] n=7", parameters=parameters, size=16)
    with pytest.raises(LaunchError, match=r"v \(float4\) is a struct: give its 16 bytes, as u8\[16\]:EXPR or @FILE"):
        launched("//@ launch k grid=1 block=1 v=3 n=7", parameters=parameters, size=16)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("byte_order", "<>")
def test_files_give_what_they_hold(tmp_path: Path, order: str, byte_order: str) -> None:
    stored = np.asarray(np.arange(6).reshape(2, 3), dtype=f"{byte_order}f4", order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "in.npy", stored)
    options = LaunchOptions(arguments=("x=@in.npy",), folder=tmp_path)
    (x, _) = launched(LINE, options).arrays
    assert isinstance(x, FileArray)
    assert (x.dtype, x.count) == (np.dtype("<f4"), 6)
    assert x.values().tolist() == [0, 1, 2, 3, 4, 5]
    np.save(tmp_path / "in.npy", np.zeros(7))
    with pytest.raises(LaunchError, match=r"--arg x: in\.npy was changed meanwhile"):
        x.values()


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        (None, r"--arg x: there is no file .*in\.npy"),
        (b"no array", r"in\.npy is no \.npy file with an array of numbers"),
        (b"", r"in\.npy is no \.npy file"),
        (b"\x93NUMPY\x01\x00\xff\xffgarbage", r"in\.npy is no \.npy file"),
        (np.array(["a", "b"]), r"in\.npy holds <U1, which is no array of numbers"),
        (np.array([{}], dtype=object), r"in\.npy is no \.npy file"),
        (np.zeros(0), r"in\.npy (holds no array|is no \.npy file)"),
    ],
)
def test_files_that_hold_no_numbers(tmp_path: Path, contents: object, sentence: str) -> None:
    if isinstance(contents, bytes):
        (tmp_path / "in.npy").write_bytes(contents)
    elif contents is not None:
        np.save(tmp_path / "in.npy", contents, allow_pickle=True)  # type: ignore[arg-type]
    with pytest.raises(LaunchError, match=sentence):
        launched(LINE, LaunchOptions(arguments=("x=@in.npy",), folder=tmp_path))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"grid=4 ": ""}, r"^saxpy is given no grid: add --grid X\[,Y\[,Z\]\], or grid="),
        ({"block=256": ""}, r"^saxpy is given no block: add --block"),
        ({"grid=4": "grid=0"}, r"^line 1, column 23: grid 0x1x1 has 0 along x; 1 is the least"),
        ({"grid=4": "grid=1,70000"}, r"grid 1x70000x1 has 70000 along y; 65535 is the most"),
        ({"grid=4": "grid=1<<31"}, r"grid 2147483648x1x1 has 2147483648 along x; 2147483647 is the most"),
        ({"grid=4": "grid=1,2,3,4"}, r"a grid is written X, X,Y or X,Y,Z"),
        ({"grid=4": "grid=1,,2"}, r"a grid is written X, X,Y or X,Y,Z"),
        ({"grid=4": "grid=2,oops"}, r"^line 1, column 25: oops is no integer that this launch gives"),
        ({"grid=4": "grid=3 +"}, r"^line 1, column \d+: the expression ends too early"),
        ({"block=256": "block=-1"}, r"block -1x1x1 has -1 along x; 1 is the least"),
        ({"block=256": "block=64,32"}, r"a block of 64x32x1 has 2048 threads; 1024 are the most"),
        ({"block=256": "block=1,1,65"}, r"block 1x1x65 has 65 along z; 64 is the most"),
        ({"block=256": "block=256 smem=-4"}, r"a block has 0 to 232,448 bytes of dynamic shared memory, not -4"),
        ({"block=256": "block=256 smem=300000"}, r"dynamic shared memory, not 300,000"),
        ({"block=256": "block=256 block=2"}, r"saxpy has no parameter block; its parameters: n, a, x, y"),
        ({"block=256": "block="}, r"^line 1, column 25: block= has no value"),
        (
            {"n=1024 ": "", "[n]": "[4]"},
            r"^saxpy is given no value for n \(int\): add --arg n=VALUE, or n=VALUE to its",
        ),
        ({" y=f32[1<<10]": "", "n=1024 ": "", "[n]": "[4]"}, r"no value for n \(int\), y \(float\*\): add --arg n"),
        ({"x=f32[n]:i%7 ": ""}, r"no value for x \(const float\*\): add --arg x=f32\[COUNT\]"),
        ({"n=1024": "m=1024"}, r"^line 1, column 37: saxpy has no parameter m; its parameters: n, a, x, y"),
        ({"n=1024": "n=1024 n=2"}, r"n is given twice"),
        ({"n=1024": "n=1.5"}, r"n \(int\) is an integer, and 1.5 is none"),
        ({"n=1024": "n=123456789012345678901234567890"}, r"123456789012345678901234567890 does not fit n \(int\)"),
        ({"n=1024": "n=5000000000"}, r"5000000000 does not fit n \(int\), which holds -2147483648 to 2147483647"),
        ({"n=1024": "n=f32[4]", "[n]": "[4]"}, r"n \(int\) is a number, so it takes no array"),
        ({"a=0.5f": "a=1e39"}, r"1e\+39 does not fit a \(float\): it is too large"),
        ({"a=0.5f": "a=1/0"}, r"division by zero"),
        ({"f32[n]:i%7": "3"}, r"x \(const float\*\) is a pointer: give an array such as f32\[1024\], or 0 for none"),
        ({"f32[n]": "f31[n]"}, r"^line 1, column 51: f31 is no type of elements; they are f64 f32"),
        ({"f32[n]": "f32[n"}, r"the \[ of the array is never closed"),
        ({"f32[n]": "f32[]"}, r"the array has no count"),
        ({"f32[n]": "f32[0]"}, r"^line 1, column 55: x has 0 elements; 1 is the least"),
        ({"f32[n]": "f32[-n]"}, r"x has -1024 elements; 1 is the least"),
        ({"f32[n]": "f32[i]"}, r"i is no integer that this launch gives"),
        (
            {"f32[n]": "f32[1<<50]"},
            r"x has 4,503,599,627,370,496 bytes and [\d,]+ with the others; [\d,]+ are the most",
        ),
        ({"i%7": "i%7.5"}, r"a floating-point number stands where integers are computed"),
        ({"i%7": "j"}, r"^line 1, column 58: j is no integer that this launch gives"),
        ({"i%7": "i%"}, r"the expression ends too early"),
        ({":i%7": "i%7"}, r"an array is written TYPE\[COUNT\] or TYPE\[COUNT\]:EXPR"),
        ({":i%7": ":"}, r"an array is written TYPE"),
        ({"i%7": "7%i"}, r"for i = 0: division by zero"),
        ({"i%7": "i<<64"}, r"a 64-bit number is shifted by less than 0 or more than 63"),
        ({"i%7": "x[i]"}, r"this is no part of an integer expression"),
        ({"i%7": "__import__(1)"}, r"the function __import__ is not known here"),
        ({"f32[n]:i%7": "@"}, r"@ is followed by the path of a \.npy file"),
        ({" saxpy grid=4 block=256": " grid=4"}, r"^line 1, column \d+: the launch names no kernel"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_with_its_place(changes: Mapping[str, str], sentence: str) -> None:
    text = LINE
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    with pytest.raises(LaunchError, match=sentence) as caught:
        launched(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (LaunchOptions(grid="0"), r"^--grid: grid 0x1x1 has 0 along x"),
        (LaunchOptions(grid=""), r"^--grid: a grid is written"),
        (LaunchOptions(block="2000"), r"^--block: block 2000x1x1 has 2000 along x"),
        (LaunchOptions(shared_bytes="x"), r"^--smem: x is no integer"),
        (LaunchOptions(shared_bytes=""), r"^--smem: a block has 0 to 232,448 bytes"),
        (LaunchOptions(arguments=("n",)), r"^--arg: an argument is written NAME=VALUE"),
        (LaunchOptions(arguments=("=3",)), r"^--arg: an argument is written NAME=VALUE"),
        (LaunchOptions(arguments=("z=3",)), r"^--arg z: saxpy has no parameter z; its parameters: n, a, x, y"),
        (LaunchOptions(arguments=("n=3.5",)), r"^--arg n: n \(int\) is an integer, and 3.5 is none"),
    ],
)
def test_what_is_wrong_with_an_option_names_the_option(options: LaunchOptions, sentence: str) -> None:
    with pytest.raises(LaunchError, match=sentence):
        launched(LINE, options)


def test_arrays_that_only_together_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays_module, "_most_bytes", lambda: 8192)
    launched(LINE)
    with pytest.raises(LaunchError, match=r"--arg y: y has 4,100 bytes and 8,196 with the others; 8,192 are the most"):
        launched(LINE, LaunchOptions(arguments=("y=f32[1025]",)))


def test_without_names_in_the_file_arguments_go_by_their_order() -> None:
    (line,) = parse_launch(LINE)
    made = routine(SAXPY)
    for declared in (None, [DeclaredParameter("", ctype) for _, ctype, _ in SAXPY], [DeclaredParameter("n")]):
        launch = launch_of(line, LaunchOptions(), made, declared, name="k", folder=Path())
        assert [argument.name for argument in launch.arguments] == ["n", "a", "x", "y"]
        with pytest.raises(LaunchError, match=r"k has 4 parameters \(.*\), whose names .*, and is given 5 values"):
            launch_of(line, LaunchOptions(arguments=("z=1",)), made, declared, name="k", folder=Path())


@given(st.text(alphabet="//@ launch saxpygrid=block,123[]():%*+-ifu.n@'\"\\\n\t#<>?é\x00", max_size=60))
def test_any_text_is_a_launch_or_one_sentence(text: str) -> None:
    for written in (text, "//@ launch saxpy " + text, LINE.rstrip() + text, f"//@ launch k grid=1 block=1 n={text}"):
        said = "a launch"
        try:
            launched(written)
        except LaunchError as error:
            said = str(error)
        assert said
        assert "\n" not in said
