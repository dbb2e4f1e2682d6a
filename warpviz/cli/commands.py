"""The commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from warpviz.cli import examples
from warpviz.cli.complain import complain
from warpviz.cli.completion import SHELLS, answer_shell, scene_items, script
from warpviz.cli.exits import Exit
from warpviz.cli.export_options import export_options, read_files
from warpviz.cli.opening import opening_options, read_opening
from warpviz.cli.options import SetValue, access_options, read_options

_counters_option = click.option(
    "--counters",
    type=click.Choice(["auto", "off", "require"]),
    default="auto",
    show_default=True,
    help="Hardware counters through ncu.",
)


class _Commands(click.Group):
    """A group whose first argument, when it is no command, belongs to `open`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and ctx.resilient_parsing:  # a shell asks what may come first
            return super().parse_args(ctx, args)
        first = args[0] if args else ""
        if first not in self.commands and first not in ("--help", "-h", "--version"):
            args = ["open", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """What may come first: a command, or what `open` takes."""
        items = super().shell_complete(ctx, incomplete)
        with open_.make_context("open", [], parent=ctx, resilient_parsing=True) as opening:
            asked = open_ if incomplete.startswith("-") else open_.params[0]
            known = {item.value for item in items}
            return items + [
                item
                for item in asked.shell_complete(opening, incomplete)
                if item.value not in known and not (items and item.type == "file")
            ]


def _print_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    from importlib.metadata import PackageNotFoundError, version

    if wanted:
        try:
            click.echo(f"warpviz {version('warpviz')}")
        except PackageNotFoundError:
            click.echo("warpviz, from a checkout that is not installed")
        context.exit()


@click.group(cls=_Commands, epilog=examples.PROGRAM, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show it.")
def warpviz() -> None:
    """See how the 32 lanes of a GPU warp hit memory, pass by pass, and measure it on the real GPU.

    `warpviz SCENE`, `warpviz FILE.toml` and `warpviz -e EXPR` open the explorer; `warpviz` alone, the gallery.
    """


@warpviz.command("open", epilog=examples.OPEN)
@click.argument("scene", required=False, shell_complete=scene_items)
@click.option("-e", "--expression", metavar="EXPR", help="A C expression that names the memory each lane touches.")
@access_options
@opening_options
def open_(scene: str | None, expression: str | None, **given: Any) -> int:
    """Open a scene, a scene file or an expression (-e); the word `open` may be left out."""
    from warpviz.cli.open import open_explorer

    return open_explorer(scene, expression, read_options(given), read_opening(given))


@warpviz.command(epilog=examples.PREDICT)
@click.argument("expression", metavar="EXPR")
@access_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def predict(expression: str, as_json: bool, **given: Any) -> None:
    """Predict what the hardware counts for EXPR, a C lvalue such as s[k*lane]."""
    from warpviz.cli.predict import print_predictions

    print_predictions(expression, read_options(given), as_json)


@warpviz.command(epilog=examples.MEASURE)
@click.argument("what", metavar="EXPR|SCENE", shell_complete=scene_items)
@access_options
@_counters_option
@click.option("--record", metavar="FILE", help="Write the measurements to FILE, to be shown where there is no GPU.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def measure(what: str, counters: Any, record: str | None, as_json: bool, **given: Any) -> int:
    """Measure EXPR or every access of SCENE on the GPU and set it beside the prediction."""
    from warpviz.cli.measure import print_measurements

    return print_measurements(what, read_options(given), counters, record, as_json)


@warpviz.command(epilog=examples.SWEEP)
@click.argument("what", metavar="EXPR|SCENE", shell_complete=scene_items)
@click.option("--over", type=SetValue(), required=True, help="The name to turn; `width`: the bytes a lane.")
@access_options
@click.option("--measure", is_flag=True, help="Measure every value on the GPU.")
@_counters_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--csv", "as_csv", is_flag=True, help="A line of headings, and one for each value.")
@click.option("--svg", metavar="FILE", help="Draw the chart to FILE.")
def sweep(
    what: str, over: Any, measure: bool, counters: Any, as_json: bool, as_csv: bool, svg: str | None, **given: Any
) -> int:
    """What EXPR, or every access of SCENE, costs at each value of one name."""
    from warpviz.cli.sweep import Wanted, print_sweep

    wanted = Wanted(as_json, as_csv, svg, counters if measure else None)
    return print_sweep(what, over, read_options(given), wanted)


@warpviz.command(epilog=examples.EXPORT)
@click.argument("scene", required=False, shell_complete=scene_items)
@click.option("-e", "--expression", metavar="EXPR", help="A C expression instead of a scene.")
@access_options
@opening_options
@export_options
def export(scene: str | None, expression: str | None, **given: Any) -> None:
    """Write what the explorer shows of SCENE or EXPR to files, without a terminal. FILE - is standard output."""
    from warpviz.cli.export import export_view
    from warpviz.cli.open import scene_to_open

    files, opening = read_files(given), read_opening(given)
    shown = scene_to_open(scene, expression, read_options(given), opening)
    export_view(shown, opening, given["size"], given["theme"], files)


@warpviz.command(epilog=examples.SCENES)
def scenes() -> None:
    """List the scenes that come with the program."""
    from warpviz.scene import shipped_scenes

    shipped = shipped_scenes()
    width = max(len(scene.name) for scene in shipped)
    for scene in shipped:
        click.echo(f"{scene.name.ljust(width)}  {scene.title}")


@warpviz.command(epilog=examples.COMPLETION)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: Any) -> None:
    """Print what SHELL has to read to complete the arguments of warpviz."""
    click.echo(script(warpviz, shell), nl=False)


def run_command(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code. Every complaint is one sentence on standard error."""
    from warpviz.expression import ExpressionError
    from warpviz.scene import SceneError
    from warpviz.tui.config import ConfigError

    try:
        if (answered := answer_shell(warpviz)) is not None:
            return answered
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
    except (SceneError, ConfigError) as error:
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
