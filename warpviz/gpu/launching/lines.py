"""What the instructions of a kernel were counted for, put together by line of the source. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from warpviz.gpu.code.sass import Instruction, MemoryInstruction, memory_instruction
from warpviz.gpu.launching.counts import LineCounts
from warpviz.gpu.launching.metrics import EXECUTED, GLOBAL_SECTORS, IDEAL_WAVEFRONTS, LOCAL_SECTORS, WAVEFRONTS

_INSTRUCTION_BYTES = 16  # since compute capability 7.0: CUDA Binary Utilities, "Instruction Set Reference"
_OPS = {"cas": "atom", "stmatrix": "st"}  # as the counters sort them

ByAddress = Mapping[int, int]
_Key = tuple[int, int, str, str, int]


def line_counts(counted: Mapping[str, ByAddress], code: Sequence[Instruction]) -> tuple[LineCounts, ...]:
    """By line, PTX line, op, memory space and width, in the order of the machine code.

    counted: by metric, the value of each instruction that has one, by its address on the GPU. code: of the kernel.
    Raises ValueError when the two do not go together.
    """
    executed = counted.get(EXECUTED)
    if not executed:
        raise ValueError("no instruction was counted")
    first = min(executed)
    if (max(executed) - first) // _INSTRUCTION_BYTES >= len(code):
        raise ValueError("more instructions were counted than the machine code has")
    lines: dict[_Key, LineCounts] = {}
    for place, instruction in enumerate(code):
        address = first + place * _INSTRUCTION_BYTES
        values = {metric: values.get(address, 0) for metric, values in counted.items()}
        memory = memory_instruction(instruction.opcode)
        for counts in _counts(memory, instruction, values) if memory and values[EXECUTED] else ():
            key = (counts.line, counts.ptx_line, counts.op, counts.space, counts.width)
            lines[key] = lines[key].plus(counts) if key in lines else counts
    return tuple(lines.values())


def _counts(memory: MemoryInstruction, at: Instruction, values: Mapping[str, int]) -> Iterator[LineCounts]:
    """Of each memory space that an instruction touches: of a generic one, those where something was counted. Nothing is
    counted of constant memory."""
    op = _OPS.get(memory.op, memory.op)
    blank = LineCounts(at.line, at.ptx_line, op, memory.space, memory.width, values[EXECUTED])
    sectors = values.get(LOCAL_SECTORS if memory.space == "local" else GLOBAL_SECTORS)
    wavefronts, ideal = values.get(WAVEFRONTS), values.get(IDEAL_WAVEFRONTS)
    several = memory.space == "generic" or memory.op == "copy"
    if memory.space == "local":
        yield replace(blank, sectors=sectors)
    elif memory.space == "global" or (several and sectors):
        yield replace(blank, space="global", sectors=sectors)
    if memory.space == "shared" or (several and wavefronts):
        yield replace(blank, space="shared", wavefronts=wavefronts, ideal_wavefronts=ideal)
