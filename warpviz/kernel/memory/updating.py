"""Atomic instructions: each thread reads a cell and writes it anew, before the next thread does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Literal

import numpy as np

from warpviz.kernel.memory.access import Running, Site, find
from warpviz.kernel.memory.atomics import Indices, compare_and_swap, fetch, reduce
from warpviz.kernel.memory.checks import Bytes, Ints, Mask
from warpviz.kernel.memory.form import Form, form_of
from warpviz.kernel.memory.operation import MemoryOperation, Run, registers, site_of, taken_as
from warpviz.kernel.memory.transfer import picked
from warpviz.kernel.memory.updates import Cells, Update, update_for
from warpviz.kernel.memory.values import Values, bits_dtype
from warpviz.kernel.ptx.syntax import Address, Instruction

_SPACES = ("global", "shared", "local")
_NEVER_REDUCED = ("cas", "exch")
_PACKED = {"f16x2": "f16", "bf16x2": "bf16"}  # two numbers in one element, each updated for itself

# (memory space, cells, index of each thread's cell, its operands) -> what it found; arrays of shape (n,)
_Change = Callable[[str, Bytes, Indices, Sequence[Values]], Values]


def atomic_operation(instruction: Instruction, index: int, is_result_dead: bool) -> MemoryOperation | None:
    """Of an atom or red; None where its form is not known. An atom whose result nobody reads is told as a red, where
    there is a red of that operation."""
    form, operands = form_of(instruction), instruction.operands
    results = registers(operands[0]) if instruction.opcode == "atom" else ()
    address, *rest = operands[len(results[:1]) :]
    if not (form and form.operation and isinstance(address, Address)):
        return None
    is_wanted = any(results) and not is_result_dead
    site = site_of(instruction, index, form, atomic_op(form, is_wanted=is_wanted))
    needed = 2 if form.operation == "cas" else 1
    sources = tuple(rest[:needed])
    run = _runner(site, form)
    if run is None or len(sources) < needed:
        return None
    takes = taken_as(sources, form.type)
    return MemoryOperation(results if is_wanted else (), form.type, (address,), sources, takes, run)


def atomic_op(form: Form, *, is_wanted: bool) -> Literal["atom", "red"]:
    """As what an atomic is executed. is_wanted: whether somebody reads its result."""
    return "atom" if is_wanted or form.operation in _NEVER_REDUCED else "red"


def _runner(site: Site, form: Form) -> Run | None:
    if form.operation == "cas":
        return lambda running, addresses, values, mask: [swap(site, running, addresses[0], values[0], values[1], mask)]
    updates = updates_of(form.operation, form.type.name)
    if updates is None:
        return None
    return lambda running, addresses, values, mask: [update(site, running, updates, addresses[0], values[0], mask)]


def updates_of(operation: str, type_name: str) -> Mapping[str, Update] | None:
    """The update in each memory space that has atomics; None where there is none of that operation and type."""
    element = _PACKED.get(type_name, type_name)
    updates = {space: update_for(space, operation, element) for space in _SPACES}
    known = {space: update for space, update in updates.items() if update is not None}
    return known if len(known) == len(updates) else None


def update(
    site: Site, running: Running, updates: Mapping[str, Update], addresses: Ints, values: Values, mask: Mask
) -> Values:
    """Update the cells thread by thread. values: unsigned integers of the site's size.

    Gives what each thread found, as unsigned integers. Of a "red" and of an inactive thread that means nothing.
    """

    def change(space: str, cells: Bytes, index: Indices, operands: Sequence[Values]) -> Values:
        return _update_numbers(updates[space], cells, index, operands[0], is_wanted=site.op != "red")

    return _in_turn(site, running, addresses, [values], mask, change)


def swap(site: Site, running: Running, addresses: Ints, expected: Values, values: Values, mask: Mask) -> Values:
    """Replace each cell that holds what its thread expects; gives what each thread found, as `update` does."""

    def change(_: str, cells: Bytes, index: Indices, operands: Sequence[Values]) -> Values:
        return compare_and_swap(cells.view(operands[0].dtype), index, *operands)

    return _in_turn(site, running, addresses, [expected, values], mask, change)


def _in_turn(
    site: Site, running: Running, addresses: Ints, operands: Sequence[Values], mask: Mask, change: _Change
) -> Values:
    shape = running.threads.shape
    results = np.zeros(shape, dtype=bits_dtype(site.size))
    for part in find(site, running, addresses, mask):
        index = picked(part.index, part.mask, shape)
        given = [picked(operand, part.mask, shape) for operand in operands]
        with running.memory.launch.arena.lock if part.space == "global" else nullcontext():
            old = change(part.space, part.cells, index, given)
        results[np.broadcast_to(True if part.mask is None else part.mask, shape)] = old
    return results


def _update_numbers(rule: Update, cells: Bytes, index: Indices, values: Values, is_wanted: bool) -> Values:
    """Update each number of the elements. Gives what they were; if nobody wants to know, the values themselves."""
    numbers: Cells = values.view(rule.dtype).reshape(len(values), -1)
    per_element = numbers.shape[1]
    before = numbers.copy()
    for place in range(per_element):
        where = index * per_element + place
        if is_wanted:
            before[:, place] = fetch(cells.view(rule.dtype), where, numbers[:, place], rule)
        else:
            reduce(cells.view(rule.dtype), where, numbers[:, place], rule)
    return before.view(values.dtype)[:, 0]
