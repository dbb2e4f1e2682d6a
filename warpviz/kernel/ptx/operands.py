"""What an instruction works on: registers, numbers, names, addresses, vectors."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from warpviz.kernel.ptx.declarations import read_number, read_offset
from warpviz.kernel.ptx.literals import number_of
from warpviz.kernel.ptx.syntax import Address, Immediate, Negated, Operand, Pair, Register, Symbol, Vector
from warpviz.kernel.ptx.tokens import Tokens

Named = Register | Symbol
Resolve = Callable[[str], Named | None]
"""What a name means where it stands; None when no scope of the routine declares it."""

WARP_SIZE = Immediate(32)
NOTHING = "_"  # a result nobody wants


class OperandReader:
    """Reads the operands of one routine's instructions. Every method raises PtxError."""

    def __init__(self, tokens: Tokens, resolve: Resolve) -> None:
        self._tokens = tokens
        self._resolve = resolve

    def read_all(self) -> tuple[Operand, ...]:
        """Those of an instruction, with the semicolon. The coordinates in `[image, {x, y}]` follow as an operand."""
        tokens = self._tokens
        if tokens.accept(";"):
            return ()
        operands: list[Operand] = []
        while True:
            if tokens.accept("["):
                self._read_address(operands)
            else:
                operands.append(self._read_one())
            if not tokens.accept(","):
                tokens.expect(";")
                return tuple(operands)

    def read_call(self) -> tuple[Operand, ...]:
        """`(results), function, (arguments), prototype;`: always a Vector, the function, a Vector, and what follows."""
        tokens = self._tokens
        results = Vector(())
        if tokens.accept("("):
            results = self._read_vector(")")
            tokens.expect(",")
        operands: list[Operand] = [results, self._read_one()]
        arguments = Vector(())
        if tokens.accept(",") and tokens.accept("("):
            arguments = self._read_vector(")")
            tokens.accept(",")
        operands.append(arguments)
        if not tokens.accept(";"):
            operands.append(self._read_one())
            tokens.expect(";")
        return tuple(operands)

    def read_name(self) -> Named:
        """A register or a symbol."""
        text = self._tokens.next
        if not text or not (text[0].isalpha() or text[0] in "%$_"):
            self._tokens.fail(f"a name is expected, not {text or 'the end of the text'}")
        self._tokens.take()
        named = self._resolve(text)
        if named is not None:
            return named
        return Register(text) if text[0] == "%" or text == NOTHING else Symbol(text)

    def _read_one(self) -> Operand:
        """One that is no address."""
        tokens = self._tokens
        text = tokens.next
        if text == "{":
            tokens.take()
            return self._read_vector("}")
        if text == "!":
            tokens.take()
            return Negated(self._as_register(self.read_name()))
        element = self._read_element()
        if tokens.next != "|":
            return Register(NOTHING) if element is None else element
        tokens.take()
        return Pair(self._as_result(element), self._as_result(self._read_element()))

    def _read_element(self) -> Register | Immediate | Symbol | None:
        """A name or a number; None for `_`."""
        text = self._tokens.next
        if text == "-" or text[:1].isdigit():
            return self._read_immediate()
        if text == NOTHING:
            self._tokens.take()
            return None
        if text == "WARP_SZ":
            self._tokens.take()
            return WARP_SIZE
        return self.read_name()

    def _read_immediate(self) -> Immediate:
        immediate = _immediate(self._tokens.next)
        if immediate is None:
            return Immediate(read_number(self._tokens))
        self._tokens.take()
        return immediate

    def _read_vector(self, end: str) -> Vector:
        """What stands between braces, whose opening one has been passed."""
        tokens = self._tokens
        elements: list[Register | Immediate | Symbol | None] = []
        while not tokens.accept(end):
            if elements:
                tokens.expect(",")
            elements.append(self._read_element())
        return Vector(tuple(elements))

    def _read_address(self, operands: list[Operand]) -> None:
        """`base+offset]`, and coordinates as operands of their own."""
        tokens = self._tokens
        base: Named | None = None
        offset = 0
        if tokens.next == "-" or tokens.next[:1].isdigit():
            offset = self._as_offset(self._read_immediate())
        else:
            base = self.read_name()
        while tokens.next in ("+", "-"):
            offset += read_offset(tokens)
        operands.append(Address(base, offset))
        while tokens.accept(","):
            operands.append(self._read_one())
        tokens.expect("]")

    def _as_offset(self, immediate: Immediate) -> int:
        if isinstance(immediate.value, float):
            self._tokens.refuse(f"an address is a whole number, not {immediate.value}")
        return immediate.value

    def _as_register(self, named: Named) -> Register:
        if not isinstance(named, Register):
            self._tokens.refuse(f"{named.name} is no register")
        return named

    def _as_result(self, element: Register | Immediate | Symbol | None) -> Register | None:
        if not isinstance(element, Register | None):
            self._tokens.refuse("results on both sides of | are registers")
        return element


@lru_cache(maxsize=4096)
def _immediate(text: str) -> Immediate | None:
    """Of a number without a sign; None for anything else."""
    value = number_of(text)
    return None if value is None else Immediate(value)
