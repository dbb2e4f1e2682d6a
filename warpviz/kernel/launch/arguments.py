"""The value of each parameter, made of what is given for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from warpviz.expression.source import clipped
from warpviz.kernel.launch.arrays import Array, FileArray, file_array
from warpviz.kernel.launch.errors import LaunchError
from warpviz.kernel.launch.integers import IntegerExpression
from warpviz.kernel.launch.parameters import DeclaredParameter
from warpviz.kernel.launch.scalars import is_struct, read_as, scalar_bytes, scalar_type
from warpviz.kernel.launch.specifications import ArrayGiven, FileGiven, NumberGiven, Specification
from warpviz.kernel.ptx.syntax import Parameter
from warpviz.wording import counted


@dataclass(frozen=True)
class Value:
    """A number, a struct or a null pointer. contents: its bytes, as many as the parameter has."""

    name: str
    contents: bytes


Argument = Value | Array | FileArray


class Binder:
    """specifications: by the parameter's name. integers: the values of those that are integers of 64 bits, which the
    counts of arrays and the extents of the launch may name. Raises LaunchError for a number that cannot be computed."""

    def __init__(self, specifications: Mapping[str, Specification]) -> None:
        self._specifications = specifications
        self._numbers: dict[str, int | float] = {}
        self.integers: dict[str, int] = {}
        for name, given in specifications.items():
            if isinstance(given, NumberGiven):
                value = IntegerExpression(given.given, self.integers).constant() if given.value is None else given.value
                self._numbers[name] = value
                if isinstance(value, int) and -(1 << 63) <= value < 1 << 64:
                    self.integers[name] = value

    def argument(self, parameter: Parameter, declared: DeclaredParameter) -> Argument:
        """What the parameter is given. Raises LaunchError when it does not fit."""
        given = self._specifications[declared.name]
        if isinstance(given, NumberGiven):
            return self._value(parameter, declared, given)
        array = self._array(declared.name, given)
        if isinstance(array, FileArray):
            _check_file(array, declared)
        if is_struct(parameter):
            return _struct(parameter, declared, array)
        if parameter.size != 8 or (scalar_type(declared, parameter) is not None and not declared.is_pointer):
            raise LaunchError(f"{declared} is a number, so it takes no array", given.given.where)
        return array

    def _value(self, parameter: Parameter, declared: DeclaredParameter, given: NumberGiven) -> Value:
        number, where = self._numbers[declared.name], given.given.where
        if declared.is_pointer or parameter.is_pointer:
            if number != 0:
                raise LaunchError(f"{declared} is a pointer: give an array such as f32[1024], or 0 for none", where)
            return Value(declared.name, bytes(parameter.size))
        if is_struct(parameter):
            raise LaunchError(
                f"{declared} is a struct: give its {parameter.size} bytes, as u8[{parameter.size}]:EXPR or @FILE.npy",
                where,
            )
        ctype = scalar_type(declared, parameter)
        return Value(declared.name, scalar_bytes(number, ctype, parameter.size, str(declared), where))

    def _array(self, name: str, given: ArrayGiven | FileGiven) -> Array | FileArray:
        if isinstance(given, FileGiven):
            return file_array(name, given.path, given.given.where)
        count = IntegerExpression(given.count, self.integers).constant()
        if count < 1:
            raise LaunchError(f"{name} has {count} elements; 1 is the least", given.count.where)
        each = None if given.each is None else IntegerExpression(given.each, self.integers)
        if each is not None:
            each.fill(np.empty(1, given.dtype))  # what is wrong with it is said before the launch
        return Array(name, given.dtype, count, each, given.given.where)


def _check_file(array: FileArray, declared: DeclaredParameter) -> None:
    """numpy's own choice, float64 and int64, is seldom the kernel's. Raises LaunchError."""
    wanted = read_as(declared)
    if wanted is None or array.dtype.kind not in "biuf":
        return
    numbers, held = np.dtype(wanted), array.dtype
    if held.itemsize != numbers.itemsize or (held.kind == "f") != (numbers.kind == "f"):
        name = clipped(array.path.name)
        sentence = f"{name} holds {held}, and {declared} reads {wanted}: save it .astype({wanted!r})"
        raise LaunchError(sentence, array.where)


def _struct(parameter: Parameter, declared: DeclaredParameter, array: Array | FileArray) -> Value:
    if array.size != parameter.size:
        raise LaunchError(
            f"{declared} is a struct of {counted(parameter.size, 'byte')}, and is given {array.size:,}", array.where
        )
    return Value(declared.name, array.values().tobytes())
