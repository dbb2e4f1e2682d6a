"""What is wrong with an address that a thread touches."""

from __future__ import annotations

from dataclasses import dataclass


class BadAddress(Exception):  # noqa: N818 - becomes a MemoryFault once thread and line are known
    """One thread's address that no array holds, or that is misaligned.

    place: (row of blocks, warp, lane) in the arrays of the access. where: such as "byte 4,096 of in, which has 4,096
    bytes".
    """

    def __init__(self, place: tuple[int, int, int], address: int, where: str) -> None:
        super().__init__(where)
        self.place = place
        self.address = address
        self.where = where


@dataclass(frozen=True)
class Culprit:
    """The thread whose access is wrong. block: %ctaid; thread: %tid; each (x, y, z)."""

    block: tuple[int, int, int]
    thread: tuple[int, int, int]

    def __str__(self) -> str:
        return f"thread {_indices(self.thread)} of block {_indices(self.block)}"


class MemoryFault(Exception):  # noqa: N818 - a fault is the hardware's word
    """A thread touches what it may not. str() is one sentence that begins with the line of the source.

    line: in the user's file, 0 where unknown. address: as the kernel holds it, without its memory space.
    """

    def __init__(self, culprit: Culprit, does: str, bad: BadAddress, line: int) -> None:
        at = f"line {line}: " if line else ""
        super().__init__(f"{at}{culprit} {does} at {bad.where}")
        self.culprit = culprit
        self.address = bad.address
        self.line = line


def _indices(index: tuple[int, int, int]) -> str:
    return f"({', '.join(map(str, index))})"
