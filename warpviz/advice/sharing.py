"""Shared memory: every way to mend the bank conflicts of one array, and what cannot mend them."""

from __future__ import annotations

import numpy as np

from warpviz.access import Access
from warpviz.advice.agreement import obstacle
from warpviz.advice.arrays import ArrayAccesses
from warpviz.advice.fix import Fix
from warpviz.advice.knobs import turned
from warpviz.advice.members import own_arrays
from warpviz.advice.padding import padded
from warpviz.advice.swizzle import xored
from warpviz.hardware import ATOMIC_OPS, WORD_BYTES


def mend(array: ArrayAccesses) -> tuple[list[Fix], list[str]]:
    """A knob turned, else a padding; a swizzle; a struct taken apart. Sentences on those that do not help enough."""
    turn = turned(array)
    stays = obstacle(array)
    if stays:
        return [turn] if turn is not None else [], [stays]
    pad, no_pad = (turn, []) if turn is not None else padded(array)
    xor, no_xor = xored(array)
    own, no_own = own_arrays(array)
    fixes = [fix for fix in (pad, xor, own) if fix is not None]
    if any(map(_takes_turns_at_a_word, array.accesses)):
        name = array.site.path
        return fixes, [
            f"lanes work on the same word of {name}, and atomics have no broadcast: wherever the word lies they take "
            "turns; add up within the warp first, or use more words"
        ]
    return fixes, no_pad + no_xor + no_own


def _takes_turns_at_a_word(access: Access) -> bool:
    """Whether lanes of an atomic have a word in common."""
    words = access.addresses[access.active] // WORD_BYTES
    return access.op in ATOMIC_OPS and np.unique(words).size < words.size
