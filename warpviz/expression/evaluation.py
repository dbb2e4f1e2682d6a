"""The access that a pattern makes with given values: addresses, warnings, and other ways to write it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np

from warpviz.access import Access
from warpviz.expression import syntax
from warpviz.expression.cuda import cuda_source
from warpviz.expression.declare import MEMORY_NAMES, Declarations
from warpviz.expression.errors import ExpressionError, Notice, refuse
from warpviz.expression.evaluate import Evaluator
from warpviz.expression.launch import present_lanes
from warpviz.expression.layout import Array, CType, Record, align_of, size_of
from warpviz.expression.memory import base_addresses
from warpviz.expression.pattern import Pattern
from warpviz.expression.reading import Reading, readings
from warpviz.expression.source import Place, clipped
from warpviz.expression.substitute import substituted
from warpviz.expression.syntax import Expression, Unit
from warpviz.expression.values import Home, LocalObject, LValue, Mask, MemoryObject, active
from warpviz.hardware import DEFAULT_MATRICES, LANES, LDMATRIX_ROW_BYTES, Space, lanes_read

_WIDTHS = (1, 2, 4, 8, 16)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """access: a batch of one; an inactive lane's address is 0.

    object_name: the array or pointer that the access falls in (several, with commas, where lanes differ).
    element_type: the type of the lvalue as the C spells it. warnings: outside an array, and the like.
    assumptions: sentences on what the texts leave open. unit, evaluator, lvalue, bases: what the texts are, what was
    worked out of them, and where each object begins in its space.
    """

    access: Access
    object_name: str
    element_type: str
    warnings: tuple[Notice, ...]
    assumptions: tuple[str, ...]
    unit: Unit = field(repr=False)
    evaluator: Evaluator = field(repr=False)
    lvalue: LValue = field(repr=False)
    bases: dict[MemoryObject, int] = field(repr=False)

    def substituted(self, lane: int) -> tuple[str, ...]:
        """The expression with the numbers of a lane: names replaced first, then indices worked out."""
        return substituted(self.unit.lvalue, self.evaluator, lane)

    def readings(self) -> tuple[Reading, ...]:
        """Each index of the expression, outermost object first: whether and how it varies with the lane."""
        return readings(self.unit.lvalue, self.evaluator, self.access.pointing[0])

    def cuda_source(self) -> str:
        """CUDA C++ that computes the same: struct Warp, access_active(w), access_address(w). See cuda.py."""
        return cuda_source(self.unit, self.evaluator, self.bases)


def evaluation_of(pattern: Pattern, unit: Unit, evaluator: Evaluator, declarations: Declarations) -> Evaluation:
    """Evaluate the condition, then the lvalue in the lanes that are left. Raises ExpressionError."""
    mask = present_lanes(pattern.launch)
    if unit.where is not None:
        mask = evaluator.condition(unit.where, mask)
    place = unit.lvalue.place
    lvalue = None if _is_arithmetic(unit.lvalue) else evaluator.evaluate(unit.lvalue, mask)
    if not isinstance(lvalue, LValue):
        raise ExpressionError("this is a value, not a place in memory; give an lvalue such as s[lane]", place)
    width = LDMATRIX_ROW_BYTES if pattern.op == "ldmatrix" else _width(lvalue.type, place)
    homes = _homes(lvalue, mask, place)
    space = homes[0].space
    _check_kind(pattern, space, width, place)
    bases = base_addresses(declarations.objects, homes)
    starts = np.array([bases.get(home, 0) if isinstance(home, MemoryObject) else 0 for home in lvalue.homes])
    addresses = np.where(mask, starts + lvalue.offsets, 0)
    pointing = _pointing(pattern, mask)
    _check_inside(evaluator, lvalue, width, pointing, place)
    what = "matrix row" if pattern.op == "ldmatrix" else lvalue.type
    refuse(
        place,
        pointing & (addresses % width != 0),
        lambda lane: f"the {what} at byte {addresses[lane]} is not aligned; its address is a multiple of {width}",
    )
    return Evaluation(
        Access.of(addresses, space=space, op=pattern.op, width=width, active=mask, matrices=pattern.matrices),
        ", ".join(home.name for home in homes),
        str(lvalue.type),
        tuple(evaluator.notices.values()),
        tuple(declarations.assumptions),
        unit,
        evaluator,
        lvalue,
        bases,
    )


def _is_arithmetic(node: Expression) -> bool:
    """Whether this is a value whatever its operands are: what they lack is then not what is wrong."""
    match node:
        case syntax.Binary(operator=operator):
            return operator != ","
        case syntax.Unary(operator=operator):
            return operator != "*"
    return isinstance(node, syntax.Call)


def _width(ctype: CType, place: Place) -> int:
    """Bytes that one access moves. Raises ExpressionError for a type that takes several, or none."""
    size = size_of(ctype)
    if isinstance(ctype, Array):
        raise ExpressionError(f"this is a whole array, {ctype}; index it once more", place)
    if size is None:
        raise ExpressionError(f"{ctype} has no size; cast the pointer to a type that has one", place)
    if size not in _WIDTHS or (isinstance(ctype, Record) and align_of(ctype) < size):
        raise ExpressionError(
            f"the compiler splits {ctype} ({size} bytes, aligned to {align_of(ctype)}) into several accesses; "
            "name one member, or cast its address to a pointer to float2, float4, …",
            place,
        )
    return size


def _homes(lvalue: LValue, mask: Mask, place: Place) -> list[MemoryObject]:
    """The objects that the active lanes fall in, in the order of the lanes, all in one space."""
    reached = dict.fromkeys(active(lvalue.homes, mask)) or dict.fromkeys(lvalue.homes[:1])
    local = next((home for home in reached if isinstance(home, LocalObject)), None)
    if local is not None:
        raise ExpressionError(
            f"{clipped(local.name)} is a local variable, in registers; give an access to memory", place
        )
    homes = [home for home in reached if isinstance(home, MemoryObject)]
    if len({home.space for home in homes}) > 1:
        spaces = " and ".join(f"{clipped(home.name)} is in {MEMORY_NAMES[home.space]}" for home in homes[:2])
        raise ExpressionError(f"one access is in one memory space, but {spaces}", place)
    return homes


def _check_inside(evaluator: Evaluator, lvalue: LValue, width: int, mask: Mask, place: Place) -> None:
    """Warn of bytes outside the object, where no index was outside its dimension already."""
    if evaluator.notices:
        return
    extents = {home: _extent(home) for home in set(lvalue.homes)}
    outside = np.array(
        [
            not extents[home][0] <= offset <= extents[home][1] - width
            for home, offset in zip(lvalue.homes, lvalue.offsets.tolist(), strict=True)
        ]
    )

    def sentence(lane: int) -> str:
        name, size = clipped(lvalue.homes[lane].name), lvalue.homes[lane].size
        has = "" if size is None else f", which has {size} bytes"
        return f"byte {lvalue.offsets[lane]} is outside {name}{has}"

    evaluator.warn(place, mask & outside, sentence)


def _extent(home: Home) -> tuple[float, float]:
    """The byte offsets where an object begins and ends; a pointer to global memory may point into the middle of it."""
    first = -inf if home.size is None and isinstance(home, MemoryObject) and home.space == "global" else 0
    return first, inf if home.size is None else home.size


def _pointing(pattern: Pattern, mask: Mask) -> Mask:
    """The lanes whose address is read."""
    matrices = (pattern.matrices or DEFAULT_MATRICES) if pattern.op == "ldmatrix" else None
    return mask & (np.arange(LANES) < lanes_read(matrices))


def _check_kind(pattern: Pattern, space: Space, width: int, place: Place) -> None:
    """Raise for an operation that this memory has not, or has not in this width, wherever the lanes point."""
    try:
        Access.of(np.zeros(LANES, np.int64), space=space, op=pattern.op, width=width, matrices=pattern.matrices)
    except ValueError as error:
        raise ExpressionError(str(error), place) from None
