"""What the help explains of a view: what is open, the picture of this kind of access, and its measurement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from warpviz.model.banks import broadcasts

if TYPE_CHECKING:
    from warpviz.tui.render.text import Look
    from warpviz.tui.shown import Shown
    from warpviz.tui.state import View

Sample = Literal["", "waiting", "now", "served", "shared", "fullest", "waste", "good", "bad", "chosen"]


@dataclass(frozen=True)
class Entry:
    """name: a word, a key or a mark of the screen; empty for a sentence on the whole. text: what it means. sample: what
    the name is drawn like."""

    name: str
    text: str
    sample: Sample = ""


@dataclass(frozen=True)
class Topic:
    """Entries under a title."""

    title: str
    entries: tuple[Entry, ...]


def topics_of(view: View, look: Look) -> tuple[Topic, ...]:
    """What is open comes first; the picture and the measurement follow in any case."""
    return tuple(_topics(view, look))


def _topics(view: View, look: Look) -> Iterator[Topic]:
    if view.panel == "why":
        yield _WHY
    if view.panel == "fix":
        yield _FIX
    if view.panel == "sweep":
        yield _sweep(view, look)
    if view.panel == "evidence":
        yield _EVIDENCE
    if view.pinned is not None:
        yield _A_BESIDE_B
    if view.shown is not None:
        yield _picture(view, view.shown, look)
        yield _measured(view.shown, look)


def topics_of_kernel(look: Look) -> tuple[Topic, ...]:
    """What stands on the screen of a kernel."""
    glyphs = look.glyphs
    entries = (
        Entry(
            "", "The file, and beside each line that touches memory what its accesses cost, summed up over the grid."
        ),
        Entry("access", "ld: load, st: store, atomic, reduce, copy; then the memory. A line may have several"),
        Entry("requests", "accesses of one warp, each with an active lane"),
        Entry("per req", "what a request costs on average: wavefronts (passes) of shared memory, sectors of global"),
        Entry("ideal", "what it would cost with no bank conflict, or with the bytes used next to each other"),
        Entry("1.00", "at its ideal", "good"),
        Entry("32.00", "twice its ideal or more", "bad"),
        Entry("32.00", "the same, where it is 5% of the kernel's cost or more", "fullest"),
        Entry("measured", f"after m: {glyphs.equal} counted as predicted; else what was counted, a request"),
        Entry("conflicts", "wavefronts beyond the ideal, all together"),
        Entry("12!", "a line with a hazard: h shows it", "bad"),
        Entry(glyphs.bar_full, "share: of all that the kernel's accesses cost in the same unit"),
        Entry(glyphs.play, "the chosen access: the lines at the foot are about it", "chosen"),
    )
    return (Topic("the kernel", entries),)


def topics_of_replay(look: Look) -> tuple[Topic, ...]:
    """What stands on the screen of a block's replay."""
    glyphs = look.glyphs
    time = (
        Entry(
            "",
            "The accesses of one block, in the order in which it is interpreted here; a GPU may take its warps in "
            "another order between two barriers.",
        ),
        Entry(
            glyphs.levels[-1],
            "the timeline: how many bytes of shared memory then wait to be read; without shared "
            "memory, what each access costs",
        ),
        Entry(glyphs.levels[-1], "accesses here cost more than their ideal", "bad"),
        Entry(glyphs.column_rule, "under it: the block meets at a barrier"),
        Entry(glyphs.place, "the access of now; a click on the timeline goes there"),
        Entry("iteration", "how often the warp has made this very access before"),
    )
    fresh = " " if look.palette.hues[0].of("served", 0).bgcolor else glyphs.fresh
    access = (
        Entry("pass", "the access of now, as the explorer draws it: its passes, lines or requests"),
        Entry(" 8 ", "lane 8 touches this word, now", "now"),
        Entry(f" {fresh} ", "the word is written, and nobody has read it yet", "served"),
        Entry(f" {glyphs.kept} ", "it is read, and will be read again", "served"),
        Entry(f" {glyphs.waiting} ", "done: nobody reads it before it is written again"),
        Entry(f" {glyphs.unequal} ", "it is read, and the block has never written it", "bad"),
        Entry("colour", "one for each line of the source that writes shared memory; eight colours in turn"),
        Entry("+128", "a row: its first byte; or the variable that begins in it"),
        Entry("click", "on a word: go to the access that wrote it last"),
    )
    return Topic("the block in time", time), Topic("shared memory", access)


