"""A slow and obvious interpreter of PTX: one thread after the other, between barriers, on Python's integers.

It knows nothing of warps, masks, basic blocks or inlining: calls are calls. Threads of a block run in their order, each
to the next barrier.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field

from warpviz.kernel.ptx.syntax import (
    Address,
    Immediate,
    Instruction,
    Module,
    Operand,
    Register,
    Routine,
    Symbol,
    Vector,
)

Index = tuple[int, int, int]
SHARED_WINDOW, LOCAL_WINDOW = 1 << 60, 2 << 60
_SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}


@dataclass
class Access:
    """One thread's access of global or shared memory, in the order of the thread."""

    ptx_line: int
    space: str
    address: int


@dataclass
class Launch:
    """arrays: address -> bytes of global memory, changed in place. symbols: addresses of the module's variables.
    accesses: of each thread, by (block, thread), each by its place in the grid and the block."""

    module: Module
    grid: Index
    block: Index
    arrays: dict[int, bytearray]
    symbols: Mapping[str, int] = field(default_factory=dict)
    shared_bytes: int = 0
    accesses: dict[tuple[int, int], list[Access]] = field(default_factory=dict)


def run_scalar(launch: Launch, kernel: str, parameters: bytes) -> Launch:
    """Run every thread of every block, one block after the other."""
    routine = launch.module.routines[kernel]
    for block in range(launch.grid[0] * launch.grid[1] * launch.grid[2]):
        shared: dict[str, int] = {}
        size = 0
        for variable in (*launch.module.variables.values(), *routine.variables):
            if variable.space == "shared":
                size = -(-size // variable.align) * variable.align
                shared[variable.name] = size
                size += variable.size
        cells = bytearray(size + launch.shared_bytes)
        threads = [
            Thread(launch, block, place, shared, cells).kernel(routine, parameters)
            for place in range(launch.block[0] * launch.block[1] * launch.block[2])
        ]
        while threads:
            threads = [thread for thread in threads if next(thread, "ended") != "ended"]
    return launch


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def to_float(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


def to_bits(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


class Exited(Exception):  # noqa: N818
    """The thread has met exit."""


class Thread:
    """One thread. frames: registers by name, and the bytes of param and local variables."""

    def __init__(self, launch: Launch, block: int, place: int, shared: dict[str, int], cells: bytearray) -> None:
        self.launch, self.shared, self.cells = launch, shared, cells
        self.accesses = launch.accesses.setdefault((block, place), [])
        self.special = {"%laneid": place % 32, "%warpid": place // 32}
        for name, size, at in (("tid", launch.block, place), ("ctaid", launch.grid, block)):
            where = (at % size[0], at // size[0] % size[1], at // (size[0] * size[1]))
            for axis, number, extent in zip("xyz", where, size, strict=True):
                self.special |= {f"%{name}.{axis}": number, f"%n{name}.{axis}": extent}
        self.local = bytearray()

    def kernel(self, routine: Routine, parameters: bytes) -> Generator[str, None, None]:
        given = {p.name: bytearray(parameters[p.offset : p.offset + p.size]) for p in routine.parameters}
        try:
            yield from self.routine(routine, given)
        except Exited:
            return

    def routine(self, routine: Routine, given: dict[str, bytearray]) -> Generator[str, None, None]:
        frame = Frame(self, routine, given)
        place = 0
        while place < len(routine.instructions):
            instruction = routine.instructions[place]
            place += 1
            guard = instruction.guard
            if guard is not None and bool(frame.registers.get(guard.register.name, 0)) == guard.negated:
                continue
            match instruction.opcode:
                case "bra":
                    place = routine.labels[frame.symbol(instruction.operands[0])]
                case "brx":
                    targets = routine.tables[frame.symbol(instruction.operands[1])]
                    place = routine.labels[targets[frame.value(instruction.operands[0], 32)]]
                case "ret":
                    return
                case "exit":
                    raise Exited
                case "bar" | "barrier" if "warp" not in instruction.modifiers:
                    assert instruction.modifiers[-1] in ("sync", "aligned"), instruction.name
                    yield "barrier"
                case "call":
                    yield from self.call(frame, instruction)
                case _:
                    frame.run(instruction)

    def call(self, frame: Frame, call: Instruction) -> Generator[str, None, None]:
        callee = self.launch.module.routines[frame.symbol(call.operands[1])]
        results, arguments = call.operands[0], call.operands[2]
        assert isinstance(results, Vector)
        assert isinstance(arguments, Vector)
        given = {
            formal.name: bytearray(frame.variables[frame.symbol(actual)])
            for formal, actual in zip(callee.parameters, arguments.elements, strict=True)
        }
        given |= {result.name: bytearray(result.size) for result in callee.results}
        yield from self.routine(callee, given)
        for result, actual in zip(callee.results, results.elements, strict=True):
            frame.variables[frame.symbol(actual)][:] = given[result.name]


class Frame:
    """One call of a routine by one thread."""

    def __init__(self, thread: Thread, routine: Routine, given: dict[str, bytearray]) -> None:
        self.thread = thread
        self.registers: dict[str, int] = {}
        self.variables = dict(given)
        self.addresses: dict[str, int] = {}
        for variable in routine.variables:
            if variable.space == "param":
                self.variables[variable.name] = bytearray(variable.size)
            elif variable.space == "local":
                start = -(-len(thread.local) // 16) * 16
                thread.local.extend(bytes(start + variable.size - len(thread.local)))
                self.addresses[variable.name] = start

    def symbol(self, operand: Operand | None) -> str:
        assert isinstance(operand, Symbol)
        return operand.name

    def value(self, operand: Operand | None, bits: int) -> int:
        """An operand's bits."""
        match operand:
            case Register(name=name):
                number = self.thread.special[name] if name in self.thread.special else self.registers.get(name, 0)
            case Immediate(value=float() as real):
                number = to_bits(real)
            case Immediate(value=number):
                pass
            case Symbol(name=name):
                known = {**self.thread.launch.symbols, **self.thread.shared, **self.addresses}
                number = known[name]
            case _:
                raise NotImplementedError(operand)
        return int(number) & ((1 << bits) - 1)

    def run(self, instruction: Instruction) -> None:
        if instruction.opcode in ("ld", "st", "atom", "red"):
            self.access(instruction)
        elif instruction.opcode not in ("bar", "barrier", "membar", "fence"):
            result = instruction.operands[0]
            assert isinstance(result, Register), instruction
            self.registers[result.name] = self.computed(instruction)

    def computed(self, instruction: Instruction) -> int:
        kind = instruction.modifiers[-1]
        if instruction.opcode == "cvta":
            window = {"shared": SHARED_WINDOW, "local": LOCAL_WINDOW}.get(instruction.modifiers[-2], 0)
            return self.value(instruction.operands[1], 64) + (-window if "to" in instruction.modifiers else window)
        if instruction.opcode == "cvt":
            to, source = instruction.modifiers[-2:]
            assert "f" not in (source[0], to[0]), instruction.name
            value = self.value(instruction.operands[1], int(source[1:]))
            value = signed(value, int(source[1:])) if source[0] == "s" else value
            return value & ((1 << int(to[1:])) - 1)
        bits = 1 if kind == "pred" else int(kind[1:])
        sources = [self.value(operand, bits) for operand in instruction.operands[1:]]
        if instruction.opcode in ("shl", "shr"):
            sources[1] = self.value(instruction.operands[2], 32)
        if instruction.opcode == "selp":
            return sources[0] if self.value(instruction.operands[3], 1) else sources[1]
        if instruction.opcode == "mad" and "wide" in instruction.modifiers:
            sources[2] = self.value(instruction.operands[3], 2 * bits)
        if kind[0] == "s":
            sources = [signed(value, bits) for value in sources]
        if kind == "f32":
            return _FLOATS[instruction.opcode](instruction, [to_float(value) for value in sources], sources)
        wide = 2 * bits if "wide" in instruction.modifiers else bits
        found = _COMPUTE[instruction.opcode](instruction, sources)
        if "hi" in instruction.modifiers and instruction.opcode == "mul":
            found >>= bits
        return found & ((1 << wide) - 1)

    def access(self, instruction: Instruction) -> None:
        is_load, is_atomic = instruction.opcode == "ld", instruction.opcode == "atom"
        operands = instruction.operands
        address = operands[1] if is_load or is_atomic else operands[0]
        assert isinstance(address, Address)
        size = _SIZES[instruction.modifiers[-1][1:]]
        cells, start = self.place(instruction, address)
        if not is_atomic and instruction.opcode != "red":
            moved = operands[0] if is_load else operands[1]
            parts = moved.elements if isinstance(moved, Vector) else (moved,)
            for place, part in enumerate(parts):
                where = slice(start + place * size, start + (place + 1) * size)
                if not is_load:
                    cells[where] = self.value(part, 8 * size).to_bytes(size, "little")
                elif isinstance(part, Register):
                    found = int.from_bytes(cells[where], "little")
                    is_signed = instruction.modifiers[-1][0] == "s"
                    self.registers[part.name] = signed(found, 8 * size) & ((1 << 64) - 1) if is_signed else found
            return
        assert "add" in instruction.modifiers, instruction.name
        found = int.from_bytes(cells[start : start + size], "little")
        value = found + self.value(operands[2] if is_atomic else operands[1], 8 * size)
        if is_atomic and isinstance(operands[0], Register):
            self.registers[operands[0].name] = found
        cells[start : start + size] = (value % (1 << 8 * size)).to_bytes(size, "little")

    def place(self, instruction: Instruction, address: Address) -> tuple[bytearray, int]:
        """The bytes that an address lies in, and where."""
        space = next((s for s in ("global", "shared", "local", "param") if s in instruction.modifiers), "generic")
        if space == "param":
            return self.variables[self.symbol(address.base)], address.offset
        where = self.value(address.base, 64) + address.offset
        if space == "generic":
            window = where >> 60
            space = {0: "global", 1: "shared", 2: "local"}[window]
            where -= window << 60
        if space == "local":
            return self.thread.local, where
        self.thread.accesses.append(Access(instruction.ptx_line, space, where))
        if space == "shared":
            return self.thread.cells, where
        start = max(start for start in self.thread.launch.arrays if start <= where)
        assert where < start + len(self.thread.launch.arrays[start]), f"{where:#x} lies in no array"
        return self.thread.launch.arrays[start], where - start


def _truncated(instruction: Instruction, sources: Sequence[int]) -> int:
    """Division towards zero. None of the programs divides by zero."""
    quotient = abs(sources[0]) // abs(sources[1])
    quotient = -quotient if (sources[0] < 0) != (sources[1] < 0) else quotient
    return quotient if instruction.opcode == "div" else sources[0] - quotient * sources[1]


_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
_COMPUTE: Mapping[str, Callable[[Instruction, Sequence[int]], int]] = {
    "mov": lambda _, s: s[0],
    "add": lambda _, s: s[0] + s[1],
    "sub": lambda _, s: s[0] - s[1],
    "mul": lambda _, s: s[0] * s[1],
    "mad": lambda _, s: s[0] * s[1] + s[2],
    "div": _truncated,
    "rem": _truncated,
    "and": lambda _, s: s[0] & s[1],
    "or": lambda _, s: s[0] | s[1],
    "xor": lambda _, s: s[0] ^ s[1],
    "not": lambda _, s: ~s[0],
    "neg": lambda _, s: -s[0],
    "abs": lambda _, s: abs(s[0]),
    "min": lambda _, s: min(s),
    "max": lambda _, s: max(s),
    "shl": lambda _, s: s[0] << min(s[1], 64),
    "shr": lambda _, s: s[0] >> min(s[1], 64),
    "setp": lambda i, s: int(_COMPARE[i.modifiers[0]](s[0], s[1])),
}
_FLOATS: Mapping[str, Callable[[Instruction, Sequence[float], Sequence[int]], int]] = {
    "mov": lambda _, __, bits: bits[0],
    "add": lambda _, s, __: to_bits(s[0] + s[1]),
    "sub": lambda _, s, __: to_bits(s[0] - s[1]),
    "mul": lambda _, s, __: to_bits(s[0] * s[1]),
}
