"""The names of kernels, as NVRTC spells them in PTX and as people write them: `_Z1kIfLi4EEvPT_` is k<float, 4>.

Itanium C++ ABI, "External Names (a.k.a. Mangling)": the part of it that names a function.
"""

from __future__ import annotations

import re

_BUILTIN = {
    "v": "void",
    "w": "wchar_t",
    "b": "bool",
    "c": "char",
    "a": "signed char",
    "h": "unsigned char",
    "s": "short",
    "t": "unsigned short",
    "i": "int",
    "j": "unsigned int",
    "l": "long",
    "m": "unsigned long",
    "x": "long long",
    "y": "unsigned long long",
    "f": "float",
    "d": "double",
    "Dh": "half",
    "DF16_": "_Float16",
    "DF16b": "__nv_bfloat16",
    "Dn": "nullptr_t",
}
_ALTERED = {"P": "*", "R": "&", "O": "&&"}
_QUALIFIED = {"K": "const", "V": "volatile", "r": "__restrict__"}
_STANDARD = {"St": "std", "Sa": "std::allocator", "Ss": "std::string"}
_DIGITS = re.compile(r"\d+")
_SUBSTITUTION = re.compile(r"S([0-9A-Z]*)_")
_LITERAL = re.compile(r"n?\d+")
_DEEPEST = 50


def readable(symbol: str) -> str:
    """A function's name without its parameters; the symbol itself when it is not mangled, or not so that it is known.

    >>> readable("_ZN4math3addIfLi4EEEvPT_"), readable("copy")
    ('math::add<float, 4>', 'copy')
    """
    if not symbol.startswith("_Z"):
        return symbol
    try:
        return _Demangler(symbol).function() or symbol
    except (_UnknownError, IndexError):
        return symbol


def bare(name: str) -> str:
    """The last word of a name that people write, without namespaces and template arguments.

    >>> bare("math::add<float, n::four>")
    'add'
    """
    return name.split("<", 1)[0].rsplit("::", 1)[-1].strip()


def same(first: str, second: str) -> bool:
    """Whether two names are the same but for blanks and for the suffixes of numbers."""
    return _plain(first) == _plain(second)


def _plain(name: str) -> str:
    return re.sub(r"(?<=\d)[uUlL]+\b|\s+", "", name.replace("unsigned int", "unsigned"))


class _UnknownError(Exception):
    """A mangling that is not read here."""


class _Demangler:
    """Reads one symbol from left to right. seen: what a substitution may repeat."""

    def __init__(self, symbol: str) -> None:
        self._symbol = symbol
        self._at = len("_Z")
        self._seen: list[str] = []
        self._depth = 0

    def function(self) -> str:
        return self._name()

    def _name(self) -> str:
        if self._takes("N"):
            return self._nested()
        name = f"std::{self._word()}" if self._takes("St") else self._word()
        if self._symbol[self._at :].startswith("I"):
            self._seen.append(name)
            name += self._arguments()
        return name

    def _nested(self) -> str:
        while self._symbol[self._at] in "rVK":
            self._at += 1
        name = ""
        while not self._takes("E"):
            if self._symbol[self._at] == "I":
                name += self._arguments()
            elif self._symbol[self._at] == "S":
                name = self._substitution()
                continue  # it is among those already
            else:
                name += ("::" if name else "") + self._word()
            self._seen.append(name)
        return name

    def _word(self) -> str:
        self._takes("L")  # of internal linkage
        digits = _DIGITS.match(self._symbol, self._at)
        if not digits or int(digits[0]) == 0:
            raise _UnknownError
        start = digits.end()
        self._at = start + int(digits[0])
        if self._at > len(self._symbol):
            raise _UnknownError
        word = self._symbol[start : self._at]
        return "(anonymous)" if word.startswith("_GLOBAL__N") else word

    def _arguments(self) -> str:
        self._at += len("I")
        arguments = []
        while not self._takes("E"):
            if self._takes("J"):  # a pack
                while not self._takes("E"):
                    arguments.append(self._argument())
            else:
                arguments.append(self._argument())
        return f"<{', '.join(arguments)}>"

    def _argument(self) -> str:
        return self._literal() if self._takes("L") else self._type()

    def _literal(self) -> str:
        ctype = self._type()
        value = _LITERAL.match(self._symbol, self._at)
        if not value:
            raise _UnknownError
        self._at = value.end()
        if not self._takes("E"):
            raise _UnknownError
        number = value[0].replace("n", "-")
        return ("false" if number == "0" else "true") if ctype == "bool" else number

    def _type(self) -> str:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _UnknownError
        ctype = self._type_itself()
        self._depth -= 1
        return ctype

    def _type_itself(self) -> str:
        for code, name in _BUILTIN.items():
            if self._takes(code):
                return name
        letter = self._symbol[self._at]
        if letter in _ALTERED or letter in _QUALIFIED:
            self._at += 1
            inner = self._type()
            if letter in _ALTERED:
                altered = inner + _ALTERED[letter]
            else:
                altered = f"{inner} {_QUALIFIED[letter]}" if inner.endswith("*") else f"{_QUALIFIED[letter]} {inner}"
            self._seen.append(altered)
            return altered
        if letter == "S" and not self._symbol.startswith("St", self._at):
            name = self._substitution()
            if self._symbol[self._at] == "I":
                name += self._arguments()
                self._seen.append(name)
            return name
        if letter == "N":
            return self._name()
        if letter.isdigit() or letter == "S":
            name = self._name()
            self._seen.append(name)
            return name
        raise _UnknownError

    def _substitution(self) -> str:
        for code, name in _STANDARD.items():
            if self._takes(code):
                return name
        match = _SUBSTITUTION.match(self._symbol, self._at)
        if not match:
            raise _UnknownError
        self._at = match.end()
        return self._seen[int(match[1], 36) + 1 if match[1] else 0]

    def _takes(self, code: str) -> bool:
        """Whether the symbol goes on so; then it is past it."""
        if not self._symbol.startswith(code, self._at):
            return False
        self._at += len(code)
        return True
