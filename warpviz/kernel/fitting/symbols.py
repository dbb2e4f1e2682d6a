"""The names of variables, as NVRTC spells them in PTX and as people write them: `_ZZ4copyPfE4tile` is tile of copy."""

from __future__ import annotations

import re

from warpviz.expression.names import NAMED_TYPES, TYPE_KEYWORDS
from warpviz.expression.scope import BUILTIN_NAMES
from warpviz.kernel.source.names import bare, readable

_LOCAL = "_ZZ"
# Itanium C++ ABI, "Scope Encoding": the function's encoding, E, and the name; then which one of its name it is.
_LOCAL_NAME = re.compile(r"E(?P<length>[1-9]\d*)(?P<rest>[A-Za-z_]\w*)\Z")
_WHICH = re.compile(r"(?:_\d+|__\d+_)?")
_NO_WORD = re.compile(r"\W")


def variable_name(symbol: str) -> str:
    """As it is declared, without namespaces.

    >>> variable_name("_ZZ4copyPfE4tile"), variable_name("_ZN1n4coefE"), variable_name("buffer")
    ('tile', 'coef', 'buffer')
    """
    if symbol.startswith(_LOCAL):
        for match in re.finditer(r"E(?=[1-9])", symbol):
            local = _LOCAL_NAME.match(symbol, match.start())
            if local and int(local["length"]) <= len(local["rest"]):
                length = int(local["length"])
                if _WHICH.fullmatch(local["rest"][length:]):
                    return local["rest"][:length]
    return bare(readable(symbol))


def function_of(symbol: str) -> str:
    """The function that a variable belongs to, as `readable` has it; empty for one of the file's scope."""
    return readable("_Z" + symbol.removeprefix(_LOCAL)) if symbol.startswith(_LOCAL) else ""


def identifier(name: str, taken: frozenset[str] = frozenset()) -> str:
    """A name that a C declaration can have: this one, where it can.

    >>> identifier("lane"), identifier("$str"), identifier("in")
    ('lane_', '_str', 'in')
    """
    word = _NO_WORD.sub("_", name) or "_"
    word = f"_{word}" if word[0].isdigit() else word
    while word in taken or word in BUILTIN_NAMES or word in NAMED_TYPES or word in TYPE_KEYWORDS or word in _KEYWORDS:
        word += "_"
    return word


_KEYWORDS = frozenset(
    """auto break case const constexpr continue default do else enum extern for goto if inline register restrict return
    sizeof static struct switch typedef union using volatile while true false""".split()
)
