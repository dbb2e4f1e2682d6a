"""Whether a value that comes from a file is of the type that a field has."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Test = Callable[[Any], bool]


def fits(value: object, hint: Any) -> bool:
    """Whether the value is of this type: a dataclass of types as these, a union, a literal, a tuple, None, bool, int,
    str, or float, of which whole numbers are some. No fraction is infinite or NaN, and whole numbers have 64 bits.

    >>> fits((1, 2), tuple[float, ...]), fits("1", int | None), fits(True, int)
    (True, False, False)
    """
    return _test(hint)(value)


@cache
def _test(hint: Any) -> Test:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _any_of([_test(part) for part in parts])
    if origin is Literal:
        return parts.__contains__
    if origin is tuple:
        return _tuple_of([_test(part) for part in parts if part is not Ellipsis], endless=Ellipsis in parts)
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        return _with_fields(hint, [(field.name, _test(hints[field.name])) for field in fields(hint)])
    if hint is int:
        return _is_whole
    if hint is float:
        return lambda value: _is_whole(value) or (type(value) is float and math.isfinite(value))
    kind = NoneType if hint is None else hint
    return lambda value: type(value) is kind


def _is_whole(value: object) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def _any_of(tests: list[Test]) -> Test:
    return lambda value: any(test(value) for test in tests)


def _tuple_of(tests: list[Test], *, endless: bool) -> Test:
    """endless: any number of items, all of them as the first."""
    if endless:
        return lambda value: type(value) is tuple and all(map(tests[0], value))
    return lambda value: type(value) is tuple and len(value) == len(tests) and all(map(_passes, tests, value))


def _passes(test: Test, value: object) -> bool:
    return test(value)


def _with_fields(kind: Any, tests: list[tuple[str, Test]]) -> Test:
    return lambda value: type(value) is kind and all(test(getattr(value, name)) for name, test in tests)
