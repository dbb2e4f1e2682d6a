"""Random kernels that touch shared memory between barriers of all kinds: as PTX, and thread by thread.

`racing` says for every two accesses whether something orders them, by vector clocks of single threads: it knows neither
warps that run together, nor times, nor intervals between barriers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, count
from typing import Literal

from hypothesis import strategies as st

WORDS = 140  # of shared memory
BLOCK, GRID = 128, 2
WORD = (1 << 32) - 1


@dataclass(frozen=True)
class Touch:
    """Of word ((thread ^ flip) * step + start + (v >> 3) * wander) % WORDS. value: what a store writes: a number, or
    where it is None the thread's own v. line: its place in the text."""

    op: Literal["ld", "st", "red"]
    step: int
    flip: int
    start: int
    wander: int
    value: int | None
    line: int = 0


@dataclass(frozen=True)
class Change:
    """v = v * 5 + add."""

    add: int


@dataclass(frozen=True)
class If:
    """For the threads whose v has one of some lowest three bits."""

    below: int
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Halves:
    """Each half of a warp for itself, which may meet as `Tiles`: if (lane < 16) … else …."""

    first: tuple[Statement, ...]
    second: tuple[Statement, ...]


@dataclass(frozen=True)
class Warps:
    """For the warps from the first to another one."""

    below: int
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Loop:
    """So many times; one more time in every second block."""

    times: int
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Meet:
    """All threads of the block; of each two warps; of each warp; of each half of a warp."""

    who: Literal["block", "pairs", "warp", "tiles"]


Statement = Touch | Change | If | Halves | Warps | Loop | Meet

_BLOCK = ("block", "pairs", "warp", "tiles")


@st.composite
def programs(draw: st.DrawFn) -> tuple[Statement, ...]:
    """Statements in which every Touch has its own line."""
    return _numbered(_statements(draw, 2, _BLOCK, 4, 9), count(100))


def _statements(
    draw: st.DrawFn, depth: int, meets: Sequence[str], least: int = 1, most: int = 3
) -> tuple[Statement, ...]:
    """meets: who can meet here, where these threads are together."""
    return tuple(_statement(draw, depth, meets) for _ in range(draw(st.integers(least, most))))


def _statement(draw: st.DrawFn, depth: int, meets: Sequence[str]) -> Statement:
    kinds = ["touch", "touch", "touch", *(["meet", "meet"] if meets else [])]
    if depth:
        kinds += ["if", "loop", "change", *(["warps"] if "warp" in meets else []), *(["halves"] if meets else [])]
    match draw(st.sampled_from(kinds)):
        case "meet":
            return Meet(draw(st.sampled_from(list(meets))))  # type: ignore[arg-type]
        case "change":
            return Change(draw(st.integers(0, 9)))
        case "if":
            return If(draw(st.integers(1, 7)), _statements(draw, depth - 1, ()))
        case "loop":
            return Loop(draw(st.integers(1, 2)), _statements(draw, depth - 1, meets))
        case "warps":
            return Warps(
                draw(st.integers(1, 3)), _statements(draw, depth - 1, [m for m in meets if m in ("warp", "tiles")])
            )
        case "halves":
            alone = ["tiles"] if "tiles" in meets else []
            return Halves(_statements(draw, depth - 1, alone), _statements(draw, depth - 1, alone))
        case _:
            op = draw(st.sampled_from(["ld", "ld", "st", "st", "red"]))
            step, flip = draw(st.sampled_from([1, 1, 1, 1, 0, 3])), draw(st.sampled_from([0, 0, 1, 5, 15, 16, 32, 64]))
            start, wander = draw(st.sampled_from([0, 0, 0, 0, 1, 7])), draw(st.sampled_from([0, 0, 0, 0, 0, 1]))
            return Touch(op, step, flip, start, wander, draw(st.sampled_from([None, None, 1, 2])))


