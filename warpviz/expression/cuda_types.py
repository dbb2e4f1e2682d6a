"""C types printed as CUDA C++, and the definitions of the structs among them with assertions on their layout."""

from __future__ import annotations

from warpviz.expression import layout
from warpviz.expression.layout import Array, CType, Floating, Integer, Pointer, Record, align_of, aligned, size_of

# long has 4 bytes where the compiler runs on Windows.
_INTEGERS = {
    layout.CHAR.kind: "signed char",
    layout.LONG.kind: "long long",
    layout.UNSIGNED_LONG.kind: "unsigned long long",
}
_SUFFIXES = {
    layout.INT.kind: "",
    layout.UNSIGNED_INT.kind: "u",
    layout.LONG.kind: "ll",
    layout.LONG_LONG.kind: "ll",
    layout.UNSIGNED_LONG.kind: "ull",
    layout.UNSIGNED_LONG_LONG.kind: "ull",
}
_NATIVE_FLOATS = (layout.FLOAT.kind, layout.DOUBLE.kind)
_INDENT = "    "
# NVRTC has no offsetof of its own before 13.5; __INTADDR__ is how its front end makes an address a constant.
_OFFSET_OF = """\
#ifdef __CUDACC_RTC__
#define OFFSET_OF(type, member) __INTADDR__(&((type*)0)->member)
#else
#define OFFSET_OF(type, member) __builtin_offsetof(type, member)
#endif"""


def integer_literal(value: int, ctype: Integer) -> str:
    """A constant of this type and value; a negative one begins with - or stands in brackets."""
    suffix = _SUFFIXES.get(ctype.kind)
    if suffix is None:
        return f"({spelled_integer(ctype)}){f'({value})' if value < 0 else value}"
    if ctype.signed and value == -(1 << (ctype.bits - 1)):
        return f"(-{-(value + 1)}{suffix} - 1)"
    return f"{value}{suffix}"


def spelled_integer(ctype: Integer) -> str:
    """The integer type as every CUDA compiler gives it the same width."""
    return _INTEGERS.get(ctype.kind, ctype.kind)


def variable(name: str) -> str:
    """What a user's variable or member is called."""
    return f"u_{name}"


class CudaTypes:
    """Spells types, and remembers the structs that it has spelled."""

    def __init__(self) -> None:
        self._names: dict[Record, str] = {}
        self._floats: dict[str, Floating] = {}
        self._defined: dict[Record, list[str]] = {}
        self._pointed: dict[Record, None] = {}

    def spelled(self, ctype: CType, declarator: str = "") -> str:
        """The type, round a declarator."""
        return layout.spelled(ctype, declarator, self._name)

    def member_name(self, record: Record, name: str) -> str:
        """The axes of vector types are CUDA's names; the members of structs are the user's."""
        return name if record.kind == "vector" else variable(name)

    def definitions(self) -> str:
        """The definitions of every struct spelled so far, each after those that it is made of."""
        for record in list(self._names):
            self._define(record)
        forward = [f"{_keyword(record)} {self._names[record]};" for record in self._pointed]
        blocks = [_opaque(f"T_{kind}", floating) for kind, floating in self._floats.items()]
        if any("OFFSET_OF" in line for lines in self._defined.values() for line in lines):
            blocks.insert(0, _OFFSET_OF)
        blocks += ["\n".join(lines) for lines in self._defined.values() if lines]
        return "".join(f"\n{block}\n" for block in ["\n".join(forward), *blocks] if block)

    def _name(self, ctype: CType) -> str:
        if isinstance(ctype, Integer):
            return spelled_integer(ctype)
        if isinstance(ctype, Floating):
            if ctype.kind in _NATIVE_FLOATS:
                return ctype.kind
            self._floats.setdefault(ctype.kind, ctype)
            return f"T_{ctype.kind}"
        if isinstance(ctype, Record):
            return self._names.setdefault(ctype, self._fresh(ctype))
        return str(ctype)

    def _fresh(self, record: Record) -> str:
        """A name that no other struct has: T_ and its tag, or T and a number where it has no tag of its own."""
        wanted = f"T_{record.tag}" if record.tag else f"T{len(self._names)}"
        taken = set(self._names.values())
        return wanted if wanted not in taken else f"T{len(self._names)}_{record.tag}"

    def _define(self, record: Record) -> None:
        if record in self._defined:
            return
        if record.size is None:
            self._pointed[record] = None
            return
        self._needs(record)
        name = self._name(record)
        lines = self._body(record, f"{name} ", "")
        lines[-1] += ";"
        lines.append(f"static_assert(sizeof({name}) == {record.size} && alignof({name}) == {record.align});")
        for member in record.members:
            if member.name:
                offset = f"OFFSET_OF({name}, {self.member_name(record, member.name)})"
                lines.append(f"static_assert({offset} == {member.offset});")
        self._defined[record] = lines

    def _needs(self, record: Record) -> None:
        """Define what the members hold, and announce what they point to."""
        for member in record.members:
            part, pointed = member.type, False
            while isinstance(part, Pointer | Array):
                pointed = pointed or isinstance(part, Pointer)
                part = part.target if isinstance(part, Pointer) else part.element
            if not isinstance(part, Record):
                continue
            if pointed:
                self._name(part)
                self._pointed[part] = None
            elif member.name:
                self._define(part)
            else:
                self._needs(part)

    def _body(self, record: Record, name: str, indent: str) -> list[str]:
        """`struct name { … }`, padding written out where the members alone would lie elsewhere."""
        natural = max((align_of(member.type) for member in record.members), default=1)
        align = f"__align__({record.align}) " if record.align > natural else ""
        lines = [f"{indent}{_keyword(record)} {align}{name}{{"]
        end = 0
        for number, member in enumerate(record.members):
            if record.kind != "union":
                if aligned(end, align_of(member.type)) < member.offset:
                    lines.append(f"{indent}{_INDENT}char pad{number}[{member.offset - end}];")
                end = member.offset + (size_of(member.type) or 0)
            if not member.name and isinstance(member.type, Record):
                lines += self._body(member.type, "", indent + _INDENT)
                lines[-1] += ";"
            else:
                spelled = self.spelled(member.type, self.member_name(record, member.name))
                lines.append(f"{indent}{_INDENT}{spelled};")
        return [*lines, f"{indent}}}"]


def _keyword(record: Record) -> str:
    return "union" if record.kind == "union" else "struct"


def _opaque(name: str, floating: Floating) -> str:
    """A 2-byte floating type, of which nothing but its size matters."""
    assert floating.size == layout.UNSIGNED_SHORT.size
    return f"struct {name} {{ unsigned short bits; }};\nstatic_assert(sizeof({name}) == {floating.size});"
