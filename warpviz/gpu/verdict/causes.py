"""Why a measurement is not what was predicted, told by the evidence there is, the strongest first. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from warpviz.gpu.code.machine_code import finding
from warpviz.gpu.kernels import UNROLLED
from warpviz.gpu.measurement import Code, Conditions, Counts, Measurement, Slope
from warpviz.gpu.verdict.comparison import Cause, Comparison
from warpviz.hardware import base_arch
from warpviz.model.cost import Cost
from warpviz.model.metrics import instructions
from warpviz.model.rules import MEASURED_ARCH, is_lower_bound, main_rule
from warpviz.wording import counted, plural

_UNSTEADY = 0.3  # repeats that lie further apart than this, in wavefronts or requests, are noise
_ABOVE_BOUND = (1, 2)  # sectors or lines by which scattered atomics were counted above their lower bound


@dataclass(frozen=True)
class _Case:
    """A comparison to explain, with all that is known. cost: the prediction, a batch of one."""

    comparison: Comparison
    cost: Cost
    measurement: Measurement

    @property
    def slope(self) -> Slope | None:
        return self.measurement.wavefronts

    @property
    def counts(self) -> Counts | None:
        counters = self.measurement.counters
        return counters if isinstance(counters, Counts) else None

    @property
    def by_the_other(self) -> float | None:
        """What the other of the two, time and counters, says of the same quantity."""
        quantity, slope = self.comparison.quantity, self.slope
        if self.comparison.by == "time":
            counted: float | None = getattr(self.counts, quantity, None)
            return counted
        if slope is None or slope.count is None:
            return None
        if quantity == "conflicts" and self.cost.ideal_wavefronts is not None:
            return slope.count - int(self.cost.ideal_wavefronts[0])
        return slope.count

    @property
    def other_agrees(self) -> bool:
        """The other of the two gives the predicted number."""
        return self.by_the_other == self.comparison.predicted


def cause_of(comparison: Comparison, cost: Cost, measurement: Measurement) -> Cause | None:
    """Why this comparison is off, or why the time tells no number. None when it is equal or was never measured.

    cost: the prediction, a batch of one. Looked at in this order: what the compiler made of the access, what the
    counters are known to count besides, figures that are unsteady, an architecture without measured rules, and how busy
    the GPU was. Without evidence for any of these the cause is "open": no difference is left without one.
    """
    case = _Case(comparison, cost, measurement)
    if comparison.outcome == "off":
        return next(cause for explain in _OFF if (cause := explain(case)) is not None)
    if comparison.outcome == "unmeasured" and comparison.by == "time":
        return _compiled(case) or _doubtful_time(case)
    return None


def _compiled(case: _Case) -> Cause | None:
    """By what the kernel that was timed is made of, or by what was executed while it was counted."""
    looks = (_by_code, _by_instructions) if case.comparison.by == "time" else (_by_instructions, _by_code)
    for look in looks:
        known, cause = look(case)
        if known:
            return cause
    return None


def _by_code(case: _Case) -> tuple[bool, Cause | None]:
    """Whether the machine code was read, and what is wrong with it."""
    code = case.measurement.code
    if not isinstance(code, Code):
        return False, None
    found = finding(code, case.measurement.access)
    return True, None if found.kind == "as asked" else Cause(found.kind, found.sentence)


def _by_instructions(case: _Case) -> tuple[bool, Cause | None]:
    """Whether the executed instructions were counted, and what is wrong with their number."""
    executed = case.counts.instructions if case.counts is not None else None
    if executed is None:
        return False, None
    access = case.measurement.access
    asked = instructions(access.space, access.width)
    if executed == asked:
        return True, None
    sentence = (
        f"{executed * UNROLLED:g} {plural(executed * UNROLLED, 'instruction')} for {UNROLLED} accesses were executed, "
        f"where {asked * UNROLLED} are asked for"
    )
    if executed < asked:
        return True, Cause("folded", f"{sentence}: the compiler folded or fused the others")
    return True, Cause("split", f"{sentence}: the compiler split them")


def _arbitration(case: _Case) -> Cause | None:
    comparison, predicted = case.comparison, case.cost.wavefronts
    if comparison.quantity != "conflicts" or comparison.off_by <= 0 or case.counts is None or predicted is None:
        return None
    wavefronts = case.counts.wavefronts
    if wavefronts is None or wavefronts != int(predicted[0]):
        return None
    return Cause(
        "arbitration",
        f"the conflicts counter also counts waits for other traffic: {comparison.off_by:g} here, as the counted "
        f"{counted(int(wavefronts), 'wavefront')} {'is' if wavefronts == 1 else 'are'} as predicted",
    )


def _lower_bound(case: _Case) -> Cause | None:
    comparison = case.comparison
    above = comparison.off_by
    if comparison.quantity not in ("sectors", "lines") or above not in _ABOVE_BOUND:
        return None
    if not is_lower_bound(case.measurement.access.access()):
        return None
    return Cause(
        "lower bound",
        "of an atomic that scatters over many lines the prediction is a lower bound, and the hardware takes "
        f"{above:g} more",
    )


def _unsteady(case: _Case) -> Cause | None:
    comparison = case.comparison
    if comparison.by == "counters":
        if comparison.measured is None or comparison.measured == round(comparison.measured):
            return None
        return Cause(
            "noise",
            f"{comparison.measured:g} {comparison.quantity} an access is no whole number, so something else was "
            "counted too: measure again",
        )
    if case.other_agrees:
        sentence = f"the counters give the predicted {comparison.predicted}, so the time is wrong"
        return Cause("noise", "; ".join([sentence, *_disturbances(case)]))
    if _is_unsteady(case.slope):
        return Cause("noise", f"{_joined(_disturbances(case))}: measure again")
    return None


def _assumed_rule(case: _Case) -> Cause | None:
    arch = case.measurement.gpu.arch
    if base_arch(arch) == MEASURED_ARCH or case.other_agrees:
        return None
    rule = main_rule(case.measurement.access.access())
    return Cause(
        "assumed rule",
        f"the rules are measured on {MEASURED_ARCH}, and {arch} does not keep this one: {rule}",
    )


def _disturbed(case: _Case) -> Cause | None:
    disturbances = _disturbances(case)
    if case.comparison.by == "counters" or case.by_the_other is not None or not disturbances:
        return None
    return Cause("noise", f"{_joined(disturbances)}, though the repeats agree: measure again when the GPU is free")


def _open(case: _Case) -> Cause:
    """There is always this."""
    return Cause(
        "open",
        f"{_who_says_what(case.measurement)}, and {_how_sure_of_the_code(case)}; it may be a rule that warpviz does "
        "not know: please report it with what `warpviz measure … --json` prints",
    )


_OFF: tuple[Callable[[_Case], Cause | None], ...] = (
    _compiled,
    _arbitration,
    _lower_bound,
    _unsteady,
    _assumed_rule,
    _disturbed,
    _open,
)


def _doubtful_time(case: _Case) -> Cause:
    """Why the time tells no whole number."""
    doubt = case.comparison.reason or "the time tells no whole number"
    disturbances = _disturbances(case)
    return Cause("noise", f"{doubt}; {_joined(disturbances)}") if disturbances else Cause("doubt", doubt)


def _is_unsteady(slope: Slope | None) -> bool:
    return slope is not None and slope.spread > _UNSTEADY * slope.unit_cycles


def _disturbances(case: _Case) -> list[str]:
    """What speaks for noise in the time, each with its numbers."""
    return list(_disturbed_by(case.slope, case.measurement))


def _disturbed_by(slope: Slope | None, measurement: Measurement) -> Iterator[str]:
    if slope is not None and _is_unsteady(slope):
        spread = slope.spread / slope.unit_cycles
        yield f"the {slope.repeats} repeats lie {spread:.2f} {measurement.timed_quantity} apart"
    conditions = measurement.conditions
    if not isinstance(conditions, Conditions):
        return
    if conditions.throttled:
        clock = "" if conditions.sm_mhz is None else f" at {conditions.sm_mhz:,} MHz"
        yield f"the clocks are held back{clock} ({', '.join(conditions.throttled)})"
    if conditions.other_processes:
        others = counted(conditions.other_processes, "other process")
        yield f"{others} {'uses' if conditions.other_processes == 1 else 'use'} the GPU"


def _who_says_what(measurement: Measurement) -> str:
    slope, quantity = measurement.wavefronts, measurement.timed_quantity
    timed = None if slope is None else slope.count
    counted: float | None = getattr(measurement.counters, quantity, None)
    if timed is None:
        return "only the counters tell of it" + ("" if counted is None else f" ({counted:g} {quantity})")
    if counted is None:
        return f"only the time tells of it ({timed} {quantity})"
    if timed == counted:
        return f"time and counters both say {timed} {quantity}"
    return f"the time says {timed} {quantity}, the counters {counted:g}"


def _how_sure_of_the_code(case: _Case) -> str:
    if isinstance(case.measurement.code, Code):
        return "the machine code is as asked"
    if case.counts is not None and case.counts.instructions is not None:
        return "as many instructions as asked were executed"
    return "the machine code was not read"


def _joined(parts: list[str]) -> str:
    return " and ".join(parts)
