"""Where the programs and headers of the CUDA toolkit are: on the PATH, in the toolkit, or in a Python package."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

_INSTALLED = Path("/usr/local")  # has cuda/, which the administrator points at one, and cuda-13.0/ and the like


def find_program(name: str, package_folders: Sequence[str] = ()) -> str | None:
    """The path of a program such as nvdisasm; None when it is nowhere.

    package_folders: patterns of folders, within those that Python imports from, in which packages bring the program,
    such as "nvidia/*/bin". The first place wins: the PATH, the toolkit that CUDA_HOME or CUDA_PATH names, the
    installed toolkits (the newest of several), the packages.
    """
    folders = [toolkit / "bin" for toolkit in _toolkits()]
    folders += [folder for pattern in package_folders for folder in _imported(pattern)]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(map(str, folders)))


def header_folders() -> tuple[Path, ...]:
    """The folders with the headers for device code, such as cuda_fp16.h, and with those of libcu++; () without any.

    The first place wins, as for `find_program`. Links are followed: another toolkit has other folders.
    """
    places = [*(toolkit / "include" for toolkit in _toolkits()), *_imported("nvidia/*/include")]
    found = next((place.resolve() for place in places if (place / "cuda_fp16.h").is_file()), None)
    return tuple(folder for folder in (found, found / "cccl") if folder.is_dir()) if found else ()


def _toolkits() -> list[Path]:
    named = [Path(os.environ[name]) for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    versions = sorted(_INSTALLED.glob("cuda-*"), key=lambda path: version_numbers(path.name), reverse=True)
    return [*named, _INSTALLED / "cuda", *versions]


def _imported(pattern: str) -> list[Path]:
    return [folder for place in sys.path for folder in sorted(Path(place).glob(pattern), reverse=True)]


def version_numbers(text: str) -> list[int]:
    """The numbers in the name of a version, to sort by."""
    return [int(digits) for digits in re.findall(r"\d+", text)]
