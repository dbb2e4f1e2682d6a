"""Every number in every sentence on the cost of an access, read back and held against the plain rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import gcd
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from tests.advice.reasons import reasons
from tests.expression.ask import CASES, case_pattern
from tests.model import oracle
from tests.model.test_cost import batches
from warpviz.access import Access
from warpviz.expression import Evaluation, Pattern, parse
from warpviz.model import Cost, predict

ELEMENT = {1: "char", 2: "short", 4: "int", 8: "long long", 16: "uint4"}
QUALIFIER = {"shared": "__shared__", "const": "__constant__"}
WITHOUT_NUMBERS = ("index", "pairs", "no lane", "not modelled")


def evaluation_of(
    space: str, op: str, width: int, matrices: int | None, table: tuple[int, ...], mask: int
) -> Evaluation:
    """An evaluation whose lanes touch these elements."""
    element = ELEMENT[width]
    elements = ", ".join(map(str, table))
    home = f"{element}* t;" if space == "global" else f"{QUALIFIER[space]} {element} t[8192];"
    declarations = f"{home} const int at[32] = {{{elements}}};"
    pattern = Pattern("t[at[lane]]", declarations, f"{mask}u >> lane & 1", op, matrices=matrices)  # type: ignore[arg-type]
    return parse(pattern).evaluate({})


@settings(max_examples=120, deadline=None)
@given(batches())
def test_every_number_is_true_of_any_access(batch: tuple[dict[str, Any], np.ndarray, np.ndarray]) -> None:
    kind, addresses, active = batch
    mask = sum(1 << lane for lane in range(32) if active[0, lane])
    table = tuple((addresses[0] // kind["width"]).tolist())
    evaluation = evaluation_of(kind["space"], kind["op"], kind["width"], kind["matrices"], table, mask)
    assert np.array_equal(evaluation.access.addresses[active[:1]], addresses[:1][active[:1]])
    check(evaluation)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_number_is_true_of_real_questions(case: dict[str, Any]) -> None:
    check(parse(case_pattern(case)).evaluate(case["set"]))


def check(evaluation: Evaluation) -> None:
    """Read the sentences back, and hold every number that they have against the plain rules."""
    access, cost = evaluation.access, predict(evaluation.access)
    given_reasons = reasons(evaluation)
    assert len(given_reasons) <= 9
    assert [reason.subject for reason in given_reasons].index("counted as") >= 1
    for reason in given_reasons:
        assert 0 < len(reason.text) <= 160
        assert "\n" not in reason.text
        assert len(reason.subject) <= 12
    facts = Facts(access, cost)
    for reason in given_reasons:
        read = [(re.search(pattern, reason.text), holds) for pattern, holds in READERS]
        assert any(found for found, _ in read) or reason.subject in WITHOUT_NUMBERS, f"nobody reads {reason.text}"
        for found, holds in read:
            assert found is None or holds(facts, *found.groups()), reason.text


class Facts:
    """An access, counted as plainly as can be."""

    def __init__(self, access: Access, cost: Cost) -> None:
        self.cost = cost
        self.op, self.width, self.matrices = access.op, access.width, access.matrices
        self.addresses: list[int] = access.addresses[0].tolist()
        self.active: list[bool] = access.active[0].tolist()
        self.lanes = [lane for lane, reads in enumerate(access.pointing[0].tolist()) if reads]

    def quantity(self, number: str, name: str) -> bool:
        counts = getattr(self.cost, name if name.endswith("s") else name + "s")
        return int(number.replace(",", "")) == counts[0]

    def phases(self) -> list[list[int]]:
        return oracle.phases(self.addresses, self.active, self.op, self.width, self.matrices)

    def words(self, lane: int) -> set[int]:
        return {byte // 4 for byte in range(self.addresses[lane], self.addresses[lane] + self.width)}

    def bank_words(self, lanes: list[int], bank: int) -> list[int]:
        """A word for each time that a lane wants it."""
        return [word for lane in lanes for word in self.words(lane) if word % 32 == bank]

    def bank_sizes(self, lanes: list[int]) -> list[int]:
        """For each bank how many passes it is busy."""
        wanted = [self.bank_words(lanes, bank) for bank in range(32)]
        return [len(words) if self.op in ("atom", "red") else len(set(words)) for words in wanted]

    def fullest(self, phase: str | None) -> list[int]:
        """The lanes of the phase that is named, or of the only one."""
        if phase:
            return self.phases()[int(phase) - 1]
        (only,) = [lanes for lanes in self.phases() if lanes]
        return only

    def sectors(self) -> Counter[tuple[int, int]]:
        """(round, sector) -> how many lanes it serves."""
        atomic = self.op in ("atom", "red")
        before = [self.addresses[:lane] if atomic else [] for lane in range(32)]
        seen = {lane: [a for a, on in zip(before[lane], self.active, strict=False) if on] for lane in self.lanes}
        return Counter((seen[lane].count(self.addresses[lane]), self.addresses[lane] // 32) for lane in self.lanes)


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


NUMBER = {word: i for i, word in enumerate("no one two three four five six seven eight nine ten".split())}


def value(word: str) -> int:
    return NUMBER[word] if word in NUMBER else int(word)


def queue(facts: Facts, phase: str | None, lanes: str, words: str, count: str, bank: str, passes: str) -> bool:
    members = facts.fullest(phase)
    for lane, word in zip(numbers(lanes), numbers(words), strict=True):
        assert lane in members
        assert word in facts.words(lane)
        assert word % 32 == int(bank)
    return len(set(facts.bank_words(members, int(bank)))) == value(count) == int(passes)


def one_word(facts: Facts, phase: str | None, lanes: str, word: str, passes: str) -> bool:
    members = facts.fullest(phase)
    return facts.bank_words(members, int(word) % 32) == [int(word)] * int(lanes) == [int(word)] * int(passes)


def turns(facts: Facts, phase: str | None, lanes: str, words: str, bank: str, passes: str) -> bool:
    members = facts.fullest(phase)
    wanted = facts.bank_words(members, int(bank))
    assert all(int(bank) in {word % 32 for word in facts.words(lane)} for lane in numbers(lanes))
    return (len(set(wanted)), len(wanted)) == (value(words), int(passes))


def split(facts: Facts, phases: str, per_phase: str, passes: str) -> bool:
    sizes = len(facts.phases())
    named = min(sizes, facts.matrices or sizes)
    return (int(phases), int(phases) * int(per_phase)) == (
        named,
        32 if facts.matrices is None else 8 * facts.matrices,
    ) and facts.quantity(passes, "wavefronts")


def serving(facts: Facts, text: str) -> bool:
    counts = facts.sectors().values()
    return (min(numbers(text)), max(numbers(text))) == (min(counts), max(counts))


def sharing(facts: Facts, text: str) -> bool:
    wanted = [Counter(word for lane in lanes for word in facts.words(lane)) for lanes in facts.phases()]
    counts = [count for phase in wanted for count in phase.values()]
    return (min(numbers(text)), max(numbers(text))) == (min(counts), max(counts))


def own_sectors(facts: Facts, used: str) -> bool:
    return max(facts.sectors().values()) == 1 and int(used) == facts.width


def stride(facts: Facts, far: str, unit: str, back: str | None = None) -> bool:
    step = int(far.replace(",", "")) * (4 if unit.startswith("word") else 1) * (-1 if back else 1)
    neighbours = [(a, b) for lanes in facts.phases() for a, b in pairwise(lanes)]
    return all(facts.addresses[b] - facts.addresses[a] == step * (b - a) for a, b in neighbours)


def moved(facts: Facts, used: str, total: str) -> bool:
    assert facts.cost.bytes_used is not None
    assert facts.cost.sectors is not None
    return (int(used.replace(",", "")), int(total.replace(",", ""))) == (
        facts.cost.bytes_used[0],
        32 * facts.cost.sectors[0],
    )


def alignment(facts: Facts, past: str, sectors: str) -> bool:
    return min(facts.addresses[lane] for lane in facts.lanes) % 32 == int(past) and len(facts.sectors()) == int(sectors)


def one_address(facts: Facts, lanes: str, byte: str, count: str, rounds: str) -> bool:
    on_it = [lane for lane in facts.lanes if facts.addresses[lane] == int(byte)]
    most = max(Counter(facts.addresses[lane] for lane in facts.lanes).values())
    return set(numbers(lanes)) <= set(on_it) and len(on_it) == most == int(count) == int(rounds)


def different(facts: Facts, lanes: str, addresses: str) -> bool:
    return (len(facts.lanes), len({facts.addresses[lane] for lane in facts.lanes})) == (int(lanes), int(addresses))


def same_byte(facts: Facts, lanes: str, byte: str) -> bool:
    return all(facts.addresses[lane] == int(byte) for lane in numbers(lanes))


def free(facts: Facts, lanes: str, words: str | None, banks: str) -> bool:
    wanted = set().union(*(facts.words(lane) for lane in facts.lanes))
    return len(facts.lanes) == int(lanes) and len(wanted) == int(words or banks) == len(
        {w % 32 for w in wanted}
    ) == int(banks)


def alike(facts: Facts, banks: str, count: str, item: str, rest: str) -> bool:
    """Of the first phase with the most passes: the fullest banks, those with fewer words (or lanes), and the idle."""
    sizes = max((facts.bank_sizes(lanes) for lanes in facts.phases() if lanes), key=max)
    assert item == ("lane" if facts.op in ("atom", "red") else "word")
    assert all(sizes[bank] == value(count) for bank in (range(32) if banks.startswith("all") else numbers(banks)))
    full, idle = sizes.count(max(sizes)), sizes.count(0)
    others = [number for number in (32 - full - idle, idle) if number]
    return max(sizes) == value(count) and numbers(rest) == others


def factor(facts: Facts, steps: str, columns: str, common: str | None) -> bool:
    neighbours = [(a, b) for lanes in facts.phases() for a, b in pairwise(lanes)]
    size = 128 // int(columns)
    assert all(abs(facts.addresses[b] - facts.addresses[a]) == int(steps) * size * (b - a) for a, b in neighbours)
    return gcd(int(steps), int(columns)) == int(common or 1)


def alone(facts: Facts, lane: str) -> bool:
    return facts.lanes == [int(lane)]


def uniform(facts: Facts, lanes: str) -> bool:
    return len(facts.lanes) == int(lanes) and len({facts.addresses[lane] for lane in facts.lanes}) == 1


def uniform_words(facts: Facts, words: str, lanes: str) -> bool:
    return uniform(facts, lanes) and len(facts.words(facts.lanes[0])) == value(words)


def one_bank(facts: Facts, lanes: str, bank: str) -> bool:
    wanted = set().union(*(facts.words(lane) for lane in facts.lanes))
    return len(facts.lanes) == int(lanes) and [word % 32 for word in wanted] == [int(bank)]


def whole_sectors(facts: Facts, sectors: str) -> bool:
    return facts.quantity(sectors, "sectors") and facts.cost.bytes_used[0] == 32 * len(facts.sectors())  # type: ignore[index]


def rounds(facts: Facts, number: str) -> bool:
    return max(turn for turn, _ in facts.sectors()) + 1 == int(number)


def loads(facts: Facts, width: str, number: str, each: str) -> bool:
    return int(width) == facts.width == int(number) * int(each)


def requests_for_one(facts: Facts, lanes: str, number: str) -> bool:
    return uniform(facts, lanes) and value(number) == facts.cost.requests[0]  # type: ignore[index]


READERS: list[tuple[str, Callable[..., bool]]] = [
    # The counters
    (r"^([\d,]+) (request|sector|line|wavefront|conflict)s?: \w+__\w+\.sum$", Facts.quantity),
    # Shared memory
    (r"^(?:phase (\d): )?lanes (.*) want words (.*): (\w+) words of bank (\d+), so (\d+) passes$", queue),
    (r"^(?:phase (\d): )?no broadcast: (\d+) lanes update word (\d+), so (\d+) passes$", one_word),
    (r"^(?:phase (\d): )?no .*: lanes (.*) update (\w+) words of bank (\d+), one lane a pass, so (\d+) passes$", turns),
    (
        r"^(?:phase \d+: )?(all 32 banks|banks? [\d, …]*\d)(?: alone)? ha(?:ve|s) (\w+) (word|lane)s(?: each)?(.*)$",
        alike,
    ),
    (r": (\d) phases? of (\d+) lanes, .*?(\d+) pass(?:es)?$", split),
    (r"in each of \d phases no bank has two \w+: (\d+) (passes)$", lambda facts, n, _: facts.quantity(n, "wavefronts")),
    (r"word (?:serves|is written by) (\d+(?: \w+ \d+)?) lanes", sharing),
    (r"^([\d,]+) (words?|bytes?)( back)? from lane to lane", stride),
    (r": (\d+) and (\d+) \w+ share (?:the factor (\d+)|no factor)", factor),
    (r"^lane (\d+) alone", alone),
    (r": (\w+) words?, broadcast to (\d+) lanes in", uniform_words),
    (r"^(\d+) lanes write the same (\w+) words", lambda facts, lanes, words: uniform_words(facts, words, lanes)),
    (r"^(\d+) lanes write the same word,", lambda facts, lanes: uniform_words(facts, "one", lanes)),
    (r"^(\d+) lanes \w+ (?:(\d+) words? in )?(\d+) different banks: one pass$", free),
    (r"^(\d+) lanes want 1 word in bank (\d+): one pass$", one_bank),
    # Global memory
    (r"sector serves ([\d to]+(?:or \d+)?) lanes?(?: in each round)?$", serving),
    (r": 1 sector serves (\d+) lanes, ", uniform),
    (r"every byte of the (\d+) sectors? is used", whole_sectors),
    (r"a sector of its own and uses (\d+) of", own_sectors),
    (r"^stride (-?[\d,]+) (bytes?):", stride),
    (r"^([\d,]+) of the ([\d,]+) bytes that move", moved),
    (r"^the first byte is (\d+) bytes? past a sector's start: a (\d+)\w\w sector$", alignment),
    (r"^lanes (.*) update one address, byte (-?\d+): (\d+) lanes take (\d+) rounds$", one_address),
    (r"(\d+) rounds (?:of|move)", rounds),
    (r"(\d+) (sectors) in all$", Facts.quantity),
    (r"^(\d+) (sectors) in \d+ lines of 128 bytes", Facts.quantity),
    (r" in (\d+) (lines) of 128 bytes", Facts.quantity),
    # Constant memory
    (r"^(\d+) lanes read (\d+) different addresses", different),
    (r"for each: (\d+) (requests)$", Facts.quantity),
    (r"^lanes (.*) all read byte (-?\d+):", same_byte),
    (r"^one address for all (\d+) lanes: (\w+) requests?,", requests_for_one),
    (r"^(\d+) bytes a lane are (\d) loads of (\d)", loads),
]