def _numbered(statements: Sequence[Statement], lines: Iterator[int]) -> tuple[Statement, ...]:
    numbered: list[Statement] = []
    for each in statements:
        match each:
            case Touch():
                numbered.append(replace(each, line=next(lines)))
            case Halves(first=first, second=second):
                numbered.append(Halves(_numbered(first, lines), _numbered(second, lines)))
            case If(below=number, body=body) | Warps(below=number, body=body) | Loop(times=number, body=body):
                numbered.append(type(each)(number, _numbered(body, lines)))
            case _:
                numbered.append(each)
    return tuple(numbered)


@dataclass
class _Ptx:
    lines: list[str] = field(default_factory=list)
    labels: Iterator[int] = field(default_factory=count)

    def write(self, statements: Sequence[Statement], depth: int) -> None:
        for each in statements:
            match each:
                case Touch():
                    self.touch(each)
                case Change(add=add):
                    self.lines.append(f"mad.lo.u32 %v, %v, 5, {add};")
                case Meet(who=who):
                    self.lines.append(_MEETS[who])
                case If(below=below, body=body):
                    self.branch(["and.b32 %r1, %v, 7;", f"setp.lt.u32 %p0, %r1, {below};"], body, (), depth)
                case Warps(below=below, body=body):
                    self.branch([f"setp.lt.u32 %p0, %t, {32 * below};"], body, (), depth)
                case Halves(first=first, second=second):
                    self.branch(["and.b32 %r1, %t, 16;", "setp.eq.u32 %p0, %r1, 0;"], first, second, depth)
                case Loop():
                    self.loop(each, depth)

    def touch(self, touch: Touch) -> None:
        value = "%v" if touch.value is None else str(touch.value)
        operands = {"ld": "%r3, [%r2]", "st": f"[%r2], {value}", "red": "[%r2], 1"}[touch.op]
        name = {"ld": "ld.shared.u32", "st": "st.shared.u32", "red": "red.shared.add.u32"}[touch.op]
        self.lines += [
            f".loc 1 {touch.line} 0",
            f"shr.u32 %r2, %v, 3; mul.lo.u32 %r2, %r2, {touch.wander}; xor.b32 %r1, %t, {touch.flip};",
            f"mad.lo.u32 %r2, %r1, {touch.step}, %r2;",
            f"add.u32 %r2, %r2, {touch.start}; rem.u32 %r2, %r2, {WORDS}; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %s;",
            f"{name} {operands};",
        ]

    def branch(self, test: list[str], yes: Sequence[Statement], no: Sequence[Statement], depth: int) -> None:
        number = next(self.labels)
        self.lines += [*test, f"@!%p0 bra ELSE{number};"]
        self.write(yes, depth)
        self.lines += [f"bra END{number};", f"ELSE{number}:"]
        self.write(no, depth)
        self.lines.append(f"END{number}:")

    def loop(self, loop: Loop, depth: int) -> None:
        number, counter = next(self.labels), f"%i{depth}"
        self.lines += [f"and.b32 {counter}, %b, 1; add.u32 {counter}, {counter}, {loop.times};", f"HEAD{number}:"]
        self.write(loop.body, depth + 1)
        self.lines += [
            f"sub.u32 {counter}, {counter}, 1;",
            f"setp.ne.u32 %p0, {counter}, 0;",
            f"@%p0 bra HEAD{number};",
        ]


_MEETS = {
    "block": "bar.sync 0;",
    "pairs": "shr.u32 %r1, %t, 6; add.u32 %r1, %r1, 1; barrier.sync %r1, 64;",
    "warp": "bar.warp.sync -1;",
    "tiles": "and.b32 %r1, %t, 16; shl.b32 %r1, 65535, %r1; bar.warp.sync %r1;",
}


