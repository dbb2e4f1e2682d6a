"""Any text at all has an answer or one sentence; never another exception, never a wait."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.expression.ask import CASES
from warpviz.expression import ExpressionError, Pattern, parse

WORDS = [
    *"s t lane k threadIdx .x [ ] ( ) { } ; , ? : + - * / % & | ^ ~ ! << >> < > == && || = += ++ -> . ...".split(),
    *"0 1 31 0x7f 1.5f 'a' \"b\" 99999999999999999999 true # ## @ ä $ ` \\ // /* */".split(),
    *"float int unsigned char float4 half void struct union enum typedef const auto extern __shared__ sizeof".split(),
    *"__align__(16) __attribute__((aligned(8))) reinterpret_cast<int*> static_cast int( :: std:: _Alignas".split(),
    *"#define #undef #include P M min __popc _Generic asm goto while".split(),
    *["\n", "\\\n", "\t", "\0"],
]

texts = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=25).map("".join),
)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, str]:
    """The texts of a real case with something cut out or put in."""
    case = draw(st.sampled_from(CASES))
    both = [case["expr"], case["decl"]]
    which = draw(st.integers(0, 1))
    text = both[which]
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 8)))
    both[which] = text[:start] + draw(st.one_of(st.just(""), st.sampled_from(WORDS))) + text[end:]
    return both[0], both[1]


def check_sentence(error: ExpressionError) -> None:
    """One line that is short enough to read, and a place that is there."""
    assert "\n" not in str(error)
    assert len(str(error)) < 300
    assert min(error.line, error.column) >= 1
    assert len(error.caret().split("\n")) == 2


def answer(pattern: Pattern) -> None:
    """Ask everything that can be asked."""
    try:
        program = parse(pattern)
        evaluation = program.evaluate(dict.fromkeys(program.free_names, 3))
    except ExpressionError as error:
        check_sentence(error)
        return
    assert evaluation.substituted(5)
    assert evaluation.cuda_source()


@settings(max_examples=120, deadline=None)
@given(texts, texts, st.sampled_from(["", "lane < 7", "?"]))
@example("s[lane]", "typedef struct A A; typedef A A;", "")
@example("A", "struct A { int x; }; typedef A A; struct A A;", "")
@example("s[lane]", "struct { ", "")
@example("s[f(]", "#define f(x) x", "")
@example("s[f]", "#define f(x) x", "")
@example("r", "auto& r = r;", "")
@example("s[a]", "const auto a = {1};", "")
@example("s[a]", "auto a = s;", "")
@example("a.x", "auto a = threadIdx;", "")
@example("s[q->x]", "struct Q { struct Q* x; } q = {q};", "")
@example("s[_Alignas(4) 3]", "", "")
@example("(__shared__ float)s", "", "")
@example("s[(__shared__ int)3]", "", "")
def test_words_of_c_in_any_order(expression: str, declarations: str, where: str) -> None:
    answer(Pattern(expression, declarations, where))


@settings(max_examples=120, deadline=None)
@given(damaged())
def test_damaged_cases(texts: tuple[str, str]) -> None:
    answer(Pattern(*texts))


LONG = 100_000
HUGE = {
    "brackets": ("s[" * LONG, ""),
    "balanced": ("s[" + "(" * 5000 + "lane" + ")" * 5000 + "]", ""),
    "minus": ("s[" + "-" * 5000 + "lane]", ""),
    "sum": ("s[" + "lane + " * 3000 + "1]", ""),
    "conditional": ("s[" + "lane ? 1 : " * 1000 + "0]", ""),
    "stars": ("*" * 3000 + "p", "float " + "*" * 3000 + "p;"),
    "subscripts": ("p" + "[0]" * 1000, "float " + "p" + "[1]" * 1000 + ";"),
    "members": ("p" + ".x" * 3000, "struct P { float x; }; P* p;"),
    "name": ("x" * LONG, ""),
    "number": ("s[" + "9" * LONG + "]", ""),
    "suffix": ("s[1" + "x" * LONG + "]", ""),
    "comment": ("/*" * LONG, ""),
    "quotes": ("'" * LONG, ""),
    "spaces": (" " * LONG + "s[lane]", "\n" * LONG),
    "declarations": ("s[lane]", "int a;" * (LONG // 6)),
    "doubling macros": ("s[A0]", "\n".join(f"#define A{i} A{i + 1} + A{i + 1}" for i in range(60))),
    "doubling arguments": ("s[" + "D(" * 30 + "1" + ")" * 30 + "]", "#define D(x) ((x) + (x))"),
    "recursive macro": ("s[A]", "#define A B\n#define B A"),
    "chain of locals": (
        "s[a999]",
        "int a0 = 1;" + "".join(f"const int a{i} = a{i - 1} + a{i - 1};" for i in range(1, 1000)),
    ),
    "nested structs": ("s[lane]", "struct { " * 500 + "int x;" + " };" * 500),
    "huge array": ("t[lane]", "const int t[1 << 30] = {1}; __shared__ float u[1 << 29][1 << 10];"),
    "large initializer": ("t[lane]", "const int t[] = {" + "1, " * 4000 + "2};"),
}


@pytest.mark.parametrize("texts", HUGE.values(), ids=HUGE.keys())
def test_huge_texts(texts: tuple[str, str]) -> None:
    answer(Pattern(*texts))


def test_a_chain_of_doubled_locals_is_worked_out_once() -> None:
    chain = "".join(f"const int a{i} = a{i - 1} + a{i - 1};" for i in range(1, 25))
    answer(Pattern("s[a24 & 31]", "const int a0 = lane;" + chain))


def test_the_parser_is_not_imported_before_it_is_needed() -> None:
    program = "import sys, warpviz.expression; sys.exit('pycparser' in sys.modules or 'cuda' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
