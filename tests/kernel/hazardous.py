"""A kernel run with somebody who looks for hazards, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.kernel.ptx_samples import ptx_of
from warpviz.kernel.hazards import Hazard, HazardFinder
from warpviz.kernel.interpret import filled_memory
from warpviz.kernel.launch import LaunchOptions, launch_of, parse_launch
from warpviz.kernel.machine import BarrierNotReached, Geometry, run
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.observing import Nobody
from warpviz.kernel.program import Program, build_program
from warpviz.kernel.ptx import read_module


def hazards_of(
    source: str,
    *,
    grid: int | tuple[int, int, int] = 1,
    block: int | tuple[int, int, int] = 128,
    out: int = 4096,
    shared_bytes: int = 0,
    **options: Any,
) -> tuple[Hazard, ...]:
    """Of a CUDA kernel whose only parameter is an array of so many words, zeros; up to where its threads wait for ever.

    options: of `run`.
    """
    return hazards_of_ptx(ptx_of(source), grid=grid, block=block, out=out, shared_bytes=shared_bytes, **options)


def hazards_of_ptx(
    ptx: str,
    *,
    grid: int | tuple[int, int, int] = 1,
    block: int | tuple[int, int, int] = 128,
    out: int = 4096,
    shared_bytes: int = 0,
    **options: Any,
) -> tuple[Hazard, ...]:
    """As hazards_of, of PTX."""
    module = read_module(ptx)
    program = build_program(module, module.kernels[0].name)
    memory = Memory(program.variables, program.parameters, [("out", 4 * out)], shared_bytes)
    memory.set_parameters(memory.arena.arrays["out"].address.to_bytes(8, "little"))
    return _found(program, Geometry(_index(grid), _index(block), shared_bytes), memory, options)


def hazards_of_file(text: str, **options: Any) -> tuple[Hazard, ...]:
    """Of a source that says in its first line how it is launched."""
    module = read_module(ptx_of(text))
    (routine,) = module.kernels
    (line,) = parse_launch(text)
    launch = launch_of(line, LaunchOptions(), routine, None, name=line.name, folder=Path())
    program = build_program(module, routine.name)
    memory, _ = filled_memory(program, launch)
    return _found(program, Geometry(launch.grid, launch.block, launch.shared_bytes), memory, options)


def _found(program: Program, geometry: Geometry, memory: Memory, options: Mapping[str, Any]) -> tuple[Hazard, ...]:
    finder = HazardFinder(program, geometry, memory)
    with suppress(BarrierNotReached):
        run(program, geometry, memory, Nobody(), watch=finder.watch, **options)
    return finder.hazards


def _index(size: int | tuple[int, int, int]) -> tuple[int, int, int]:
    return (size, 1, 1) if isinstance(size, int) else size
