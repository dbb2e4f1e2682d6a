"""A whole PTX text: its routines and the variables outside them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from pathlib import PurePosixPath

from warpviz.kernel.ptx.declarations import SPACES, read_variables
from warpviz.kernel.ptx.lines import read_files
from warpviz.kernel.ptx.routines import read_routine
from warpviz.kernel.ptx.syntax import Module, Routine, Variable
from warpviz.kernel.ptx.tokens import Tokens

_LINKAGES = (".visible", ".weak", ".extern", ".common")
_HEADINGS = (".version", ".target", ".address_size", ".file")


def read_module(text: str, source: str = "") -> Module:
    """Understand PTX text. Raises PtxError, and nothing else.

    source: the name under which the user's file was compiled: lines are those of the .file whose path ends so; without
    a name, those of the first. A file it includes may come before it.
    """
    tokens = Tokens(text)
    files = read_files(tokens)
    return _ModuleReader(tokens, files, _main_file(files, source)).read()


class _ModuleReader:
    """Reads the directives outside of routines."""

    def __init__(self, tokens: Tokens, files: Mapping[int, str], main_file: int) -> None:
        self._tokens = tokens
        self._files = files
        self._main_file = main_file
        self._routines: dict[str, Routine] = {}
        self._variables: dict[str, Variable] = {}

    def read(self) -> Module:
        """The module. Raises PtxError."""
        while self._tokens.next:
            self._read_directive(self._tokens.take())
        return Module(self._routines, self._variables, self._files)

    def _read_directive(self, directive: str) -> None:
        tokens = self._tokens
        if directive in (".entry", ".func"):
            self._keep(read_routine(tokens, directive == ".entry", self._main_file))
        elif directive in SPACES:
            self._variables.update((variable.name, variable) for variable in read_variables(tokens, directive))
        elif directive == ".alias":
            self._read_alias()
        elif directive == ".pragma":
            tokens.skip_past(";")
        elif directive == ".section":
            tokens.skip_past("}")
        elif directive in _HEADINGS:
            while tokens.next and not tokens.next.startswith("."):
                tokens.take()
        elif directive not in _LINKAGES:
            tokens.refuse(f"{directive} is no directive that is known outside of routines")

    def _keep(self, routine: Routine) -> None:
        """A declaration without a body never takes the place of the routine itself."""
        if routine.instructions or routine.name not in self._routines:
            self._routines[routine.name] = routine

    def _read_alias(self) -> None:
        """`name, routine;`: another name of a routine."""
        name = self._tokens.take()
        self._tokens.expect(",")
        routine = self._tokens.next
        if routine not in self._routines:
            self._tokens.fail(f"{routine} is no routine, and {name} cannot be another name of it")
        self._tokens.skip_past(";")
        self._routines[name] = self._routines[routine]


def _main_file(files: Mapping[int, str], source: str) -> int:
    """The index of the file whose path has the most last parts in common with the source's, else of the first."""

    def common_parts(index: int) -> int:
        ours, theirs = (_parts(path) for path in (source, files[index]))
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False)))

    return max(files, key=common_parts, default=1)


def _parts(path: str) -> tuple[str, ...]:
    """Of a path on any system, the last one first."""
    return PurePosixPath(path.replace("\\", "/")).parts[::-1]
