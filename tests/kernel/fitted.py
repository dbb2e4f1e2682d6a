"""Accesses made by hand, and the C that is fitted to them, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.access import Access
from warpviz.expression import Evaluation, Pattern, parse
from warpviz.expression.pattern import Dim3
from warpviz.hardware import LANES
from warpviz.kernel.counting import Recorded
from warpviz.kernel.fitting import Fitter
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.observing import Kind
from warpviz.kernel.program import Program
from warpviz.kernel.ptx.syntax import Parameter, Variable
from warpviz.model import cost

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
EVERY = np.ones(LANES, dtype=np.bool_)
lane = np.arange(LANES)


def kind(space: str = "shared", op: str = "ld", width: int = 4, type: str = "f32", **others: Any) -> Kind:
    fields = {"index": 0, "line": 7, "name": f"{op}.{space}.{type}", "matrices": None, **others}
    return Kind(space=space, op=op, width=width, type=type, **fields)  # type: ignore[arg-type]


WORD = kind()


@dataclass(frozen=True)
class Scenery:
    """What a kernel has in memory. variables: (name in the PTX, space, bytes, alignment); arrays: (name, bytes)."""

    variables: Sequence[tuple[str, str, int, int]] = (("s", "shared", 4096, 4),)
    arrays: Sequence[tuple[str, int]] = (("in", 4096),)
    text: str = ""
    kernel: str = "k"
    block: Dim3 = (32, 1, 1)
    grid: Dim3 = (4, 1, 1)
    shared_bytes: int = 0

    def memory(self) -> tuple[Program, Memory]:
        """A kernel without code, and its memory."""
        variables = tuple(Variable(*variable) for variable in self.variables)
        parameters = tuple(Parameter(name, "u64", 8 * at, 8, 8) for at, (name, _) in enumerate(self.arrays))
        program = Program(self.kernel, parameters, variables, {}, (), (), 0, frozenset(), ())
        return program, Memory(variables, parameters, self.arrays, self.shared_bytes)

    def start(self, name: str) -> int:
        """Where a variable or an array lies."""
        _, memory = self.memory()
        place = memory.place(name)
        if name in memory.arena.arrays:
            return memory.arena.arrays[name].address
        assert place is not None
        return place.address

    def fitted(self, recorded: Recorded, block: int = 0) -> Pattern | None:
        """What the access is written as."""
        program, memory = self.memory()
        return Fitter(program, memory, [self.text], self.grid, self.block).pattern(recorded, block)

    def pattern(self, name: str, offsets: Ints, active: Bools = EVERY, kind: Kind = WORD, *, warp: int = 0) -> Pattern:
        """Of an access so many bytes from a variable's first; checked to be that access."""
        recorded = Recorded(kind, warp, 0, np.asarray(self.start(name) + offsets, np.int64), np.asarray(active))
        pattern = self.fitted(recorded)
        assert pattern is not None
        check(pattern, recorded)
        return pattern

    def index(self, values: Ints, active: Bools = EVERY, *, warp: int = 0) -> str:
        """What an index of the first array of floats is written as."""
        name = self.arrays[0][0]
        pattern = self.pattern(name, 4 * values, active, kind("global"), warp=warp)
        start = f"{name}["
        assert pattern.expression.startswith(start)
        return pattern.expression[len(start) : -1]


def check(pattern: Pattern, recorded: Recorded) -> Evaluation:
    """Hold an expression against the access it is fitted to: addresses, lanes, kind and cost."""
    evaluation = parse(pattern).evaluate({})
    fitted, access = evaluation.access, recorded.access
    assert access is not None
    pointing = access.pointing[0]
    shifts = (fitted.addresses[0] - recorded.addresses)[pointing]
    assert len(set(shifts.tolist())) == 1
    assert shifts[0] % 128 == 0
    active = access.active if access.op == "ldmatrix" else access.pointing
    assert (fitted.active == active).all()
    assert (fitted.space, fitted.op, fitted.width) == (access.space, access.op, access.width)
    costs = [_cost(one) for one in (fitted, Access(access.addresses, active, *_kind_of(fitted)))]
    assert costs[0] == costs[1]
    return evaluation


def _kind_of(access: Access) -> tuple[Any, ...]:
    return access.width, access.op, access.space, access.matrices


def _cost(access: Access) -> list[Any]:
    counted = cost(
        access.addresses % (1 << 40),
        space=access.space,
        op=access.op,
        width=access.width,
        active=access.active,
        matrices=access.matrices,
    )
    names = ("requests", "sectors", "lines", "wavefronts", "ideal_wavefronts", "conflicts")
    return [None if (value := getattr(counted, name)) is None else value.tolist() for name in names]
