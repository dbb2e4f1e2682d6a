"""What the file says of a kernel's parameters: PTX has neither their names nor their types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpviz.kernel.launch.errors import LaunchError
from warpviz.kernel.ptx.syntax import Parameter
from warpviz.wording import counted

_POINTER = re.compile(r"[*&](?:const|volatile|\s)*\Z")


@dataclass(frozen=True)
class DeclaredParameter:
    """name: empty where the file gives none. type: as it is written there, such as "const float*"; empty where the file
    is not understood."""

    name: str
    type: str = ""

    @property
    def is_pointer(self) -> bool:
        """As far as the spelling tells: a typedef may hide it."""
        return _POINTER.search(self.type) is not None

    def __str__(self) -> str:
        return f"{self.name} ({self.type})" if self.type else self.name


class MissingArguments(LaunchError):  # noqa: N818 - they are asked for, nothing is wrong
    """Parameters that are given no value. parameters: these, in their order, at least one."""

    def __init__(self, kernel: str, parameters: Sequence[DeclaredParameter]) -> None:
        first = parameters[0]
        example = f"{first.name}={'f32[COUNT]' if first.is_pointer else 'VALUE'}"
        super().__init__(
            f"{kernel} is given no value for {', '.join(map(str, parameters))}: "
            f"add --arg {example}, or {example} to its //@ launch line"
        )
        self.parameters = tuple(parameters)


def named(
    parameters: Sequence[Parameter],
    declared: Sequence[DeclaredParameter] | None,
    given: Sequence[str],
    kernel: str,
) -> list[DeclaredParameter]:
    """Each parameter with a name: that in the file; where not all have one there, the names given, in their order.

    Raises LaunchError, where it goes by the order, for more or fewer names than parameters.
    """
    if declared is not None and len(declared) == len(parameters):
        if all(parameter.name for parameter in declared):
            return list(declared)
    else:
        declared = [DeclaredParameter("")] * len(parameters)
    if len(given) != len(parameters):
        types = ", ".join(known.type or parameter.type for known, parameter in zip(declared, parameters, strict=True))
        raise LaunchError(
            f"{kernel} has {counted(len(parameters), 'parameter')} ({types}), whose names are not found in the file, "
            f"and is given {counted(len(given), 'value')}: give one for each, in their order"
        )
    return [replace(parameter, name=name) for parameter, name in zip(declared, given, strict=True)]
