"""The replay's state: a block's accesses with their costs, and the way through them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tui.replays import KERNELS, kernel_of, prepared, prepared_text, replayable, replayed
from warpviz.expression import parse
from warpviz.kernel.counting import LineKind
from warpviz.kernel.interpret import interpret
from warpviz.kernel.lines import line_costs
from warpviz.tui.state import replay
from warpviz.tui.state.replay import ReplayView
from warpviz.tui.state.replay_scene import scene_at
from warpviz.tui.state.replay_trace import Trace, record

SECOND_BLOCK = """//@ launch k grid=2 block=32 out=f32[64]
__global__ void k(float* out) {
  if (blockIdx.x) out[threadIdx.x] = 1;
}
"""
ONE_BLOCK = """//@ launch k grid=1 block=96 out=f32[96] in=f32[96]:i
__constant__ float table[4];
__global__ void k(float* out, const float* in) {
  __shared__ float s[32 * 33];
  int t = threadIdx.x;
  s[t % 32 * 32 + t / 32] = in[t] + table[t % 4];
  __syncthreads();
  atomicAdd(&s[0], 1.0f);
  __syncthreads();
  if (t < 40) out[t] = s[t];
}
"""
LOCAL = """//@ launch k grid=2 block=32 out=f32[64] n=3
__global__ void k(float* out, int n) {
  float own[64];
  for (int i = 0; i < 64; i++) own[i] = i * n;
  out[blockIdx.x * 32 + threadIdx.x] = own[(threadIdx.x * n) % 64];
}
"""


@pytest.mark.parametrize("text", [ONE_BLOCK, LOCAL.replace("grid=2", "grid=1")], ids=["all spaces", "local"])
def test_what_the_accesses_cost_adds_up_to_what_the_kernel_costs(text: str) -> None:
    made = prepared_text(text)
    trace = record(made, 0, None, lambda: False).trace
    for one in line_costs(interpret(made.program, made.launch).counts):
        mine = trace.line == trace.lines.index(one.kind)
        assert trace.cost[mine].sum() == one.cost
        if one.ideal_per_request is not None:
            assert trace.ideal[mine].sum() == pytest.approx(one.ideal_per_request * one.count.requests)


def test_each_step_goes_to_the_next_access() -> None:
    view = replay.step(replayed("transpose_pad"), 3)
    assert view.position == 3
    assert replay.step(view, -5).position == 0
    assert replay.step(view, 1000).position == 127
    assert replay.at_end(replay.last(view))


def test_barriers_part_the_accesses() -> None:
    view = replay.step_barrier(replayed("matmul_tiled"), 1)
    trace = trace_in(view)
    assert view.position == trace.barriers[0] == 32
    assert replay.step_barrier(replay.step(view, 2), -1).position == 32
    assert replay.step_barrier(view, -1).position == 0
    last = replay.last(view)
    assert replay.step_barrier(last, 1).position == last.position
    assert replay.step_barrier(last, 1).notice == "this is after the last barrier"
    assert replay.step_barrier(replayed("transpose_naive"), 1).notice == "there is no barrier"


def test_one_warp_alone() -> None:
    view = replay.choose_warp(replayed("matmul_tiled"), 1)
    assert view.warp == 0
    view = replay.choose_warp(view, 1)
    trace = trace_in(view)
    assert view.warp == 1
    for _ in range(50):
        view = replay.step(view, 1)
        assert trace.warp[view.position] == 1
    assert replay.choose_warp(replay.choose_warp(view, -1), -1).warp is None
    at_last = replay.last(view)
    assert replay.at_end(at_last)
    assert trace.warp[at_last.position] == 1


def test_the_same_line_again() -> None:
    view = replay.step_barrier(replayed("matmul_tiled"), 1)
    kind = view.line_kind
    trace = trace_in(view)
    places = np.flatnonzero(trace.line == trace.line[view.position])
    for place in places[1:300]:
        view = replay.step_line(view, 1)
        assert view.position == place
    assert view.line_kind == kind
    first = replay.go_to(view, int(places[0]))
    assert replay.step_line(first, -1).notice == "the first shared ld of line 11 of the block"


def test_playing_ends_at_the_last_access() -> None:
    view = replay.play_or_pause(replay.go_to(replayed("transpose_pad"), 126))
    assert view.playing
    view = replay.advance(view)
    assert (view.position, view.playing) == (127, False)
    assert replay.play_or_pause(view).position == 0


def test_it_begins_at_the_line_that_is_asked_for() -> None:
    trace = replayable("transpose_pad").trace
    asked = LineKind(10, "ld", "shared", 4)
    view = replay.recorded(ReplayView(kernel_of(prepared("transpose_pad"))), trace, asked)
    assert view.line_kind == asked
    assert view.position == trace.barriers[0]
    never = replay.recorded(ReplayView(view.kernel), trace, LineKind(3, "ld", "shared", 4))
    assert never.notice == "block 0 does not come to line 3"


def test_another_block_is_shown_at_the_same_place() -> None:
    view = replay.go_to(replay.choose_warp(replayed("transpose_pad"), 3), 70)
    other = replay.recorded(view, replayable("transpose_pad", 33).trace, None)
    assert (other.block, other.position, other.warp) == (33, view.position, view.warp)


def test_the_row_of_now_is_in_sight() -> None:
    view = replayed("transpose_pad")
    for _ in range(127):
        view = replay.in_sight(replay.step(view, 1), 9)
        row = replay.first_row_of_now(view)
        assert row is None or view.top <= row < view.top + 9
    assert replay.scroll(view, 1000, 9).top == 33 - 9


@pytest.mark.parametrize("path", sorted(KERNELS.glob("*.cu")), ids=lambda path: path.stem)
def test_the_scene_of_a_line_makes_the_very_accesses(path: object) -> None:
    name = getattr(path, "stem", "")
    found, kernel = replayable(name), kernel_of(prepared(name))
    trace = found.trace
    for line in range(len(trace.lines)):
        place = int(np.flatnonzero(trace.line == line)[-1])
        scene = scene_at(trace, place, kernel, found.fitter)
        assert scene is not None
        now = trace.accesses[place]
        assert scene.accesses[0].name == f"warp {now.warp}, iteration {now.iteration}"
        assert len({access.name for access in scene.accesses}) == len(scene.accesses) <= 64
        access = parse(scene.accesses[0].pattern).evaluate({}).access
        assert (access.active[0] == now.active).all()
        shifts = (access.addresses[0] - now.addresses)[now.active]
        assert (shifts == shifts[0]).all()
        assert shifts[0] % 128 == 0


def test_a_scene_has_each_different_access_once() -> None:
    found, kernel = replayable("reduce_interleaved"), kernel_of(prepared("reduce_interleaved"))
    trace = found.trace
    place = int(np.flatnonzero(trace.cost == trace.cost.max())[0])
    scene = scene_at(trace, place, kernel, found.fitter)
    assert scene is not None
    texts = [(access.pattern.expression, access.pattern.where) for access in scene.accesses]
    assert texts[0] == ("s[32*lane]", "")
    assert len(set(texts)) == len(texts) == 20


def test_local_memory_is_no_scene() -> None:
    made = prepared_text(LOCAL)
    found = record(made, 0, None, lambda: False)
    place = next(place for place, one in enumerate(found.trace.accesses) if one.kind.space == "local")
    assert scene_at(found.trace, place, kernel_of(made), found.fitter) is None


def test_a_block_without_an_access() -> None:
    made = prepared_text(SECOND_BLOCK)
    view = replay.recorded(ReplayView(kernel_of(made)), record(made, 0, None, lambda: False).trace, None)
    assert view.notice == "block 0 accesses no memory"
    for go in (replay.first, replay.last, replay.play_or_pause):
        assert go(view).now is None
    for step in (replay.step, replay.step_line, replay.step_barrier, replay.choose_warp):
        assert step(view, 1).now is None
    assert replay.recorded(replace(view, position=0), record(made, 1, None, lambda: False).trace, None).now is not None


def trace_in(view: ReplayView) -> Trace:
    assert view.trace is not None
    return view.trace
