"""Whether one lane of a warp does for all what an instruction of the machine code does.

Where all lanes update one address, ptxas lets them vote who is there (VOTE), adds up their values (POPC, REDUX), and
finds the last of them (FLO), which alone makes the update.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpviz.gpu.code.sass import Instruction

_REGISTER = re.compile(r"\bU?[RP]\d+\b")
_ELECTING = ("FLO", "UFLO")
_COMPARING = ("ISETP", "UISETP")
_FAR = 200  # instructions: as far back as a definition is looked for


def is_elected(instructions: Sequence[Instruction], place: int) -> bool:
    """Whether the predicate of an instruction compares the lane with the one found."""
    predicate = instructions[place].predicate.lstrip("@!")
    compared = _definition(instructions, place, predicate) if predicate else None
    if compared is None or instructions[compared].opcode.split(".")[0] not in _COMPARING:
        return False
    sources = _REGISTER.findall(instructions[compared].operands)
    found = (_definition(instructions, compared, source) for source in sources if source != predicate)
    return any(at is not None and instructions[at].opcode.split(".")[0] in _ELECTING for at in found)


def _definition(instructions: Sequence[Instruction], place: int, register: str) -> int | None:
    """The instruction before, in the order of the listing, whose first result is the register."""
    for before in range(place - 1, max(-1, place - _FAR), -1):
        first = _REGISTER.search(instructions[before].operands)
        if first is not None and first[0] == register and not instructions[before].opcode.startswith(("ST", "RED")):
            return before
    return None
