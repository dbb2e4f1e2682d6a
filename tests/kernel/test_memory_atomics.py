"""Atomics of many threads at once give what one thread after the other gives."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from warpviz.kernel.memory.atomics import compare_and_swap, fetch, reduce
from warpviz.kernel.memory.updates import Update, update_for, update_of

_INTEGERS = "u32 s32 u64 s64 b32 b64".split()
_OPERATIONS = "add min max and or xor inc dec exch".split()


def _wrap(value: int, kind: str) -> int:
    bits = int(kind[1:])
    value %= 1 << bits
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


def _next(operation: str, old: int, value: int) -> int:
    """PTX's definitions, one number at a time."""
    match operation:
        case "add":
            return old + value
        case "min":
            return min(old, value)
        case "max":
            return max(old, value)
        case "and":
            return old & value
        case "or":
            return old | value
        case "xor":
            return old ^ value
        case "inc":
            return 0 if old >= value else old + 1
        case "dec":
            return value if old == 0 or old > value else old - 1
        case _:
            return value


def _one_by_one(operation: str, kind: str, cells: list[int], index: list[int], values: list[int]) -> list[int]:
    found = []
    for cell, value in zip(index, values, strict=True):
        found.append(cells[cell])
        cells[cell] = _wrap(_next(operation, cells[cell], value), kind)
    return found


@given(st.sampled_from(_INTEGERS), st.sampled_from(_OPERATIONS), st.data())
def test_integers_are_updated_in_the_order_of_threads(kind: str, operation: str, data: st.DataObject) -> None:
    update = update_of(operation, kind)
    if update is None:
        assert operation in ("inc", "dec")
        assert kind[0] == "s"
        return
    few = st.integers(0, 5)
    numbers = st.one_of(few, st.integers(0, 2**64 - 1)).map(lambda value: _wrap(value, kind))
    cells = data.draw(st.lists(numbers, min_size=1, max_size=6))
    threads = data.draw(st.lists(st.tuples(st.integers(0, len(cells) - 1), numbers), min_size=1, max_size=80))
    index, values = [cell for cell, _ in threads], [value for _, value in threads]
    array = np.array(cells, dtype=update.dtype)
    alone = array.copy()
    found = fetch(array, np.array(index), np.array(values, dtype=update.dtype), update)
    reduce(alone, np.array(index), np.array(values, dtype=update.dtype), update)
    assert found.tolist() == _one_by_one(operation, kind, cells, index, values)
    assert array.tolist() == alone.tolist() == cells


@given(st.data())
def test_compare_and_swap_goes_in_the_order_of_threads(data: st.DataObject) -> None:
    numbers = st.integers(0, 3)
    cells = data.draw(st.lists(numbers, min_size=1, max_size=4))
    threads = data.draw(st.lists(st.tuples(st.integers(0, len(cells) - 1), numbers, numbers), min_size=1, max_size=60))
    index, expected, values = (np.array(column, dtype=np.uint32) for column in zip(*threads, strict=True))
    array = np.array(cells, dtype=np.uint32)
    found = compare_and_swap(array, index.astype(np.int64), expected, values)
    one_by_one = []
    for cell, compare, value in threads:
        one_by_one.append(cells[cell])
        cells[cell] = value if cells[cell] == compare else cells[cell]
    assert (found.tolist(), array.tolist()) == (one_by_one, cells)


def _sequential(cells: NDArray[Any], index: NDArray[np.int64], values: NDArray[Any], update: Update) -> list[Any]:
    found = []
    for thread, cell in enumerate(index.tolist()):
        found.append(cells[cell])
        cells[cell : cell + 1] = update.apply(cells[cell : cell + 1], values[thread : thread + 1])
    return found


@pytest.mark.parametrize("kind", ["f16", "f32", "f64", "bf16"])
@pytest.mark.parametrize("threads", [5, 300])
@pytest.mark.parametrize("places", [1, 3, 200])
def test_sums_of_floats_are_rounded_thread_by_thread(kind: str, threads: int, places: int) -> None:
    update = update_of("add", kind)
    assert update is not None
    random = np.random.default_rng(threads + places)
    index = random.integers(0, places, threads)
    values = random.normal(size=threads) * 10.0 ** random.integers(-3, 4, threads)
    bits = (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) if kind == "bf16" else values
    given_values = bits.astype(update.dtype)
    cells, alone, expected = (np.zeros(places, dtype=update.dtype) for _ in range(3))
    found = fetch(cells, index, given_values, update)
    reduce(alone, index, given_values, update)
    assert found.tolist() == _sequential(expected, index, given_values, update)
    assert cells.tolist() == alone.tolist() == expected.tolist()


def _bfloat(value: float) -> int:
    """Rounded to nearest, ties to even, by Python's own arithmetic."""
    bits = int.from_bytes(struct.pack("<f", value), "little")
    low, high = bits & 0xFFFF, bits >> 16
    return high + (low > 0x8000 or (low == 0x8000 and high & 1))


@given(st.integers(0, 0xFF00), st.integers(0, 0xFF00))
def test_bfloat_sums_are_the_nearest_there_are(a: int, b: int) -> None:
    exact = sum(struct.unpack("<f", (bits << 16).to_bytes(4, "little"))[0] for bits in (a, b))
    update = update_of("add", "bf16")
    assert update is not None
    with np.errstate(over="ignore"):
        found = int(update.apply(np.array([a], dtype=np.uint16), np.array([b], dtype=np.uint16))[0])
    if exact != exact:
        assert found == 0x7FFF
    elif abs(exact) < 3.38e38:
        assert found == _bfloat(np.float32(exact))


def test_global_float_sums_flush_subnormal_numbers() -> None:
    tiny = np.float32(1e-40)
    normal = np.float32(1.5e-38)
    update = update_for("global", "add", "f32")
    assert update is not None
    for threads in (1, 40):
        cells = np.full(2, tiny)
        index = np.zeros(threads, dtype=np.int64)
        fetch(cells, index, np.full(threads, tiny), update)
        assert cells.tolist() == [0.0, float(tiny)]
        cells = np.array([normal])
        fetch(cells, index[:1], np.array([np.float32(-1.2e-38)]), update)
        assert cells.tolist() == [0.0]


def test_what_is_no_operation_of_a_type_has_no_update() -> None:
    assert update_of("inc", "f32") is None
    assert update_of("add", "pred") is None
    assert update_of("frobnicate", "u32") is None
