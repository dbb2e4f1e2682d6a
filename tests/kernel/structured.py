"""Random kernels of ifs, loops, breaks, continues and returns: as CUDA, as plain PTX, and as sets of lanes.

Each thread has a number `v`, which statements change and conditions read, so that threads part in all ways. A `Touch`
is an access of global memory that only it makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from hypothesis import strategies as st

WORD = (1 << 32) - 1
STRIDE = 4  # bytes of out between two threads


@dataclass(frozen=True)
class Condition:
    """((v * factor + thread * step + start) >> 2 & 7) < limit."""

    factor: int
    step: int
    start: int
    limit: int

    def holds(self, v: int, thread: int) -> bool:
        return ((v * self.factor + thread * self.step + self.start) & WORD) >> 2 & 7 < self.limit


@dataclass(frozen=True)
class Touch:
    """out[site * threads + thread] = v. site: which it is, in the order of the text."""

    site: int


@dataclass(frozen=True)
class Change:
    """v = v * factor + add."""

    factor: int
    add: int


@dataclass(frozen=True)
class If:
    condition: Condition
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True)
class Loop:
    """For at most `most` times, while the condition holds."""

    most: int
    condition: Condition
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Leave:
    """At the end of an if's statements."""

    how: Literal["break", "continue", "return"]


Statement = Touch | Change | If | Loop | Leave


@st.composite
def programs(draw: st.DrawFn, depth: int = 3) -> tuple[Statement, ...]:
    """Statements, with every site its own number. The last one is a Touch."""
    return _numbered((*_statements(draw, depth, in_loop=False), Touch(0)), count())


def _statements(draw: st.DrawFn, depth: int, *, in_loop: bool) -> tuple[Statement, ...]:
    return tuple(_statement(draw, depth, in_loop=in_loop) for _ in range(draw(st.integers(1, 3))))


def _statement(draw: st.DrawFn, depth: int, *, in_loop: bool) -> Statement:
    match draw(st.sampled_from(("touch", "change", "if", "if", "loop")[: 5 if depth else 2])):
        case "touch":
            return Touch(0)
        case "change":
            return Change(draw(_ODD), draw(st.integers(0, 99)))
        case "if":
            then = _statements(draw, depth - 1, in_loop=in_loop)
            leaves = draw(st.sampled_from(["", "return", *(["break", "continue"] if in_loop else [])]))
            otherwise = _statements(draw, depth - 1, in_loop=in_loop) if draw(st.booleans()) else ()
            return If(draw(_CONDITIONS), (*then, Leave(leaves)) if leaves else then, otherwise)
        case _:
            return Loop(draw(st.integers(1, 5)), draw(_CONDITIONS), _statements(draw, depth - 1, in_loop=True))


_ODD = st.integers(0, 500).map(lambda n: 2 * n + 1)
_CONDITIONS = st.builds(Condition, _ODD, st.sampled_from([0, 1, 3, 4, 29]), st.integers(0, 99), st.integers(2, 7))


def _numbered(statements: Sequence[Statement], numbers: Iterator[int]) -> tuple[Statement, ...]:
    numbered: list[Statement] = []
    for statement in statements:
        match statement:
            case Touch():
                numbered.append(Touch(next(numbers)))
            case If(condition=condition, then=then, otherwise=otherwise):
                numbered.append(If(condition, _numbered(then, numbers), _numbered(otherwise, numbers)))
            case Loop(most=most, condition=condition, body=body):
                numbered.append(Loop(most, condition, _numbered(body, numbers)))
            case _:
                numbered.append(statement)
    return tuple(numbered)


def sites(statements: Sequence[Statement]) -> int:
    """How many Touches there are."""
    total = 0
    for statement in statements:
        match statement:
            case Touch():
                total += 1
            case If(then=then, otherwise=otherwise):
                total += sites(then) + sites(otherwise)
            case Loop(body=body):
                total += sites(body)
    return total


def as_cuda(statements: Sequence[Statement], threads: int) -> str:
    """A kernel of the statements. It may say `bar.sync` nowhere."""

    def condition(c: Condition) -> str:
        return f"((v * {c.factor}u + t * {c.step}u + {c.start}u) >> 2 & 7) < {c.limit}"

    def text(inner: Sequence[Statement], depth: int) -> str:
        lines = []
        for statement in inner:
            match statement:
                case Touch(site=site):
                    lines.append(f"out[{site * threads} + t] += v + 1;")
                case Change(factor=factor, add=add):
                    lines.append(f"v = v * {factor}u + {add};")
                case If(condition=c, then=then, otherwise=otherwise):
                    lines.append(f"if ({condition(c)}) {{ {text(then, depth)} }} else {{ {text(otherwise, depth)} }}")
                case Loop(most=most, condition=c, body=body):
                    head = f"for (int i{depth} = 0; i{depth} < {most} && {condition(c)}; i{depth}++)"
                    lines.append(f"{head} {{ {text(body, depth + 1)} }}")
                case Leave(how=how):
                    lines.append(f"{how};")
        return "\n".join(lines)

    body = text(statements, 0)
    return (
        'extern "C" __global__ void structured(unsigned* out) {\n'
        f"unsigned t = blockIdx.x * blockDim.x + threadIdx.x, v = t;\n{body}\n}}\n"
    )


