"""ldmatrix and stmatrix: 8x8 matrices of 16-bit elements, a row of 16 bytes at each address of eight lanes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warpviz.hardware import LANES, LDMATRIX_ROW_BYTES, Op
from warpviz.kernel.memory.access import Running, Site, find
from warpviz.kernel.memory.checks import Ints, Mask
from warpviz.kernel.memory.operation import MemoryOperation, elements, registers, taken_as
from warpviz.kernel.memory.transfer import gather, scatter
from warpviz.kernel.memory.values import MemoryType, Values
from warpviz.kernel.ptx.syntax import Address, Instruction

ROWS = 8  # of a matrix
_ELEMENT_BYTES = 2
_PAIR = MemoryType("b32", 4)
_COUNTS = {"x1": 1, "x2": 2, "x4": 4}
_SHARED = {"shared", "shared::cta"}
_OPTIONS = {"trans", *_COUNTS}
_LANES = np.arange(LANES)
_ROW_OF_LANE = _LANES // 4  # a lane holds two neighbouring elements of this row (transposed: column)
_PAIR_OF_LANE = _LANES % 4


def matrix_operation(instruction: Instruction, index: int) -> MemoryOperation | None:
    """Of an ldmatrix or stmatrix; None where its form is not known."""
    modifiers = set(instruction.modifiers)
    count = next((number for name, number in _COUNTS.items() if name in modifiers), None)
    needed = {"sync", "aligned", "m8n8", "b16"}
    if count is None or not needed <= modifiers or not modifiers & _SHARED or modifiers - needed - _SHARED - _OPTIONS:
        return None
    is_load = instruction.opcode == "ldmatrix"
    op: Op = "ldmatrix" if is_load else "st"
    line, is_transposed = instruction.line.number, "trans" in modifiers
    site = Site(index, line, instruction.name, "shared", op, "b16", _ELEMENT_BYTES, LDMATRIX_ROW_BYTES, count)
    match instruction.operands:
        case (target, Address() as address) if is_load and len(registers(target)) == count:

            def run_load(running: Running, addresses: Sequence[Ints], _: object, mask: Mask) -> list[Values]:
                return load_matrices(site, running, addresses[0], mask, is_transposed)

            return MemoryOperation(registers(target), _PAIR, (address,), (), (), run_load)
        case (Address() as address, source) if not is_load and len(elements(source)) == count:

            def run_store(
                running: Running, addresses: Sequence[Ints], values: Sequence[Values], mask: Mask
            ) -> list[Values]:
                return store_matrices(site, running, addresses[0], values, mask, is_transposed)

            sources = elements(source)
            return MemoryOperation((), _PAIR, (address,), sources, taken_as(sources, _PAIR), run_store)
    return None


def load_matrices(site: Site, running: Running, addresses: Ints, mask: Mask, is_transposed: bool) -> list[Values]:
    """A register of each lane for each matrix: two 16-bit elements, the lower one first.

    addresses: of the rows: those of matrix m from lanes 8m to 8m + 7. All lanes of a warp are active, or none.
    """
    (part,) = find(site, running, addresses, _of_rows(site, mask))
    halves = np.broadcast_to(part.index, running.threads.shape)
    loaded = []
    for matrix in range(site.matrices or 0):
        first, second = _elements(halves, matrix, is_transposed)
        loaded.append(
            gather(part.cells, first, _ELEMENT_BYTES).astype(np.uint32)
            | gather(part.cells, second, _ELEMENT_BYTES).astype(np.uint32) << np.uint32(16)
        )
    return loaded


def store_matrices(
    site: Site, running: Running, addresses: Ints, registers: Sequence[Values], mask: Mask, is_transposed: bool
) -> list[Values]:
    """Write what `load_matrices` reads. registers: uint32, one for each matrix. Gives no result."""
    (part,) = find(site, running, addresses, _of_rows(site, mask))
    halves = np.broadcast_to(part.index, running.threads.shape)
    for matrix, register in enumerate(registers):
        first, second = _elements(halves, matrix, is_transposed)
        scatter(part.cells, first, register.astype(np.uint16), mask)
        scatter(part.cells, second, (register >> np.uint32(16)).astype(np.uint16), mask)
    return []


def _of_rows(site: Site, mask: Mask) -> Mask:
    """The lanes whose address is a row's."""
    rows = (np.arange(LANES) < ROWS * (site.matrices or 0)).reshape(1, 1, LANES)
    return rows if mask is None else rows & mask


def _elements(rows: Ints, matrix: int, is_transposed: bool) -> tuple[Ints, Ints]:
    """Where each lane's two elements of a matrix are, in units of an element. rows: where each row begins."""
    own = rows[..., ROWS * matrix : ROWS * (matrix + 1)]
    if is_transposed:
        return own[..., 2 * _PAIR_OF_LANE] + _ROW_OF_LANE, own[..., 2 * _PAIR_OF_LANE + 1] + _ROW_OF_LANE
    first = own[..., _ROW_OF_LANE] + 2 * _PAIR_OF_LANE
    return first, first + 1