_CLOSE = Entry("esc", "closes it, and so does its own key")
_WHY = Topic(
    "why it costs what it costs",
    (
        Entry("", "A line for each reason, the most telling first; at its left what it is about."),
        Entry("cheap", "a line like this makes the access cheap", "good"),
        Entry("dear", "a line like this makes it dear", "bad"),
        Entry("index", "how the index changes from lane to lane, or that it is the same in every lane"),
        Entry("counted as", "a predicted number, and the metric of Nsight Compute that counts the same"),
        Entry("not modelled", "what the prediction leaves out"),
        Entry("pgup pgdn", "scroll it"),
        _CLOSE,
    ),
)
_FIX = Topic(
    "what would mend it",
    (
        Entry("", "Other values, paddings, swizzles and layouts, the best first, each weighed against every access."),
        Entry("1-9", "apply the fix with this number to every access; u takes it back"),
        Entry("32 to 1", "what an access costs now, and what it would cost"),
        Entry("bytes", "how much larger the array becomes"),
        Entry("advice", "what helps, but has to be done in your own code"),
        Entry("no", "what does not help here, and why"),
        Entry("pgup pgdn", "scroll it"),
        _CLOSE,
    ),
)
_EVIDENCE = Topic(
    "what was measured, and how",
    (
        Entry("verdict", "predicted beside measured; the access is counted exactly, or told by time"),
        Entry("cause", "why measured differs from predicted, with what shows it; open: nobody knows yet"),
        Entry("by time", "without counters: the cycles of one access more; global memory: bytes a second"),
        Entry(
            "counted", "the hardware counters of one access, each with its metric's name in Nsight Compute; M counts"
        ),
        Entry(
            "code", "what the compiler made of the access: the instructions, and how many of those asked for are left"
        ),
        Entry("clocks", "how the GPU stood while it was timed, and what held its clocks back"),
        Entry("g", "the measurements of the next GPU that was recorded"),
        Entry("pgup pgdn", "scroll it"),
        _CLOSE,
    ),
)
_A_BESIDE_B = Topic(
    "A beside B",
    (
        Entry("A", "the access that was pinned: it stays as it was", "chosen"),
        Entry("B", "the access that the keys turn and edit", "chosen"),
        Entry(
            "", "Both animate in step. Under them: what each costs, what was measured, and what B has fewer or more."
        ),
        Entry("A", "swaps them: what was pinned is edited, what was edited is pinned"),
        Entry("a", "unpins A"),
    ),
)
_COUNTED = {"pass": "passes", "sector": "sectors", "request": "requests"}
_IDEAL = {
    "pass": "passes without a conflict",
    "sector": "the sectors that the bytes asked for would fill",
    "request": "a single request",
}


def _sweep(view: View, look: Look) -> Topic:
    unit = view.shown.schedule.unit if view.shown else "pass"
    entries = (
        Entry("", f"A column for each value of the chosen knob, as high as its predicted {_COUNTED[unit]}."),
        Entry(look.glyphs.bar_full, f"up to the ideal: {_IDEAL[unit]}", "good"),
        Entry(look.glyphs.bar_full, "what goes beyond it", "bad"),
        Entry("", "Where one value takes 8 or more, each doubling is one step of the height."),
        Entry(look.glyphs.measured, "measured or recorded; m measures every value, esc cancels"),
        Entry(look.glyphs.place, "the knob's value now"),
        Entry(look.glyphs.unequal, "the expression is in error at this value"),
        Entry("← →", "turn the knob, as a click on a column does"),
        Entry("tab", "the cost over the next knob; behind the last over the width, the bytes a lane"),
        _CLOSE,
    )
    return Topic("the cost over a knob", entries)


def _picture(view: View, shown: Shown, look: Look) -> Topic:
    unit = shown.schedule.unit
    memory = {"pass": _banks, "sector": _sectors, "request": _requests}[unit]
    title = {"pass": "banks of shared memory", "sector": "sectors of global memory", "request": "constant memory"}[unit]
    marks = f"{look.glyphs.served} {look.glyphs.now} {look.glyphs.waiting}"
    entries = (
        Entry("lane", "the warp's 32 lanes; in narrow columns 10 to 31 are a to v"),
        Entry(marks, "under a lane: served, now, waiting; none: it takes no part"),
        *memory(shown, look),
        Entry(f"lane {view.lane}", "the chosen lane: its own numbers, and where its bytes lie", "chosen"),
        Entry("predicted", _PREDICTED[unit]),
        Entry("click", _CLICK[unit]),
    )
    return Topic(f"the picture: {title}", entries)


