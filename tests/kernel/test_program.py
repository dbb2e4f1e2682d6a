"""A kernel made ready to run: its calls, its blocks and their order, who is still read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.launched import launched
from tests.kernel.oracle import Launch, run_scalar
from tests.kernel.ptx_samples import ptx_of
from tests.kernel.ptx_sources import SOURCES
from warpviz.kernel.program import CannotRun, Program, build_program
from warpviz.kernel.program.order import running_order
from warpviz.kernel.program.program import Fail, Leave, Meet
from warpviz.kernel.ptx import read_module

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


def program_of(source: str) -> Program:
    module = read_module(ptx_of(source))
    return build_program(module, module.kernels[0].name)


def by_hand(body: str, before: str = "") -> Program:
    declared = ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;"
    text = f"{HEAD}{before}\n.visible .entry k(.param .u64 out)\n{{ {declared}\n{body}\n}}\n"
    return build_program(read_module(text), "k")


CALLS = """
struct Pair { int first; long long second; };
__device__ __noinline__ int half_of(int n) { if (n & 1) return -n; return n / 2; }
__device__ __noinline__ Pair both(Pair p, int k) { return {half_of(p.first) + k, p.second * half_of(k)}; }
__device__ __noinline__ void store(int* out, int n, int v) {
  int scratch[4]; scratch[n & 3] = v; scratch[(n + 1) & 3] = n;
  out[n] = scratch[0] + scratch[1]; }
