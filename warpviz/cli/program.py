"""The program: its commands, loaded when they are asked for, and how it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from warpviz.cli import COMPLETION_VARIABLE
from warpviz.cli.complain import complain
from warpviz.cli.exits import Exit

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMANDS = (
    "compare",
    "completion",
    "doctor",
    "export",
    "kernel",
    "measure",
    "open",
    "predict",
    "record",
    "recorded",
    "scenes",
    "sweep",
)
_EXAMPLES = """
Examples:

\b
  warpviz                                    choose from the scenes
  warpviz tile-padding                       open one
  warpviz -e 's[k*lane]' --set k=8           explore an expression
  warpviz predict 'tile[lane][0]' --decl '__shared__ float tile[32][33];'
  warpviz predict 's[k*lane]' --set k=0..64 --json
  warpviz measure 's[k*lane]' --set k=8      run it on the GPU here
  warpviz sweep 's[k*lane]' --over k=0..64   the cost at every stride
  warpviz stencil.cu                         a whole kernel, line by line
  warpviz kernel stencil.cu --json           the same as data
"""


class _Commands(click.Group):
    """A group whose first argument, when it is no command, belongs to `open`; that of a file of CUDA source, to
    `kernel --open`. A command's module is loaded with it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"warpviz.cli.commands.{cmd_name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and ctx.resilient_parsing:  # a shell asks what may come first
            return super().parse_args(ctx, args)
        if args and args[0] == "open" and _is_cuda_source(args[1:2]):
            args = args[1:]
        first = args[0] if args else ""
        if first not in _COMMANDS and first not in ("--help", "-h", "--version"):
            if len(args) > 1 and not first.startswith("-") and not args[1].startswith("-"):
                raise click.UsageError(f"no command is called {first!r}; there are {', '.join(_COMMANDS)}")
            args = ["kernel", "--open", *args] if _is_cuda_source(args) else ["open", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """What may come first: a command, or what `open` takes."""
        from warpviz.cli.commands.open import command as open_

        items = super().shell_complete(ctx, incomplete)
        with open_.make_context("open", [], parent=ctx, resilient_parsing=True) as opening:
            asked = open_ if incomplete.startswith("-") else open_.params[0]
            known = {item.value for item in items}
            return items + [
                item
                for item in asked.shell_complete(opening, incomplete)
                if item.value not in known and not (items and item.type == "file")
            ]


def _is_cuda_source(args: Sequence[str]) -> bool:
    """Whether the first of them is named as CUDA source is."""
    return bool(args) and args[0].endswith((".cu", ".cuh"))


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

    `warpviz SCENE`, `warpviz FILE.toml` and `warpviz -e EXPR` open the explorer; `warpviz FILE.cu` a kernel; `warpviz`
    alone the gallery.
    """


def run_command(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code. Every complaint is one sentence on standard error."""
    from warpviz.expression import ExpressionError
    from warpviz.scene import SceneError
    from warpviz.tui.config import ConfigError

    try:
        if COMPLETION_VARIABLE in os.environ:
            from warpviz.cli.completion import answer_shell

            return answer_shell(warpviz)
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
