"""NVRTC for the tests: one process, started with the first text, that compiles all of them."""

from __future__ import annotations

import atexit

from warpviz.gpu.code.compiler import Compiler

_running: list[Compiler] = []


def compiler() -> Compiler:
    """The process that runs; a new one when a text has brought down the last."""
    if not _running or _running[-1]._process.poll() is not None:
        _running.append(Compiler().__enter__())
        atexit.register(_running[-1].__exit__)
    return _running[-1]


def compiler_process() -> int | None:
    """Its number, if it runs."""
    return _running[-1]._process.pid if _running else None