def as_ptx(statements: Sequence[Statement]) -> str:
    """A kernel of the statements, with .loc for each Touch."""
    ptx = _Ptx()
    ptx.write(statements, 0)
    head = [
        ".version 8.0",
        ".target sm_90",
        ".address_size 64",
        ".visible .entry shared_program(.param .u64 out)",
        f"{{ .shared .align 4 .b8 s[{4 * WORDS}];",
        ".reg .pred %p<1>; .reg .b32 %r<4>; .reg .b32 %i<9>; .reg .b32 %t; .reg .b32 %v; .reg .b32 %b; .reg .b32 %s;",
        ".loc 1 1 0",
        "mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %s, s;",
        f"mad.lo.u32 %v, %b, {BLOCK}, %t;",
    ]
    return "\n".join([*head, *ptx.lines, "ret;", "}", '.file 1 "sample.cu"']) + "\n"


@dataclass(frozen=True)
class Access:
    """clock: how often the thread has met others before. seen: the clocks of all threads that it knew of."""

    touch: Touch
    thread: int
    word: int
    value: int | None
    clock: int
    seen: tuple[int, ...]


@dataclass(frozen=True)
class _Meeting:
    """Threads that meet, all of them."""

    members: frozenset[int]


def accesses(statements: Sequence[Statement], block: int) -> list[Access]:
    """Of all threads of a block: each runs to where it meets others, again and again."""
    threads = [_walk(statements, thread, block, [block * BLOCK + thread]) for thread in range(BLOCK)]
    clocks = [[0] * BLOCK for _ in threads]
    waiting: dict[int, frozenset[int]] = {}
    found: list[Access] = []
    for thread in range(BLOCK):
        _advance(thread, threads, clocks, waiting, found)
    while waiting:
        members = next(m for m in waiting.values() if all(waiting.get(each) == m for each in m))
        for each in members:
            del waiting[each]
            clocks[each][each] += 1
        joined = [max(clocks[each][place] for each in members) for place in range(BLOCK)]
        for each in members:
            clocks[each] = list(joined)
        for each in members:
            _advance(each, threads, clocks, waiting, found)
    return found


def _advance(
    thread: int,
    threads: Sequence[Iterator[tuple[Touch, int, int | None] | _Meeting]],
    clocks: Sequence[list[int]],
    waiting: dict[int, frozenset[int]],
    found: list[Access],
) -> None:
    for event in threads[thread]:
        if isinstance(event, _Meeting):
            waiting[thread] = event.members
            return
        touch, word, value = event
        found.append(Access(touch, thread, word, value, clocks[thread][thread], tuple(clocks[thread])))


def _walk(
    statements: Sequence[Statement], thread: int, block: int, v: list[int]
) -> Iterator[tuple[Touch, int, int | None] | _Meeting]:
    for each in statements:
        match each:
            case Touch():
                word = ((thread ^ each.flip) * each.step + each.start + (v[0] >> 3) * each.wander & WORD) % WORDS
                yield each, word, v[0] if each.value is None else each.value
            case Change(add=add):
                v[0] = (v[0] * 5 + add) & WORD
            case Meet(who=who):
                size = {"block": BLOCK, "pairs": 64, "warp": 32, "tiles": 16}[who]
                first = thread // size * size
                yield _Meeting(frozenset(range(first, first + size)))
            case If(below=below, body=body):
                yield from _walk(body if v[0] & 7 < below else (), thread, block, v)
            case Warps(below=below, body=body):
                yield from _walk(body if thread < 32 * below else (), thread, block, v)
            case Halves(first=lower, second=upper):
                yield from _walk(upper if thread & 16 else lower, thread, block, v)
            case Loop(times=times, body=body):
                for _ in range(times + block % 2):
                    yield from _walk(body, thread, block, v)


def race(one: Access, other: Access) -> bool:
    """Whether two accesses of one word race."""
    if one.thread == other.thread or one.touch.op == other.touch.op != "st":
        return False
    if one.touch.op == other.touch.op and one.value == other.value:
        return False
    return one.seen[other.thread] <= other.clock and other.seen[one.thread] <= one.clock


def racing(found: Sequence[Access]) -> Iterator[tuple[Access, Access]]:
    """Every two accesses of a block that race."""
    by_word: dict[int, list[Access]] = {}
    for access in found:
        by_word.setdefault(access.word, []).append(access)
    for together in by_word.values():
        yield from (pair for pair in combinations(together, 2) if race(*pair))
