"""ld and st."""

from __future__ import annotations

from dataclasses import replace

from warpviz.kernel.memory.access import load, store
from warpviz.kernel.memory.form import Form, form_of
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.operation import MemoryOperation, elements, registers, site_of, taken_as
from warpviz.kernel.ptx.syntax import Address, Instruction, Symbol, Vector


def load_operation(instruction: Instruction, index: int, memory: Memory) -> MemoryOperation | None:
    """Of a ld or ldu; None where its form is not known."""
    form = _plain_form(instruction, 0)
    match instruction.operands:
        case (target, Address() as address, *_) if form:
            told = site_of(instruction, index, form, "ld")
            site = replace(told, space=_true_space(form, address, memory), is_told=form.space != "param")
            return MemoryOperation(
                registers(target),
                form.type,
                (address,),
                (),
                (),
                lambda running, addresses, _, mask: load(site, running, addresses[0], mask),
            )
    return None


def store_operation(instruction: Instruction, index: int, memory: Memory) -> MemoryOperation | None:
    """Of a st; None where its form is not known."""
    form = _plain_form(instruction, 1)
    match instruction.operands:
        case (Address() as address, source, *_) if form:
            told = site_of(instruction, index, form, "st")
            site = replace(told, space=_true_space(form, address, memory), is_told=form.space != "param")
            sources = elements(source)
            return MemoryOperation(
                (),
                form.type,
                (address,),
                sources,
                taken_as(sources, form.type),
                lambda running, addresses, values, mask: store(site, running, addresses[0], values, mask),
            )
    return None


def _plain_form(instruction: Instruction, operand: int) -> Form | None:
    """The form of a plain access; None where it is not known, or has not as many registers as it says. operand: the
    place of those."""
    form, operands = form_of(instruction), instruction.operands
    if form is None or form.operation or len(operands) <= operand:
        return None
    moved = operands[operand]
    count = len(moved.elements) if isinstance(moved, Vector) else 1
    return form if count == form.components else None


def _true_space(form: Form, address: Address, memory: Memory) -> str:
    """Where a param variable lies: that of an inlined call with each thread's local memory."""
    place = memory.place(address.base.name) if isinstance(address.base, Symbol) else None
    return place.space if form.space == "param" and place else form.space
