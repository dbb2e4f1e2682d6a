"""A program at several values of its names, with its warnings on standard error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from warpviz.cli.complain import complain
from warpviz.expression import Evaluation, ExpressionError, Program


def warn_of_unused(program: Program, names: Iterable[str]) -> None:
    """Say which of these names stand nowhere in the program's texts."""
    for name in names:
        if name not in program.free_names:
            complain(f"warning: --set {name}: the name stands nowhere")


def evaluate_all(program: Program, points: Iterable[dict[str, int]]) -> Iterator[tuple[dict[str, int], Evaluation]]:
    """(values, evaluation) for each point, one at a time. Says each warning once. Raises ExpressionError."""
    warned: set[str] = set()
    for values in points:
        try:
            evaluation = program.evaluate(values)
        except ExpressionError as error:
            if values:
                error.add_note("with " + ", ".join(f"{name}={value}" for name, value in values.items()))
            raise
        for warning in map(str, evaluation.warnings):
            if warning not in warned:
                warned.add(warning)
                complain(f"warning: {warning}")
        yield values, evaluation