extern "C" __global__ void calls(int* out) {
  int t = threadIdx.x;
  Pair p = both({t * 5 - 7, t}, t + 3);
  for (int i = 0; i < t % 3; i++) p = both(p, i - 4);
  if (t % 5) store(out, t, half_of(p.first) + (int)p.second);
}
"""


def test_an_inlined_call_does_what_a_call_does() -> None:
    ptx = ptx_of(CALLS)
    module = read_module(ptx)
    assert any(i.opcode == "call" for i in module.routines["calls"].instructions)
    machine = launched(ptx, (1, 1, 1), (40, 1, 1), {"out": np.zeros(64, dtype=np.int32)})
    arrays = {4096: bytearray(256)}
    run_scalar(Launch(module, (1, 1, 1), (40, 1, 1), arrays), "calls", (4096).to_bytes(8, "little"))
    assert machine.arrays["out"].tobytes() == bytes(arrays[4096])
    assert machine.arrays["out"].any()


def test_each_call_has_registers_labels_and_local_variables_of_its_own() -> None:
    program = program_of(CALLS)
    assert not any(i.opcode == "call" for i in program.instructions)
    locals_ = [variable.name for variable in program.variables if variable.space == "local"]
    assert len(locals_) == len(set(locals_)) == 1
    assert {name.partition("@")[2] for name in program.registers} >= {"", "1", "2", "3", "4"}
    ends = [name for name in program.registers if name.startswith("%r1@")]
    assert len(ends) > 4


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("recursion", "line 2: fibonacci calls itself: recursion is not interpreted"),
        ("function_pointers", "line 6: a call through a pointer"),
        ("virtual_functions", "line 8: a call through a pointer"),
        ("inline_asm", "line 12: the special register %envreg3 is not interpreted"),
    ],
)
def test_what_is_not_interpreted_is_said_with_its_line(source: str, sentence: str) -> None:
    with pytest.raises(CannotRun) as caught:
        program_of(SOURCES[source])
    assert str(caught.value).startswith(sentence)


def test_a_function_that_is_not_there_is_named() -> None:
    before = ".extern .func absent ( .param .b32 a );"
    with pytest.raises(CannotRun, match="absent is called, and the file does not define it"):
        by_hand("{ .param .b32 a0; st.param.b32 [a0], 1; call.uni absent, (a0); }\nret;", before)


def test_a_call_that_does_not_fit_is_refused() -> None:
    before = ".func f ( .param .b32 a ) { ret; }"
    with pytest.raises(CannotRun, match="the call of f does not fit its parameters"):
        by_hand("call.uni f;\nret;", before)


def test_calls_that_grow_without_end_are_refused() -> None:
    functions = [".func f0 () { .reg .b32 %r<2>; mov.b32 %r1, 1; mov.b32 %r1, 2; ret; }"]
    functions += [f".func f{n} () {{ {f'call.uni f{n - 1}; ' * 8} ret; }}" for n in range(1, 8)]
    with pytest.raises(CannotRun, match="more than 200,000 instructions"):
        by_hand("call.uni f7;\nret;", "\n".join(functions))


def test_printf_is_left_out_with_a_notice() -> None:
    program = program_of(SOURCES["printing"])
    assert program.notices == ("line 4: what printf writes is not shown",)


def test_a_failed_assertion_ends_a_block() -> None:
    endings = [block.ending for block in program_of(SOURCES["asserting"].replace("__brkpt();", ";")).blocks]
    assert {ending.instruction.opcode for ending in endings if isinstance(ending, Fail)} == {"call", "trap"}


def test_a_guarded_end_becomes_a_branch() -> None:
    program = by_hand(
        "mov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r1, 0;\n@!%p1 exit;\n@%p1 bar.sync 0;\nst.shared.u32 [0], %r1;"
    )
    assert sum(isinstance(block.ending, Leave) for block in program.blocks) == 2
    assert sum(isinstance(block.ending, Meet) for block in program.blocks) == 1
    assert all(i.guard is None or i.opcode == "bra" for i in program.instructions)


def test_what_no_thread_reaches_is_left_out() -> None:
    program = by_hand("bra END;\nmov.u32 %r1, %envreg7;\nEND:\nret;")
    assert "%envreg7" not in program.registers


def test_only_variables_that_are_used_are_there() -> None:
    module = read_module(
        ptx_of("""
        struct Node { volatile int n; Node* next; };
        __device__ Node last = {3, nullptr}, head = {4, &last}, other; __shared__ int tile[64], unused[64];
        extern "C" __global__ void a() { other.n = unused[threadIdx.x]; }
        extern "C" __global__ void k(int* out) { tile[threadIdx.x] = 5; out[tile[3]] = head.next->n; }""")
    )
    assert {variable.name for variable in build_program(module, "a").variables} == {"unused", "other"}
    assert {variable.name for variable in build_program(module, "k").variables} == {"tile", "head", "last"}


def test_an_atomic_whose_result_nobody_reads_is_known() -> None:
    program = program_of("""extern "C" __global__ void k(int* out) {
        atomicAdd(out, 1); out[1 + threadIdx.x] = atomicAdd(out, 2); }""")
    atomics = [index for index, i in enumerate(program.instructions) if i.opcode in ("atom", "red")]
    assert [index in program.unread for index in atomics] == [True, False]


def test_registers_are_live_round_a_loop_and_not_behind_it() -> None:
    program = by_hand(
        "mov.u32 %r1, 0;\nmov.u32 %r2, 5;\nTOP:\nadd.u32 %r1, %r1, %r2;\nsetp.lt.u32 %p1, %r1, 99;\n@%p1 bra TOP;\n"
        "st.shared.u32 [0], %r1;\nret;"
    )
    live = {program.instructions[block.instructions.start].opcode: block.live for block in program.blocks[:3]}
    assert live["mov"] == frozenset()
    assert live["add"] == {"%r1", "%r2"}
    assert live["st"] == {"%r1"}


def order_of(*following: Sequence[int], empty: Sequence[int] = ()) -> list[int]:
    return running_order(following, [node in empty for node in range(len(following))])


def test_both_sides_of_an_if_come_before_what_follows() -> None:
    order = order_of((1, 2), (3,), (3,), ())
    assert order[0] == 0
    assert order[-1] == 3


def test_a_loop_comes_before_what_is_behind_it() -> None:
    order = order_of((1,), (3, 2), (1,), (4,), ())  # 1 is left for 3
    assert order == [0, 1, 2, 3, 4]


def test_an_inner_loop_lies_in_the_outer_one() -> None:
    #                0     1: outer  2: inner  3     4: outer's last  5
    order = order_of((1,), (2, 5), (3, 4), (2,), (1,), ())
    assert order == [0, 1, 2, 3, 4, 5]


def test_a_way_out_of_a_loop_that_few_take_does_not_wait() -> None:
    #                0     1: head  2       3: last  4: before the break  5: behind
    order = order_of((1,), (2, 5), (4, 3), (1,), (5,), ())
    assert order == [0, 4, 1, 2, 3, 5]


def test_a_return_in_a_loop_does_not_wait() -> None:
    #                0     1: head  2       3: last  4: before the return  5: behind  6: end
    order = order_of((1,), (2, 5), (4, 3), (1,), (6,), (6,), (), empty=[6])
    assert order.index(4) < order.index(1) < order.index(3) < order.index(5)


def test_threads_wait_behind_a_loop_from_which_others_only_end() -> None:
    #                0     1: head  2       3: last  4: the only way on  5: end
    order = order_of((1,), (2, 5), (4, 3), (1,), (5,), (), empty=[5])
    assert order.index(3) < order.index(4)


@given(st.data(), st.integers(1, 12))
def test_every_block_has_one_place_and_ways_without_a_circle_lead_forwards(data: st.DataObject, size: int) -> None:
    targets = st.lists(st.integers(0, size - 1), max_size=3, unique=True)
    following = [data.draw(targets) for _ in range(size)]
    following = [[*each, node + 1] if node + 1 < size else each for node, each in enumerate(following)]  # all reached
    order = order_of(*following)
    assert sorted(order) == list(range(size))
    forwards = [[target for target in each if target > node] for node, each in enumerate(following)]
    place = {node: at for at, node in enumerate(order_of(*forwards))}
    assert all(place[node] < place[target] for node, each in enumerate(forwards) for target in each)
