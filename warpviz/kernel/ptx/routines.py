"""A kernel or a function: its name, its parameters, its body."""

from __future__ import annotations

from warpviz.kernel.ptx.bodies import BodyReader
from warpviz.kernel.ptx.declarations import read_parameters
from warpviz.kernel.ptx.syntax import Routine
from warpviz.kernel.ptx.tokens import Tokens

_ADVICE = (".max", ".min", ".req", ".explicitcluster", ".blocksareclusters", ".noreturn", ".abi_preserve", ".unique")
"""How the directives begin that stand between the parameters and the body: they change no result of the routine."""


def read_routine(tokens: Tokens, is_kernel: bool, main_file: int) -> Routine:
    """What follows .entry or .func. Where only the parameters are declared, it has no instructions. Raises PtxError.

    main_file: the index, as .file gives it, of the user's file.
    """
    results = read_parameters(tokens) if tokens.next == "(" else ()
    name = tokens.take()
    parameters = read_parameters(tokens) if tokens.next == "(" else ()
    _skip_advice(tokens)
    body = BodyReader(tokens, main_file)
    if not tokens.accept(";"):
        tokens.expect("{")
        body.read()
    return Routine(
        name,
        is_kernel,
        parameters,
        results,
        registers=body.registers,
        variables=tuple(body.variables),
        instructions=tuple(body.instructions),
        labels=body.labels,
        tables=body.tables,
    )


def _skip_advice(tokens: Tokens) -> None:
    while True:
        if tokens.accept(".pragma"):
            tokens.skip_past(";")
        elif tokens.next.startswith(_ADVICE):
            tokens.take()
            while tokens.next[:1] not in (".", "{", ";", ""):
                tokens.take()
        else:
            return
