"""Which line of the user's file an instruction comes from: what .file and .loc say."""

from __future__ import annotations

from collections.abc import Mapping

from warpviz.kernel.ptx.syntax import Line
from warpviz.kernel.ptx.tokens import Tokens

Place = tuple[int, int, int]  # file, line, column

NOWHERE = Line(0)


class LineReader:
    """Follows the .loc directives of one routine. current: where the instructions that come next are from."""

    def __init__(self, main_file: int) -> None:
        self.current = NOWHERE
        self._main_file = main_file
        self._callers: dict[Place, Place] = {}  # a place within an inlined function -> where that was called

    def read(self, tokens: Tokens) -> None:
        """The rest of a .loc directive. Raises PtxError."""
        place = _place(tokens)
        self._callers.pop(place, None)
        if tokens.accept(","):
            tokens.expect("function_name")
            tokens.take()
            if tokens.accept("+"):
                tokens.take()
            tokens.expect(",")
            tokens.expect("inlined_at")
            self._callers[place] = _place(tokens)
        self.current = Line(self._innermost(place))

    def _innermost(self, place: Place | None) -> int:
        """The line in the main file: the place's own, or that of the nearest call; 0 where there is none."""
        passed = set()
        while place is not None and place not in passed:  # text of no compiler may lead in a circle
            file, line, _ = place
            if file == self._main_file and line:
                return line
            passed.add(place)
            place = self._callers.get(place)
        return 0


def read_files(tokens: Tokens) -> Mapping[int, str]:
    """The paths that the .file directives give, by index, in their order: NVRTC writes them at the end of the text."""
    found = tokens.followed(".file")
    return {int(index): path[1:-1] for index, path in found if _is_index(index) and path[:1] == '"'}


def _place(tokens: Tokens) -> Place:
    return _index(tokens), _index(tokens), _index(tokens)


def _index(tokens: Tokens) -> int:
    if not _is_index(tokens.next):
        tokens.fail(f".loc has three numbers, and {tokens.next or 'the end of the text'} is none")
    return int(tokens.take())


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 12
