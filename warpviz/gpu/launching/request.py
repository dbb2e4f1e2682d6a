"""LaunchRequest: which kernel to launch, on which data. The data stay in files, for they may be large."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from warpviz.gpu.kernels import Source
from warpviz.gpu.request import Dim3

POINTER_BYTES = 8


@dataclass(frozen=True)
class ArrayFile:
    """An array of global memory. size: bytes. offset: of its address among the kernel's parameters. given: the file of
    its bytes before the launch. result: the file where those after it go."""

    name: str
    size: int
    offset: int
    given: Path
    result: Path


@dataclass(frozen=True)
class LaunchRequest:
    """One launch of one kernel.

    name: as the user writes it. symbol: its name in the machine code. source: what is compiled. shared_bytes: dynamic,
    of a block. parameters: their bytes, from the first on; the addresses of the arrays are put into them on the GPU.
    variables: the symbols of the module's variables, which are put back before each run. repeats: the most times that
    it is timed.
    """

    name: str
    symbol: str
    source: Source
    grid: Dim3
    block: Dim3
    shared_bytes: int
    parameters: bytes
    arrays: tuple[ArrayFile, ...]
    variables: tuple[str, ...] = ()
    repeats: int = 10

    @property
    def threads(self) -> int:
        """Of a block."""
        x, y, z = self.block
        return x * y * z

    @property
    def array_bytes(self) -> int:
        """Of all arrays."""
        return sum(array.size for array in self.arrays)

    def parameters_with(self, addresses: dict[str, int]) -> bytes:
        """The parameters with the arrays at these addresses, by name."""
        contents = bytearray(self.parameters)
        for array in self.arrays:
            address = addresses[array.name].to_bytes(POINTER_BYTES, "little")
            contents[array.offset : array.offset + POINTER_BYTES] = address
        return bytes(contents)

    def to_json(self) -> dict[str, Any]:
        """`from_json` makes an equal request of it."""
        arrays = [asdict(a) | {"given": str(a.given), "result": str(a.result)} for a in self.arrays]
        return asdict(self) | {"parameters": self.parameters.hex(), "arrays": arrays}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> LaunchRequest:
        """Raises KeyError, TypeError or ValueError for data that `to_json` does not make."""
        return cls(
            name=str(data["name"]),
            symbol=str(data["symbol"]),
            source=_source(data["source"]),
            grid=_dim3(data["grid"]),
            block=_dim3(data["block"]),
            shared_bytes=int(data["shared_bytes"]),
            parameters=bytes.fromhex(data["parameters"]),
            arrays=tuple(map(_array, data["arrays"])),
            variables=tuple(data["variables"]),
            repeats=int(data["repeats"]),
        )


def _dim3(data: list[int]) -> Dim3:
    x, y, z = map(int, data)
    return x, y, z


def _array(data: dict[str, Any]) -> ArrayFile:
    given, result = Path(data["given"]), Path(data["result"])
    return ArrayFile(str(data["name"]), int(data["size"]), int(data["offset"]), given, result)


def _source(data: dict[str, Any]) -> Source:
    lists = {field: tuple(data[field]) for field in ("macros", "options", "instances")}
    return Source(data["name"], data["text"], tuple((name, text) for name, text in data["headers"]), **lists)