@dataclass
class _Ptx:
    """PTX while it is written. touches: line in the text -> site."""

    threads: int
    lines: list[str] = field(default_factory=list)
    touches: dict[int, int] = field(default_factory=dict)
    labels: Iterator[int] = field(default_factory=count)

    def condition(self, c: Condition) -> None:
        self.lines += [
            f"mad.lo.u32 %r2, %r1, {c.factor}, {c.start};",
            f"mad.lo.u32 %r2, %r0, {c.step}, %r2;",
            "shr.u32 %r2, %r2, 2;",
            "and.b32 %r2, %r2, 7;",
            f"setp.lt.u32 %p0, %r2, {c.limit};",
        ]

    def write(self, statements: Sequence[Statement], depth: int, ends: dict[str, str]) -> None:
        for statement in statements:
            match statement:
                case Touch(site=site):
                    self.lines.append(f"st.global.u32 [%rd1+{STRIDE * site * self.threads}], %r1;")
                    self.touches[len(self.lines)] = site
                case Change(factor=factor, add=add):
                    self.lines.append(f"mad.lo.u32 %r1, %r1, {factor}, {add};")
                case If():
                    self.branch(statement, depth, ends)
                case Loop():
                    self.loop(statement, depth, ends)
                case Leave(how=how):
                    self.lines.append(f"bra {ends[how]};")

    def branch(self, statement: If, depth: int, ends: dict[str, str]) -> None:
        number = next(self.labels)
        self.condition(statement.condition)
        self.lines.append(f"@!%p0 bra ELSE{number};")
        self.write(statement.then, depth, ends)
        self.lines += [f"bra END{number};", f"ELSE{number}:"]
        self.write(statement.otherwise, depth, ends)
        self.lines.append(f"END{number}:")

    def loop(self, loop: Loop, depth: int, ends: dict[str, str]) -> None:
        number, counter = next(self.labels), f"%i{depth}"
        self.lines += [f"mov.u32 {counter}, 0;", f"HEAD{number}:", f"setp.ge.u32 %p0, {counter}, {loop.most};"]
        self.lines.append(f"@%p0 bra OUT{number};")
        self.condition(loop.condition)
        self.lines.append(f"@!%p0 bra OUT{number};")
        inside = {**ends, "break": f"OUT{number}", "continue": f"NEXT{number}"}
        self.write(loop.body, depth + 1, inside)
        self.lines += [f"NEXT{number}:", f"add.u32 {counter}, {counter}, 1;", f"bra HEAD{number};", f"OUT{number}:"]


def as_ptx(statements: Sequence[Statement], threads: int) -> tuple[str, dict[int, int]]:
    """A kernel of the statements, as a compiler that optimises nothing writes it; and line -> site of each Touch."""
    ptx = _Ptx(threads)
    ptx.lines += [
        ".version 8.0",
        ".target sm_90",
        ".address_size 64",
        ".visible .entry structured(.param .u64 out)",
        "{ .reg .pred %p<1>; .reg .b32 %r<4>; .reg .b32 %i<9>; .reg .b64 %rd<3>;",
        "ld.param.u64 %rd0, [out];",
        "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r0, %r0, %r1, %r2;",
        f"mov.u32 %r1, %r0; mul.wide.u32 %rd1, %r0, {STRIDE}; add.s64 %rd1, %rd1, %rd0;",
    ]
    ptx.write(statements, 0, {"return": "DONE"})
    ptx.lines += ["DONE:", "ret;", "}"]
    return "\n".join(ptx.lines) + "\n", ptx.touches


@dataclass
class _Round:
    """Lanes that have left one round of a loop."""

    broken: set[int] = field(default_factory=set)
    continued: set[int] = field(default_factory=set)


@dataclass
class WarpWalk:
    """One warp, statement by statement: lanes that part meet again at the end of the if or loop.

    touched: (site, lanes) -> how often. v: of each lane.
    """

    first_thread: int
    v: dict[int, int]
    touched: Counter[tuple[int, frozenset[int]]] = field(default_factory=Counter)

    def walk(self, statements: Sequence[Statement], lanes: set[int], around: _Round) -> set[int]:
        """Which lanes come to the end of the statements."""
        for statement in statements:
            if not lanes:
                break
            match statement:
                case Touch(site=site):
                    self.touched[site, frozenset(lanes)] += 1
                case Change(factor=factor, add=add):
                    self.v.update({lane: (self.v[lane] * factor + add) & WORD for lane in lanes})
                case If(condition=condition, then=then, otherwise=otherwise):
                    yes = self._where(condition, lanes)
                    lanes = self.walk(then, yes, around) | self.walk(otherwise, lanes - yes, around)
                case Loop():
                    lanes = self._loop(statement, lanes)
                case Leave(how=how):
                    around.broken |= lanes if how == "break" else set()
                    around.continued |= lanes if how == "continue" else set()
                    lanes = set()
        return lanes

    def _where(self, condition: Condition, lanes: set[int]) -> set[int]:
        return {lane for lane in lanes if condition.holds(self.v[lane], self.first_thread + lane)}

    def _loop(self, loop: Loop, lanes: set[int]) -> set[int]:
        out: set[int] = set()
        for _ in range(loop.most):
            inside = self._where(loop.condition, lanes)
            out |= lanes - inside
            around = _Round()
            lanes = self.walk(loop.body, inside, around) | around.continued
            out |= around.broken
        return out | lanes
