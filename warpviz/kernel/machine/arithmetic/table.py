"""Which function reads which instruction."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from warpviz.kernel.machine.arithmetic.bits import (
    lower_funnel_shift,
    lower_logic,
    lower_lop3,
    lower_not,
    lower_shift,
)
from warpviz.kernel.machine.arithmetic.carry import lower_carrying_product, lower_carrying_sum
from warpviz.kernel.machine.arithmetic.compare import lower_selp, lower_set, lower_setp, lower_slct
from warpviz.kernel.machine.arithmetic.convert import lower_cvt
from warpviz.kernel.machine.arithmetic.fields import (
    lower_bfe,
    lower_bfi,
    lower_bfind,
    lower_bmsk,
    lower_brev,
    lower_count,
    lower_fns,
    lower_prmt,
    lower_szext,
)
from warpviz.kernel.machine.arithmetic.floats import (
    FLOAT_TYPES,
    lower_copysign,
    lower_float_extreme,
    lower_float_sign,
    lower_float_sum,
    lower_testp,
)
from warpviz.kernel.machine.arithmetic.half import (
    HALF_TYPES,
    lower_half_approximate,
    lower_half_extreme,
    lower_half_sign,
    lower_half_sum,
)
from warpviz.kernel.machine.arithmetic.integers import (
    lower_division,
    lower_extreme,
    lower_paired_sum,
    lower_sad,
    lower_sign,
    lower_sum,
)
from warpviz.kernel.machine.arithmetic.moves import lower_cvta, lower_isspacep, lower_mov
from warpviz.kernel.machine.arithmetic.operation import INTEGER_TYPES, Name, Operation
from warpviz.kernel.machine.arithmetic.products import lower_dot, lower_mad, lower_mul, lower_mul24
from warpviz.kernel.machine.arithmetic.quotients import (
    lower_approximate,
    lower_float_div,
    lower_rcp,
    lower_rsqrt,
    lower_sqrt,
)
from warpviz.kernel.machine.arithmetic.video import lower_absolute_differences
from warpviz.kernel.ptx.syntax import Instruction, Vector

Lower = Callable[[Name], Operation]
Reading = Lower | Mapping[str, Lower]


def operation_of(instruction: Instruction) -> Operation | None:
    """What an instruction computes; None for an opcode that does more than compute in registers, or is not known.

    Raises UnknownFormError, with the PTX name, for a form of a known one that is not computed here.
    """
    reading = _READINGS.get(instruction.opcode)
    if isinstance(reading, Mapping):
        types = [modifier for modifier in instruction.modifiers if modifier != "relu"]  # it may come last
        chosen = "cc" if "cc" in types else (types or [""])[-1]
        reading = reading.get(chosen, _no_such_type)
    if reading is None:
        return None
    name = Name(instruction)
    operation = reading(name)
    sources = instruction.operands[operation.results :]
    if sum(len(source.elements) if isinstance(source, Vector) else 1 for source in sources) != len(operation.reads):
        raise name.unknown()
    return operation


def _no_such_type(name: Name) -> Operation:
    raise name.unknown()


def _by_type(
    integers: Lower | None = None, floats: Lower | None = None, halves: Lower | None = None, **others: Lower
) -> Mapping[str, Lower]:
    """The reading for each type that the name may end in. others: by a type, or by the modifier `cc`."""
    readings = dict(others)
    for types, lower in ((INTEGER_TYPES, integers), (FLOAT_TYPES, floats), (HALF_TYPES, halves)):
        if lower is not None:
            readings |= dict.fromkeys(types, lower)
    return readings


_PAIRS = {"u16x2": lower_extreme, "s16x2": lower_extreme}
_READINGS: Mapping[str, Reading] = {
    "add": _by_type(
        lower_sum,
        lower_float_sum,
        lower_half_sum,
        u16x2=lower_paired_sum,
        s16x2=lower_paired_sum,
        cc=lower_carrying_sum,
    ),
    "sub": _by_type(lower_sum, lower_float_sum, lower_half_sum, cc=lower_carrying_sum),
    "addc": lower_carrying_sum,
    "subc": lower_carrying_sum,
    "mul": _by_type(lower_mul, lower_float_sum, lower_half_sum),
    "mad": _by_type(lower_mad, lower_float_sum, cc=lower_carrying_product),
    "madc": lower_carrying_product,
    "fma": _by_type(None, lower_float_sum, lower_half_sum),
    "mul24": lower_mul24,
    "mad24": lower_mul24,
    "dp4a": lower_dot,
    "dp2a": lower_dot,
    "sad": lower_sad,
    "vabsdiff2": lower_absolute_differences,
    "vabsdiff4": lower_absolute_differences,
    "div": _by_type(lower_division, lower_float_div),
    "rem": lower_division,
    "rcp": lower_rcp,
    "sqrt": lower_sqrt,
    "rsqrt": lower_rsqrt,
    "sin": lower_approximate,
    "cos": lower_approximate,
    "lg2": lower_approximate,
    "ex2": _by_type(None, lower_approximate, lower_half_approximate),
    "tanh": _by_type(None, lower_approximate, lower_half_approximate),
    "neg": _by_type(lower_sign, lower_float_sign, lower_half_sign),
    "abs": _by_type(lower_sign, lower_float_sign, lower_half_sign),
    "min": _by_type(lower_extreme, lower_float_extreme, lower_half_extreme, **_PAIRS),
    "max": _by_type(lower_extreme, lower_float_extreme, lower_half_extreme, **_PAIRS),
    "copysign": lower_copysign,
    "testp": lower_testp,
    "and": lower_logic,
    "or": lower_logic,
    "xor": lower_logic,
    "not": lower_not,
    "cnot": lower_not,
    "lop3": lower_lop3,
    "shl": lower_shift,
    "shr": lower_shift,
    "shf": lower_funnel_shift,
    "bfe": lower_bfe,
    "bfi": lower_bfi,
    "bfind": lower_bfind,
    "brev": lower_brev,
    "popc": lower_count,
    "clz": lower_count,
    "fns": lower_fns,
    "prmt": lower_prmt,
    "szext": lower_szext,
    "bmsk": lower_bmsk,
    "setp": lower_setp,
    "set": lower_set,
    "selp": lower_selp,
    "slct": lower_slct,
    "cvt": lower_cvt,
    "mov": lower_mov,
    "cvta": lower_cvta,
    "isspacep": lower_isspacep,
}
