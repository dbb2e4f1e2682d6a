"""Addresses of PTX as sums: a constant number of bytes behind something that need not be known to be the same twice."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from warpviz.kernel.memory.layout import Place
from warpviz.kernel.program import Program
from warpviz.kernel.program.graphs import reverse_postorder
from warpviz.kernel.program.operands import written
from warpviz.kernel.ptx.syntax import Address, Immediate, Instruction, Operand, Register, Symbol

_INTEGERS = frozenset(("u32", "s32", "b32", "u64", "s64", "b64"))


@dataclass(frozen=True)
class Sum:
    """terms: (what, how often), sorted. offset: what is added, in bytes."""

    terms: tuple[tuple[Hashable, int], ...]
    offset: int

    def plus(self, other: Sum, times: int = 1) -> Sum:
        """This and so many times the other."""
        factors = dict(self.terms)
        for what, factor in other.terms:
            factors[what] = factors.get(what, 0) + factor * times
        terms = ((what, factor) for what, factor in factors.items() if factor)
        return Sum(tuple(sorted(terms, key=repr)), self.offset + other.offset * times)


_ZERO = Sum((), 0)


def addresses(program: Program, places: Mapping[str, Place]) -> dict[int, Sum]:
    """Of each instruction that has an address among its operands, by index: the first one.

    Two that have equal terms are as far from each other as their offsets say, where one block leads to the other
    without going round a loop. places: of variables; those that are not there are something of their own.
    """
    reader = _Reader(program, places)
    for number in reverse_postorder(program.entry, lambda block: program.blocks[block].next):
        reader.read(number)
    return reader.found


class _Reader:
    """Follows the registers. found: the addresses so far."""

    def __init__(self, program: Program, places: Mapping[str, Place]) -> None:
        self.found: dict[int, Sum] = {}
        self._program = program
        self._places = places
        self._everywhere: dict[str, Sum] = {}  # of registers that are written once, from such alone
        self._here: dict[str, Sum] = {}  # of those written in this basic block
        self._block = ""
        self._writes: dict[str, int] = {}
        for block in program.blocks:
            for index in (*block.instructions, block.instructions.stop):
                if index < len(program.instructions):
                    for name in written(program.instructions[index]):
                        self._writes[name] = self._writes.get(name, 0) + 1

    def read(self, number: int) -> None:
        """The instructions of a basic block. Those that lead to it have been read."""
        self._block, self._here = f"in {number}", {}
        for index in self._program.blocks[number].instructions:
            instruction = self._program.instructions[index]
            address = next((each for each in instruction.operands if isinstance(each, Address)), None)
            if address is not None:
                base = self._value(address.base) if address.base is not None else _ZERO
                self.found[index] = base.plus(Sum((), address.offset))
            self._write(instruction, index)

    def _write(self, instruction: Instruction, index: int) -> None:
        results = written(instruction)
        value = self._result(instruction) if len(results) == 1 and instruction.guard is None else None
        for name in results:
            self._here[name] = value if value is not None else Sum((((name, index), 1),), 0)
            if self._writes[name] == 1 and (value is None or self._is_constant(value)):
                self._everywhere[name] = self._here[name]

    def _is_constant(self, value: Sum) -> bool:
        """Whether none of the terms is a register that changes."""
        return all(not (isinstance(what, tuple) and isinstance(what[1], str)) for what, _ in value.terms)

    def _result(self, instruction: Instruction) -> Sum | None:
        """Of the additions that addresses are made of; None for all else."""
        sources = [self._value(each) for each in instruction.operands[1:]]
        if "cc" in instruction.modifiers or not _INTEGERS & set(instruction.modifiers[-1:]):
            return None
        match instruction.opcode, sources:
            case (("mov" | "cvta"), [value]):
                return value
            case "add", [first, second]:
                return first.plus(second)
            case "sub", [first, second]:
                return first.plus(second, -1)
            case "shl", [value, Sum(terms=(), offset=by)] if by < 64:
                return _ZERO.plus(value, 1 << by)
            case "mul", [first, second] if "lo" in instruction.modifiers:
                return _product(first, second)
            case "mad", [first, second, third] if "lo" in instruction.modifiers:
                product = _product(first, second)
                return product.plus(third) if product is not None else None
            case _:
                return None

    def _value(self, operand: Operand) -> Sum:
        match operand:
            case Immediate(value=int() as value):
                return Sum((), value)
            case Symbol(name=name):
                place = self._places.get(name)
                return Sum((), place.address) if place is not None else Sum(((f"&{name}", 1),), 0)
            case Register(name=name):
                known = self._here.get(name) or self._everywhere.get(name)
                if known is None:
                    changes = self._writes.get(name, 0) > 1
                    known = Sum((((name, self._block) if changes else name, 1),), 0)
                return known
            case _:
                return Sum(((repr(operand), 1),), 0)


def _product(first: Sum, second: Sum) -> Sum | None:
    if not second.terms:
        return _ZERO.plus(first, second.offset)
    return _ZERO.plus(second, first.offset) if not first.terms else None
