"""The expression language: C declarations and one C lvalue -> the 32 addresses of a warp."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from warpviz.expression.errors import ExpressionError, Notice
from warpviz.expression.pattern import Dim3, Launch, Pattern

if TYPE_CHECKING:
    from warpviz.expression.evaluation import Evaluation
    from warpviz.expression.program import Program

__all__ = ["Dim3", "Evaluation", "ExpressionError", "Launch", "Notice", "Pattern", "Program", "parse"]

# What only a parsed expression needs is imported with the first one: a screen is drawn before that.
_LATER = {"Evaluation": "warpviz.expression.evaluation", "Program": "warpviz.expression.program"}


def parse(pattern: Pattern) -> Program:
    """Understand a pattern's texts, once; the values come later. Raises ExpressionError."""
    from warpviz.expression.parser import parse_texts
    from warpviz.expression.program import Program

    unit, macros = parse_texts(pattern)
    return Program(pattern, unit, macros)


def __getattr__(name: str) -> object:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
