"""The commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from warpviz.cli.complain import complain
from warpviz.cli.exits import Exit
from warpviz.cli.options import access_options, read_options

_EXAMPLES = """
Examples:

\b
  warpviz                                    choose from the scenes
  warpviz tile-padding                       open one
  warpviz -e 's[k*lane]' --set k=8           explore an expression
  warpviz predict 'tile[lane][0]' --decl '__shared__ float tile[32][33];'
  warpviz predict 's[k*lane]' --set k=0..64 --json
  warpviz measure 's[k*lane]' --set k=8      run it on the GPU here
"""


class _Commands(click.Group):
    """A group whose first argument, when it is no command, belongs to `open`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args else ""
        if first not in self.commands and first not in ("--help", "-h", "--version"):
            args = ["open", *args]
        return super().parse_args(ctx, args)


def _print_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    from importlib.metadata import PackageNotFoundError, version

    if wanted:
        try:
            click.echo(f"warpviz {version('warpviz')}")
        except PackageNotFoundError:
            click.echo("warpviz, from a checkout that is not installed")
        context.exit()


@click.group(cls=_Commands, epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show it.")
def warpviz() -> None:
    """See how the 32 lanes of a GPU warp hit memory, pass by pass, and measure it on the real GPU.

    `warpviz SCENE`, `warpviz FILE.toml` and `warpviz -e EXPR` open the explorer; `warpviz` alone, the gallery.
    """


@warpviz.command("open")
@click.argument("scene", required=False)
@click.option("-e", "--expression", metavar="EXPR", help="A C expression that names the memory each lane touches.")
@access_options
def open_(scene: str | None, expression: str | None, **given: Any) -> int:
    """Open a scene, a scene file or an expression (-e); the word `open` may be left out."""
    from warpviz.cli.open import open_explorer

    return open_explorer(scene, expression, read_options(given))


@warpviz.command()
@click.argument("expression", metavar="EXPR")
@access_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def predict(expression: str, as_json: bool, **given: Any) -> None:
    """Predict what the hardware counts for EXPR, a C lvalue such as s[k*lane]."""
    from warpviz.cli.predict import print_predictions

    print_predictions(expression, read_options(given), as_json)


@warpviz.command()
@click.argument("what", metavar="EXPR|SCENE")
@access_options
@click.option(
    "--counters",
    type=click.Choice(["auto", "off", "require"]),
    default="auto",
    show_default=True,
    help="Hardware counters through ncu.",
)
@click.option("--record", metavar="FILE", help="Write the measurements to FILE, to be shown where there is no GPU.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def measure(what: str, counters: Any, record: str | None, as_json: bool, **given: Any) -> int:
    """Measure EXPR or every access of SCENE on the GPU and set it beside the prediction."""
    from warpviz.cli.measure import print_measurements

    return print_measurements(what, read_options(given), counters, record, as_json)


@warpviz.command()
def scenes() -> None:
    """List the scenes that come with the program."""
    from warpviz.scene import shipped_scenes

    shipped = shipped_scenes()
    width = max(len(scene.name) for scene in shipped)
    for scene in shipped:
        click.echo(f"{scene.name.ljust(width)}  {scene.title}")


def run_command(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code. Every complaint is one sentence on standard error."""
    from warpviz.expression import ExpressionError
    from warpviz.scene import SceneError

    try:
        with warpviz.make_context("warpviz", list(arguments)) as context:
            code = warpviz.invoke(context)
        sys.stdout.flush()
        return int(code or Exit.DONE)
    except click.exceptions.Exit as leaving:  # after --help and --version
        return leaving.exit_code
    except click.ClickException as error:
        complain(error.format_message())
        return error.exit_code
    except ExpressionError as error:
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        complain(f"{error}{notes}\n{error.caret()}")
        return Exit.BAD_INPUT
    except SceneError as error:
        complain(str(error))
        return Exit.BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        return Exit.INTERRUPTED
    except BrokenPipeError:  # whoever reads the output has enough of it
        _write_into_nothing()
        return Exit.DONE
    except OSError as error:
        _write_into_nothing()
        complain(f"the output cannot be written: {error.strerror or error}")
        return Exit.BAD_INPUT


def _write_into_nothing() -> None:
    """Python flushes standard output once more on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
