"""A pattern at several values of its names, with its warnings on standard error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from warpviz.expression import Evaluation, Pattern, parse


def evaluate_all(pattern: Pattern, points: Iterable[dict[str, int]]) -> Iterator[tuple[dict[str, int], Evaluation]]:
    """(values, evaluation) for each point, one at a time. Says each warning once. Raises ExpressionError."""
    program = parse(pattern)
    warned: set[str] = set()
    for values in points:
        evaluation = program.evaluate(values)
        for warning in map(str, evaluation.warnings):
            if warning not in warned:
                warned.add(warning)
                click.echo(f"warpviz: warning: {warning}", err=True)
        yield values, evaluation
