"""cp.async: bytes from global to shared memory, at once: waiting for them is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from warpviz.kernel.memory.access import Running, Site, find, kind_of, load, store
from warpviz.kernel.memory.checks import Ints, Mask
from warpviz.kernel.memory.observing import Half
from warpviz.kernel.memory.operation import MemoryOperation, taken_as
from warpviz.kernel.memory.values import MemoryType, Values, bits_dtype
from warpviz.kernel.ptx.syntax import Address, Immediate, Instruction

_CACHED = {"ca", "cg"}
_SHARED = {"shared", "shared::cta"}
_KNOWN = {"async", "global", "L2::cache_hint", "L2::64B", "L2::128B", "L2::256B", *_CACHED, *_SHARED}
_SIZE = MemoryType("u32", 4)  # of the operand that says how many bytes are read


def copy_operation(instruction: Instruction, index: int) -> MemoryOperation | None:
    """Of a cp.async of 4, 8 or 16 bytes; None for another cp, and where its form is not known."""
    modifiers = set(instruction.modifiers)
    if not {"async", "global"} <= modifiers or not modifiers & _CACHED or not modifiers & _SHARED or modifiers - _KNOWN:
        return None
    match instruction.operands:
        case (Address() as target, Address() as source, Immediate(value=(4 | 8 | 16) as width), *rest):
            hints = 1 if "L2::cache_hint" in modifiers else 0  # the last operand
            sources = tuple(rest[: len(rest) - hints])
        case _:
            return None
    size = min(int(width), 8)
    line, name = instruction.line.number, instruction.name
    site = Site(index, line, name, "global", "ld", f"b{8 * size}", size, int(width), is_told=False)

    def run(running: Running, addresses: Sequence[Ints], values: Sequence[Values], mask: Mask) -> list[Values]:
        return copy(site, running, addresses[0], addresses[1], values[0] if values else None, mask)

    return MemoryOperation((), _SIZE, (target, source), sources, taken_as(sources, _SIZE), run)


def copy(
    site: Site, running: Running, target: Ints, source: Ints, read_bytes: Values | None, mask: Mask
) -> list[Values]:
    """Copy each thread's bytes; zeros stand for those from read_bytes on, which are not read. None: all are. Gives no
    result.

    site: of the half that reads, of which nobody is told but here, with the other half. source: addresses in global
    memory; target: in shared memory.
    """
    reading = mask
    if read_bytes is None or (read_bytes >= site.width).all():
        elements = load(site, running, source, mask)
    else:
        reading = (read_bytes > 0) if mask is None else (read_bytes > 0) & mask
        elements = _load_some(site, running, source, read_bytes, mask)
    writing = replace(site, space="shared", op="st")
    read = Half(kind_of(site, "global"), source, reading)
    written = Half(kind_of(writing, "shared"), target, mask)
    running.observer.copy(read, written, running.threads)
    if running.watcher is not None:
        running.watcher.access(written.kind, target, elements, mask, running.threads)
    return store(writing, running, target, elements, mask)


def _load_some(site: Site, running: Running, source: Ints, read_bytes: Values, mask: Mask) -> list[Values]:
    """The bits of each component, byte after byte."""
    shape = running.threads.shape
    active = np.broadcast_to(True if mask is None else mask, shape)
    misaligned = active & (source & (site.width - 1) != 0)
    if misaligned.any():
        find(site, running, source, misaligned)  # says so
    one = replace(site, size=1, width=1)
    loaded = np.zeros((*shape, site.width), dtype=np.uint8)
    for byte in range(site.width):
        reads = active & (read_bytes > byte)
        if reads.any():
            loaded[..., byte] = np.where(reads, load(one, running, source + byte, reads)[0], 0)
    elements = loaded.view(bits_dtype(site.size))
    return [elements[..., component] for component in range(elements.shape[-1])]
