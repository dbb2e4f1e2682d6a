"""`warpviz predict`."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

from warpviz.cli.options import AccessOptions
from warpviz.cli.report import Prediction, table
from warpviz.expression import parse


def print_predictions(expression: str, options: AccessOptions, as_json: bool) -> None:
    """Print the prediction of every combination of the --set values. Raises ExpressionError, click.UsageError."""
    predictions = _predictions(expression, options)
    if as_json:
        for prediction in predictions:
            click.echo(json.dumps(prediction.as_json()))
        return
    listed = list(predictions)
    click.echo(listed[0].heading())
    click.echo(table(prediction.row() for prediction in listed))
    for sentence in dict.fromkeys(sentence for prediction in listed for sentence in prediction.assumptions()):
        click.echo(f"  assumed: {sentence}")


def _predictions(expression: str, options: AccessOptions) -> Iterator[Prediction]:
    program = parse(options.pattern(expression))
    warned: set[str] = set()
    for values in options.combinations():
        evaluation = program.evaluate(values)
        for notice in evaluation.warnings:
            if str(notice) not in warned:
                warned.add(str(notice))
                click.echo(f"warpviz: warning: {notice}", err=True)
        yield Prediction.of(expression, values, options.arch, evaluation)
