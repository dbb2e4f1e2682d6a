"""What is being done for a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Stage = Literal["", "compiling", "interpreting"]


@dataclass(frozen=True)
class Work:
    """stage: empty while nothing is done. done, blocks: of the grid, while it is interpreted."""

    stage: Stage = ""
    done: int = 0
    blocks: int = 0


RESTS = Work()
