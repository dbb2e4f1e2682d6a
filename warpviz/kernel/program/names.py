"""Names of an inlined call: each call has registers, labels and local variables of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from warpviz.kernel.ptx.syntax import (
    Address,
    Guard,
    Immediate,
    Instruction,
    Negated,
    Operand,
    Pair,
    Register,
    Routine,
    Symbol,
    Vector,
)

_SHARED_BY_CALLS = ("shared", "global", "const")


class Names:
    """What the names of a routine become in one call of it.

    given: parameters and results -> the caller's variables for them. number: of the call, 0 for the kernel itself,
    whose names stay.
    """

    def __init__(self, routine: Routine, number: int, given: Mapping[str, str]) -> None:
        suffix = f"@{number}" if number else ""
        own = [variable.name for variable in routine.variables if variable.space not in _SHARED_BY_CALLS]
        self._registers = {name: name + suffix for name in routine.registers}
        self._symbols = {name: name + suffix for name in (*own, *routine.labels, *routine.tables)} | dict(given)

    def register(self, name: str) -> str:
        """Special registers and `_` keep their names."""
        return self._registers.get(name, name)

    def symbol(self, name: str) -> str:
        """Of variables, labels, tables and parameters. What the module knows keeps its name."""
        return self._symbols.get(name, name)

    def instruction(self, instruction: Instruction) -> Instruction:
        """The instruction with the names of this call."""
        guard = instruction.guard
        return replace(
            instruction,
            operands=tuple(self._operand(operand) for operand in instruction.operands),
            guard=Guard(Register(self.register(guard.register.name)), guard.negated) if guard else None,
        )

    def _operand(self, operand: Operand) -> Operand:
        match operand:
            case Register() | Symbol() | Immediate():
                return self._named(operand)
            case Negated(register=register):
                return Negated(Register(self.register(register.name)))
            case Address(base=(Register() | Symbol()) as base, offset=offset):
                named = self._named(base)
                assert isinstance(named, Register | Symbol)
                return Address(named, offset)
            case Vector(elements=elements):
                return Vector(tuple(None if element is None else self._named(element) for element in elements))
            case Pair(first=first, second=second):
                return Pair(self._wanted(first), self._wanted(second))
            case _:
                return operand

    def _named(self, operand: Register | Symbol | Immediate) -> Register | Symbol | Immediate:
        match operand:
            case Register(name=name):
                return Register(self.register(name))
            case Symbol(name=name):
                return Symbol(self.symbol(name))
            case _:
                return operand

    def _wanted(self, register: Register | None) -> Register | None:
        return None if register is None else Register(self.register(register.name))
