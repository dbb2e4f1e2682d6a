"""A file is written for nvcc, which compiles host code and device code; NVRTC takes device code alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from warpviz.kernel.source.complaints import Message
from warpviz.kernel.source.scanning import Declaration, blanked, declarations, device_words, without_words
from warpviz.kernel.source.unit import Unit

_EVALUATED_WHEN_COMPILED = re.compile(r"\b(?:constexpr|consteval)\b")


def without_host_functions(unit: Unit) -> Unit:
    """The unit without the functions that only the host can run. What the compiler may evaluate stays."""
    words = _words(unit)

    def is_host(declaration: Declaration) -> bool:
        head = declaration.head
        return declaration.is_function and not words.search(head) and not _EVALUATED_WHEN_COMPILED.search(head)

    return unit.changed(
        {
            name: _without(text, (each for each in declarations(without_words(text)) if is_host(each)))
            for name, text in unit.texts.items()
        }
    )


def without_rejected(unit: Unit, messages: Iterable[Message]) -> Unit:
    """The unit without the declarations that the messages point at and that are not for the device: of host types, say.

    The same unit when there are none.
    """
    words = _words(unit)
    places: dict[str, set[int]] = {}
    for message in messages:
        places.setdefault(message.file, set()).add(message.line)
    changed = {}
    for name, lines in places.items():
        if name in unit.texts:
            text = unit.texts[name]
            rejected = (
                each
                for each in declarations(without_words(text))
                if not words.search(text, each.start, each.end) and lines & _lines(text, each)
            )
            changed[name] = _without(text, rejected)
    return unit.changed(changed)


def host_function(unit: Unit, name: str) -> tuple[str, int] | None:
    """The file and the line of a function of this name that is not for the device; None when there is none."""
    words = _words(unit)
    for file, text in unit.texts.items():
        for declaration in declarations(without_words(text)):
            if not declaration.is_function or words.search(declaration.head):
                continue
            match = re.search(rf"\b{re.escape(name)}\s*\(", declaration.head)
            if match:
                return file, text.count("\n", 0, declaration.start) + 1
    return None


def _words(unit: Unit) -> re.Pattern[str]:
    return device_words("\n".join(unit.texts.values()))


def _without(text: str, unwanted: Iterable[Declaration]) -> str:
    for declaration in unwanted:
        text = blanked(text, declaration)
    return text


def _lines(text: str, declaration: Declaration) -> set[int]:
    first = text.count("\n", 0, declaration.start) + 1
    return set(range(first, first + text.count("\n", declaration.start, declaration.end) + 1))
