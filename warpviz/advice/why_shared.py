"""Why an access to shared memory takes its passes: the fullest bank, the phases, and the lanes that share a word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from warpviz.access import Access
from warpviz.advice.reason import Reason, pointing_lanes
from warpviz.advice.why_banks import stride_reason
from warpviz.advice.why_phases import pair_reason, phase_reason
from warpviz.hardware import BANKS, WORD_BYTES
from warpviz.model import Cell, Cost, Schedule, Step
from warpviz.model.banks import broadcasts
from warpviz.wording import between, counted, listed, plural, spelled


def shared_reasons(access: Access, cost: Cost, served: Schedule) -> Iterator[Reason]:
    """The most telling first."""
    assert cost.conflicts is not None
    conflicts = int(cost.conflicts[0])
    if not served.steps:
        yield Reason("no lane", "no lane takes part: nothing is asked for, no pass", "plain")
        return
    if conflicts:
        phase = _longest_phase(served)
        yield phase.fullest_bank(access)
        yield phase.banks_alike(access)
    else:
        yield _without_conflict(access, served)
    yield from stride_reason(access, conflicts)
    yield from phase_reason(access, served)
    yield from pair_reason(access)
    yield from _sharing(access, served)


@dataclass(frozen=True)
class _Phase:
    """The passes of one phase. number: from 1; 0 where it is the only one with an active lane."""

    number: int
    passes: tuple[Step, ...]

    @cached_property
    def queues(self) -> dict[int, list[Cell]]:
        """bank -> what it serves, a cell a pass."""
        queues: dict[int, list[Cell]] = {}
        for step in self.passes:
            for cell in step.cells:
                queues.setdefault(cell.column, []).append(cell)
        return queues

    @cached_property
    def fullest(self) -> list[int]:
        """The banks that are busy in every pass."""
        return sorted(bank for bank, queue in self.queues.items() if len(queue) == len(self.passes))

    def fullest_bank(self, access: Access) -> Reason:
        """Who waits for the first of the fullest banks."""
        bank, passes = self.fullest[0], len(self.passes)
        queue = self.queues[bank]
        words = list(dict.fromkeys(cell.word for cell in queue))
        lanes = [cell.lanes[0] for cell in queue]
        where = f"phase {self.number}: " if self.number else ""
        end = f"so {counted(passes, 'pass')}"
        if broadcasts(access):
            wanted = f"lanes {listed(lanes)} want words {listed(words)}: {spelled(passes)} words of bank {bank}"
        elif len(words) == 1:
            wanted = f"no broadcast: {passes} lanes update word {words[0]}"
        else:
            what = f"{spelled(len(words))} words of bank {bank}"
            wanted = f"no broadcast: lanes {listed(lanes)} update {what}, one lane a pass"
        return Reason(f"bank {bank}", f"{where}{wanted}, {end}", "bad")

    def banks_alike(self, access: Access) -> Reason:
        """How many banks are as full as the fullest, and how many have nothing to do."""
        full, idle = len(self.fullest), BANKS - len(self.queues)
        lesser = BANKS - full - idle
        if full == BANKS:
            have = f"all {BANKS} banks have"
        else:
            have = f"banks {listed(self.fullest)} have" if full > 1 else f"bank {self.fullest[0]} alone has"
        items = f"{spelled(len(self.passes))} {'words' if broadcasts(access) else 'lanes'}{' each' if full > 1 else ''}"
        rest = ""
        if lesser:
            rest = f"; {lesser} {plural(lesser, 'other')} {'has' if lesser == 1 else 'have'} fewer"
            rest += f", {idle} none" if idle else ""
        elif idle:
            rest = f"; the other {idle} {'has' if idle == 1 else 'have'} none"
        where = f"phase {self.number}: " if self.number else ""
        return Reason("banks", f"{where}{have} {items}{rest}", "plain")


def _longest_phase(served: Schedule) -> _Phase:
    """The first of the phases with the most passes."""
    phases: dict[int, list[Step]] = {}
    for step in served.steps:
        phases.setdefault(step.phase, []).append(step)
    longest = max(phases, key=lambda phase: len(phases[phase]))
    return _Phase(longest + 1 if len(phases) > 1 else 0, tuple(phases[longest]))


def _without_conflict(access: Access, served: Schedule) -> Reason:
    """Why every phase takes one pass."""
    lanes, phases = pointing_lanes(access), len(served.steps)
    cells = served.steps[0].cells
    if len(lanes) == 1:
        words = f"word {cells[0].word}" if len(cells) == 1 else f"words {cells[0].word} to {cells[-1].word}"
        return Reason("no conflict", f"lane {lanes[0]} alone wants {words}: one pass", "good")
    if len({int(access.addresses[0, lane]) for lane in lanes}) == 1:
        return _uniform(access, len(lanes), served)
    if phases > 1:
        items = "words" if broadcasts(access) else "lanes"
        return Reason("no conflict", f"in each of {phases} phases no bank has two {items}: {phases} passes", "good")
    verb = "want" if broadcasts(access) else "update"
    words = "" if access.width <= WORD_BYTES and len(cells) == len(lanes) else f"{counted(len(cells), 'word')} in "
    banks = f"{len(cells)} different banks" if len(cells) > 1 else f"bank {cells[0].column}"
    return Reason("no conflict", f"{len(lanes)} lanes {verb} {words}{banks}: one pass", "good")


def _uniform(access: Access, lanes: int, served: Schedule) -> Reason:
    """All lanes on one address, and no atomic."""
    words = len(served.steps[0].cells)
    what = f"{spelled(words)} {plural(words, 'word')}"
    if access.op == "st":
        same = what if words > 1 else "word"
        text = f"{lanes} lanes write the same {same}, where one lane's value stays,"
    else:
        text = f"the address is uniform across the warp: {what}, broadcast to {lanes} lanes"
    phases = len(served.steps)
    passes = "one pass" if phases == 1 else f"{phases} passes, one a phase"
    return Reason("broadcast", f"{text} in {passes}", "good")


def _sharing(access: Access, served: Schedule) -> Iterator[Reason]:
    """Different lanes on one word, where that is free and not said already."""
    serving = [len(cell.lanes) for step in served.steps for cell in step.cells]
    addresses = {int(access.addresses[0, lane]) for lane in pointing_lanes(access)}
    if max(serving) == 1 or len(addresses) == 1 or not broadcasts(access):
        return
    each = "each word" if len(set(serving)) == 1 else "a word"
    text = f"{each} serves {between(serving)} lanes: broadcast, no extra pass"
    if access.op == "st":
        text = f"{each} is written by {between(serving)} lanes{_kept(access, addresses)}: no extra pass"
    if access.width < WORD_BYTES:
        text = f"at {counted(access.width, 'byte')} a lane {text}"
    yield Reason("broadcast", text, "good")


def _kept(access: Access, addresses: set[int]) -> str:
    """What stays where several lanes of a store write the same bytes."""
    if len(addresses) == len(pointing_lanes(access)):
        return ""
    return f", {'of each address' if access.width < WORD_BYTES else 'where'} one lane's value stays"
