"""What several commands take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

from warpviz.hardware import check_device

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = TypeVar("Command", bound=Callable[..., Any])


class DeviceValue(click.ParamType[str]):
    """The number or the UUID of a GPU."""

    name = "N|UUID"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            check_device(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return str(value)


counters_option = click.option(
    "--counters",
    type=click.Choice(["auto", "off", "require"]),
    default="auto",
    show_default=True,
    help="Hardware counters through ncu.",
)

device_option = click.option(
    "--device",
    type=DeviceValue(),
    default=None,
    help="The GPU: its number, as nvidia-smi has it or among CUDA_VISIBLE_DEVICES, or its UUID [the first].",
)


def decorated(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """A click command with these options, listed in this order."""
    return reduce(lambda given, option: option(given), reversed(options), command)


def scene_items(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """What the shell offers for an argument that may be a scene."""
    from warpviz.cli.completion import scenes_beginning

    return scenes_beginning(incomplete)
