"""What names mean within a routine: registers, variables and labels, each known from its scope `{ … }` inwards."""

from __future__ import annotations

from warpviz.kernel.ptx.operands import Named
from warpviz.kernel.ptx.syntax import Register, Symbol
from warpviz.kernel.ptx.tokens import Tokens

_DEEPEST = 64  # scopes within each other
_MOST_REGISTERS = 1 << 20  # of a routine


class Scopes:
    """The open scopes of one routine. registers: all that were declared, in scopes that are closed too: name -> type.

    A name of the routine's outermost scope stays as it is; the same name may be declared in many inner ones, so there
    it becomes unique: "param0#3" for that of the third inner scope.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.registers: dict[str, str] = {}
        self._tokens = tokens
        self._opened = 0
        self._suffixes = [""]
        self._open: list[dict[str, Named]] = [{}]  # the outermost first

    @property
    def depth(self) -> int:
        """How many are open: 1 in the outermost."""
        return len(self._open)

    def open(self) -> None:
        """After a `{`. The labels of the scope are known from here, as a branch may lead forward. Raises PtxError."""
        if self.depth == _DEEPEST:
            self._tokens.refuse(f"more than {_DEEPEST} scopes within each other")
        self._opened += 1
        self._suffixes.append(f"#{self._opened}")
        self._open.append({})
        for name in self._tokens.labels_in_scope():
            self._declare(name, Symbol(name + self._suffixes[-1]))

    def close(self) -> None:
        """After a `}`."""
        self._suffixes.pop()
        self._open.pop()

    def declare_register(self, name: str, register_type: str) -> None:
        """Raises PtxError when the scope has the name already, or the routine has too many."""
        if len(self.registers) == _MOST_REGISTERS:
            self._tokens.refuse(f"more than {_MOST_REGISTERS} registers in one routine")
        register = Register(name + self._suffixes[-1])
        self._declare(name, register)
        self.registers[register.name] = register_type

    def declare_variable(self, name: str) -> str:
        """The unique name. Raises PtxError when the scope has the name already."""
        symbol = Symbol(name + self._suffixes[-1])
        self._declare(name, symbol)
        return symbol.name

    def name_of_label(self, name: str) -> str:
        """The unique name of a label of the innermost scope."""
        return name + self._suffixes[-1]

    def resolve(self, name: str) -> Named | None:
        """What the name means here; None when no open scope has it."""
        for scope in reversed(self._open):
            if name in scope:
                return scope[name]
        return None

    def _declare(self, name: str, named: Named) -> None:
        if name in self._open[-1]:
            self._tokens.refuse(f"{name} is declared twice")
        self._open[-1][name] = named
