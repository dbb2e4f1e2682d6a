"""The parameters of a kernel, as the file declares them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from warpviz.kernel.launch.parameters import DeclaredParameter
from warpviz.kernel.source.scanning import closing, declarations, without_words

_UNTOLD = re.compile(r"\b(?:__restrict__|__restrict|__grid_constant__)\b|\[\[[^\]]*\]\]")
_FUNCTION_POINTER = re.compile(r"\(\s*\*\s*(?:const\s+)?(?P<name>\w+)\s*\)")
_NAMED = re.compile(r"(?P<type>.*[\s*&>])(?P<name>[A-Za-z_]\w*)\s*(?P<extent>(?:\[[^\]]*\]\s*)*)\Z", re.DOTALL)
_LAST_OF_A_TYPE = frozenset("int long short char unsigned signed float double bool const volatile".split())
_OPENERS, _CLOSERS = "([{<", ")]}>"


def declared_parameters(texts: Iterable[str], name: str, count: int) -> tuple[DeclaredParameter, ...] | None:
    """The parameters of the function of this bare name that takes so many; None when no text has it.

    texts: CUDA C++. Types are as they are written, without __restrict__; those of a template stay its own.
    """
    for text in texts:
        for declared in _signatures(without_words(text), name):
            if len(declared) == count:
                return declared
    return None


def _signatures(code: str, name: str) -> Iterator[tuple[DeclaredParameter, ...]]:
    called = re.compile(rf"\b{re.escape(name)}\s*\(")
    for declaration in declarations(code):
        if declaration.is_function and (match := called.search(declaration.head)):
            end = closing(declaration.head, match.end() - 1)
            yield tuple(map(_parameter, _parts(declaration.head[match.end() : end - 1])))


def _parts(listed: str) -> list[str]:
    """What commas part, outside of brackets."""
    parts, depth, start = [], 0, 0
    for offset, character in enumerate(listed):
        depth += (character in _OPENERS) - (character in _CLOSERS)
        if character == "," and depth == 0:
            parts.append(listed[start:offset])
            start = offset + 1
    parts = [part.strip() for part in [*parts, listed[start:]]]
    return [] if parts in ([""], ["void"]) else parts


def _parameter(text: str) -> DeclaredParameter:
    text = _UNTOLD.sub(" ", text.split("=", 1)[0]).strip()
    pointer = _FUNCTION_POINTER.search(text)
    if pointer:
        return DeclaredParameter(pointer["name"], "a function*")
    match = _NAMED.match(text)
    if not match or match["name"] in _LAST_OF_A_TYPE:
        return DeclaredParameter("", _spelled(text))
    return DeclaredParameter(match["name"], _spelled(match["type"]) + ("*" if match["extent"] else ""))


def _spelled(ctype: str) -> str:
    return re.sub(r"\s*([*&]+)\s*", r"\1", " ".join(ctype.split()))
