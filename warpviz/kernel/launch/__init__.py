"""How a kernel is run: its grid and blocks, its shared memory, its arguments."""

from __future__ import annotations

from warpviz.kernel.launch.arguments import Argument, Value
from warpviz.kernel.launch.arrays import Array, FileArray
from warpviz.kernel.launch.errors import LaunchError, Where
from warpviz.kernel.launch.launch import Launch, LaunchOptions, launch_of
from warpviz.kernel.launch.line import LaunchLine, parse_launch
from warpviz.kernel.launch.parameters import DeclaredParameter, MissingArguments

__all__ = [
    "Argument",
    "Array",
    "DeclaredParameter",
    "FileArray",
    "Launch",
    "LaunchError",
    "LaunchLine",
    "LaunchOptions",
    "MissingArguments",
    "Value",
    "Where",
    "launch_of",
    "parse_launch",
]
