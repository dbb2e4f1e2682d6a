"""From the recorded accesses of a kernel back to C that the explorer shows, explains, mends and measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from warpviz.expression import ExpressionError, Launch, Pattern, layout, parse
from warpviz.expression.launch import present_lanes
from warpviz.expression.pattern import Dim3
from warpviz.hardware import LINE_BYTES, Op, Space, lanes_read
from warpviz.kernel.counting import Recorded
from warpviz.kernel.fitting.access_types import accessed_type, element_type, scalar_of
from warpviz.kernel.fitting.conditions import condition
from warpviz.kernel.fitting.lanes import Bools, Ints, lane_bits, lanes_of
from warpviz.kernel.fitting.paths import paths
from warpviz.kernel.fitting.variables import Variable, Variables, in_place
from warpviz.kernel.fitting.writing import Written, written
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.program import Program

_VERBS: dict[Op, str] = {"ld": "load", "st": "store", "atom": "atomic", "red": "reduction", "ldmatrix": "ldmatrix"}


@dataclass(frozen=True, eq=False)
class _Asked:
    """An access to write. space: of memory. active: lanes, bool, (32,). bits: the lanes whose address is read."""

    recorded: Recorded
    space: Space
    launch: Launch
    active: Bools
    bits: int

    @property
    def addresses(self) -> Ints:
        """Of the lanes that are read, ascending by lane."""
        return self.recorded.addresses[lanes_of(self.bits)]


class Fitter:
    """Writes the accesses of one launch as C.

    program, memory: that are run. texts: of the source, then of what it includes; where the types of its variables are
    looked for. grid, block: blocks and threads along x, y, z.
    """

    def __init__(self, program: Program, memory: Memory, texts: Sequence[str], grid: Dim3, block: Dim3) -> None:
        self._variables = Variables(program, memory, texts)
        self._grid = grid
        self._block = block

    def pattern(self, recorded: Recorded, block: int) -> Pattern | None:
        """An expression with the same addresses, but for a shift of all by a multiple of 128 bytes, the same lanes,
        width, op and memory space. It is evaluated before it is given. block: by its place in the grid, x fastest.

        None for what no expression says: an access to local memory, or an atomic of 2 or 16 bytes. The lanes whose
        address a matrix store does not read are not active.
        """
        asked = self._asked(recorded, block)
        if asked is None:
            return None
        return next((pattern for pattern in self._candidates(asked) if _is_same(pattern, asked)), None)

    def title(self, recorded: Recorded) -> str:
        """In one line: where in the source, which warp, how often it was here before, and what it does to what."""
        kind = recorded.kind
        where = f"line {kind.line}" if kind.line else kind.name
        what = f"{kind.space}, {_VERBS[kind.op]}"
        at = f"{where}, warp {recorded.warp}, iteration {recorded.iteration}"
        if kind.space == "local" or not recorded.active.any():
            return f"{at} ({what})"
        first = int(recorded.addresses[recorded.active][0])
        return f"{at}: {self._variables.at(kind.space, first).shown} ({what})"

    def _asked(self, recorded: Recorded, block: int) -> _Asked | None:
        kind = recorded.kind
        if kind.space == "local":
            return None
        x, y, _ = self._grid
        launch = Launch(self._block, (block % x, block // x % y, block // (x * y)), self._grid, recorded.warp)
        pointing = recorded.active & (np.arange(len(recorded.active)) < lanes_read(kind.matrices))
        active = recorded.active if kind.op == "ldmatrix" else pointing
        return _Asked(recorded, kind.space, launch, active, lane_bits(pointing))

    def _candidates(self, asked: _Asked) -> Iterator[Pattern]:
        """The most readable first; the last is right wherever an expression is."""
        kind = asked.recorded.kind
        addresses = asked.addresses
        variable = self._variables.at(asked.space, int(addresses[0]) if addresses.size else 0)
        where = condition(lane_bits(asked.active), lane_bits(present_lanes(asked.launch)), asked.launch)
        for one, element in ((variable, element_type(kind)), (variable.as_bytes, layout.UNSIGNED_CHAR)):
            declarations = in_place(one, element)
            for way in sorted(_ways(one, element, asked), key=lambda way: way.form):
                yield _pattern(way, declarations, where, asked)


def _ways(variable: Variable, element: layout.CType, asked: _Asked) -> Iterator[Written]:
    kind = asked.recorded.kind
    offsets = asked.addresses - variable.start
    ctype = variable.type_for(element)
    accessed = accessed_type(kind, scalar_of(ctype) if variable.typed else None)
    is_row = kind.op == "ldmatrix"
    for path in paths(variable.name, ctype, offsets, kind.width, accessed, is_row=is_row):
        yield written(path, asked.bits, asked.launch)


def _pattern(way: Written, declarations: Sequence[str], where: str, asked: _Asked) -> Pattern:
    kind = asked.recorded.kind
    matrices = kind.matrices if kind.op == "ldmatrix" else None
    text = "\n".join([*declarations, *way.tables])
    return Pattern(way.expression, text, where, kind.op, None, matrices, asked.launch)


def _is_same(pattern: Pattern, asked: _Asked) -> bool:
    """Whether an expression makes the access."""
    kind = asked.recorded.kind
    try:
        access = parse(pattern).evaluate({}).access
    except ExpressionError:
        return False
    if (access.space, access.op, access.width) != (asked.space, kind.op, kind.width):
        return False
    shifts = access.addresses[0, lanes_of(asked.bits)] - asked.addresses
    is_shifted = bool((shifts == shifts[:1]).all() and not (shifts % LINE_BYTES).any())
    return is_shifted and bool((access.active[0] == asked.active).all())
