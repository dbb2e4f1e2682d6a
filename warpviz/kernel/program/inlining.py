"""Calls put in place: a function's instructions, with names of their own, where it is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from warpviz.kernel.program.errors import CannotRun
from warpviz.kernel.program.flat import Flat
from warpviz.kernel.program.names import Names
from warpviz.kernel.ptx.syntax import Guard, Instruction, Module, Operand, Routine, Symbol, Variable, Vector
from warpviz.kernel.source.names import readable

MOST_INSTRUCTIONS = 200_000
PRINTING = "vprintf"
ASSERTION = "__assertfail"
_HEAP = ("malloc", "free")
_GUARDED_APART = frozenset(("ret", "exit", "trap", "call", "brx", "bar", "barrier"))
_NO_ENDS = ("warp", "arrive")  # bar.warp.sync and bar.arrive hold up nobody


def inlined(module: Module, kernel: Routine) -> Flat:
    """A kernel with all calls of functions put in, to any depth.

    A parameter or result becomes the caller's variable for it. printf is left out, with a notice; a failed assertion
    stays, as a call. Raises CannotRun for recursion, a call through a pointer, a function that is not in the module,
    and a kernel that grows too large.
    """
    writer = _Writer(module)
    writer.routine(kernel, {}, ())
    return Flat(
        tuple(writer.instructions),
        writer.labels,
        writer.tables,
        writer.registers,
        tuple(writer.variables.values()),
        tuple(dict.fromkeys(writer.notices)),
    )


def ends_block(instruction: Instruction) -> bool:
    """Whether threads may part, wait or end here."""
    if instruction.opcode in ("bar", "barrier"):
        return not any(modifier in _NO_ENDS for modifier in instruction.modifiers)
    return instruction.opcode in _GUARDED_APART or instruction.opcode == "bra"


@dataclass
class _Writer:
    """The flat list while it grows."""

    module: Module
    instructions: list[Instruction] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    registers: dict[str, str] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    calls: int = 0

    def routine(self, routine: Routine, given: Mapping[str, str], callers: tuple[str, ...]) -> None:
        """Put in a routine. given: its parameters and results -> the caller's variables. callers: who calls it."""
        names = Names(routine, self.calls, given)
        end = f"{routine.name}@{self.calls} end"
        self.calls += 1
        self.registers.update((names.register(name), kind) for name, kind in routine.registers.items())
        for variable in routine.variables:
            name = names.symbol(variable.name)
            self.variables[name] = replace(variable, name=name)
        for table, targets in routine.tables.items():
            self.tables[names.symbol(table)] = tuple(names.symbol(target) for target in targets)
        labels = _by_place(routine.labels)
        for place, instruction in enumerate(routine.instructions):
            self._label(names, labels.get(place, ()))
            self._guarded(routine, names.instruction(instruction), end, (*callers, routine.name))
        self._label(names, labels.get(len(routine.instructions), ()))
        self.labels[end] = len(self.instructions)

    def _label(self, names: Names, labels: Sequence[str]) -> None:
        self.labels.update((names.symbol(label), len(self.instructions)) for label in labels)

    def _guarded(self, routine: Routine, instruction: Instruction, end: str, callers: tuple[str, ...]) -> None:
        """Put in one instruction. A guarded end of a block becomes a branch round it."""
        guard = instruction.guard
        if guard is None or instruction.opcode not in _GUARDED_APART or not ends_block(instruction):
            self._plain(routine, instruction, end, callers)
            return
        beyond = f"beyond {len(self.instructions)}"
        opposite = Guard(guard.register, not guard.negated)
        self._add(replace(instruction, opcode="bra", modifiers=(), operands=(Symbol(beyond),), guard=opposite))
        self._plain(routine, replace(instruction, guard=None), end, callers)
        self.labels[beyond] = len(self.instructions)

    def _plain(self, routine: Routine, instruction: Instruction, end: str, callers: tuple[str, ...]) -> None:
        if instruction.opcode == "call":
            self._call(instruction, callers)
        elif instruction.opcode == "ret" and not routine.is_kernel:
            self._add(replace(instruction, opcode="bra", modifiers=(), operands=(Symbol(end),)))
        else:
            self._add(instruction)

    def _add(self, instruction: Instruction) -> None:
        if len(self.instructions) >= MOST_INSTRUCTIONS:
            raise CannotRun(
                f"with all its calls put in, the kernel has more than {MOST_INSTRUCTIONS:,} instructions",
                instruction.line.number,
            )
        self.instructions.append(instruction)
        if instruction.opcode == "mma" and "s32" not in instruction.modifiers:
            self._notice(instruction, "the sums of mma are rounded once; a tensor core's may differ in their last bits")

    def _notice(self, instruction: Instruction, sentence: str) -> None:
        line = instruction.line.number
        self.notices.append(f"{f'line {line}: ' if line else ''}{sentence}")

    def _call(self, call: Instruction, callers: tuple[str, ...]) -> None:
        line, target = call.line.number, call.operands[1]
        if not isinstance(target, Symbol):
            raise CannotRun("a call through a pointer (a virtual or function pointer call) is not interpreted", line)
        name = target.name
        callee = self.module.routines.get(name)
        if name == ASSERTION:
            self._add(call)
        elif name == PRINTING:
            self._notice(call, "what printf writes is not shown")
        elif callee is None or not callee.instructions:
            raise CannotRun(_not_defined(name), line)
        elif name in callers:
            raise CannotRun(f"{readable(name)} calls itself: recursion is not interpreted", line)
        else:
            self.routine(callee, dict(_given(callee, call)), callers)


def _not_defined(name: str) -> str:
    if name in _HEAP:
        return f"{name} is called: memory that a kernel takes from the heap (malloc, new) is not interpreted"
    if name.startswith("cuda"):
        return f"{name} is called: what a kernel asks of the CUDA runtime, as to launch a kernel, is not interpreted"
    return f"{readable(name)} is called, and the file does not define it"


def _given(callee: Routine, call: Instruction) -> Iterator[tuple[str, str]]:
    """(a result or parameter of the function, the caller's variable for it)."""
    results, arguments = _elements(call.operands[0]), _elements(call.operands[2])
    for formal, actual in ((callee.results, results), (callee.parameters, arguments)):
        names = [each.name for each in actual if isinstance(each, Symbol)]
        if not len(formal) == len(actual) == len(names):
            raise CannotRun(f"the call of {callee.name} does not fit its parameters", call.line.number)
        yield from ((own.name, name) for own, name in zip(formal, names, strict=True))


def _elements(operand: Operand) -> tuple[Operand | None, ...]:
    return operand.elements if isinstance(operand, Vector) else ()


def _by_place(labels: Mapping[str, int]) -> dict[int, list[str]]:
    places: dict[int, list[str]] = {}
    for label, place in labels.items():
        places.setdefault(place, []).append(label)
    return places
