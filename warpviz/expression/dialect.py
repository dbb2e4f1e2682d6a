"""CUDA C++ tokens -> tokens of plain C that say the same, so that a C parser reads what people paste."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from warpviz.expression.errors import ExpressionError
from warpviz.expression.names import NAMED_TYPES, TYPE_KEYWORDS
from warpviz.expression.source import clipped
from warpviz.expression.tokens import Kind, Token, closing

# Memory qualifiers travel through the C parser as the operand of an alignment: _Alignas($shared) float s[4];
SPACE_MARKS = {"__shared__": "$shared", "__constant__": "$const", "__device__": "$global", "__managed__": "$global"}
# The alignment of a struct travels as that of an empty first member: _Alignas(16) char $align[0];
ALIGN_MEMBER = "$align"
AUTO = "$auto"

_DROPPED = frozenset(
    "__restrict__ __restrict restrict volatile __volatile__ inline __inline__ __forceinline__ __host__ register "
    "__grid_constant__ typename".split()
)
_RENAMED = {
    "constexpr": "const",
    "bool": "_Bool",
    "auto": AUTO,
    "alignas": "_Alignas",
    "__align__": "_Alignas",
    "alignof": "_Alignof",
    "__alignof__": "_Alignof",
}
_TRUTH = {"true": "1", "false": "0"}
_CXX_CASTS = frozenset(["reinterpret_cast", "static_cast", "const_cast"])
_RECORD_KEYWORDS = ("struct", "union")
_TAG_KEYWORDS = ("struct", "union", "enum")


def plain_words(tokens: list[Token]) -> list[Token]:
    """Words that CUDA or C++ spell otherwise than C, and those that change no address, renamed or dropped."""
    plain: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        following = tokens[index + 1].spelling if index + 1 < len(tokens) else ""
        if token.spelling in SPACE_MARKS:
            plain += _spelled(token, "_Alignas", "(", SPACE_MARKS[token.spelling], ")")
        elif token.spelling == "__attribute__":
            aligned, index = _attribute(tokens, index)
            plain += aligned
        elif token.spelling == "std" and following == "::":
            index += 1
        elif token.spelling in _TRUTH:
            plain.append(replace(token, kind="number", spelling=_TRUTH[token.spelling]))
        elif token.spelling not in _DROPPED and token.spelling != "::":
            plain.append(replace(token, spelling=_RENAMED.get(token.spelling, token.spelling)))
        index += 1
    return plain


def _attribute(tokens: list[Token], start: int) -> tuple[list[Token], int]:
    """`__attribute__((aligned(n)))` as _Alignas(n), and the index of its last token."""
    spellings = [token.spelling for token in tokens[start + 1 : start + 5]]
    if spellings != ["(", "(", "aligned", "("]:
        name = spellings[2] if len(spellings) > 2 else ""
        raise ExpressionError(f"the attribute {clipped(name)} is not known here; aligned is", tokens[start].place)
    end = closing(tokens, start + 4)
    return [replace(tokens[start], spelling="_Alignas"), *tokens[start + 4 : end + 1]], closing(tokens, start + 1)


def record_alignments(tokens: list[Token]) -> list[Token]:
    """`struct _Alignas(16) P {` and `} _Alignas(16)` with the alignment as that of an empty first member."""
    result: list[Token] = []
    opened: list[int] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.spelling in _RECORD_KEYWORDS and _is(tokens, index + 1, "_Alignas") and _is(tokens, index + 2, "("):
            end = closing(tokens, index + 2)
            name = tokens[end + 1 : end + 2] if end + 1 < len(tokens) and tokens[end + 1].kind == "name" else []
            brace = end + 1 + len(name)
            if not _is(tokens, brace, "{"):
                raise ExpressionError(
                    "an alignment stands here without members; write it with them", tokens[index + 1].place
                )
            opened.append(len(result) + 1 + len(name))
            result += [token, *name, tokens[brace], *_align_member(tokens[index + 1 : end + 1])]
            index = brace + 1
            continue
        if token.spelling == "{":
            opened.append(len(result))
        result.append(token)
        if token.spelling == "}" and opened:
            brace = opened.pop()
            if _is(tokens, index + 1, "_Alignas") and _is(tokens, index + 2, "("):
                end = closing(tokens, index + 2)
                result[brace + 1 : brace + 1] = _align_member(tokens[index + 1 : end + 1])
                index = end
        index += 1
    return result


def _align_member(alignment: list[Token]) -> list[Token]:
    return [*alignment, *_spelled(alignment[0], "char", ALIGN_MEMBER, "[", "0", "]", ";")]


def typedefs(tokens: list[Token]) -> list[Token]:
    """`using T = …;` as a typedef. Raises ExpressionError for an alignment that a typedef gives: C's tree loses it."""
    result: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.spelling == "using" and _is(tokens, index + 2, "="):
            end = next((i for i in range(index, len(tokens)) if tokens[i].spelling == ";"), len(tokens))
            meaning = tokens[index + 3 : end]
            brackets = next((i for i, part in enumerate(meaning) if part.spelling == "["), len(meaning))
            result += [replace(token, spelling="typedef"), *meaning[:brackets], tokens[index + 1], *meaning[brackets:]]
            index = end
        else:
            result.append(token)
            index += 1
    _check_typedefs(result)
    return result


