"""What an instruction computes, as a pure function of arrays; and the parts of its name, each of which must be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.ptx.syntax import Instruction

Array = NDArray[Any]
Compute = Callable[..., Any]


class UnknownFormError(ValueError):
    """An instruction, or a form of one, that is not computed here. The text is its PTX name."""


@dataclass(frozen=True)
class Operation:
    """An instruction that computes in registers.

    compute: takes one array for each source, in their order, and gives one array, or a tuple of them when there are
    several results. The arrays broadcast against one another and the result has their common shape, never a wider one.
    A result is a view of nothing that changes later, but may be a source itself.
    reads: a dtype for each source: how `compute` takes it. A register that is wider gives its lowest bits.
    results: how many destinations the instruction names: operands before the first source. p|q counts as one operand
    and gives two results.
    reads_carry, writes_carry: the carry flag of the thread (bool) is one more source, or one more result, the last.
    """

    compute: Compute
    reads: tuple[np.dtype[Any], ...]
    results: int = 1
    reads_carry: bool = False
    writes_carry: bool = False


class Name:
    """An instruction's modifiers, taken one after the other.

    A modifier that nobody takes makes `finish` raise UnknownFormError: none is ever ignored.

    >>> from warpviz.kernel.ptx.syntax import Instruction, Line
    >>> name = Name(Instruction("add", ("rn", "f32"), (), None, Line(1), 1))
    >>> name.type(), name.one_of("rn", "rz"), name.has("ftz"), name.finish()
    ('f32', 'rn', False, None)
    """

    def __init__(self, instruction: Instruction) -> None:
        self.instruction = instruction
        self._left = list(instruction.modifiers)

    def type(self, *allowed: str) -> str:
        """The last modifier that is left: a type. Raises UnknownFormError where it is none of those allowed."""
        if not self._left or (allowed and self._left[-1] not in allowed):
            raise self.unknown()
        return self._left.pop()

    def has(self, modifier: str) -> bool:
        """Whether the modifier is there; takes it."""
        if modifier not in self._left:
            return False
        self._left.remove(modifier)
        return True

    def one_of(self, *modifiers: str) -> str | None:
        """The first modifier of these that is there, taken; None when there is none."""
        return next((modifier for modifier in modifiers if self.has(modifier)), None)

    def needs(self, *modifiers: str) -> str:
        """As `one_of`, where one must be there. Raises UnknownFormError."""
        found = self.one_of(*modifiers)
        if found is None:
            raise self.unknown()
        return found

    def finish(self) -> None:
        """Raises UnknownFormError when a modifier is left that nobody has taken."""
        if self._left:
            raise self.unknown()

    def unknown(self) -> UnknownFormError:
        return UnknownFormError(self.instruction.name)


def unsigned(bits: int) -> np.dtype[Any]:
    """The dtype of so many bits in a register."""
    return np.dtype(f"uint{bits}")


def signed(bits: int) -> np.dtype[Any]:
    return np.dtype(f"int{bits}")


def integer(type_name: str) -> np.dtype[Any]:
    """How an integer type is computed with: s as signed, u and b as unsigned integers of its size.

    >>> integer("s32"), integer("b16")
    (dtype('int32'), dtype('uint16'))
    """
    return np.dtype(f"{'int' if type_name[0] == 's' else 'uint'}{type_name[1:]}")


def floating(type_name: str) -> np.dtype[Any]:
    """f32 or f64."""
    return np.dtype(f"float{type_name[1:]}")


INTEGER_TYPES = tuple(f"{letter}{bits}" for bits in (16, 32, 64) for letter in "us")
BIT_TYPES = ("b16", "b32", "b64")
PREDICATE = np.dtype(np.bool_)
