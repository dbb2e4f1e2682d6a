"""`warpviz kernel`: a user's kernel, interpreted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from warpviz.cli.measured import failed
from warpviz.cli.report import table
from warpviz.gpu import GpuError
from warpviz.hardware import DEFAULT_ARCH
from warpviz.kernel.counting import Count, by_line, totals
from warpviz.kernel.interpret import Outcome, interpret
from warpviz.kernel.launch import LaunchError, LaunchOptions, launch_of
from warpviz.kernel.machine import Stopped
from warpviz.kernel.memory.faults import MemoryFault
from warpviz.kernel.program import CannotRun, build_program
from warpviz.kernel.ptx import PtxError, read_module
from warpviz.kernel.source import CompileError, SourceError, choose_kernel, declared_parameters, read_source, to_ptx
from warpviz.kernel.source.names import bare
from warpviz.wording import counted

_GLOBAL = ("requests", "sectors")
_SHARED = ("wavefronts", "ideal_wavefronts", "conflicts")
_KINDS = ("global_ld", "global_st", "global_red", "shared_ld", "shared_st", "shared_atom")


def print_kernel(
    file: str,
    name: str | None,
    as_json: bool,
    *,
    grid: str | None,
    block: str | None,
    smem: str | None,
    arguments: tuple[str, ...],
) -> int:
    """Compile, interpret, print; gives the exit code. Raises click.UsageError for what cannot be compiled or run."""
    options = LaunchOptions(grid, block, smem, arguments)
    try:
        with Console(stderr=True).status("compiling") as status:
            outcome = _outcome(Path(file), name, options, lambda done, of: status.update(f"block {done:,} of {of:,}"))
    except GpuError as error:
        return failed(error)
    except (SourceError, CompileError, LaunchError, PtxError, CannotRun, MemoryFault, Stopped) as error:
        raise click.UsageError(str(error)) from error
    click.echo(json.dumps(_as_json(outcome)) if as_json else "\n".join(_text(outcome)))
    return 0


def _outcome(path: Path, name: str | None, options: LaunchOptions, progress: Any) -> Outcome:
    source = read_source(path)
    compiled = to_ptx(source, DEFAULT_ARCH, name)
    chosen = choose_kernel(compiled.names, source.launches, name)
    module = read_module(compiled.ptx, compiled.source.name)
    routine = module.routines[chosen.symbol]
    texts = [compiled.source.text, *(text for _, text in compiled.source.headers)]
    declared = declared_parameters(texts, bare(chosen.name), len(routine.parameters))
    launch = launch_of(chosen.line, options, routine, declared, name=chosen.name, folder=path.parent)
    return interpret(build_program(module, chosen.symbol), launch, progress=progress)


def _as_json(outcome: Outcome) -> dict[str, Any]:
    sums = totals(outcome.counts)
    names = dict.fromkeys((*_KINDS, *sums))
    return {
        "kernel": outcome.launch.name,
        "arch": outcome.arch,
        "grid": list(outcome.launch.grid),
        "block": list(outcome.launch.block),
        "counters": {name: _counters(name, sums.get(name, Count())) for name in names},
        "lines": list(_lines(outcome)),
        "notices": list(outcome.notices),
        "hazards": None,
        "measured": None,
    }


def _counters(name: str, count: Count) -> dict[str, int]:
    if name.startswith("shared"):
        return {"instructions": count.requests} | {quantity: getattr(count, quantity) for quantity in _SHARED}
    return {quantity: getattr(count, quantity) for quantity in _GLOBAL}


def _lines(outcome: Outcome) -> Iterator[dict[str, Any]]:
    for kind, count in by_line(outcome.counts).items():
        shared = kind.space == "shared"
        yield {
            "line": kind.line,
            "op": kind.op,
            "space": kind.space,
            "width": kind.width,
            "requests": count.requests,
            "sectors": None if shared else count.sectors,
            "wavefronts": count.wavefronts if shared else None,
            "conflicts": count.conflicts if shared else None,
        }


def _text(outcome: Outcome) -> Iterator[str]:
    launch, statistics = outcome.launch, outcome.statistics
    threads = counted(statistics.threads, "thread")
    yield f"{launch.name}   grid {launch.grid}, block {launch.block}, {threads}, {outcome.arch}"
    yield table({name: "" if n is None else str(n) for name, n in line.items()} for line in _lines(outcome))
    yield from (f"  note: {notice}" for notice in outcome.notices)
    yield "  hazards are not looked for, and nothing is measured"
