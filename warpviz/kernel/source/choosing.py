"""Which kernel of a file is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from warpviz.kernel.launch import LaunchLine
from warpviz.kernel.source.names import bare, same
from warpviz.kernel.source.reading import SourceError
from warpviz.wording import counted

_MOST_LISTED = 20


@dataclass(frozen=True)
class Chosen:
    """symbol: the kernel's name in the PTX. name: as people write it. line: that states how it is run, if one does."""

    symbol: str
    name: str
    line: LaunchLine | None


class SeveralKernels(SourceError):  # noqa: N818 - what there is, of which one has to be chosen
    """Nothing tells which kernel is meant. names: of all of them, as people write them."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(f"the file has {_listed(names)}: choose one with --name, or write a //@ launch line")
        self.names = tuple(names.values())


def choose_kernel(names: Mapping[str, str], launches: Sequence[LaunchLine], wanted: str | None = None) -> Chosen:
    """The kernel that is wanted; else that of the first launch line; else the only one there is.

    names: see `Compiled`. wanted: its name, without namespaces and template arguments where that is enough. Raises
    SourceError, with the names of those that there are; SeveralKernels where none is wanted.
    """
    name = wanted or next((line.name for line in launches), None)
    if name is None and len(names) > 1:
        raise SeveralKernels(names)
    found = list(names) if name is None else _called(name, names)
    if not found:
        raise SourceError(f"there is no kernel {name}: the file has {_listed(names)}")
    if len(found) > 1:
        raise SourceError(f"{name} may be {' or '.join(names[symbol] for symbol in found)}: write more of the name")
    symbol = found[0]
    line = next((line for line in launches if symbol in _called(line.name, names)), None)
    return Chosen(symbol, names[symbol], line)


def _called(name: str, names: Mapping[str, str]) -> list[str]:
    """The kernels that a name may mean: those of just this name, or else those whose last word it is."""
    exact = [symbol for symbol, written in names.items() if name == symbol or same(name, written)]
    if exact or "<" in name or "::" in name:
        return exact
    return [symbol for symbol, written in names.items() if bare(written) == name]


def _listed(names: Mapping[str, str]) -> str:
    shown = list(names.values())[:_MOST_LISTED]
    more = ", …" if len(names) > _MOST_LISTED else ""
    return f"{counted(len(names), 'kernel')}: {', '.join(shown)}{more}"
