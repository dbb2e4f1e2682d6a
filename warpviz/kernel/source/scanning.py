"""CUDA C++ as far as it is understood without a compiler: which of it is text, and where each declaration begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NO_CODE = re.compile(
    r"""//(?:[^\\\n]|\\.)*
    |/\*.*?(?:\*/|\Z)
    |R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)"
    |"(?:[^"\\\n]|\\.)*"
    |(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)*'
    |^[ \t]*\#(?:[^\\\n/]|\\.|/(?!\*)|/\*.*?\*/)*
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_NOT_A_LINE_END = re.compile(r"[^\n]")
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\.)*", re.DOTALL | re.MULTILINE)
_DEFINITION = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<body>(?:[^\\\n]|\\.)*)", re.DOTALL | re.MULTILINE)
_DEVICE = re.compile(r"\b__(?:global|device|constant|shared|managed)__\b")
_STEP = re.compile(r"[{}();]")
_SCOPE = re.compile(r"(?:\bnamespace\b[^;=()]*|\bextern\s*)\Z")
_TEMPLATE = re.compile(r"\s*template\s*<")
_TYPE = re.compile(r"\s*(?:typedef\s+)?(?:struct|class|union|enum)\b(?!\s+\w+[\s*&]+\w+\s*\()")


@dataclass(frozen=True)
class Declaration:
    """Something at namespace scope. start, end: its place in the text, in characters. head: the text of a function
    before its body; of everything else the whole."""

    start: int
    end: int
    head: str
    is_function: bool


def without_words(text: str) -> str:
    """The text with blanks in place of comments, strings and the preprocessor's lines, every character at its place."""
    return _NO_CODE.sub(lambda match: blanks(match[0]), text)


def blanks(text: str) -> str:
    """As many blanks, on as many lines."""
    return _NOT_A_LINE_END.sub(" ", text)


def blanked(text: str, declaration: Declaration) -> str:
    """The text without a declaration, all lines at their place, the preprocessor's kept."""
    gone, parts, last = text[declaration.start : declaration.end], [], 0
    for directive in _DIRECTIVE.finditer(gone):
        parts += [blanks(gone[last : directive.start()]), directive[0]]
        last = directive.end()
    return text[: declaration.start] + "".join([*parts, blanks(gone[last:])]) + text[declaration.end :]


def device_words(text: str) -> re.Pattern[str]:
    """What marks a declaration for the GPU: CUDA's words, and the text's own macros that hold one."""
    macros = [match["name"] for match in _DEFINITION.finditer(text) if _DEVICE.search(match["body"])]
    return re.compile("|".join([_DEVICE.pattern, *(rf"\b{name}\b" for name in macros)]))


def declarations(code: str) -> Iterator[Declaration]:
    """The declarations at namespace scope, in their order. code: see `without_words`. Any text gives some."""
    start, depth, position = 0, 0, 0
    while (step := _STEP.search(code, position)) is not None:
        position = step.end()
        if step[0] in "()":
            depth = max(0, depth + (1 if step[0] == "(" else -1))
        elif step[0] == "{":
            head = code[start : step.start()]
            if depth == 0 and _SCOPE.search(head):
                start = position
                continue
            position = closing(code, step.start())
            if depth == 0 and _is_function(head):
                yield _declaration(code, start, position, head)
                start = position
        elif depth == 0:  # the end of a declaration, or of a namespace
            if step[0] == ";" and code[start : step.start()].strip():
                yield _declaration(code, start, position, None)
            start = position


def _declaration(code: str, start: int, end: int, head: str | None) -> Declaration:
    whole = code[start:end]
    begins = start + len(whole) - len(whole.lstrip())
    return Declaration(begins, end, whole if head is None else head, head is not None)


def _is_function(head: str) -> bool:
    """Whether `{` after this begins a function's body."""
    template = _TEMPLATE.match(head)
    if template:
        head = head[after_template(head, template.end()) :]
    return ")" in head and not _TYPE.match(head) and not re.search(r"(?<!operator)=", _outside_brackets(head))


def _outside_brackets(head: str) -> str:
    while (fewer := re.sub(r"\([^()]*\)", "", head)) != head:
        head = fewer
    return head


def after_template(head: str, start: int) -> int:
    """Where the parameters of a template end that begin before start."""
    depth = 1
    for offset in range(start, len(head)):
        depth += {"<": 1, ">": -1}.get(head[offset], 0)
        if depth == 0:
            return offset + 1
    return len(head)


def closing(code: str, opening: int) -> int:
    """Where the brace, or parenthesis, ends that is opened here; the text's end where it is never closed."""
    opener = code[opening]
    pair = re.compile(r"[{}]" if opener == "{" else r"[()]")
    depth = 0
    for brace in pair.finditer(code, opening):
        depth += 1 if brace[0] == opener else -1
        if depth == 0:
            return brace.end()
    return len(code)
