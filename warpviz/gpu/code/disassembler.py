"""The disassembler of the CUDA toolkit, nvdisasm: machine code to text.

cuobjdump is no second choice: to list machine code it runs nvdisasm itself.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from warpviz.gpu import processes
from warpviz.gpu.cache import default_cache, key_of
from warpviz.gpu.measurement import Unavailable
from warpviz.gpu.toolkit import find_program
from warpviz.wording import printable

# The package nvidia-cuda-nvdisasm; and Triton, which comes with PyTorch, has it too.
_PACKAGE_FOLDERS = ("nvidia/*/bin", "triton/backends/nvidia/bin")
_MISSING = "nvdisasm is not found: install the CUDA toolkit, or pip install nvidia-cuda-nvdisasm"
_SECONDS = 10.0


@dataclass(frozen=True)
class Disassembler:
    """tool: its name and version, such as "nvdisasm 13.0"."""

    path: str
    tool: str

    def listing(self, cubin: bytes, *, with_lines: bool = False) -> str | Unavailable:
        """What the machine code says: every kernel of a cubin, without the data. It takes about 0.3 s for any.

        with_lines: with those of the source, and of the calls that were inlined; and with those of its PTX. The source
        is compiled with -lineinfo.
        """
        try:
            with tempfile.TemporaryDirectory(prefix="warpviz-") as folder:
                file = Path(folder) / "code.cubin"  # it seeks, so that a pipe does not do
                file.write_bytes(cubin)
                # The analysis of data flow changes nothing in the text, and takes a quarter of the time.
                lines = ["--print-line-info-inline", "--print-line-info-ptx"] if with_lines else []
                return _run([self.path, "--print-code", "--no-dataflow", *lines, str(file)])
        except OSError as error:
            return Unavailable(f"the machine code cannot be put into a file to disassemble it: {error}")


def find_disassembler() -> Disassembler | Unavailable:
    path = find_program("nvdisasm", _PACKAGE_FOLDERS)
    if path is None:
        return Unavailable(_MISSING)
    answer = _run([path, "--version"])
    if isinstance(answer, Unavailable):
        return answer
    version = re.search(r"release (\d+\.\d+)", answer)
    return Disassembler(path, f"nvdisasm {version[1]}" if version else "nvdisasm")


def kept_listing(disassembler: Disassembler, cubin: bytes, *, with_lines: bool = False) -> str | Unavailable:
    """As `Disassembler.listing`; but what was disassembled once is kept: see `warpviz.gpu.cache`."""
    cache = default_cache()
    key = key_of("listing with lines" if with_lines else "listing", disassembler.tool, cubin)
    kept = cache.get(key)
    if kept is not None:
        return kept.decode()
    listing = disassembler.listing(cubin, with_lines=with_lines)
    if isinstance(listing, str):
        cache.put(key, listing.encode())
    return listing


def _run(command: Sequence[str]) -> str | Unavailable:
    """What the program prints."""
    program = command[0]
    try:
        process = processes.start(command, stderr=subprocess.PIPE)
    except OSError as error:
        return Unavailable(f"{program} does not start: {error.strerror or error}")
    try:
        out, complaint = process.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return Unavailable(f"{program} was not done within {_SECONDS:g} s and was stopped")
    finally:
        processes.end(process)
    if process.returncode != 0:
        return Unavailable(f"{program} fails: {_first_line(complaint) or processes.how_it_ended(process)}")
    return out.decode(errors="replace")


def _first_line(complaint: bytes) -> str:
    lines = (printable(line).strip() for line in complaint.decode(errors="replace").splitlines())
    return next(filter(None, lines), "")
