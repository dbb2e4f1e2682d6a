"""`warpviz predict`."""

from __future__ import annotations

import json

import click

from warpviz.cli.choose import is_scene
from warpviz.cli.evaluate import evaluate_all, warn_of_unused
from warpviz.cli.options import AccessOptions
from warpviz.cli.report import text
from warpviz.expression import parse
from warpviz.hardware import DEFAULT_ARCH
from warpviz.prediction import Prediction


def print_predictions(expression: str, options: AccessOptions, as_json: bool) -> None:
    """Print the prediction of every combination of the --set values. Raises ExpressionError, click.UsageError."""
    if is_scene(expression):
        raise click.UsageError(f"{expression} is a scene; predict takes an expression, measure takes both")
    program = parse(options.pattern(expression))
    warn_of_unused(program, options.values)
    predictions = (
        Prediction.of(expression, values, options.arch or DEFAULT_ARCH, evaluation)
        for values, evaluation in evaluate_all(program, options.combinations())
    )
    if as_json:
        for prediction in predictions:
            click.echo(json.dumps(prediction.as_json()))
        return
    listed = list(predictions)
    click.echo(text(listed[0].heading(), (prediction.row() for prediction in listed), listed))
