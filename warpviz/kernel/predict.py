"""A prepared kernel's whole prediction: its machine code read, then the launch interpreted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warpviz.gpu.code.compiler import Compiler
from warpviz.gpu.measurement import Unavailable
from warpviz.kernel.code import code_of
from warpviz.kernel.interpret import Outcome, interpret
from warpviz.kernel.prepare import Prepared


def predict(
    prepared: Prepared,
    *,
    compiler: Compiler | None = None,
    blocks: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda done, blocks: None,
) -> Outcome:
    """What the accesses cost as the machine code makes them; where that cannot be read, as the PTX has them, and a
    notice says so. compiler: see `code_of`. For all else see `interpret`."""
    source, symbol = prepared.compiled.source, prepared.kernel.symbol
    code = code_of(source, symbol, prepared.arch, prepared.program, compiler)
    read = None if isinstance(code, Unavailable) else code
    outcome = interpret(
        prepared.program,
        prepared.launch,
        prepared.arch,
        code=read,
        blocks=blocks,
        cancelled=cancelled,
        progress=progress,
    )
    if isinstance(code, Unavailable):
        notice = f"the accesses are those of the PTX, and the compiler may still fuse or drop some: {code.reason}"
        return replace(outcome, notices=(*outcome.notices, notice))
    return outcome
