"""Python, warpviz itself, and the packages that it needs."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING

import warpviz
from warpviz.cli.doctor.check import Check, degraded, missing, ok
from warpviz.resources import read_toml

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_OLDEST_PYTHON = (3, 11)
_LARGEST_PROJECT_FILE_BYTES = 100_000
_HOME = Path(warpviz.__file__).parent


def python_checks() -> Iterator[Check]:
    yield _python()
    yield _warpviz()
    yield from _packages()


def _python() -> Check:
    value = f"{platform.python_version()}, {sys.executable}"
    if sys.version_info >= _OLDEST_PYTHON:
        return ok("Python", value)
    oldest = ".".join(map(str, _OLDEST_PYTHON))
    return missing("Python", value, f"install Python {oldest} or newer, and warpviz with it")


def _warpviz() -> Check:
    try:
        return ok("warpviz", f"{version('warpviz')}, {_HOME}")
    except PackageNotFoundError:
        return ok("warpviz", f"from a checkout that is not installed, {_HOME}")


def _packages() -> Iterator[Check]:
    """One for each package that is declared to be needed here."""
    try:
        from packaging.requirements import Requirement
    except ImportError:
        yield missing("packages", "`packaging`, which compares versions, is not installed", _install("packaging"))
        return
    for line in _declared():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield _package(requirement)


def _declared() -> list[str]:
    """What the installed warpviz needs; in a checkout that is not installed, what its project file says."""
    try:
        return requires("warpviz") or []
    except PackageNotFoundError:
        project = read_toml(_HOME.parent / "pyproject.toml", _LARGEST_PROJECT_FILE_BYTES)
        return list(project["project"]["dependencies"])


def _package(requirement: Requirement) -> Check:
    name, wanted = requirement.name, str(requirement.specifier)
    mend = _install(f"{name}{wanted}")
    try:
        found = version(name)
    except PackageNotFoundError:
        return missing(name, f"not installed; {wanted or 'any version'} is needed", mend)
    if requirement.specifier.contains(found, prereleases=True):
        return ok(name, found)
    return degraded(name, f"{found}; {wanted} is needed", mend)


def _install(what: str) -> str:
    return f"{Path(sys.executable).name} -m pip install '{what}'"
