"""mma.sync: a warp multiplies two matrices, D = A B + C, which its lanes hold in pieces.

Where each lane's pieces lie: PTX manual, "Matrix Fragments for mma". They follow one rule for all types: a register of
a lane holds neighbouring elements of a row of A, or of a column of B, as many as fit 32 bits (of f64: one).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES
from warpviz.kernel.machine.arithmetic.half import FORMATS
from warpviz.kernel.machine.masks import Mask
from warpviz.kernel.machine.registers import Registers, flattened
from warpviz.kernel.machine.step import Array, Reader, State, Step
from warpviz.kernel.machine.warps import write_all
from warpviz.kernel.program import UnsupportedInstruction
from warpviz.kernel.ptx.syntax import Instruction

Places = NDArray[np.int64]

_COLUMNS = 8  # of B, C and D, in every shape
_GROUP, _WITHIN = np.arange(LANES) // 4, np.arange(LANES) % 4
_WORD = np.dtype(np.uint32)


@dataclass(frozen=True)
class _Elements:
    """A type of elements. bits: of one. held: how a register is read. opened: its elements as float64, along a new last
    axis. closed: of such an array, the registers."""

    bits: int
    held: np.dtype[Any]
    opened: Callable[[Array], Array]
    closed: Callable[[Array], Array]

    @property
    def in_register(self) -> int:
        return 8 * self.held.itemsize // self.bits


def lower_mma(registers: Registers, instruction: Instruction) -> Step:
    """mma.sync of f16, bf16, tf32, f64 and 8-bit integers. Sums are exact and rounded once, the tensor cores' are not
    quite. Raises UnsupportedInstruction."""
    form = _form(instruction)
    if form is None or len(instruction.operands) != 4:
        raise UnsupportedInstruction(instruction)
    (rows, depth), (of_result, of_a, of_b, of_c), saturates = form
    places = (
        _of_rows(rows, depth, of_a),
        _of_rows(_COLUMNS, depth, of_b),  # B's columns are held as A's rows are
        _of_result(rows, of_c),
        _of_result(rows, of_result),
    )
    sources = [flattened(operand) for operand in instruction.operands[1:]]
    writes = registers.writers(instruction.operands[:1])
    counts = [place.shape[1] for place in places]
    if [*map(len, sources), len(writes)] != counts or any(part is None for source in sources for part in source):
        raise UnsupportedInstruction(instruction)
    reads = [
        [registers.reader(instruction, part, kind.held) for part in source if part is not None]
        for source, kind in zip(sources, (of_a, of_b, of_c), strict=True)
    ]

    def step(state: State, mask: Mask) -> None:
        a, b, c = (
            _matrix(state, read, kind, place, shape)
            for read, kind, place, shape in zip(
                reads, (of_a, of_b, of_c), places, ((rows, depth), (_COLUMNS, depth), (rows, _COLUMNS)), strict=False
            )
        )
        result = a @ b.swapaxes(-1, -2) + c
        if saturates:
            result = np.clip(result, -(2.0**31), 2.0**31 - 1)
        pieces = result.reshape(*state.shape[:2], -1)[..., places[3]]  # (blocks, warps, 32, registers, elements)
        closed = of_result.closed(pieces)
        write_all(writes, state, [closed[..., register] for register in range(len(writes))], mask)

    return step


def _form(instruction: Instruction) -> tuple[tuple[int, int], list[_Elements], bool] | None:
    """((rows of A, depth), the types of D, A, B, C, whether sums are clamped); None for what is not known."""
    before, kinds = instruction.modifiers[:-4], instruction.modifiers[-4:]
    saturates = "satfinite" in before
    shape = [modifier for modifier in before if modifier not in ("sync", "aligned", "satfinite")]
    if "sync" not in before or len(shape) != 3 or shape[1:] != ["row", "col"]:
        return None
    size = _SHAPES.get((shape[0], kinds[1]))
    if size is None or (kinds[0], kinds[1], kinds[2], kinds[3]) not in _TYPES or (saturates and kinds[0] != "s32"):
        return None
    return size, [_ELEMENTS[kind] for kind in kinds], saturates


def _of_rows(rows: int, depth: int, kind: _Elements) -> Places:
    """The place, in a matrix of that shape, of each lane's elements: (32, registers, elements)."""
    own = kind.in_register
    halves = rows // 8
    registers = np.arange(halves * depth // (4 * own)).reshape(1, -1, 1)
    row = _GROUP.reshape(-1, 1, 1) + 8 * (registers % halves)
    column = own * _WITHIN.reshape(-1, 1, 1) + 4 * own * (registers // halves) + np.arange(own)
    return np.asarray(row * depth + column)


def _of_result(rows: int, kind: _Elements) -> Places:
    """Likewise of C and D: two neighbours of each eighth row."""
    own = kind.in_register
    registers = np.arange(rows // 8 * 2 // own).reshape(1, -1, 1)
    element = registers * own + np.arange(own)
    row = _GROUP.reshape(-1, 1, 1) + 8 * (element // 2)
    return np.asarray(row * _COLUMNS + 2 * _WITHIN.reshape(-1, 1, 1) + element % 2)


def _matrix(
    state: State, reads: Sequence[Reader], kind: _Elements, places: Places, shape: tuple[int, int]
) -> NDArray[np.float64]:
    """The warps' matrices, (blocks, warps, *shape)."""
    held = np.stack([np.broadcast_to(read(state), state.shape) for read in reads], axis=-1)
    elements = kind.opened(held).reshape(*state.shape[:2], -1)
    order = np.argsort(places, axis=None)
    return np.asarray(elements[..., order].reshape(*state.shape[:2], *shape))


def _opened_halves(name: str) -> Callable[[Array], Array]:
    def opened(words: Array) -> Array:
        return FORMATS[name].widen(np.ascontiguousarray(words).view(np.uint16).reshape(*words.shape, 2))

    return opened


def _closed_halves(elements: Array) -> Array:
    return FORMATS["f16"].narrow(elements, "rn").view(_WORD)[..., 0]


def _opened_bytes(dtype: str) -> Callable[[Array], Array]:
    def opened(words: Array) -> Array:
        return np.ascontiguousarray(words).view(dtype).reshape(*words.shape, 4).astype(np.float64)

    return opened


def _opened_tf32(words: Array) -> Array:
    """Of a float's fraction the upper 10 bits count."""
    kept: Array = (words & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64)[..., np.newaxis]
    return kept


def _one(dtype: str) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
    """Of elements that fill a register."""
    return (
        lambda values: values.astype(np.float64)[..., np.newaxis],
        lambda elements: elements[..., 0].astype(dtype),
    )


def _closed_integers(elements: Array) -> Array:
    return elements[..., 0].astype(np.int64).astype(np.int32)


_ELEMENTS = {
    "f16": _Elements(16, _WORD, _opened_halves("f16"), _closed_halves),
    "bf16": _Elements(16, _WORD, _opened_halves("bf16"), _closed_halves),
    "tf32": _Elements(32, _WORD, _opened_tf32, _closed_integers),
    "s8": _Elements(8, _WORD, _opened_bytes("int8"), _closed_integers),
    "u8": _Elements(8, _WORD, _opened_bytes("uint8"), _closed_integers),
    "f32": _Elements(32, np.dtype(np.float32), *_one("float32")),
    "f64": _Elements(64, np.dtype(np.float64), *_one("float64")),
    "s32": _Elements(32, np.dtype(np.int32), _one("int32")[0], _closed_integers),
}
# (the shape, the type of A) -> (rows of A, depth)
_SHAPES = {
    (f"m{rows}n8k{depth}", kind): (rows, depth)
    for kind, shapes in {
        "f16": ((16, 8), (16, 16)),
        "bf16": ((16, 8), (16, 16)),
        "tf32": ((16, 4), (16, 8)),
        "s8": ((8, 16), (16, 16), (16, 32)),
        "u8": ((8, 16), (16, 16), (16, 32)),
        "f64": ((8, 4), (16, 4), (16, 8), (16, 16)),
    }.items()
    for rows, depth in shapes
}
# Of D, A, B, C.
_TYPES = frozenset(
    [
        ("f32", "f16", "f16", "f32"),
        ("f16", "f16", "f16", "f16"),
        ("f32", "bf16", "bf16", "f32"),
        ("f32", "tf32", "tf32", "f32"),
        ("f64", "f64", "f64", "f64"),
        *(("s32", a, b, "s32") for a in ("s8", "u8") for b in ("s8", "u8")),
    ]
)
