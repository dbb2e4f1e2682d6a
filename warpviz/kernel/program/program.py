"""A kernel as the machine runs it: basic blocks over one list of instructions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpviz.kernel.ptx.syntax import Guard, Instruction, Operand, Parameter, Variable


@dataclass(frozen=True)
class Go:
    """On to another block. target: its number."""

    target: int


@dataclass(frozen=True)
class Branch:
    """To the block `taken` where the guard holds, else to `otherwise`."""

    guard: Guard
    taken: int
    otherwise: int


@dataclass(frozen=True)
class Choose:
    """To the target with the number that a register holds. instruction: the brx.idx."""

    instruction: Instruction
    index: Operand
    targets: tuple[int, ...]


@dataclass(frozen=True)
class Meet:
    """Wait at a barrier, then on to another block. instruction: bar.sync, bar.red and the like, without a guard."""

    instruction: Instruction
    then: int


@dataclass(frozen=True)
class Leave:
    """The threads end."""


@dataclass(frozen=True)
class Fail:
    """A trap or a failed assertion: the kernel stops when a thread comes here."""

    instruction: Instruction


Ending = Go | Branch | Choose | Meet | Leave | Fail


@dataclass(frozen=True)
class Block:
    """instructions: their range in the program's list, without the one that ends the block. ending: who goes where.

    live: registers that are read, here or later, before they are written.
    """

    instructions: range
    ending: Ending
    live: frozenset[str]

    @property
    def next(self) -> tuple[int, ...]:
        """The numbers of the blocks that may follow."""
        return following(self.ending)


def following(ending: Ending) -> tuple[int, ...]:
    """The numbers of the blocks that an ending leads to."""
    match ending:
        case Go(target=target):
            return (target,)
        case Branch(taken=taken, otherwise=otherwise):
            return (taken, otherwise)
        case Choose(targets=targets):
            return targets
        case Meet(then=then):
            return (then,)
        case _:
            return ()


@dataclass(frozen=True)
class Program:
    """A kernel with its calls inlined.

    blocks: in the order in which they run when threads wait for several; those that no thread can reach are left out.
    entry: the number of the block where threads begin. registers: name -> type, special ones and the carry flag as
    well; names of an inlined call's own end in "@" and a number. variables: all that the kernel uses, of its module,
    its own and its functions'; param variables are those of inlined calls. unread: indices of the instructions whose
    results nobody reads. notices: sentences on what is passed over.
    """

    name: str
    parameters: tuple[Parameter, ...]
    variables: tuple[Variable, ...]
    registers: Mapping[str, str]
    instructions: tuple[Instruction, ...]
    blocks: tuple[Block, ...]
    entry: int
    unread: frozenset[int]
    notices: tuple[str, ...]
