"""What PTX text holds, as frozen values. NVIDIA, "Parallel Thread Execution ISA"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

StateSpace = str  # "reg", "shared", "global", "const", "local", "param"


@dataclass(frozen=True)
class Register:
    """Such as %r12, or a special register such as %tid.x. `_` for a result nobody wants.

    One of an inner scope has a name of its own: "p#2" for p of the routine's second inner scope.
    """

    name: str


@dataclass(frozen=True)
class Immediate:
    """A number as it is written. value: an int; for a 0f… or 0d… literal the float that its bits are."""

    value: int | float


@dataclass(frozen=True)
class Symbol:
    """The name of a variable, a function or a label: as an operand, its address."""

    name: str


@dataclass(frozen=True)
class Negated:
    """!%p: a predicate's opposite, of setp.and, vote and the like."""

    register: Register


@dataclass(frozen=True)
class Address:
    """[base + offset]. offset: in bytes."""

    base: Register | Symbol | None
    offset: int


@dataclass(frozen=True)
class Vector:
    """{a, b, …}: of vector loads and stores, mov and the results of a call. None for `_`, a result nobody wants."""

    elements: tuple[Register | Immediate | Symbol | None, ...]


@dataclass(frozen=True)
class Pair:
    """p|q: two results of one instruction, as of setp and shfl."""

    first: Register | None
    second: Register | None


Operand = Register | Immediate | Symbol | Negated | Address | Vector | Pair


@dataclass(frozen=True)
class Guard:
    """@%p or @!%p."""

    register: Register
    negated: bool


@dataclass(frozen=True)
class Line:
    """Where in the user's file an instruction comes from; of another file's function that is inlined, the nearest call.
    1 is the first line; 0 where nothing is said."""

    number: int


@dataclass(frozen=True)
class Instruction:
    """opcode: such as "ld"; modifiers: such as ("global", "v4", "f32"). operands: in their order, the result first.
    ptx_line: its line in the PTX text, from 1.

    A call always has the results as a Vector, the function, the arguments as a Vector, and then the prototype or table
    of an indirect one, if any. Coordinates as in `[image, {x, y}]` follow their address as an operand of their own.
    """

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Guard | None
    line: Line
    ptx_line: int

    @property
    def name(self) -> str:
        """As PTX writes it.

        >>> Instruction("ld", ("global", "f32"), (), None, Line(1), 1).name
        'ld.global.f32'
        """
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True)
class Variable:
    """A variable of memory. size, align: in bytes; size 0 for an extern one whose size the launch gives. initial: its
    bytes, empty for zeros or none. addresses: (offset, symbol, addend) of the pointers among them, filled in at the
    launch."""

    name: str
    space: StateSpace
    size: int
    align: int
    initial: bytes = b""
    addresses: tuple[tuple[int, str, int], ...] = ()


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel or a function. type: such as "u64" or "b8" (an array of bytes: a struct by value).
    offset: from the start of the parameters, in bytes; size, align: in bytes. is_pointer: where PTX says so."""

    name: str
    type: str
    offset: int
    size: int
    align: int
    is_pointer: bool = False


@dataclass(frozen=True)
class Routine:
    """A kernel (.entry) or a function (.func).

    registers: name -> type, such as "b32", "f32", "pred". variables: its own, of shared, local and param memory.
    labels: name -> index of the instruction that follows; at the end, their number. results: of a function.
    tables: name -> labels, of brx.idx. One that is only declared, as vprintf is, has no instructions.
    Names of inner scopes are unique: "param0#3" is param0 of the third inner scope.
    """

    name: str
    is_kernel: bool
    parameters: tuple[Parameter, ...]
    results: tuple[Parameter, ...]
    registers: Mapping[str, str]
    variables: tuple[Variable, ...]
    instructions: tuple[Instruction, ...]
    labels: Mapping[str, int]
    tables: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Module:
    """routines: by name. variables: of the module's scope, by name. files: index -> path, of .file."""

    routines: Mapping[str, Routine]
    variables: Mapping[str, Variable]
    files: Mapping[int, str]

    @property
    def kernels(self) -> tuple[Routine, ...]:
        return tuple(routine for routine in self.routines.values() if routine.is_kernel)
