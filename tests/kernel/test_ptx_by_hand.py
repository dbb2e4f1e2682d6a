"""The parser on texts written by hand: every form that the language has for what NVRTC writes, and what is refused."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpviz.kernel.ptx import PtxError, read_module
from warpviz.kernel.ptx.literals import number_of
from warpviz.kernel.ptx.syntax import (
    Address,
    Immediate,
    Instruction,
    Line,
    Negated,
    Operand,
    Pair,
    Parameter,
    Register,
    Routine,
    Symbol,
    Variable,
    Vector,
)

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


def kernel(body: str, parameters: str = "") -> Routine:
    """That of a text with this body."""
    (found,) = read_module(f"{HEAD}.visible .entry k({parameters})\n{{\n{body}\n}}\n").kernels
    return found


def only(body: str) -> Instruction:
    """The one instruction of a body that declares registers for it."""
    (found,) = kernel(f".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n{body}").instructions
    return found


def variable(declaration: str) -> Variable:
    (found,) = read_module(HEAD + declaration).variables.values()
    return found


# Operands


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12), ("0x1F", 31), ("0X1fU", 31), ("052", 42), ("0", 0), ("0b101U", 5), ("7U", 7), ("-3", -3),
        ("0xFFFFFFFFFFFFFFFF", 2**64 - 1), ("0f3F800000", 1.0), ("0FBF000000", -0.5), ("0d3FE0000000000000", 0.5),
        ("0.25", 0.25), ("1.5e3", 1500.0), ("0f7F800000", float("inf")), ("WARP_SZ", 32),
    ],
)  # fmt: skip
def test_numbers(text: str, value: float) -> None:
    (operand,) = only(f"mov.u32 {text};").operands
    assert operand == Immediate(value)
    assert type(operand.value) is type(value)


@given(bits=st.integers(0, 2**32 - 1))
def test_the_bits_of_a_float_are_kept(bits: int) -> None:
    value = number_of(f"0f{bits:08X}")
    if value == value:  # a signalling NaN may become a quiet one
        assert struct.pack(">f", value) == bits.to_bytes(4, "big")


@pytest.mark.parametrize(
    ("text", "operands"),
    [
        ("ld.global.u32 %r1, [%rd2];", (Register("%r1"), Address(Register("%rd2"), 0))),
        ("ld.global.u32 %r1, [%rd2+-8];", (Register("%r1"), Address(Register("%rd2"), -8))),
        ("ld.global.u32 %r1, [%rd2 - 8 + 0x20];", (Register("%r1"), Address(Register("%rd2"), 24))),
        ("ld.shared.u32 %r1, [there+4];", (Register("%r1"), Address(Symbol("there"), 4))),
        ("ld.shared.u32 %r1, [64];", (Register("%r1"), Address(None, 64))),
        ("mov.u32 %r1, %tid.x;", (Register("%r1"), Register("%tid.x"))),
        ("mov.b64 {%r1, _}, %rd2;", (Vector((Register("%r1"), None)), Register("%rd2"))),
        ("mov.b64 %rd2, {%r1, 0};", (Register("%rd2"), Vector((Register("%r1"), Immediate(0))))),
        ("mbarrier.arrive.shared::cta.b64 _, [%r1];", (Register("_"), Address(Register("%r1"), 0))),
        ("elect.sync _|%p1, 0xffffffff;", (Pair(None, Register("%p1")), Immediate(2**32 - 1))),
        ("vote.sync.all.pred %p1, !%p2, -1;", (Register("%p1"), Negated(Register("%p2")), Immediate(-1))),
        ("shfl.sync.idx.b32 %r1|%p1, %r2, 3, 31, -1;",
         (Pair(Register("%r1"), Register("%p1")), Register("%r2"), Immediate(3), Immediate(31), Immediate(-1))),
        ("tex.1d.v2.f32.s32 {%f1,%f2}, [%rd1, {%r1}];",
         (Vector((Register("%f1"), Register("%f2"))), Address(Register("%rd1"), 0), Vector((Register("%r1"),)))),
        ("call.uni (a, b), f, (c);", (Vector((Symbol("a"), Symbol("b"))), Symbol("f"), Vector((Symbol("c"),)))),
        ("call f;", (Vector(()), Symbol("f"), Vector(()))),
        ("call f, (c);", (Vector(()), Symbol("f"), Vector((Symbol("c"),)))),
        ("call (a), %rd1, (), proto;", (Vector((Symbol("a"),)), Register("%rd1"), Vector(()), Symbol("proto"))),
        ("call %rd1, proto;", (Vector(()), Register("%rd1"), Vector(()), Symbol("proto"))),
    ],
)  # fmt: skip
def test_operands(text: str, operands: tuple[Operand, ...]) -> None:
    assert only(text).operands == operands


def test_an_instruction_has_its_name_guard_and_place() -> None:
    found = only("@!%p1 ld.global.L2::128B.v2.f32 {%f1,\n%f2}, [%rd1];")
    assert found.guard is not None
    assert (found.guard.register, found.guard.negated) == (Register("%p1"), True)
    assert (found.opcode, found.modifiers) == ("ld", ("global", "L2::128B", "v2", "f32"))
    assert found.ptx_line == 7


# Scopes


def test_names_of_inner_scopes_are_their_own() -> None:
    scope = """{ .reg .pred p; .param .b32 param0;
        LOOP: setp.eq.u32 p, %r0, 0; st.param.b32 [param0], %r0; @p bra DONE; bra LOOP; DONE: }"""
    found = kernel(f".reg .b32 %r<2>;\n{scope}\n{scope}\nret;")
    assert found.registers == {"%r0": "b32", "%r1": "b32", "p#1": "pred", "p#2": "pred"}
    assert [variable.name for variable in found.variables] == ["param0#1", "param0#2"]
    assert found.labels == {"LOOP#1": 0, "DONE#1": 4, "LOOP#2": 4, "DONE#2": 8}
    targets = [instruction.operands[0] for instruction in found.instructions if instruction.opcode == "bra"]
    assert targets == [Symbol("DONE#1"), Symbol("LOOP#1"), Symbol("DONE#2"), Symbol("LOOP#2")]
    assert found.instructions[5].operands[0] == Address(Symbol("param0#2"), 0)


def test_an_inner_scope_sees_the_outer_ones_and_hides_their_names() -> None:
    found = kernel(".reg .b32 t, u; { .reg .b32 t; { mov.b32 t, u; } mov.b32 t, 1; bra END; } mov.b32 t, 2; END: ret;")
    written_to = [i.operands[0] for i in found.instructions if i.opcode == "mov"]
    assert written_to == [Register("t#1"), Register("t#1"), Register("t")]
    assert found.instructions[0].operands[1] == Register("u")
    assert found.instructions[2].operands == (Symbol("END"),)


def test_tables_of_labels() -> None:
    found = kernel(
        ".reg .b32 %r<2>;\n$L_brx_0: .branchtargets\n$A,\n$B;\nbrx.idx %r1, $L_brx_0;\n$A: mov.b32 %r1, 0;\n$B: ret;"
    )
    assert found.tables == {"$L_brx_0": ("$A", "$B")}
    assert found.labels == {"$A": 1, "$B": 2}
    assert found.instructions[0].operands == (Register("%r1"), Symbol("$L_brx_0"))


def test_a_label_may_stand_at_the_end() -> None:
    assert kernel("bra $END;\n$END:").labels == {"$END": 1}


# Declarations


def test_parameters_lie_where_their_alignment_allows() -> None:
    text = """.param .u8 a, .param .align 8 .b8 b[20], .param .u16 c, .param .u64 .ptr .global .align 4 d,
              .param .align 16 .b8 e[16], .param .f32 f"""
    assert kernel("ret;", text).parameters == (
        Parameter("a", "u8", 0, 1, 1),
        Parameter("b", "b8", 8, 20, 8),
        Parameter("c", "u16", 28, 2, 2),
        Parameter("d", "u64", 32, 8, 8, is_pointer=True),
        Parameter("e", "b8", 48, 16, 16),
        Parameter("f", "f32", 64, 4, 4),
    )


def test_results_declarations_and_other_names_of_functions() -> None:
    module = read_module(
        f"""{HEAD}.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b) .noreturn;
        .func (.param .b32 r) f(.param .b32 a);
        .visible .func (.param .b32 r) f(.param .b32 a) {{ ret; }}
        .func (.param .b32 r) f(.param .b32 a);
        .weak .func (.param .b32 r) g;
        .alias g, f;
        .visible .entry k() .maxntid 256, 1, 1 .minnctapersm 2 .pragma "x"; {{ ret; }}"""
    )
    assert list(module.routines) == ["vprintf", "f", "g", "k"]
    assert module.routines["vprintf"].instructions == ()
    assert module.routines["f"].results == (Parameter("r", "b32", 0, 4, 4),)
    assert len(module.routines["f"].instructions) == 1
    assert module.routines["g"] == module.routines["f"]
    assert [routine.name for routine in module.kernels] == ["k"]


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        (".global .align 4 .u32 x;", Variable("x", "global", 4, 4)),
        (".extern .shared .align 16 .b8 x[];", Variable("x", "shared", 0, 16)),
        (".shared .f32 x[8][33];", Variable("x", "shared", 8 * 33 * 4, 4)),
        (".const .v4 .f32 x;", Variable("x", "const", 16, 16)),
        (".visible .const .u16 x = 258;", Variable("x", "const", 2, 2, b"\2\1")),
        (".global .s8 x[3] = {-1, 2};", Variable("x", "global", 3, 1, b"\xff\2\0")),
        (".global .u64 x = -1;", Variable("x", "global", 8, 8, b"\xff" * 8)),
        (".global .f32 x[2] = {0f3F800000, 2.0};", Variable("x", "global", 8, 4, struct.pack("<2f", 1, 2))),
        (".global .f64 x = 1;", Variable("x", "global", 8, 8, struct.pack("<d", 1))),
        (".global .b32 x = 0f3F800000;", Variable("x", "global", 4, 4, struct.pack("<f", 1))),
        (".global .b8 x[2][3] = {{1}, {2, 3}};", Variable("x", "global", 6, 1, b"\1\0\0\2\3\0")),
        (".global .b8 x[2][2][2] = {{{1}}, {{2}, {3}}};", Variable("x", "global", 8, 1, b"\1\0\0\0\2\0\3\0")),
        (".global .v2 .u16 x[2] = {{1, 2}, {3, 4}};", Variable("x", "global", 8, 4, b"\1\0\2\0\3\0\4\0")),
        (".global .b8 x[2] = {0, 0};", Variable("x", "global", 2, 1)),
        (".global .attribute(.managed) .align 4 .u32 x = 5;", Variable("x", "global", 4, 4, b"\5\0\0\0")),
        (".global .texref x;", Variable("x", "global", 8, 8)),
        (".global .u64 x[3] = {generic(y)+8, 7, z-4};",
         Variable("x", "global", 24, 8, struct.pack("<3Q", 0, 7, 0), ((0, "y", 8), (16, "z", -4)))),
    ],
)  # fmt: skip
def test_variables(declaration: str, expected: Variable) -> None:
    assert variable(declaration) == expected


def test_a_line_begins_anew_in_each_routine_and_a_circle_of_calls_ends() -> None:
    circle = (
        "circle: .loc 1 5 1, function_name $L+4, inlined_at 1 6 1\n.loc 1 6 1, function_name $L, inlined_at 1 5 1\nret;"
    )
    text = f'{HEAD}.entry a(){{ .loc 1 7 0\n ret; }}\n.entry b(){{ ret; {circle} }}\n.file 1 "x.cu"'
    first, second = read_module(text).kernels
    assert [instruction.line for instruction in first.instructions] == [Line(7)]
    assert second.instructions[0].line == Line(0)
    assert second.instructions[1].line.number in (5, 6)


def test_files() -> None:
    assert read_module(f'{HEAD}.file 1 "a b.cu"\n.file\t2 "/c.h", 12, 34\n').files == {1: "a b.cu", 2: "/c.h"}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("mov.u32 %r1, 5", "PTX line 7: ; is expected, not }"),
        ("mov.u32 %r1, ;", "PTX line 6: a name is expected, not ;"),
        ("ret;\n\nmov.u32 x, 99999999999999999999;", "PTX line 8: 99999999999999999999 is no number of at most 64"),
        ("mov.u32 x, 0f3F8;", "PTX line 6: 0f3F8 is no number of at most 64 bits"),
        ("ld.u32 x, [y;", "PTX line 6: ] is expected, not ;"),
        ("ld.u32 x, [0.5];", "PTX line 6: an address is a whole number, not 0.5"),
        ("ld.u32 x, [y+0.5];", "PTX line 6: an offset is a whole number of bytes, not 0.5"),
        ("Ld.u32 x, [y];", "PTX line 6: Ld.u32 is no instruction"),
        ("@x ret;", "PTX line 6: x is no predicate"),
        ("setp.eq.u32 1|2, x, y;", "PTX line 6: results on both sides of | are registers"),
        (".reg .b32 x; .reg .b32 x;", "PTX line 6: x is declared twice"),
        (".reg .b7 x;", "PTX line 6: b7 is no type of a register that is known"),
        (".reg .b32 x<99999999>;", "PTX line 6: more than 1048576 registers in one routine"),
        (".shared .align 3 .b8 x[4];", "PTX line 6: an alignment is a power of two, and 3 is none"),
        (".shared x;", "PTX line 6: a declaration without a type"),
        (".local .b8 x[-1];", "PTX line 6: a count is a whole number, not -1"),
        (".local .b8 x[2] = {1, 2, 3};", "PTX line 6: more values than the variable has room for"),
        (".local .b8 x[2] = {{1}};", "PTX line 6: more braces than the variable has dimensions"),
        (".local .u32 x = y;", "PTX line 6: the address of y is stored in 4 bytes, not 8"),
        (".local .u32 x = 0.5;", "PTX line 6: 0.5 is a value of type u32, which holds no such number"),
        (".local .f32 x = 1e300;", "PTX line 6: 1e+300 is too large for type f32"),
        (".local .b8 x[999999999] = {1};", "PTX line 6: x is initialised and has 999999999 bytes"),
        (".local .b8 x" + "[99999999999]" * 999 + ";", "PTX line 6: an array of more than 281474976710656 bytes"),
        ("bra NOWHERE;", "PTX line 6: there is no label NOWHERE"),
        (".reg .b32 x; T: .branchtargets A, B; A: brx.idx x, T;", "PTX line 6: there is no label B"),
        ("{ IN: } bra IN;", "PTX line 6: there is no label IN"),
        ("A: A: ret;", "PTX line 6: the label A stands in two places"),
        (".loc 1 x 2", "PTX line 6: .loc has three numbers, and x is none"),
        (".entry x();", "PTX line 6: .entry is no directive that is known within a routine"),
        ("{" * 99, "PTX line 6: more than 64 scopes within each other"),
        ("} .what", "PTX line 6: .what is no directive that is known outside of routines"),
        ("} .alias f, g; {", "PTX line 6: g is no routine, and f cannot be another name of it"),
        ("} .pragma", "PTX line 7: ; is missing"),
        ("{", "PTX line 8: the text ends too early"),
        ("/* ret;", "PTX line 8: the text ends too early"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(body: str, sentence: str) -> None:
    with pytest.raises(PtxError) as caught:
        kernel(body)
    assert str(caught.value).startswith(sentence)
