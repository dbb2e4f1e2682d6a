"""A pattern at several values of its names, with its warnings on standard error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from warpviz.expression import Evaluation, ExpressionError, Pattern, parse


def warn_of_unused(pattern: Pattern, names: Iterable[str]) -> None:
    """Say which of these names stand nowhere in the pattern's texts. Raises ExpressionError."""
    used = parse(pattern).free_names
    for name in names:
        if name not in used:
            click.echo(f"warpviz: warning: --set {name}: the name stands nowhere", err=True)


def evaluate_all(pattern: Pattern, points: Iterable[dict[str, int]]) -> Iterator[tuple[dict[str, int], Evaluation]]:
    """(values, evaluation) for each point, one at a time. Says each warning once. Raises ExpressionError."""
    program = parse(pattern)
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
                click.echo(f"warpviz: warning: {warning}", err=True)
        yield values, evaluation
