"""An instruction of PTX as one line of text: as the parser has read it, and as it is written."""

from __future__ import annotations

import re

from warpviz.kernel.ptx.literals import number_of
from warpviz.kernel.ptx.syntax import (
    Address,
    Immediate,
    Instruction,
    Negated,
    Operand,
    Pair,
    Register,
    Symbol,
    Vector,
)

STATEMENT = re.compile(
    r"(?:[;{}]|(?<!:):(?!:))\s*(?=((?:@!?[\w%$]+\s*)?[a-z]\w*(?:\.\w+(?:::\w+)*)*(?=[\s;])(?!\s*:)[^;]*);)"
)


def without_comments(text: str) -> str:
    """And without what is no code: sections, line numbers. Of the same lines."""
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)
    return re.sub(r"^[ \t]*\.(loc|file)\b[^\n]*|\.section[^{]*\{[^}]*\}", "", text, flags=re.MULTILINE)


def written(text: str) -> list[str]:
    """Every instruction as it stands in the text, normalised."""
    return [normalised(match[1]) for match in STATEMENT.finditer(without_comments(text))]


def normalised(statement: str) -> str:
    """Without blanks, with numbers as their value, and image coordinates after the brackets."""
    opcode, *rest = re.split(r"(?<=[\w%$])\s+", statement.strip(), maxsplit=2 if statement.startswith("@") else 1)
    if statement.startswith("@"):
        opcode = f"{opcode} {rest.pop(0)}"
    operands = re.sub(r"\s", "", "".join(rest)).replace("WARP_SZ", "32")
    operands = re.sub(r"\[([^\],]*),([^\]]*)\]", r"[\1],\2", operands)
    operands = re.sub(r"(?<![\w%$.])([0-9][\w.]*)", lambda number: repr(number_of(number[1])), operands)
    operands = operands.replace("+-", "-").replace("+0]", "]")
    return re.sub(r",\(\)$", "", f"{opcode} {operands}").strip()


def printed(instruction: Instruction) -> str:
    guard = instruction.guard
    before = f"@{'!' * guard.negated}{guard.register.name} " if guard else ""
    operands = [shown(operand) for operand in instruction.operands]
    if instruction.opcode == "call":
        vectors = [operand.replace("{", "(").replace("}", ")") for operand in operands]
        operands = [operand for operand in vectors if operand != "()"]
    return re.sub("#[0-9]+", "", f"{before}{instruction.name} {','.join(operands)}").strip()


def shown(operand: Operand | None) -> str:
    match operand:
        case None:
            return "_"
        case Register() | Symbol():
            return operand.name
        case Immediate():
            return repr(operand.value)
        case Negated():
            return f"!{operand.register.name}"
        case Pair():
            return f"{shown(operand.first)}|{shown(operand.second)}"
        case Vector():
            return f"{{{','.join(shown(element) for element in operand.elements)}}}"
        case Address():
            base = shown(operand.base) if operand.base else ""
            return f"[{base}{f'{operand.offset:+}' if operand.offset or not base else ''}]".replace("[+", "[")