_PREDICTED = {
    "pass": "the passes; conflicts: those beyond the ideal",
    "sector": "the sectors, the part of their bytes that is used, the lines",
    "request": "the requests",
}
_CLICK = {
    "pass": "choose a lane or a knob; a bank's number: light up the bank",
    "sector": "choose a lane or a knob; unused bytes: light up their sector",
    "request": "choose a lane or a knob",
}


def _banks(shown: Shown, look: Look) -> Iterator[Entry]:
    shares = broadcasts(shown.access)
    yield Entry("bank", "the 32 banks of 4 bytes; behind bank 31 comes bank 0 again")
    if shown.busy:
        yield Entry(f"{min(shown.busy):>2}", "a fullest bank: it is busy until the last pass", "fullest")
    served = "one word" if shares else "one lane"
    yield Entry("pass", f"a row: each bank serves {served} (which first is not known)")
    if len({step.phase for step in shown.schedule.steps}) > 1:
        yield Entry("phase", "the lanes that are served together; every phase has passes of its own")
    yield from _blocks(look)
    if shares:
        yield Entry(
            f"8{look.glyphs.several}", "more lanes than lane 8 want this word: broadcast, no extra pass", "shared"
        )
    yield Entry("colour", "one for each 128 aligned bytes; eight colours in turn")


def _sectors(shown: Shown, look: Look) -> Iterator[Entry]:
    yield Entry("line", "a row: 128 aligned bytes; its label is the first of them")
    yield Entry("sector", "32 aligned bytes, 8 columns of 4; each moves whole")
    if len({step.phase for step in shown.schedule.steps}) > 1:
        yield Entry("round", "lanes of an atomic that have the same address go out in rounds, one lane in each")
    yield from _blocks(look)
    if broadcasts(shown.access):
        yield Entry(f"8{look.glyphs.several}", "more lanes than lane 8 have bytes in this word", "shared")
    yield Entry(look.glyphs.waste, "moved, and no lane asks for it", "waste")
    yield Entry("colour", "one for each sector; eight colours in turn")


def _requests(shown: Shown, look: Look) -> Iterator[Entry]:
    yield Entry("request", "a row: it serves all the lanes that read one address")
    yield Entry("word", "a column: 4 bytes; behind word 31 comes word 0 again")
    if len({step.phase for step in shown.schedule.steps}) > 1:
        yield Entry("phase", "16 bytes a lane are two loads of 8, with requests of their own")
    yield from _blocks(look)
    yield Entry(f"8{look.glyphs.several}", "more lanes than lane 8 read this word", "shared")
    yield Entry("colour", "one for each word; eight colours in turn")


def _blocks(look: Look) -> Iterator[Entry]:
    holds = "a block holds the lane that wants these bytes"
    if look.motion == "reduced":
        yield Entry(" 8 ", f"{holds}; {look.glyphs.play} stands before the row that is served now", "served")
        return
    yield Entry(" 8 ", f"{holds}: here it waits", "waiting")
    yield Entry(" 8 ", f"it is served now; {look.glyphs.play} stands before its row", "now")
    yield Entry(" 8 ", "it is served", "served")


def _measured(shown: Shown, look: Look) -> Topic:
    unit = shown.schedule.unit
    by_unit = _COUNTED_BY_NCU if unit == "sector" else _timed(unit, look)
    entries = (
        Entry("m", "the GPU makes this access, if it finds the same 32 addresses"),
        *by_unit,
        Entry(f"{look.glyphs.equal} equal", "the count is the predicted one", "good"),
        Entry(f"{look.glyphs.unequal} off by", "it is not, and by how much", "bad"),
        Entry("recorded", "measured earlier, on the GPU that is named"),
        Entry("measured", "measured here, just now"),
    )
    return Topic("the measurement", entries)


_COUNTED_BY_NCU = (
    Entry("sectors", "counted by Nsight Compute (ncu): time does not tell them"),
    Entry("GB/s used", "by time, over more data than L2 holds: the bytes that lanes ask for"),
    Entry("GB/s moved", "the same with all bytes of their sectors"),
)


def _timed(unit: str, look: Look) -> Iterator[Entry]:
    how = "32 warps repeat it; the cycles of one more are its passes"
    if unit == "request":
        how = "32 warps repeat it; its cycles over those of one request"
    yield Entry("by time", how)
    figures = f"8.01 {look.glyphs.spread} 0.02"
    yield Entry(figures, f"{_COUNTED[unit]} before rounding; half the spread of five repeats")
