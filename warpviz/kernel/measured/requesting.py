"""What the GPU is asked for: the launch that was interpreted, its arrays written into files."""

from __future__ import annotations

from pathlib import Path

from warpviz.gpu.errors import GpuError
from warpviz.gpu.launching.request import ArrayFile, LaunchRequest
from warpviz.kernel.launch.arrays import Array, FileArray
from warpviz.kernel.prepare import Prepared


def launch_request(prepared: Prepared, folder: Path) -> LaunchRequest:
    """The arrays filled as the interpreter fills them. folder: where they are written, empty.

    Raises LaunchError for an array that cannot be filled, GpuError when there is no room for it.
    """
    launch, parameters = prepared.launch, prepared.program.parameters
    arrays = tuple(
        _written(argument, parameter.offset, folder / str(place))
        for place, (argument, parameter) in enumerate(zip(launch.arguments, parameters, strict=True))
        if isinstance(argument, Array | FileArray)
    )
    return LaunchRequest(
        name=launch.name,
        symbol=prepared.kernel.symbol,
        source=prepared.compiled.source,
        grid=launch.grid,
        block=launch.block,
        shared_bytes=launch.shared_bytes,
        parameters=launch.parameter_bytes(parameters, lambda name: 0),
        arrays=arrays,
        variables=tuple(v.name for v in prepared.program.variables if v.space == "global"),
    )


def _written(array: Array | FileArray, offset: int, path: Path) -> ArrayFile:
    given, result = path.with_suffix(".given"), path.with_suffix(".result")
    try:
        array.values().tofile(given)
    except OSError as error:
        raise GpuError("refused", f"{array.name} cannot be written to {given}: {error.strerror or error}") from error
    return ArrayFile(array.name, array.size, offset, given, result)
