"""A kernel on the screen: what is posted of it, the cursor, what is drawn, and the form of its launch."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.message import Message

from tests.tui.conftest import texts
from tests.tui.kernels import COLUMNS, TWO, complaint, found, interpreted, shown, told
from warpviz.tui.code_table import CodeTable, distance
from warpviz.tui.code_text import code_lines
from warpviz.tui.glyphs import ASCII
from warpviz.tui.kernel_line import kernel_line
from warpviz.tui.kernels import open_kernel
from warpviz.tui.messages import KernelFailed, KernelInterpreted, KernelProgressed, KernelsFound
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.palette import palette
from warpviz.tui.render.kernel import kernel_layout, kernel_strips
from warpviz.tui.render.kernel_code import MeasuredTable, columns
from warpviz.tui.render.kernel_panel import panel_lines
from warpviz.tui.render.kernel_totals import metric
from warpviz.tui.render.text import Look
from warpviz.tui.state import kernel
from warpviz.tui.state.kernel import KernelView
from warpviz.tui.state.kernel_form import LaunchForm, example, fields, launch_form, typed
from warpviz.tui.state.kernel_work import Work

pytestmark = pytest.mark.usefixtures("nvrtc")

STEPS = st.tuples(st.sampled_from(["move", "page", "scroll"]), st.integers(-3, 3))
LINES = ["ld global", "st shared", "ld shared", "st global"]  # of COLUMNS, in the order of the file


def drawn(view: KernelView, look: Look, width: int = 100, height: int = 29) -> str:
    return "\n".join(texts(kernel_strips(view, width, height, look)))


def chosen(view: KernelView) -> str:
    assert view.chosen is not None
    return f"{view.chosen.op} {view.chosen.space}"


# What is posted


def test_a_kernel_is_compiled_interpreted_and_told() -> None:
    messages = told(COLUMNS)
    works = [message.work for message in messages if isinstance(message, KernelProgressed)]
    assert works[:2] == [Work("compiling"), Work("interpreting", 0, 2)]
    assert works[-1] == Work("interpreting", 2, 2)
    assert [f"{cost.kind.op} {cost.kind.space}" for cost in interpreted(COLUMNS).table.costs] == LINES


def test_after_it_is_cancelled_nothing_is_told(tmp_path: Path) -> None:
    path = tmp_path / "columns.cu"
    path.write_text(COLUMNS)
    messages: list[object] = []
    open_kernel(KernelToOpen(path), 1, messages.append, lambda: True)
    assert messages == []


def test_several_kernels_without_a_launch_are_named() -> None:
    last = told(TWO)[-1]
    assert isinstance(last, KernelsFound)
    assert last.names == ("scale", "fill")


def test_what_is_wrong_has_its_places_in_the_file() -> None:
    wrong = complaint(COLUMNS.replace("int t =", "int t").replace("out[", "outer["))
    assert [(problem.line, problem.file) for problem in wrong.problems] == [(5, ""), (8, "")]
    assert wrong.problems[0].column > 0
    fault = complaint(COLUMNS.replace("out=f32[2048]", "out=f32[2047]")).problems[0]
    assert (fault.line, fault.sentence.startswith("thread (31, 31, 0) of block (1, 0, 0) writes")) == (8, True)
    launch = complaint(COLUMNS.replace("grid=2", "grid=0")).problems[0]
    assert (launch.line, launch.column) == (1, COLUMNS.index("grid=2") + len("grid=") + 1)


# The cursor


def test_the_cursor_begins_where_most_is_wasted() -> None:
    assert chosen(shown(COLUMNS)) == "ld shared"


def test_the_cursor_goes_over_the_accesses_alone() -> None:
    view = kernel.move(shown(COLUMNS), -99, body=20)
    seen = []
    for _ in LINES:
        seen.append(chosen(view))
        view = kernel.move(view, 1, body=20)
    assert seen == LINES
    assert chosen(view) == LINES[-1]


def test_the_order_turns_and_the_cursor_stays() -> None:
    view = shown(COLUMNS)
    hottest = kernel.turn_order(view, body=20)
    shares = [row.cost.share for row in hottest.rows if row.cost is not None]
    assert len(shares) == len(hottest.rows) == len(LINES)
    assert shares == sorted(shares, reverse=True)
    assert hottest.chosen == view.chosen
    assert kernel.turn_order(hottest, body=20).rows == view.rows


def test_every_line_stands_in_the_order_of_the_file() -> None:
    rows = shown(COLUMNS).rows
    assert [row.line for row in rows if row.shows_line] == list(range(1, COLUMNS.count("\n") + 1))
    assert [row.line for row in rows if not row.shows_line] == [6, 8]


@given(
    st.lists(st.tuples(st.sampled_from(["move", "page", "scroll"]), st.integers(-3, 3)), max_size=12),
    st.integers(1, 14),
)
@settings(deadline=None, max_examples=30)
def test_the_cursor_stays_on_an_access_and_the_rows_in_range(steps: list[tuple[str, int]], body: int) -> None:
    view = kernel.in_sight(shown(COLUMNS), body)
    for name, by in steps:
        view = getattr(kernel, name)(view, by, body=body)
        assert view.cost is not None
        assert 0 <= view.top <= max(len(view.rows) - body, 0)
        if name == "move":
            assert view.place is not None
            assert view.top <= view.place < view.top + body


def test_a_page_shows_what_follows() -> None:
    view = kernel.page(kernel.scroll(shown(COLUMNS), -99, body=4), 1, body=4)
    assert view.top == 3
    assert chosen(view) == "ld global"
    assert chosen(kernel.page(view, 9, body=4)) == "ld shared"
    assert chosen(kernel.page(kernel.page(view, 9, body=4), 1, body=4)) == "st global"


def test_a_reload_keeps_the_cursor_on_its_line() -> None:
    view = kernel.turn_order(shown(COLUMNS), body=20)
    moved = interpreted(COLUMNS.replace("// A tile", "// Two\n// A tile").replace("[32][32]", "[32][33]"))
    after = kernel.arrived(view, moved)
    assert after.chosen is not None
    assert (after.chosen.line, after.order) == (9, "hottest")
    assert after.cost is not None
    assert distance(after.cost) == "ideal"


def test_what_fails_leaves_what_is_shown() -> None:
    view = shown(COLUMNS)
    after = kernel.failed(view, complaint(COLUMNS.replace("int t", "ent t")), None)
    assert after.shown is view.shown
    assert after.panel == "complaint"
    assert kernel.arrived(after, interpreted(COLUMNS)).panel == ""


# What is drawn


def test_each_access_stands_beside_its_line(look: Look) -> None:
    text = drawn(shown(COLUMNS), look, width=130)
    row = next(line for line in text.splitlines() if "ld shared" in line)
    assert " 64   32.00  wavefronts   1.00     1,984 " in row
    assert row.rstrip().endswith("97%")
    assert "columns" in text.splitlines()[0]
    assert "2,048 threads · sm_90 · grid 2, block 32x32 · predicted" in text.splitlines()[0]
    assert "32 lanes read 4 bytes each   32.00 wavefronts where 1.00 would do   31.00 bank conflicts" in text


@pytest.mark.parametrize("size", [(60, 19), (80, 23), (100, 29), (160, 44), (250, 70)])
@pytest.mark.parametrize("panel", ["", "totals", "hazards", "notes"])
def test_every_size_shows_the_worst_access(size: tuple[int, int], panel: str, look: Look) -> None:
    view = kernel.in_sight(replace(shown(COLUMNS), panel=panel), kernel_layout(shown(COLUMNS), *size, look).code.height)
    view = kernel.in_sight(view, kernel_layout(view, *size, look).code.height)
    strips = kernel_strips(view, *size, look)
    assert [strip.cell_length for strip in strips] == [size[0]] * size[1]
    assert any("ld shared" in text and "32.00" in text and "97%" in text for text in texts(strips))


def test_the_worst_number_has_a_ground_of_its_own(look: Look) -> None:
    for depth in ("rgb", "cube", "ansi", "mono"):
        worn = replace(look, palette=palette(depth, "dark"))  # type: ignore[arg-type]
        strips = kernel_strips(shown(COLUMNS), 80, 23, worn)[1:]
        grounds = [segment.text for strip in strips for segment in strip if segment.style == worn.palette.fullest]
        assert grounds == [" 32.00 "]


def test_ascii_is_all_that_is_drawn_where_nothing_else_is_carried(look: Look) -> None:
    view = shown(COLUMNS.replace("without padding", "без отступа"))
    assert drawn(replace(view, panel="totals"), replace(look, glyphs=ASCII)).isascii()


def test_the_table_stands_close_to_the_code() -> None:
    made = interpreted(COLUMNS).table
    longest = max(len(line) for line in COLUMNS.expandtabs(4).splitlines())
    assert columns(MeasuredTable(made), 250).code == longest + 2
    assert columns(MeasuredTable(made), 60).code < longest


def test_totals_have_the_names_of_the_counters(look: Look) -> None:
    lines = texts(panel_lines(replace(shown(COLUMNS), panel="totals"), 100, look))
    assert any("2,048  smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum" in line for line in lines)
    assert any(" 256  smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum" in line for line in lines)
    assert not any("atom" in line for line in lines)
    assert metric("local_st", "sectors") == "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum"
    assert metric("const_ld", "requests") == "idc__requests.sum"


def test_a_hazard_stands_at_its_line_and_in_its_panel(look: Look) -> None:
    view = replace(shown(COLUMNS.replace("  __syncthreads();\n", "")), panel="hazards")
    text = drawn(view, look)
    assert "race" in text
    assert text.count("put __syncthreads() between them") == 2  # in the panel, and at the foot
    assert [line.split()[0] for line in text.splitlines() if "!" in line[:6]] == ["6!", "▶7!"]
    assert "none: no race" in drawn(replace(shown(COLUMNS), panel="hazards"), look)


def test_a_complaint_shows_its_place(look: Look) -> None:
    wrong = COLUMNS.replace("\t__shared__ float", "\t__shared__ flute")
    view = kernel.failed(KernelView(shown(COLUMNS).asked), complaint(wrong), None)
    lines = texts(panel_lines(view, 80, look))
    assert lines[0].strip() == 'line 4: identifier "flute" is undefined'
    at = next(place for place, line in enumerate(lines) if "flute tile" in line)
    assert lines[at + 1].index("▲") == lines[at].index("flute")
    assert lines[at - 1].strip().startswith("3")
    assert lines[at + 2].strip().startswith("5")


def test_a_place_far_to_the_right_is_in_sight(look: Look) -> None:
    wrong = COLUMNS.replace("int t =", f"{' ' * 120}ent t =")
    lines = texts(panel_lines(kernel.failed(shown(COLUMNS), complaint(wrong), None), 80, look))
    at = next(place for place, line in enumerate(lines) if "▲" in line)
    assert lines[at - 1][lines[at].index("▲") :].startswith("ent")


def test_before_there_is_anything_it_says_what_is_done(look: Look) -> None:
    view = replace(KernelView(shown(COLUMNS).asked), work=Work("interpreting", 12345, 65536))
    assert drawn(view, look).count("interpreting 12,345 of 65,536 blocks") == 2
    assert "__syncthreads" in drawn(replace(view, found=interpreted(COLUMNS).found), look)
    assert "interpreting 1 of 2 blocks" in drawn(
        replace(shown(COLUMNS), work=Work("interpreting", 1, 2)), look, width=60
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int a; // b", [[("int", "keyword"), (" a; ", "code"), ("// b", "aside")]]),
        ("/* a\n b */ x", [[("/* a", "aside")], [(" b */", "aside"), (" x", "code")]]),
        ('s = "// int"; c = \'"\'', [[('s = "// int"; c = \'"\'', "code")]]),
        ("#define N 4", [[("#define N 4", "aside")]]),
        ("\tif\x1b", [[("    ", "code"), ("if", "keyword"), (" ", "code")]]),
        ("interior /", [[("interior /", "code")]]),
        ("/* open", [[("/* open", "aside")]]),
        ("", [[]]),
    ],
)
def test_code_comes_in_pieces(text: str, expected: list[list[tuple[str, str]]]) -> None:
    assert [list(line) for line in code_lines(text)] == expected


@given(st.text(alphabet="ab/*\"'\\# \n\tif", max_size=60))
def test_no_character_of_the_code_is_lost(text: str) -> None:
    lines = ["".join(piece for piece, _ in line) for line in code_lines(text)]
    assert "\n".join(lines) == text.expandtabs(4)


# The launch


def form(name: str = "scale", **given: str) -> LaunchForm:
    made = launch_form(found(TWO, name), found(TWO, name).asked)
    for option, text in given.items():
        field = {"grid": "--grid", "block": "--block", "smem": "--smem"}.get(option, f"--arg {option}")
        made = typed(made, field, text)
    return made


def test_the_form_asks_for_each_by_name_and_type() -> None:
    made = form()
    assert fields(made.found) == ("--grid", "--block", "--smem", "--arg out", "--arg in", "--arg n", "--arg by")
    assert made.missing == ("--grid", "--block", "--arg out", "--arg in", "--arg n", "--arg by")
    assert [example(made.found, field) for field in fields(made.found)[3:]] == [
        "f32[1024]:i, or @file.npy",
        "f32[1024]:i, or @file.npy",
        "1024",
        "0.5",
    ]
    assert example(found(TWO, "fill"), "--arg bytes") == "u8[1024]:i, or @file.npy"
    assert example(found(TWO, "fill"), "--arg size").endswith("for a struct")


def test_a_form_filled_in_is_a_launch() -> None:
    made = form(grid="4", block="n/4", out="f32[n]", n="128", by="0.5", **{"in": "f32[n]:i"})
    assert made.launch is not None
    assert (made.launch.grid, made.launch.block) == ((4, 1, 1), (32, 1, 1))
    assert made.kept.arguments == ("out=f32[n]", "in=f32[n]:i", "n=128", "by=0.5")
    assert launch_form(found(TWO, "scale"), made.kept).texts == made.texts
    assert kernel_line(replace(made.kept, path=made.kept.path.relative_to(made.kept.path.parent))) == (
        "warpviz kernel kernel.cu --name scale --grid 4 --block n/4"
        " --arg 'out=f32[n]' --arg 'in=f32[n]:i' --arg n=128 --arg by=0.5"
    )


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"grid": "4,x"}, "--grid"),
        ({"block": "2048"}, "--block"),
        ({"smem": "-1"}, "--smem"),
        ({"out": "f32[10"}, "--arg out"),
        ({"n": "f32[4]"}, "--arg n"),
        ({"out": "5"}, "--arg out"),
        ({"by": "half"}, "--arg by"),
    ],
)
def test_each_field_is_checked_as_it_is_typed(given: dict[str, str], field: str) -> None:
    made = form(**given)
    assert list(made.complaints) == [field]
    assert made.launch is None


@pytest.mark.parametrize("given", [{"grid": "n/256"}, {"out": "f32[n-1]"}, {}])
def test_what_only_waits_for_another_value_is_not_wrong(given: dict[str, str]) -> None:
    assert form(**given).complaints == {}


def test_what_the_file_states_is_left_to_it() -> None:
    made = launch_form(interpreted(COLUMNS).found, interpreted(COLUMNS).found.asked)
    assert made.texts["--block"] == "32,32"
    assert made.launch is not None
    assert made.kept == replace(made.asked, name="columns")
    other = typed(made, "--grid", "1")
    assert other.kept == replace(made.asked, name="columns", grid="1")
    assert not made.changed
    assert other.changed
    wrong = typed(made, "--arg in", "f32[0]")
    assert list(wrong.complaints) == ["--arg in"]


def test_the_command_line_leaves_out_what_has_its_default() -> None:
    asked = KernelToOpen(shown(COLUMNS).asked.path.relative_to("/"), arch="sm_80")
    assert kernel_line(asked) == f"warpviz kernel {asked.path} --arch sm_80"


def test_what_was_drawn_keeps_no_arrays_alive(look: Look) -> None:
    last = told(COLUMNS)[-1]
    assert isinstance(last, KernelInterpreted)
    view = kernel.arrived(KernelView(last.interpreted.found.asked), last.interpreted)
    assert "32.00" in drawn(view, look)
    outcome = weakref.ref(last.interpreted)
    del last, view
    gc.collect()
    assert outcome() is None


def test_accesses_of_no_known_line_stand_at_the_end() -> None:
    costs = interpreted(COLUMNS).table.costs
    lines = zip(costs, (0, 999, 6, 6), strict=True)
    strange = [replace(cost, kind=replace(cost.kind, line=line)) for cost, line in lines]
    table = CodeTable(code_lines("a\nb"), (*costs, *strange), frozenset())
    assert [(row.line, row.shows_line) for row in table.rows("source")[:3]] == [(1, True), (2, True), (0, True)]
    assert len(table.rows("hottest")) == 8


def test_what_is_wrong_in_an_included_file_names_it(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("__device__ float half_of(float x) { return x / tow; }\n")
    path = tmp_path / "kernel.cu"
    path.write_text('#include "part.h"\n__global__ void k(float* a) { a[0] = half_of(1); }\n')
    messages: list[Message] = []
    open_kernel(KernelToOpen(path), 1, messages.append, lambda: False)
    assert isinstance(messages[-1], KernelFailed)
    problem = messages[-1].complaint.problems[0]
    assert (problem.file, problem.line) == ("part.h", 1)
