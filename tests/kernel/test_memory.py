"""Where bytes lie, which addresses hold any, and what is said of those that do not."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from warpviz.hardware import LANES
from warpviz.kernel.memory.arena import ALIGNMENT_BYTES, Arena
from warpviz.kernel.memory.faults import BadAddress, Culprit, MemoryFault
from warpviz.kernel.memory.layout import lay_out
from warpviz.kernel.memory.memory import ChunkMemory, Memory
from warpviz.kernel.memory.observing import Threads
from warpviz.kernel.memory.own import OwnMemory
from warpviz.kernel.memory.transfer import gather, scatter
from warpviz.kernel.memory.values import MemoryType, memory_type, narrowed, widened
from warpviz.kernel.ptx.syntax import Parameter, Variable

Ints = NDArray[np.int64]
_SHAPE = (2, 3, LANES)


def _arena() -> Arena:
    arena = Arena([("a", 4096), ("b", 100), ("empty", 0), ("c", 64)])
    arena.cells[:] = np.arange(len(arena.cells), dtype=np.uint8) + 1
    return arena


def _lanes(*addresses: int) -> Ints:
    return np.array(addresses, dtype=np.int64).reshape(1, 1, -1)


def test_arrays_are_aligned_and_far_apart() -> None:
    arrays = list(_arena().arrays.values())
    assert all(array.address % ALIGNMENT_BYTES == 0 for array in arrays)
    assert all(later.address - earlier.end >= 1 << 34 for earlier, later in pairwise(arrays))


@given(st.sampled_from(["a", "b", "c"]), st.data())
def test_the_bytes_found_are_those_of_the_array(name: str, data: st.DataObject) -> None:
    arena = _arena()
    array, own = arena.arrays[name], arena.cells_of(name)
    size = data.draw(st.sampled_from([1, 2, 4, 8]))
    elements = st.integers(0, array.size // size - 1)
    chosen = data.draw(st.lists(elements, min_size=LANES, max_size=LANES))
    index = arena.locate(_lanes(*(array.address + size * element for element in chosen)), size, size, None)
    expected = [own[size * element : size * (element + 1)].tobytes() for element in chosen]
    assert [value.tobytes() for value in gather(arena.cells, index, size).ravel()] == expected


def test_threads_may_touch_several_arrays_at_once() -> None:
    arena = _arena()
    a, c = arena.arrays["a"], arena.arrays["c"]
    index = arena.locate(_lanes(a.address + 8, c.end - 4), 4, 4, None)
    assert gather(arena.cells, index, 4).tobytes() == bytes(arena.cells_of("a")[8:12]) + bytes(arena.cells_of("c")[-4:])


@pytest.mark.parametrize(
    ("array", "offset", "width", "where"),
    [
        ("a", 4096, 4, "byte 4,096 of a, which has 4,096 bytes"),
        ("a", 4094, 2, None),
        ("a", 4100, 4, "byte 4,100 of a, which has 4,096 bytes, 4 bytes past its end"),
        ("a", -4, 4, "4 bytes before a"),
        ("a", 6, 4, "byte 6 of a, which has 4,096 bytes: 6 is not a multiple of 4"),
        ("b", 96, 8, "byte 96 of b, which has 100 bytes"),
        ("b", 104, 4, "byte 104 of b, which has 100 bytes, 4 bytes past its end"),
        ("b", 1 << 32, 4, "byte 4,294,967,296 of b, which has 100 bytes, 4,294,967,196 bytes past its end"),
        ("empty", 0, 1, "byte 0 of empty, which has 0 bytes"),
    ],
)
def test_an_address_that_no_array_holds_is_told_by_the_nearest(
    array: str, offset: int, width: int, where: str | None
) -> None:
    arena = _arena()
    addresses = _lanes(arena.arrays["a"].address, arena.arrays[array].address + offset)
    if where is None:
        assert arena.locate(addresses, width, width, None).shape == (1, 1, 2)
        return
    with pytest.raises(BadAddress) as bad:
        arena.locate(addresses, width, width, None)
    assert (bad.value.place, bad.value.where) == ((0, 0, 1), where)
    assert bad.value.address == arena.arrays[array].address + offset


@pytest.mark.parametrize("address", [0, 12, -8, (1 << 63) - 4, -(1 << 63)])
def test_an_address_far_from_all_arrays_is_told_as_it_is(address: int) -> None:
    with pytest.raises(BadAddress, match=f"^address {address % (1 << 64):#x}, which is in no array$"):
        _arena().locate(_lanes(address), 4, 4, None)


def test_an_inactive_thread_may_hold_any_address() -> None:
    arena = _arena()
    start = arena.arrays["a"].address
    mask = np.array([True, False, False, True]).reshape(1, 1, 4)
    index = arena.locate(_lanes(start, 0, start + 4096, start + 4), 4, 4, mask)
    assert gather(arena.cells, index, 4)[mask].tobytes() == bytes(arena.cells_of("a")[:8])
    with pytest.raises(BadAddress):
        arena.locate(_lanes(start, 0, start + 4096, start + 4), 4, 4, ~mask)


def test_of_several_wrong_threads_the_first_in_order_is_told() -> None:
    addresses = np.zeros(_SHAPE, dtype=np.int64)
    mask = np.zeros(_SHAPE, dtype=np.bool_)
    mask[1, 0, 7] = mask[1, 2, 0] = True
    with pytest.raises(BadAddress) as bad:
        _arena().locate(addresses, 4, 4, mask)
    assert bad.value.place == (1, 0, 7)


def test_each_owner_has_its_own_bytes() -> None:
    memory = OwnMemory("shared memory", 20, owners=3)
    owner = np.arange(3).reshape(3, 1, 1)
    scatter(memory.cells, memory.locate(_lanes(16), 4, 4, None, owner), (owner + 7).astype(np.uint32), None)
    found = gather(memory.cells, memory.locate(_lanes(12, 16), 4, 4, None, owner), 4)
    assert found.tolist() == [[[0, 7]], [[0, 8]], [[0, 9]]]


@pytest.mark.parametrize(
    ("offset", "width", "where"),
    [
        (20, 4, "byte 20 of shared memory, which has 20 bytes"),
        (16, 8, "byte 16 of shared memory, which has 20 bytes"),
        (-4, 4, "byte -4 of shared memory, which has 20 bytes"),
        (2, 4, "byte 2 of shared memory, which has 20 bytes: 2 is not a multiple of 4"),
    ],
)
def test_a_shared_address_out_of_bounds_is_refused(offset: int, width: int, where: str) -> None:
    memory = OwnMemory("shared memory", 20, owners=2)
    with pytest.raises(BadAddress) as bad:
        memory.locate(_lanes(0, offset), width, 4, None, np.arange(2).reshape(2, 1, 1))
    assert bad.value.where == where


def test_memory_that_the_kernel_has_none_of_says_so() -> None:
    with pytest.raises(BadAddress, match=r"^byte 0 of local memory, of which the kernel has none$"):
        OwnMemory("local memory", 0, owners=4).locate(_lanes(0), 4, 4, None)


def test_of_threads_that_write_one_element_the_last_one_stays() -> None:
    cells = np.zeros(16, dtype=np.uint8)
    scatter(cells, _lanes(1), np.arange(LANES, dtype=np.uint32).reshape(1, 1, LANES), None)
    scatter(cells, _lanes(2), np.arange(LANES, dtype=np.uint32).reshape(1, 1, LANES), _lanes(*range(LANES)) < 9)
    assert cells.view(np.uint32).tolist() == [0, 31, 8, 0]


@given(st.sampled_from("b8 u8 s8 u16 s16 u32 s32 f16".split()), st.integers(0, 2**32 - 1))
def test_a_wider_register_gets_zeros_or_the_sign(name: str, value: int) -> None:
    kind = memory_type(name)
    assert kind is not None
    bits = value % (1 << 8 * kind.size)
    signed = name.startswith("s") and bits >> (8 * kind.size - 1)
    for register in (np.uint32, np.uint64):
        wide = widened(np.array([bits], dtype=f"uint{8 * kind.size}"), kind, np.dtype(register))
        assert int(wide[0]) == (bits - (1 << 8 * kind.size) if signed else bits) % (1 << 8 * wide.itemsize)
        assert narrowed(wide, kind.size).tolist() == [bits]


def test_a_float_register_gets_the_bits() -> None:
    bits = np.array([0x3F800000], dtype=np.uint32)
    assert widened(bits, MemoryType("b32", 4), np.dtype(np.float32)).tolist() == [1.0]
    assert narrowed(np.array([1.0], dtype=np.float32), 4).tolist() == [0x3F800000]


_PARAMETERS = [Parameter("p0", "u64", 0, 8, 8), Parameter("p1", "u32", 8, 4, 4)]
_VARIABLES = [
    Variable("s1", "shared", 5, 1),
    Variable("s2", "shared", 16, 8),
    Variable("dynamic", "shared", 0, 16),
    Variable("other_dynamic", "shared", 0, 4),
    Variable("depot", "local", 24, 8),
    Variable("call0", "param", 4, 4),
    Variable("table", "const", 8, 4, initial=bytes(range(8))),
    Variable("pointer", "const", 8, 8, addresses=((0, "counter", 4),)),
    Variable("counter", "global", 8, 4, initial=b"\5\0\0\0"),
    Variable("text", "global", 16, 8, addresses=((8, "table", 2), (0, "some_function", 0))),
]


def test_variables_lie_at_multiples_of_their_alignment_dynamic_ones_behind() -> None:
    layout = lay_out(_VARIABLES, _PARAMETERS, 100)
    assert {name: (place.space, place.address) for name, place in layout.places.items()} == {
        "s1": ("shared", 0),
        "s2": ("shared", 8),
        "dynamic": ("shared", 32),
        "other_dynamic": ("shared", 32),
        "depot": ("local", 0),
        "call0": ("local", 24),
        "table": ("const", 0),
        "pointer": ("const", 8),
        "p0": ("param", 0),
        "p1": ("param", 8),
    }
    assert layout.sizes == {"shared": 132, "local": 28, "const": 16, "param": 12}


def test_variables_have_their_first_values_and_pointers() -> None:
    memory = Memory(_VARIABLES, _PARAMETERS, [("in", 64)], 100)
    counter = memory.place("counter")
    assert counter is not None
    assert counter.space == "global"
    assert memory.const.cells[:8].tobytes() == bytes(range(8))
    assert memory.const.cells[8:16].view(np.int64).tolist() == [counter.address + 4]
    assert memory.arena.cells_of("counter").view(np.int32).tolist() == [5, 0]
    assert memory.arena.cells_of("text").view(np.int64).tolist() == [0, 0x3000_0000_0002]
    assert memory.place("nothing") is memory.place("in") is None


def test_an_array_of_the_launch_and_a_variable_may_have_one_name() -> None:
    memory = Memory(_VARIABLES, _PARAMETERS, [("counter", 64)])
    place = memory.place("counter")
    assert place is not None
    assert place.address == memory.arena.arrays["counter of the module"].address
    assert memory.arena.cells_of("counter of the module").tolist() == [5, 0, 0, 0, 0, 0, 0, 0]
    assert memory.arena.cells_of("counter").tolist() == [0] * 64


def test_generic_addresses_find_their_space_thread_by_thread() -> None:
    memory = Memory(_VARIABLES, _PARAMETERS, [("in", 64)], 100)
    chunk = ChunkMemory(memory, blocks=2, warps_per_block=3)
    places = [memory.place(name) for name in ("counter", "s2", "depot", "table")]
    addresses = np.resize([place.generic for place in places if place], LANES).reshape(1, 1, LANES)
    parts = list(chunk.parts("generic", addresses, None))
    assert [(space, int(where[part].max()), int(part.sum())) for space, where, part in parts if part is not None] == [
        ("global", memory.arena.arrays["counter"].address, 8),
        ("shared", 8, 8),
        ("local", 0, 8),
        ("const", 0, 8),
    ]
    mask = (np.arange(LANES) % 4 == 1).reshape(1, 1, LANES)
    ((space, where, part),) = chunk.parts("generic", addresses, mask)
    assert (space, np.unique(where[mask]).tolist(), part is not None and part.tolist()) == (
        "shared",
        [8],
        mask.tolist(),
    )


def test_local_memory_is_each_threads_own() -> None:
    chunk = ChunkMemory(Memory(_VARIABLES, _PARAMETERS), blocks=2, warps_per_block=3)
    threads = Threads.of_chunk(2, 3)
    assert threads.number.tolist() == np.arange(2 * 3 * LANES).reshape(_SHAPE).tolist()
    cells, index = chunk.locate("local", _lanes(8), 4, 4, None, threads)
    scatter(cells, index, threads.number.astype(np.uint32), None)
    cells, index = chunk.locate("local", _lanes(8), 4, 4, None, threads)
    assert (gather(cells, index, 4) == threads.number).all()


def test_a_fault_names_line_thread_and_place() -> None:
    fault = MemoryFault(
        Culprit((3, 0, 0), (17, 2, 0)), "reads 4 bytes", BadAddress((0, 0, 0), 8, "byte 8 of in, which has 8 bytes"), 12
    )
    assert str(fault) == (
        "line 12: thread (17, 2, 0) of block (3, 0, 0) reads 4 bytes at byte 8 of in, which has 8 bytes"
    )
