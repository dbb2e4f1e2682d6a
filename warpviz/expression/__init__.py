"""The expression language: C declarations and one C lvalue -> the 32 addresses of a warp."""

from __future__ import annotations

from warpviz.expression.errors import ExpressionError, Notice
from warpviz.expression.evaluation import Evaluation
from warpviz.expression.pattern import Dim3, Launch, Pattern
from warpviz.expression.program import Program

__all__ = ["Dim3", "Evaluation", "ExpressionError", "Launch", "Notice", "Pattern", "Program", "parse"]


def parse(pattern: Pattern) -> Program:
    """Understand a pattern's texts, once; the values come later. Raises ExpressionError."""
    # pycparser takes as long to import as everything else here together; a screen can be drawn before it is needed.
    from warpviz.expression.parser import parse_texts

    unit, macros = parse_texts(pattern)
    return Program(pattern, unit, macros)