def _check_typedefs(tokens: list[Token]) -> None:
    depth, inside = 0, False
    for token in tokens:
        depth += (token.spelling == "{") - (token.spelling == "}")
        inside = (inside or token.spelling == "typedef") and not (depth == 0 and token.spelling == ";")
        if inside and depth == 0 and token.spelling == "_Alignas":
            raise ExpressionError(
                "a typedef carries no alignment or memory qualifier; give it to a struct", token.place
            )


def references(tokens: list[Token]) -> list[Token]:
    """The & of `float& r = …` marked as that of a reference."""
    marked = list(tokens)
    for index in range(1, len(tokens) - 2):
        before, token, name, after = tokens[index - 1 : index + 3]
        if token.spelling in ("&", "&&") and before.kind == name.kind == "name" and after.spelling == "=":
            marked[index] = replace(token, kind="reference")
    return marked


def type_names(declarations: list[Token]) -> frozenset[str]:
    """Plain names that are types without a typedef: CUDA's, and the tags of structs, unions and enums as in C++.

    A name that a declaration gives to something else (`const int half = 16;`) is none.
    """
    tags = {
        name.spelling
        for keyword, name in pairwise(declarations)
        if keyword.spelling in _TAG_KEYWORDS and name.kind == "name"
    }
    return frozenset((NAMED_TYPES.keys() | tags | {AUTO}) - _declared(declarations))


def _declared(tokens: list[Token]) -> set[str]:
    """Names that stand where a declarator stands."""
    return {
        name.spelling
        for before, name, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if name.kind == "name"
        and after.spelling in ("=", ";", ",", "[")
        and (before.kind == "name" or before.spelling in ("*", ",", "}"))
        and before.spelling not in _TAG_KEYWORDS
    }


def casts(tokens: list[Token], types: frozenset[str]) -> list[Token]:
    """`static_cast<T>(e)` and `T(e)` as `((T)(e))`; a cast to a reference, `(T&)e`, as `*(T*)&e`."""
    result: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.spelling in _CXX_CASTS and _is(tokens, index + 1, "<"):
            angle = next((i for i in range(index, len(tokens)) if tokens[i].spelling == ">"), len(tokens))
            if not _is(tokens, angle + 1, "("):
                raise ExpressionError(f"{token.spelling} is written {token.spelling}<TYPE>(VALUE)", token.place)
            name, start = tokens[index + 2 : angle], angle + 1
        elif _converts(tokens, index, types):
            name, start = [token], index + 1
        else:
            length = _reference_cast(tokens, index)
            result += _cast_to(token, tokens[index + 1 : index + length - 1]) if length else [token]
            index += length or 1
            continue
        end = closing(tokens, start)
        value = casts(tokens[start + 1 : end], types)
        result += [*_spelled(token, "("), *_cast_to(token, name), *_spelled(token, "("), *value]
        result += _spelled(tokens[end], ")", ")")
        index = end + 1
    return result


def _cast_to(origin: Token, name: list[Token]) -> list[Token]:
    """`(T)`, or of a reference type `*(T*)&`."""
    if name and name[-1].spelling == "&":
        return [*_spelled(origin, "*", "("), *name[:-1], *_spelled(origin, "*", ")", "&")]
    return [*_spelled(origin, "("), *name, *_spelled(origin, ")")]


def _reference_cast(tokens: list[Token], index: int) -> int:
    """How many tokens `(T&)` has at index; 0 where there is none."""
    if not _is(tokens, index, "("):
        return 0
    end = index + 1
    while end < len(tokens) and tokens[end].kind == "name":
        end += 1
    return end + 2 - index if end > index + 1 and _is(tokens, end, "&") and _is(tokens, end + 1, ")") else 0


def _converts(tokens: list[Token], index: int, types: frozenset[str]) -> bool:
    """Whether `T(` at index converts a value: not where a declaration begins, nor in `float (*)[4]`."""
    token = tokens[index]
    if token.spelling not in types and token.spelling not in TYPE_KEYWORDS:
        return False
    if not _is(tokens, index + 1, "(") or any(_is(tokens, index + 2, mark) for mark in ("*", "&", ")")):
        return False
    if index == 0:
        return token.place.source != "declarations"
    before = tokens[index - 1]
    return before.kind == "operator" and before.spelling not in (";", "{", "}")


def _is(tokens: list[Token], index: int, spelling: str) -> bool:
    return index < len(tokens) and tokens[index].spelling == spelling


def _spelled(origin: Token, *spellings: str) -> list[Token]:
    return [replace(origin, kind=_kind(spelling), spelling=spelling) for spelling in spellings]


def _kind(spelling: str) -> Kind:
    if spelling[0].isdigit():
        return "number"
    return "name" if spelling[0].isalpha() or spelling[0] in "_$" else "operator"
