"""Memory instructions, from their PTX text: what they read and write, and what observers are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from warpviz.hardware import LANES
from warpviz.kernel.memory.faults import Culprit, MemoryFault
from warpviz.kernel.memory.memory import ChunkMemory, Memory
from warpviz.kernel.memory.observing import Half, Kind, Threads
from warpviz.kernel.memory.operation import MemoryOperation
from warpviz.kernel.memory.operations import does_nothing, memory_operation
from warpviz.kernel.ptx import read_module
from warpviz.kernel.ptx.syntax import Instruction, Parameter, Register, Variable

Ints = NDArray[np.int64]
Values = NDArray[Any]
Mask = NDArray[np.bool_] | None

_BLOCKS, _WARPS = 2, 3
_SHAPE = (_BLOCKS, _WARPS, LANES)
_THREADS = _BLOCKS * _WARPS * LANES
_REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .b16 %h<9>; .reg .pred %p<9>;"
_VARIABLES = [
    Variable("tile", "shared", 4096, 16),
    Variable("depot", "local", 64, 16),
    Variable("call0", "param", 8, 8),
    Variable("table", "const", 64, 4, initial=bytes(range(64))),
]
_PARAMETERS = [Parameter("p0", "u64", 0, 8, 8), Parameter("p1", "b8", 8, 16, 4)]


def _instruction(text: str) -> Instruction:
    module = read_module(f".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {{ {_REGISTERS}\n{text}\n}}")
    return module.routines["k"].instructions[0]


@dataclass
class _Told:
    kind: Kind
    addresses: Ints
    mask: Mask


@dataclass
class _Blocks:
    """Two blocks of three warps, and what was told of them."""

    launch: Memory = field(
        default_factory=lambda: Memory(_VARIABLES, _PARAMETERS, [("a", 4 * _THREADS), ("b", 16 * _THREADS)])
    )
    threads: Threads = field(default_factory=lambda: Threads.of_chunk(_BLOCKS, _WARPS))
    told: list[_Told] = field(default_factory=list)
    watcher: None = None

    def __post_init__(self) -> None:
        self.memory = ChunkMemory(self.launch, _BLOCKS, _WARPS)
        for name in ("a", "b"):
            cells = self.launch.arena.cells_of(name)
            cells[:] = np.random.default_rng(1).integers(0, 256, len(cells), dtype=np.uint8)

    @property
    def observer(self) -> _Blocks:
        return self

    def access(self, kind: Kind, addresses: Ints, mask: Mask, threads: Threads) -> None:
        assert threads is self.threads
        self.told.append(_Told(kind, addresses, mask))

    def copy(self, read: Half, written: Half, threads: Threads) -> None:
        for half in (read, written):
            self.access(half.kind, half.addresses, half.mask, threads)

    def barrier(self, threads: Threads, mask: Mask) -> None:
        raise AssertionError

    def culprit(self, place: tuple[int, int, int]) -> Culprit:
        block, warp, lane = place
        return Culprit((block, 0, 0), (warp * LANES + lane, 0, 0))

    def address(self, name: str) -> int:
        place = self.launch.place(name)
        return place.generic if place else self.launch.arena.arrays[name].address

    def cells(self, name: str, dtype: str) -> Values:
        return self.launch.arena.cells_of(name).view(dtype)

    def operation(self, text: str, **how: bool) -> MemoryOperation:
        operation = memory_operation(_instruction(text), 5, self.launch, **how)
        assert operation is not None
        return operation

    def run(
        self, text: str, addresses: Sequence[Ints], values: Sequence[Values] = (), mask: Mask = None, **how: bool
    ) -> Sequence[Values]:
        operation = self.operation(text, **how)
        assert len(operation.addresses) == len(addresses)
        taken = [value.astype(dtype) for value, dtype in zip(values, operation.takes, strict=True)]
        return operation.run(self, addresses, taken, mask)


def _each(start: int, step: int) -> Ints:
    """An address for every thread."""
    return start + step * np.arange(_THREADS).reshape(_SHAPE)


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("ld.global.u8 %r1, [%rd1];", "uint8"),
        ("ld.global.nc.L1::no_allocate.L2::128B.s16 %r1, [%rd1];", "uint16"),
        ("ld.volatile.global.f32 %f1, [%rd1];", "uint32"),
        ("ld.relaxed.gpu.global.b32 %r1, [%rd1];", "uint32"),
        ("ld.global.v2.f32 {%f1, %f2}, [%rd1];", "uint32"),
        ("ld.global.ca.v4.u32 {%r1, %r2, _, %r4}, [%rd1];", "uint32"),
        ("ld.global.v2.b64 {%rd2, %rd3}, [%rd1];", "uint64"),
        ("ld.v4.u16 {%h1, %h2, %h3, %h4}, [%rd1];", "uint16"),
    ],
)
def test_a_load_gives_the_bits_of_each_component(text: str, dtype: str) -> None:
    blocks = _Blocks()
    operation = blocks.operation(text)
    count, size = len(operation.results), np.dtype(dtype).itemsize
    found = blocks.run(text, [_each(blocks.address("b"), count * size)])
    expected = blocks.cells("b", dtype)[: count * _THREADS].reshape(*_SHAPE, count)
    assert [bits.dtype for bits in found] == [np.dtype(dtype)] * count
    assert (np.stack(found, axis=-1) == expected).all()
    (told,) = blocks.told
    assert (told.kind.space, told.kind.op, told.kind.width, told.kind.index) == ("global", "ld", count * size, 5)


def test_results_name_their_registers_and_nobody() -> None:
    operation = _Blocks().operation("ld.global.v4.u32 {%r1, %r2, _, %r4}, [%rd1+16];")
    assert operation.results == (Register("%r1"), Register("%r2"), None, Register("%r4"))
    assert (operation.addresses[0].offset, operation.type.name) == (16, "u32")


@given(st.sampled_from([None, 1, 2, 5]), st.sampled_from([(1, 1, 1), (2, 1, 1), (1, 3, 32), _SHAPE]))
def test_a_store_changes_what_its_active_threads_point_at(every: int | None, shape: tuple[int, ...]) -> None:
    blocks = _Blocks()
    before = blocks.cells("b", "uint32").copy()
    addresses = _each(blocks.address("b"), 8)
    values = [np.arange(np.prod(shape)).reshape(shape) + 7, np.full((1, 1, 1), 9)]
    mask = None if every is None else (np.arange(_THREADS) % every == 0).reshape(_SHAPE)
    blocks.run("st.global.v2.u32 [%rd1], {%r1, %r2};", [addresses], values, mask)
    active = np.ones(_SHAPE, dtype=np.bool_) if mask is None else mask
    after = blocks.cells("b", "uint32")[: 2 * _THREADS].reshape(*_SHAPE, 2)
    old = before[: 2 * _THREADS].reshape(*_SHAPE, 2)
    assert (after[..., 0] == np.where(active, values[0], old[..., 0])).all()
    assert (after[..., 1] == np.where(active, 9, old[..., 1])).all()
    assert (blocks.cells("b", "uint32")[2 * _THREADS :] == before[2 * _THREADS :]).all()


def test_a_narrow_store_takes_the_lowest_bits() -> None:
    blocks = _Blocks()
    operation = blocks.operation("st.global.u8 [%rd1], %r1;")
    assert operation.takes == (np.dtype(np.uint8),)


def test_shared_memory_is_the_blocks_own() -> None:
    blocks = _Blocks()
    number = np.arange(_WARPS * LANES).reshape(1, _WARPS, LANES)
    block = np.arange(_BLOCKS).reshape(-1, 1, 1)
    blocks.run("st.shared.u32 [%r1], %r2;", [4 * number], [number + 1000 * block])
    (found,) = blocks.run("ld.shared.u32 %r2, [%r1];", [4 * number[..., ::-1]])
    assert (found == number[..., ::-1] + 1000 * block).all()
    assert [told.kind.op for told in blocks.told] == ["st", "ld"]
    assert blocks.told[0].addresses.shape == (1, _WARPS, LANES)


def test_generic_addresses_read_every_space_and_are_told_as_such() -> None:
    blocks = _Blocks()
    names = ["a", "tile", "depot", "table"]
    blocks.run("st.shared.u32 [%r1], %r2;", [np.full((1, 1, 1), 8)], [np.full((1, 1, 1), 77)])
    blocks.run("st.local.u32 [%rd1], %r2;", [np.full((1, 1, 1), 8)], [np.arange(_THREADS).reshape(_SHAPE)])
    blocks.told.clear()
    addresses = np.resize([blocks.address(name) + 8 for name in names], _SHAPE)
    (found,) = blocks.run("ld.u32 %r1, [%rd1];", [addresses])
    table = int.from_bytes(bytes([8, 9, 10, 11]), "little")
    choices = [np.full(_SHAPE, blocks.cells("a", "uint32")[2]), np.full(_SHAPE, 77), None, np.full(_SHAPE, table)]
    choices[2] = np.arange(_THREADS).reshape(_SHAPE)
    assert (found == np.choose(np.resize(range(4), _SHAPE), choices)).all()  # type: ignore[arg-type]
    assert {told.kind.space for told in blocks.told} == {"global", "shared", "local", "const"}
    assert [int(np.broadcast_to(told.mask, _SHAPE).sum()) for told in blocks.told if told.mask is not None] == [
        _THREADS // 4
    ] * 4


def test_parameters_are_read_without_an_access() -> None:
    blocks = _Blocks()
    blocks.launch.set_parameters(bytes(range(24)))
    (found,) = blocks.run("ld.param.u16 %h1, [p1+2];", [np.full((1, 1, 1), 10)])
    assert found.tolist() == [[[0x0B0A]]]
    blocks.run("st.param.b32 [call0], %r1;", [np.full((1, 1, 1), 64)], [np.arange(_THREADS).reshape(_SHAPE)])
    (found,) = blocks.run("ld.param.b32 %r1, [call0];", [np.full((1, 1, 1), 64)])
    assert (found == np.arange(_THREADS).reshape(_SHAPE)).all()
    assert blocks.told == []


@pytest.mark.parametrize("space", ["global.", "shared.", ""])
@pytest.mark.parametrize("every", [1, 3])
def test_an_atomic_counts_threads_in_their_order(space: str, every: int) -> None:
    blocks = _Blocks()
    cells = _THREADS // 7
    mask = None if every == 1 else (np.arange(_THREADS) % every == 0).reshape(_SHAPE)
    places = (np.arange(_THREADS) * 5 % cells).reshape(_SHAPE)
    start = 0 if space == "shared." else blocks.address("tile" if not space else "a")
    memory = blocks.memory.shared.cells if space != "global." else blocks.launch.arena.cells_of("a")
    memory[:] = 0
    (found,) = blocks.run(f"atom.{space}add.u32 %r1, [%rd1], %r2;", [start + 4 * places], [np.full((1, 1, 1), 3)], mask)
    counts: dict[tuple[int, int], int] = {}
    for block, warp, lane in np.ndindex(_SHAPE):
        if mask is not None and not mask[block, warp, lane]:
            continue
        key = (0 if space == "global." else block, int(places[block, warp, lane]))
        assert found[block, warp, lane] == counts.get(key, 0)
        counts[key] = counts.get(key, 0) + 3
    (told,) = blocks.told
    assert (told.kind.op, told.kind.width, told.kind.space) == ("atom", 4, space.rstrip(".") or "shared")


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("red.relaxed.gpu.global.add.u32 [%rd1], %r1;", {}),
        ("atom.global.add.u32 _, [%rd1], %r1;", {}),
        ("atom.global.add.u32 %r2, [%rd1], %r1;", {"is_result_dead": True}),
    ],
)
def test_an_atomic_whose_result_nobody_reads_is_a_reduction(text: str, how: dict[str, bool]) -> None:
    blocks = _Blocks()
    before = int(blocks.cells("a", "uint32")[1])
    operation = blocks.operation(text, **how)
    blocks.run(text, [np.full((1, 1, 1), blocks.address("a") + 4)], [np.full((1, 1, 1), 2)], **how)
    assert int(blocks.cells("a", "uint32")[1]) == (before + 2 * _THREADS) % (1 << 32)
    assert (operation.results, blocks.told[0].kind.op) == ((), "red")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("atom.global.exch.b32 %r2, [%rd1], %r1;", [9]),
        ("atom.global.exch.b32 _, [%rd1], %r1;", [9]),
        ("atom.global.cas.b32 %r2, [%rd1], %r1, %r3;", [7, 9]),
    ],
)
def test_an_exchange_is_never_a_reduction(text: str, values: list[int]) -> None:
    """There is no red of it; an H200 counts it under global_op_atom also where nobody reads the result."""
    blocks = _Blocks()
    blocks.cells("a", "uint32")[1] = 7
    given = [np.full((1, 1, 1), value) for value in values]
    operation = blocks.operation(text, is_result_dead=True)
    blocks.run(text, [np.full((1, 1, 1), blocks.address("a") + 4)], given, is_result_dead=True)
    assert int(blocks.cells("a", "uint32")[1]) == 9
    assert (operation.results, blocks.told[0].kind.op) == ((), "atom")


def test_compare_and_swap_lets_one_thread_in() -> None:
    blocks = _Blocks()
    blocks.cells("a", "uint64")[0] = 0
    number = np.arange(_THREADS).reshape(_SHAPE)
    (found,) = blocks.run(
        "atom.global.cas.b64 %rd2, [%rd1], %rd3, %rd4;",
        [np.full((1, 1, 1), blocks.address("a"))],
        [np.full((1, 1, 1), 0), number + 5],
    )
    assert found.ravel().tolist() == [0] + [5] * (_THREADS - 1)
    assert blocks.cells("a", "uint64")[0] == 5


@pytest.mark.parametrize(("name", "dtype"), [("f16x2", "float16"), ("f32", "float32"), ("f64", "float64")])
def test_floats_add_up(name: str, dtype: str) -> None:
    blocks = _Blocks()
    blocks.cells("a", dtype)[:4] = 0
    size = 8 if name == "f64" else 4
    ones = np.ones(size // np.dtype(dtype).itemsize, dtype=dtype).view(f"uint{8 * size}")
    noftz = "noftz." if name == "f16x2" else ""
    register = "%rd" if size == 8 else "%r"
    text = f"atom.global.add.{noftz}{name} {register}2, [%rd1], {register}1;"
    (found,) = blocks.run(text, [np.full((1, 1, 1), blocks.address("a"))], [ones.reshape(1, 1, 1)])
    per_element = len(ones.view(dtype))
    assert (found.view(dtype).reshape(_THREADS, per_element) == np.arange(_THREADS)[:, None]).all()
    assert blocks.cells("a", dtype)[:4].tolist() == [_THREADS] * per_element + [0] * (4 - per_element)


def _matrix_elements(count: int) -> NDArray[np.uint16]:
    return np.arange(count * 64, dtype=np.uint16).reshape(count, 8, 8) + 100


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("trans", ["", ".trans"])
def test_matrices_are_spread_over_the_lanes_and_gathered_again(count: int, trans: str) -> None:
    blocks = _Blocks()
    matrices = _matrix_elements(count)
    rows = 48 * np.arange(8 * count)  # of 16 bytes, with gaps
    addresses = np.zeros((1, 1, LANES), dtype=np.int64)
    addresses[0, 0, : len(rows)] = rows
    addresses[0, 0, len(rows) :] = -1
    shared = blocks.memory.shared.cells.reshape(_BLOCKS, -1)
    for row, elements in zip(rows, matrices.reshape(-1, 8), strict=True):
        shared[:, row : row + 16] = elements.view(np.uint8)
    registers = "{" + ", ".join(f"%r{number}" for number in range(1, count + 1)) + "}"
    found = blocks.run(f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {registers}, [%r8];", [addresses])
    for matrix, bits in zip(matrices, found, strict=True):
        shown = matrix.T if trans else matrix
        for lane in range(LANES):
            low, high = shown[lane // 4, 2 * (lane % 4)], shown[lane // 4, 2 * (lane % 4) + 1]
            assert (bits[:, :, lane] == int(low) + (int(high) << 16)).all()
    (told,) = blocks.told
    assert (told.kind.op, told.kind.width, told.kind.matrices) == ("ldmatrix", 16, count)
    before = shared.copy()
    shared[:] = 0
    blocks.run(f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%r8], {registers};", [addresses], found)
    for row in rows:
        assert (shared[:, row : row + 16] == before[:, row : row + 16]).all()
    assert int((shared != 0).sum()) == int((before != 0).sum())


@pytest.mark.parametrize("width", [4, 8, 16])
@pytest.mark.parametrize("read", [None, 0, "some"])
def test_an_asynchronous_copy_is_there_at_once(width: int, read: int | str | None) -> None:
    blocks = _Blocks()
    blocks.memory.shared.cells[:] = 0xEE
    in_block = np.arange(_WARPS * LANES).reshape(1, _WARPS, LANES)
    source, target = _each(blocks.address("b"), width), width * in_block
    sizes = np.arange(_THREADS).reshape(_SHAPE) % (width + 1)
    given_sizes = {None: [], 0: [np.zeros((1, 1, 1), dtype=np.uint32)], "some": [sizes]}[read]
    cache = "cg" if width == 16 else "ca"
    text = f"cp.async.{cache}.shared.global.L2::128B [%r1], [%rd1], {width}{', %r2' if given_sizes else ''};"
    mask = (np.arange(LANES) % 3 > 0).reshape(1, 1, LANES)
    blocks.run(text, [target, source], given_sizes, mask)
    copied = blocks.memory.shared.cells.reshape(_BLOCKS, -1)[:, : width * _WARPS * LANES].reshape(*_SHAPE, width)
    wanted = blocks.launch.arena.cells_of("b")[: width * _THREADS].reshape(*_SHAPE, width).copy()
    if given_sizes:
        wanted[np.arange(width) >= np.broadcast_to(given_sizes[0], _SHAPE)[..., None]] = 0
    wanted[:, :, ::3] = 0xEE
    assert (copied == wanted).all()
    assert [(told.kind.space, told.kind.op, told.kind.width, told.kind.is_copy) for told in blocks.told] == [
        ("global", "ld", width, True),
        ("shared", "st", width, True),
    ]


def test_an_asynchronous_copy_may_end_behind_the_array_where_it_does_not_read() -> None:
    blocks = _Blocks()
    end = blocks.launch.arena.arrays["a"].end
    sizes = np.full((1, 1, 1), 4)
    text = "cp.async.cg.shared.global [%r1], [%rd1], 16, %r2;"
    source = np.full((1, 1, 1), end - 16)
    blocks.run(text, [np.zeros((1, 1, 1), dtype=np.int64), source], [sizes])
    with pytest.raises(MemoryFault, match="not a multiple of 16"):
        blocks.run(text, [np.zeros((1, 1, 1), dtype=np.int64), source + 4], [sizes])


def test_a_fault_names_the_line_the_thread_and_the_array() -> None:
    blocks = _Blocks()
    addresses = _each(blocks.address("a"), 4)
    addresses[1, 2, 3] = blocks.address("a") + 4 * _THREADS + 12
    operation = memory_operation(_instruction(".loc 1 1 1\nld.global.f32 %f1, [%rd1];"), 0, blocks.launch)
    assert operation is not None
    with pytest.raises(MemoryFault) as fault:
        operation.run(blocks, [addresses], [], None)
    assert str(fault.value) == (
        "line 1: thread (67, 0, 0) of block (1, 0, 0) reads 4 bytes "
        "at byte 780 of a, which has 768 bytes, 12 bytes past its end"
    )
    assert fault.value.address == blocks.address("a") + 780
    assert blocks.told == []


@pytest.mark.parametrize(
    "text",
    [
        "ld.global.v8.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [%rd1];",
        "ld.global.b128 %rd1, [%rd1];",
        "ld.shared::cluster.u32 %r1, [%r2];",
        "ld.global.frobnicate.u32 %r1, [%rd1];",
        "atom.global.add.v2.f32 {%f1, %f2}, [%rd1], {%f3, %f4};",
        "atom.global.inc.s32 %r1, [%rd1], %r2;",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3];",
        "ldmatrix.sync.aligned.m8n8.x4.b16 {%r1, %r2, %r3, %r4}, [%rd1];",
        "cp.async.bulk.commit_group;",
        "cp.async.mbarrier.arrive.shared.b64 [%r1];",
        "mbarrier.init.shared.b64 [%r1], %r2;",
    ],
)
def test_what_is_not_known_is_no_operation(text: str) -> None:
    instruction = _instruction(text)
    assert memory_operation(instruction, 0, _Blocks().launch) is None
    assert not does_nothing(instruction)


@pytest.mark.parametrize(
    "text", ["prefetch.global.L2 [%rd1];", "cp.async.commit_group;", "cp.async.wait_group 1;", "cp.async.wait_all;"]
)
def test_caches_and_waiting_touch_no_memory(text: str) -> None:
    assert does_nothing(_instruction(text))
