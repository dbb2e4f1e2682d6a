"""The statements of a routine's body: declarations, labels, line numbers, instructions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from warpviz.kernel.ptx.declarations import REGISTER_TYPES, SPACES, read_count, read_variables
from warpviz.kernel.ptx.errors import PtxError
from warpviz.kernel.ptx.lines import LineReader
from warpviz.kernel.ptx.operands import OperandReader
from warpviz.kernel.ptx.scopes import Scopes
from warpviz.kernel.ptx.syntax import Guard, Instruction, Register, Symbol, Variable
from warpviz.kernel.ptx.tokens import Tokens

_OPCODE = re.compile(r"[a-z]\w*(?:\.\w+(?:::\w+)*)*")
_NAME = re.compile(r"[%$_A-Za-z][\w$]*")
_CALLED = (".callprototype", ".calltargets")


class BodyReader:
    """Reads one body into its attributes, which are as Routine describes them."""

    def __init__(self, tokens: Tokens, main_file: int) -> None:
        self.variables: list[Variable] = []
        self.instructions: list[Instruction] = []
        self.labels: dict[str, int] = {}
        self.tables: dict[str, tuple[str, ...]] = {}
        self._tokens = tokens
        self._lines = LineReader(main_file)
        self._scopes = Scopes(tokens)
        self._operands = OperandReader(tokens, self._scopes.resolve)

    @property
    def registers(self) -> Mapping[str, str]:
        return self._scopes.registers

    def read(self) -> None:
        """Everything to the brace that closes the body; the one that opens it has been passed. Raises PtxError."""
        try:
            while self._scopes.depth:
                self._read_statement()
            self._check_branches()
        except PtxError as error:  # the user's own, in an asm statement
            raise PtxError(error.sentence, error.ptx_line, self._lines.current.number) from None

    def _read_statement(self) -> None:
        tokens = self._tokens
        if tokens.accept("{"):
            self._scopes.open()
        elif tokens.accept("}"):
            self._scopes.close()
        elif tokens.next.startswith("."):
            self._read_directive()
        elif tokens.second == ":":
            self._read_label()
        elif not tokens.accept(";"):
            self._read_instruction()

    def _read_directive(self) -> None:
        directive = self._tokens.take()
        if directive == ".loc":
            self._lines.read(self._tokens)
        elif directive == ".reg":
            self._read_registers()
        elif directive in SPACES:
            for variable in read_variables(self._tokens, directive):
                self.variables.append(replace(variable, name=self._scopes.declare_variable(variable.name)))
        elif directive == ".pragma":
            self._tokens.skip_past(";")
        else:
            self._tokens.refuse(f"{directive} is no directive that is known within a routine")

    def _read_registers(self) -> None:
        """`.b32 %r<14>;` declares %r0 to %r13, `.pred p, q;` just these two."""
        tokens = self._tokens
        register_type = tokens.take().removeprefix(".")
        if register_type not in REGISTER_TYPES:
            tokens.refuse(f"{register_type} is no type of a register that is known")
        while True:
            name = self._take_name()
            if tokens.accept("<"):
                for number in range(read_count(tokens)):
                    self._scopes.declare_register(f"{name}{number}", register_type)
                tokens.expect(">")
            else:
                self._scopes.declare_register(name, register_type)
            if not tokens.accept(","):
                tokens.expect(";")
                return

    def _read_label(self) -> None:
        """A label, the name of a table of labels, or that of what an indirect call may reach."""
        tokens = self._tokens
        name = self._scopes.name_of_label(self._take_name())
        tokens.expect(":")
        if tokens.accept(".branchtargets"):
            self.tables[name] = self._read_table()
        elif tokens.next in _CALLED:
            tokens.skip_past(";")
        elif name in self.labels:
            tokens.refuse(f"the label {name} stands in two places")
        else:
            self.labels[name] = len(self.instructions)

    def _read_table(self) -> tuple[str, ...]:
        names = []
        while True:
            names.append(self._operands.read_name().name)
            if not self._tokens.accept(","):
                self._tokens.expect(";")
                return tuple(names)

    def _read_instruction(self) -> None:
        tokens = self._tokens
        ptx_line = tokens.line
        guard = self._read_guard() if tokens.accept("@") else None
        word = tokens.take()
        words = _split(word)
        if words is None:
            raise PtxError(f"{word} is no instruction", ptx_line)
        opcode, modifiers = words
        operands = self._operands.read_call() if opcode == "call" else self._operands.read_all()
        self.instructions.append(Instruction(opcode, modifiers, operands, guard, self._lines.current, ptx_line))

    def _read_guard(self) -> Guard:
        negated = self._tokens.accept("!")
        register = self._operands.read_name()
        if not isinstance(register, Register) or self.registers.get(register.name) != "pred":
            self._tokens.refuse(f"{register.name} is no predicate")
        return Guard(register, negated)

    def _take_name(self) -> str:
        if not _NAME.fullmatch(self._tokens.next):
            self._tokens.fail(f"a name is expected, not {self._tokens.next or 'the end of the text'}")
        return self._tokens.take()

    def _check_branches(self) -> None:
        """Every branch leads to labels of this body."""
        for instruction in self.instructions:
            if instruction.opcode not in ("bra", "brx"):
                continue
            for name in (operand.name for operand in instruction.operands if isinstance(operand, Symbol)):
                targets = self.tables.get(name, (name,)) if instruction.opcode == "brx" else (name,)
                for missing in (target for target in targets if target not in self.labels):
                    raise PtxError(f"there is no label {missing}", instruction.ptx_line)


@lru_cache(maxsize=4096)
def _split(word: str) -> tuple[str, tuple[str, ...]] | None:
    """An instruction's opcode and modifiers; None for what is no instruction."""
    if not _OPCODE.fullmatch(word):
        return None
    opcode, *modifiers = word.split(".")
    return opcode, tuple(modifiers)
