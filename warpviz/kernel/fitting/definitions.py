"""The definitions in a source that a declaration needs to be understood: macros, constants, structs, type names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warpviz.expression.names import NAMED_TYPES
from warpviz.kernel.source.names import bare
from warpviz.kernel.source.scanning import closing

_WORD = re.compile(r"[A-Za-z_]\w*")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<body>(?:[^\\\n]|\\.)*)$", re.DOTALL | re.MULTILINE)
_STATEMENT = re.compile(r"[^;{}]+")
_CONSTANT = re.compile(r"\s*(?:(?:static|inline|__device__)\s+)*(?P<text>(?:constexpr|const)\b[^=]*=.*)\Z", re.DOTALL)
_GIVEN = re.compile(r"\b(?P<name>[A-Za-z_]\w*)\s*=(?!=)")
_NAMED = re.compile(r"\s*(?:typedef\b[^()]*?\b(?P<old>\w+)(?:\s*\[[^;]*\])?|using\s+(?P<new>\w+)\s*=.*)\Z", re.DOTALL)
_BRACED = re.compile(r"\b(?P<kind>struct|union|enum)\b(?P<between>[^;{}()]{0,200}(?:\(\s*\d+\s*\)[^;{}()]{0,200})?)\{")
_TEMPLATE = re.compile(r"\btemplate\s*<(?P<parameters>[^;{}()<>]{1,200})>\s*struct\s+(?P<name>\w+)\s*\{")
_INSTANCE = re.compile(r"\b(?P<name>\w+)\s*<(?P<arguments>[^<>;]*)>")
_NO_WORD = re.compile(r"\W+")
_RENAMED = re.compile(r"\s*(?P<name>\w+)\s*;")
_NEAR = 100  # characters
_MOST = 100  # definitions that one declaration needs
_OPENERS, _CLOSERS = "([{<", ")]}>"


@dataclass(frozen=True)
class _Definition:
    start: int
    text: str


@dataclass(frozen=True)
class _StructTemplate:
    """parameters: as they are declared. body: with its braces."""

    parameters: list[str]
    body: str


class Definitions:
    """text: CUDA C++. code: it without comments, strings and the preprocessor's lines; see `without_words`.

    bodies: where its functions stand, in their order.
    """

    def __init__(self, text: str, code: str, bodies: Sequence[range]) -> None:
        self._code = code
        self._templates = dict(_struct_templates(code))
        self._bodies = bodies
        self._starts = [body.start for body in bodies]
        self._known: dict[str, list[_Definition]] = {}
        for name, definition in (*_macros(text), *_statements(code), *_braced(code)):
            self._known.setdefault(name, []).append(definition)

    def instantiated(self, statement: str) -> tuple[str, list[str]]:
        """A statement with a name of its own for each struct template in it, `Tiles_16` for `Tiles<16>`, and what the
        new names are defined as."""
        structs: list[str] = []

        def named(match: re.Match[str]) -> str:
            template = self._templates.get(match["name"])
            if template is None:
                return match[0]
            given = dict(zip(map(_declared_name, template.parameters), _listed(match["arguments"]), strict=False))
            tag = _NO_WORD.sub("_", match[0]).strip("_")
            body = _WORD.sub(lambda word: given.get(word[0], word[0]), template.body)
            structs.append(f"struct {tag} {body};")
            return tag

        return _INSTANCE.sub(named, statement), structs

    def of(self, statement: str, start: int, function: str) -> list[str]:
        """What the names in a statement are defined as, each before it is used. start: where the statement stands.

        function: that it is in, with its template arguments, as in f<float, 4>; empty for none.
        """
        parameters = dict(_template(self._code, function))
        found: dict[str, str] = {}
        self._collect(statement, start, parameters, found, set())
        return list(dict.fromkeys(found.values()))

    def _collect(
        self, text: str, start: int, parameters: dict[str, str], found: dict[str, str], entered: set[str]
    ) -> None:
        for name in _WORD.findall(text):
            if name in entered or name in NAMED_TYPES or len(entered) >= _MOST:
                continue
            nearest = self._nearest(name, start)
            definition = _Definition(start, parameters[name]) if name in parameters else nearest
            if definition is not None:
                entered.add(name)
                self._collect(definition.text, definition.start, parameters, found, entered)
                found[name] = definition.text

    def _nearest(self, name: str, start: int) -> _Definition | None:
        """The last definition before a place that is known there; where there is none, the first behind it."""
        known = [one for one in self._known.get(name, []) if self._body(one.start) in (None, self._body(start))]
        before = [one for one in known if one.start < start]
        return max(before, key=lambda one: one.start, default=known[0] if known else None)

    def _body(self, place: int) -> range | None:
        """The function that a place is in."""
        index = bisect_right(self._starts, place) - 1
        return self._bodies[index] if index >= 0 and place in self._bodies[index] else None


def _macros(text: str) -> Iterator[tuple[str, _Definition]]:
    for match in _MACRO.finditer(text):
        yield match["name"], _Definition(match.start(), f"#define {match['name']}{match['body']}")


def _statements(code: str) -> Iterator[tuple[str, _Definition]]:
    """Constants, and names for types."""
    for match in _STATEMENT.finditer(code):
        constant = _CONSTANT.match(match[0])
        if constant:
            text = f"{constant['text'].strip()};"
            yield from ((given["name"], _Definition(match.start(), text)) for given in _GIVEN.finditer(text))
        elif named := _NAMED.match(match[0]):
            yield named["old"] or named["new"], _Definition(match.start(), f"{match[0].strip()};")


def _braced(code: str) -> Iterator[tuple[str, _Definition]]:
    """Structs and enumerations, but those inside of structs."""
    for match, body, end in _with_bodies(_BRACED, code):
        words = _WORD.findall(match["between"].split(":")[0])
        tags = words[-1:]  # after an alignment
        if match["kind"] == "enum":
            if words[:1] not in (["class"], ["struct"]):  # whose names stand behind the enumeration's own
                text = f"enum {''.join(tags)} {body};"
                names = [part.split("=")[0].strip() for part in body[1:-1].split(",")]
                yield from ((name, _Definition(match.start(), text)) for name in [*tags, *names] if name)
            continue
        head = f"{match['kind']}{match['between']}"
        renamed = _RENAMED.match(code, end)
        if renamed and code[max(0, match.start() - _NEAR) : match.start()].rstrip().endswith("typedef"):
            name = renamed["name"]
            text = f"typedef {head}{body} {name};" if tags else f"{match['kind']} {name} {body};"
            yield name, _Definition(match.start(), text)
        yield from ((tag, _Definition(match.start(), f"{head}{body};")) for tag in tags)


def _struct_templates(code: str) -> Iterator[tuple[str, _StructTemplate]]:
    for match, body, _ in _with_bodies(_TEMPLATE, code):
        yield match["name"], _StructTemplate(_listed(match["parameters"]), body)


def _with_bodies(opening: re.Pattern[str], code: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """What is found that ends with a brace, the braces with all between, and where they end; not those inside."""
    end = 0
    while (match := opening.search(code, end)) is not None:
        end = closing(code, match.end() - 1)
        yield match, code[match.end() - 1 : end], end


def _declared_name(parameter: str) -> str:
    """Of a template's parameter."""
    return parameter.split("=")[0].strip().rpartition(" ")[2]


def _template(code: str, function: str) -> Iterator[tuple[str, str]]:
    """What the parameters of a function template stand for."""
    if "<" not in function:
        return
    arguments = _listed(function.partition("<")[2].rpartition(">")[0])
    called = re.escape(bare(function))
    head = re.search(rf"\btemplate\s*<(?P<parameters>[^;{{}}()]{{1,500}}?)>[^;{{}}()]{{0,500}}\b{called}\s*\(", code)
    for parameter, argument in zip(_listed(head["parameters"]) if head else [], arguments, strict=False):
        ctype, _, name = parameter.split("=")[0].strip().rpartition(" ")
        is_type = ctype.split()[:1] in (["typename"], ["class"])
        yield name, f"typedef {argument} {name};" if is_type else f"const {ctype} {name} = {argument};"


def _listed(text: str) -> list[str]:
    """What commas part, outside of brackets."""
    parts, depth, start = [], 0, 0
    for offset, character in enumerate(text):
        depth += (character in _OPENERS) - (character in _CLOSERS)
        if character == "," and depth == 0:
            parts.append(text[start:offset].strip())
            start = offset + 1
    return [*parts, text[start:].strip()]
