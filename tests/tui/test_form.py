"""The form: texts for everything that is asked, and the setup that they mean."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from tests.tui.conftest import app_of, opened, scene, texts
from tests.tui.test_screens import explorer, settled
from warpviz.expression import Launch, Pattern
from warpviz.expression.extent import extent_of, extent_text
from warpviz.hardware import MATRICES, SPACES
from warpviz.tui import state
from warpviz.tui.render.form import complaint_strips, cost_strip, hint_strip
from warpviz.tui.render.mask import MASK_LINES, MASKS, Mask, lane_under, mask_strips, mask_under
from warpviz.tui.render.text import Look
from warpviz.tui.screens.explorer import ExplorerScreen
from warpviz.tui.screens.setup_form import SetupForm
from warpviz.tui.state import View
from warpviz.tui.state.complaints import FIELDS, Complaint, Field
from warpviz.tui.state.form import Form, form_of, masked, typed
from warpviz.tui.widgets.choice_field import ChoiceField
from warpviz.tui.widgets.strip_view import StripView

TILE = "__shared__ float tile[32][32 + pad];"


@st.composite
def launches(draw: st.DrawFn) -> Launch:
    block = draw(st.tuples(st.integers(1, 64), st.integers(1, 8), st.integers(1, 2)))
    index = draw(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)))
    extent = draw(st.tuples(*(st.integers(place + 1, 20) for place in index)))
    warps = -(-prod(block) // 32)
    return Launch(block, index, draw(st.sampled_from([None, extent])), draw(st.integers(0, warps - 1)))


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    op = draw(st.sampled_from(["ld", "st", "atom", "red", "ldmatrix"]))
    return Pattern(
        draw(st.sampled_from(["s[lane]", "s[k*lane]", "((float4*)s)[lane]", "tile[lane][c]", "s[", "s[lane/0]"])),
        draw(st.sampled_from(["", "struct P { float x, y; };\n#define N 4\n", "int x"])),
        draw(st.sampled_from(["", "lane < 16", "threadIdx.x & 1", "lane <"])),
        op,
        draw(st.sampled_from([None, *SPACES])),
        draw(st.sampled_from([None, *MATRICES])) if op == "ldmatrix" else None,
        draw(launches()),
    )


def form_with(pattern: Pattern, arch: str = "sm_90") -> Form:
    """The form of a view whose access was edited to this pattern."""
    view = opened("s[lane]")
    return form_of(state.edit(replace(view, setup=replace(view.setup, arch=arch)), pattern))


def sentence(form: Form, field: Field) -> str:
    assert form.complaints.keys() == {field}
    return form.complaints[field].sentence


def cost_of(view: View) -> int:
    assert view.shown is not None
    assert view.error is None
    return len(view.shown.schedule.steps)


# Texts and setups


@given(patterns(), st.sampled_from(["sm_75", "sm_90a", "sm_120"]), st.permutations(FIELDS))
@settings(deadline=None, max_examples=25)
def test_a_setup_comes_back_from_its_texts(pattern: Pattern, arch: str, order: list[Field]) -> None:
    form = form_with(pattern, arch)
    again = form
    for field in order:
        again = typed(again, field, form.texts[field])
    assert again.view.setup == form.view.setup
    assert again.texts == form.texts
    assert again.complaints == form.complaints


@given(patterns(), st.sampled_from(["sm_75", "sm_120"]), patterns())
@settings(deadline=None, max_examples=25)
def test_the_texts_of_one_setup_make_it_of_another(pattern: Pattern, arch: str, other: Pattern) -> None:
    wanted = form_with(pattern, arch)
    form = form_with(other)
    for field in [field for field in FIELDS if field != "width"]:
        form = typed(form, field, wanted.texts[field])
    means_the_same = replace(form.view.pattern, matrices=pattern.matrices)
    assert means_the_same == pattern
    assert (form.view.pattern.matrices or 4) == (pattern.matrices or 4)
    assert form.view.setup.arch == arch


@given(st.sampled_from(FIELDS), st.text(max_size=40), st.sampled_from(FIELDS), st.text(max_size=8))
@settings(deadline=None, max_examples=60)
def test_any_text_in_any_field_is_kept_and_never_raises(a: Field, text: str, b: Field, other: str) -> None:
    form = typed(typed(form_of(opened("s[k*lane]", declarations=TILE, k=8, pad=1)), a, text), b, other)
    assert form.texts[b] == other
    assert a in (b, "width") or form.texts[a] == text
    assert form.view.shown is not None
    assert all(complaint.sentence for complaint in form.complaints.values())


@given(st.sampled_from([0, 1]), st.tuples(*[st.integers(0, 3)] * 3))
def test_an_extent_is_read_as_it_is_written(missing: int, extent: tuple[int, int, int]) -> None:
    text = extent_text(extent, missing)
    assert extent_of(text, missing) == extent_of(text.replace(",", "x"), missing) == extent


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("op", "l", "op is 'l'; it is one of ld, st, atom, red, ldmatrix"),
        ("space", "local", "space is 'local'; it is one of auto, shared, global, const"),
        ("width", "3", "width is '3'; it is one of 1, 2, 4, 8, 16"),
        ("width", "", "width is ''; it is one of 1, 2, 4, 8, 16"),
        ("block", "0", "block 0x1x1 has 0 along x; 1 is the least"),
        ("block", "64,64", "a block of 64x64x1 has 4096 threads; 1024 are the most"),
        ("block", "16x", "'16x' is not one to three whole numbers with commas between"),
        ("block", "2x2x2x2", "'2x2x2x2' has 4 numbers; one to three are meant"),
        ("block", "8,", "'8,' is not one to three whole numbers with commas between"),
        ("block_index", "-1", "block index -1x0x0 is outside a grid of 1x1x1"),
        ("grid", "0", "grid 0x1x1 has 0 along x; 1 is the least"),
        ("warp", "1", "warp 1 is outside a block of 32x1x1, which has 1 (from 0)"),
        ("warp", "x", "warp is 'x'; it is a whole number, from 0"),
        ("arch", "90", "arch is '90'; an architecture is written like sm_75, sm_90 or sm_120"),
    ],
)
def test_what_is_wrong_stands_under_its_field_and_the_last_good_stays(field: Field, text: str, says: str) -> None:
    form = form_of(opened("s[lane]"))
    wrong = typed(form, field, text)
    assert sentence(wrong, field) == says
    assert wrong.view.setup == form.view.setup
    assert wrong.texts[field] == text
    assert typed(wrong, field, form.texts[field]).complaints == {}


def test_each_part_of_a_launch_is_blamed_for_itself() -> None:
    form = typed(form_of(opened("s[lane]")), "block", "128")
    form = typed(typed(form, "warp", "3"), "grid", "2")
    assert form.complaints == {}
    assert sentence(typed(form, "block", "64"), "warp") == "warp 3 is outside a block of 64x1x1, which has 2 (from 0)"
    assert "outside a grid" in sentence(typed(form, "block_index", "2"), "block_index")
    assert form.view.pattern.launch == Launch((128, 1, 1), (0, 0, 0), (2, 1, 1), 3)


def test_every_text_that_does_not_parse_has_its_complaint() -> None:
    form = form_of(opened("s[lane]"))
    form = typed(typed(form, "expression", "s[lane"), "where", "lane <")
    assert form.complaints.keys() == {"expression", "where"}
    form = typed(form, "declarations", "int a;\nint b")
    assert {"expression", "declarations"} <= form.complaints.keys()
    assert (form.complaints["declarations"].line, form.complaints["declarations"].column) == (2, 6)
    assert "where" in form.complaints
    mended = typed(typed(typed(form, "declarations", "int a;"), "expression", "s[lane]"), "where", "lane < 9")
    assert mended.complaints == {}


def test_a_macro_that_breaks_every_expression_ends_in_a_complaint() -> None:
    form = typed(form_of(opened("s[lane]")), "declarations", "#define lane (")
    assert form.complaints


def test_the_width_rewrites_the_expression_and_follows_it() -> None:
    form = form_of(opened("s[lane]"))
    wide = typed(form, "width", "16")
    assert wide.texts["expression"] == "((float4*)s)[lane]"
    assert cost_of(wide.view) == 4
    assert typed(wide, "width", "4").texts["expression"] == "s[lane]"
    assert typed(wide, "expression", "((double*)s)[lane]").texts["width"] == "8"
    wrong = typed(wide, "width", "5")
    assert typed(wrong, "warp", "0").texts["width"] == "5"
    assert typed(wrong, "expression", "s[lane]").complaints == {}


def test_texts_are_judged_by_the_declarations_that_were_right_last() -> None:
    form = form_of(opened("s[lane]", declarations="typedef unsigned u;"))
    form = typed(typed(form, "where", "(u)lane < 4"), "declarations", "typedef unsigned u; int")
    assert form.complaints.keys() == {"declarations"}
    assert form.mask == 0xF
    assert typed(form, "where", "(u)lane <").complaints.keys() == {"declarations", "where"}
    assert typed(form, "where", "(v)lane < 4").complaints.keys() == {"declarations", "where"}
    assert typed(form, "declarations", "typedef unsigned v;").complaints.keys() == {"where"}


def test_a_memory_that_has_no_such_operation_is_blamed_where_it_was_chosen() -> None:
    form = form_of(opened("s[lane]"))
    by_space = typed(typed(form, "op", "st"), "space", "const")
    assert sentence(by_space, "space") == "const memory has no 'st'"
    assert sentence(typed(by_space, "op", "atom"), "op") == "const memory has no 'atom'"
    assert sentence(typed(typed(form, "space", "const"), "op", "st"), "op") == "const memory has no 'st'"
    assert sentence(typed(by_space, "warp", "0"), "space") == "const memory has no 'st'"
    assert typed(by_space, "space", "shared").complaints == {}
    table = form_of(opened("t[lane]", declarations="__constant__ float t[32];"))
    assert "op" in typed(typed(table, "space", "auto"), "op", "st").complaints


def test_an_operation_that_memory_has_not_is_the_operations_fault() -> None:
    form = form_of(opened("g[lane]", declarations="const float* g;"))
    assert sentence(typed(form, "op", "ldmatrix"), "op") == "global memory has no 'ldmatrix'"
    assert "expression" in typed(typed(form, "op", "st"), "expression", "g[").complaints


def test_an_ldmatrix_has_matrices_and_no_width() -> None:
    form = typed(form_of(opened("h[lane*8]", declarations="__shared__ short h[512];")), "op", "ldmatrix")
    assert form.complaints == {}
    assert "matrices" in form.fields
    assert "width" not in form.fields
    assert form.view.pattern.matrices is None
    assert typed(form, "matrices", "2").view.pattern.matrices == 2
    assert sentence(typed(form, "matrices", "3"), "matrices") == "matrices is '3'; it is one of 1, 2, 4"
    back = typed(typed(form, "matrices", "2"), "op", "ld")
    assert back.view.pattern.matrices is None
    assert "width" in back.fields


def test_accesses_share_declarations_launch_and_architecture_alone() -> None:
    view = opened("tile[lane][0]", "tile[0][lane]", declarations=TILE, pad=0)
    form = form_of(view)
    for field, text in [
        ("declarations", TILE + "int n;"),
        ("block", "64"),
        ("warp", "1"),
        ("arch", "sm_80"),
        ("op", "st"),
        ("where", "lane < 4"),
        ("expression", "tile[lane][pad]"),
    ]:
        form = typed(form, field, text)
    first, second = form.view.setup.patterns
    assert (first.launch, first.declarations) == (second.launch, second.declarations)
    assert first.launch == Launch((64, 1, 1), warp=1)
    assert (second.expression, second.op, second.where) == ("tile[0][lane]", "ld", "")
    assert form.view.setup.arch == "sm_80"


def test_declarations_that_another_access_needs() -> None:
    casts = "typedef struct { float x; } P;"
    view = opened("s[lane]", "((P*)s)[lane].x", declarations=casts)
    form = typed(form_of(view), "declarations", "")
    assert sentence(form, "declarations").startswith("in access 1: ")
    assert typed(form, "declarations", casts).complaints == {}


def test_a_knob_comes_with_its_name_and_comes_back_as_it_was() -> None:
    form = form_of(opened("s[k*lane]", k=8))
    without = typed(form, "expression", "s[lane]")
    assert without.view.knobs == ()
    assert typed(without, "expression", "s[k*lane + n]").view.values == {"k": 8, "n": 1}


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=20)
def test_a_mask_is_what_the_lanes_do(mask: int) -> None:
    form = masked(form_of(opened("s[lane]")), mask)
    assert form.complaints == {}
    assert form.mask == mask


@pytest.mark.parametrize("mask", [0xFFFFFFFF, 0xF])
def test_a_mask_leaves_a_condition_that_is_wrong(mask: int) -> None:
    form = typed(form_of(opened("s[lane]")), "where", "lane <")
    refused = masked(masked(form, mask), mask)
    assert (refused.texts, refused.view) == (form.texts, form.view)
    why = sentence(form, "where")
    assert sentence(refused, "where") == f"{why}; no lane is switched as long as this stands here"
    assert refused.complaints["where"].column == 7
    assert typed(refused, "where", "").complaints == {}
    assert masked(typed(refused, "where", "lane < 9"), mask).mask == mask
    zero = typed(form, "where", "8 / lane")
    assert masked(zero, mask).texts == zero.texts


def test_a_mask_leaves_a_condition_that_other_texts_keep_from_being_read() -> None:
    form = typed(form_of(opened("s[lane]")), "declarations", "const int few")
    form = typed(form, "where", "lane < few")
    assert form.complaints.keys() == {"declarations"}
    assert form.mask == 0xFFFFFFFF
    refused = masked(form, 0xF)
    assert refused.texts["where"] == "lane < few"
    assert "not known until the other texts are right" in refused.complaints["where"].sentence


def test_lanes_are_switched_while_another_text_is_wrong() -> None:
    form = typed(form_of(opened("s[n*lane]", n=4)), "expression", "s[")
    assert masked(form, 0xF0).mask == 0xF0
    wrong = typed(form, "declarations", "const int n = 3;")
    assert typed(wrong, "where", "lane < n").mask == 0b111
    assert masked(typed(form, "declarations", "int"), 0xF0).mask == 0xF0
    assert typed(form, "where", "lane <").mask == 0xFFFFFFFF


# What is drawn


@pytest.mark.parametrize("width", [46, 66, 146])
def test_the_mask_and_where_to_click_it(width: int, look: Look) -> None:
    strips = mask_strips(Mask(0x80000001, 3, True), width, look)
    numbers, cells, words = texts(strips)
    assert len(strips) == MASK_LINES
    assert "0x80000001" in cells
    marks = [lane_under(width, x, 1) for x, char in enumerate(cells) if char == look.glyphs.now]
    assert marks == [0, 31]
    assert lane_under(width, numbers.index("24"), 0) == 24
    assert lane_under(width, width - 1, 1) is None
    for _, name, mask in MASKS:
        assert mask_under(words.index(name), 2) == mask
    assert mask_under(words.index("space"), 2) is None


def test_a_complaint_points_at_its_place(look: Look) -> None:
    (line,) = texts(complaint_strips(Complaint("no", 1, 4), "s[x*]", 20, look))
    assert line.startswith("   ▲ no")
    (line,) = texts(complaint_strips(Complaint("no", 1, 4), "a\nb", 40, look))
    assert line.startswith("line 1, column 4: no")
    lines = texts(complaint_strips(Complaint("word " * 99, 1, 4), "x", 20, look))
    assert len(lines) == 4
    assert lines[-1].rstrip().endswith("…")
    assert complaint_strips(None, "x", 20, look) == []


def test_the_cost_or_what_is_wrong_first(look: Look) -> None:
    form = form_of(opened("s[2*lane]"))
    assert "2 passes" in cost_strip(form, 80, look).text
    wrong = typed(typed(form, "warp", "x"), "op", "y")
    assert "op is 'y'" in cost_strip(wrong, 80, look).text
    assert "ldmatrix" in hint_strip("op", "ld", 32, look).text
    assert hint_strip("grid", "", 32, look).cell_length == 32


@pytest.mark.parametrize("width", [34, 54, 134])
def test_an_operation_is_said_in_words(width: int, look: Look) -> None:
    words = {"ld": "load", "st": "store", "atom": "atomic", "red": "reduction", "ldmatrix": "matrices"}
    for op, word in words.items():
        text = hint_strip("op", op, width, look).text
        assert " ld st atom red ldmatrix " in text
        assert word in text.partition("ldmatrix ")[2]
    assert "of undeclared arrays" in hint_strip("space", "auto", width, look).text or width == 34


# The screen


async def form_screen(pilot: Pilot[None]) -> tuple[ExplorerScreen, SetupForm]:
    below = await explorer(pilot)
    await pilot.press("d")
    await settled(pilot, lambda: isinstance(pilot.app.screen, SetupForm))
    screen = pilot.app.screen
    assert isinstance(screen, SetupForm)
    await settled(pilot, lambda: screen.focused is not None)
    return below, screen


def shown(screen: SetupForm) -> list[str]:
    """The lines on the terminal, fields too."""
    lines = screen._compositor.render_strips()
    return [line.text for line in lines]


pytestmark = pytest.mark.usefixtures("nothing_recorded")


async def test_an_error_stands_under_its_field_until_it_is_mended_and_undo_brings_all_back() -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(80, 24)) as pilot:
        below, screen = await form_screen(pilot)
        before = below.view.setup
        await pilot.press("end", "backspace")
        lines = shown(screen)
        under = next(i for i, line in enumerate(lines) if "s[k*lane" in line) + 1
        assert "never closed" in lines[under]
        assert "never closed" in lines[-2]
        await pilot.press("down", "down", *"lane<16", "enter")
        assert pilot.app.screen is screen
        assert screen.focused is screen.query_one("#expression")
        await pilot.press("end", "+", "n", "]")
        assert "predicted" in shown(screen)[-2]
        await pilot.press("tab", *"__shared__ float s[99];", "ctrl+s")
        await settled(pilot, lambda: pilot.app.screen is below)
        pattern = below.view.pattern
        assert (pattern.expression, pattern.declarations) == ("s[k*lane+n]", "__shared__ float s[99];")
        assert pattern.where == "lane<16"
        assert below.view.values == {"k": 8, "n": 1}
        await pilot.press("u")
        assert below.view.setup == before
        await pilot.press("U")
        assert below.view.pattern == pattern


async def test_escape_takes_everything_back_at_the_second_time() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(80, 24)) as pilot:
        below, screen = await form_screen(pilot)
        before = below.view
        await pilot.press(*"+0", "escape")
        assert "esc again drops the changes; mend what is wrong to keep them" in shown(screen)[-2]
        await pilot.press("tab", *"int", "escape", "space", "a", "semicolon", "escape")
        assert pilot.app.screen is screen
        await pilot.press("up", "ctrl+u", *"s[0]", "escape")
        assert "esc again drops the changes; enter keeps them" in shown(screen)[-2]
        await pilot.press("escape")
        await settled(pilot, lambda: pilot.app.screen is below)
        assert (below.view.setup, below.view.past) == (before.setup, ())
        await pilot.press("d", "enter")
        await settled(pilot, lambda: pilot.app.screen is below)
        assert (below.view.setup, below.view.past) == (before.setup, ())


async def test_choices_turn_and_the_width_is_seen_in_the_expression() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(60, 20)) as pilot:
        _, screen = await form_screen(pilot)
        await pilot.press(*["down"] * 4, "left")
        assert screen.form.texts["op"] == "ldmatrix"
        assert screen.query_one("#row-matrices").display
        assert not screen.query_one("#row-width").display
        await pilot.press("right", "right")
        assert screen.form.texts["op"] == "st"
        await pilot.press("tab", "tab", *"16")
        assert screen.query_one("#expression", Input).value == "((float4*)s)[lane]"
        await pilot.press("up", "left")
        assert screen.form.texts["space"] == "const"
        assert "space" in screen.form.complaints
        await pilot.press(*"sh")
        assert screen.form.texts["space"] == "shared"
        assert screen.form.complaints == {}


@pytest.mark.parametrize(
    ("keys", "op"),
    [
        ("l", "ld"),
        ("ll", "ldmatrix"),
        ("lll", "ld"),
        ("ldm", "ldmatrix"),
        ("ld", "ld"),
        ("S", "st"),
        ("sxyz9 ", "st"),
        ("rat", "atom"),
        ("m", "ld"),
    ],
)
async def test_a_letter_picks_a_choice_and_no_key_garbles_it(keys: str, op: str) -> None:
    async with app_of(scene("s[lane]")).run_test(size=(60, 20)) as pilot:
        _, screen = await form_screen(pilot)
        await pilot.press(*["down"] * 4)
        field = screen.query_one("#op", ChoiceField)
        assert screen.focused is field
        for key in keys:
            await pilot.press("space" if key == " " else key)
        assert field.value == screen.form.texts["op"] == op
        await pilot.press("backspace", "delete", "ctrl+u", "ctrl+k", "ctrl+w", "ctrl+x", "home", "ctrl+f")
        assert field.value == screen.form.texts["op"] == op
        field.post_message(Paste("ldmatrix\nst"))
        await pilot.pause()
        assert field.value == "ldmatrix"


async def test_the_cursor_comes_to_the_end_of_a_field_and_stops_at_the_last_one() -> None:
    async with app_of(scene("s[k*lane]", declarations="int a;", k=8)).run_test(size=(80, 24)) as pilot:
        _, screen = await form_screen(pilot)
        expression = screen.query_one("#expression", Input)
        assert expression.cursor_position == len("s[k*lane]")
        await pilot.press("up")
        assert screen.focused is expression
        await pilot.press("home", "down")
        assert screen.query_one(TextArea).cursor_location == (0, len("int a;"))
        await pilot.press("up")
        assert expression.cursor_position == len("s[k*lane]")
        await pilot.press("left", "left", "ctrl+u")
        assert expression.value == ""
        await pilot.click("#arch", offset=(2, 0))
        assert screen.query_one("#arch", Input).cursor_position < len("sm_90")
        await pilot.press("up")
        await pilot.press(*["down"] * 12)
        arch = screen.query_one("#arch", Input)
        assert screen.focused is arch
        assert arch.cursor_position == len("sm_90")


async def test_the_footer_says_what_the_keys_do_in_this_field() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(60, 20)) as pilot:
        _, screen = await form_screen(pilot)
        for says in ("ctrl+u clear", "enter new line", "ctrl+u clear", "space on, off", "← → choose, or type it"):
            assert says in shown(screen)[-1]
            assert "keep" in shown(screen)[-1]
            await pilot.press("down")


async def test_lanes_stay_while_the_condition_is_wrong() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(60, 20)) as pilot:
        _, screen = await form_screen(pilot)
        await pilot.press("down", "down", *"lane <", "down", "space")
        assert screen.query_one("#where", Input).value == "lane <"
        assert "no lane is switched as long as this stands here" in " ".join(" ".join(shown(screen)).split())


async def test_lanes_are_switched_by_key_and_by_click() -> None:
    async with app_of(scene("s[lane]")).run_test(size=(80, 24)) as pilot:
        below, screen = await form_screen(pilot)
        await pilot.press("tab", "tab", "tab", "right", "right", "space")
        assert screen.form.mask == 0xFFFFFFFB
        assert screen.query_one("#where", Input).value == "0xfffffffb >> lane & 1"
        await pilot.click("#lanes", offset=(5, 1))
        assert screen.form.mask == 0xFFFFFFDB
        await pilot.press("e")
        assert screen.form.mask == 0x55555555
        await pilot.click("#lanes", offset=(9, 2))
        assert screen.form.mask == 0
        await pilot.press("a", "enter")
        await settled(pilot, lambda: pilot.app.screen is below)
        assert below.view.past == ()


async def test_the_arrows_leave_the_declarations_at_their_ends() -> None:
    async with app_of(scene("s[lane]", declarations="int a;\nint b;")).run_test(size=(80, 24)) as pilot:
        _, screen = await form_screen(pilot)
        await pilot.press("down", "down")
        assert isinstance(screen.focused, TextArea)
        await pilot.press("down")
        assert screen.focused is screen.query_one("#where")
        await pilot.press("up", "up", "up")
        assert screen.focused is screen.query_one("#expression")


@pytest.mark.parametrize(
    "text", ["", "[b]x[/b]", "\x1b[31m\x00", "9" * 5000, "🂡", "s[" * 300, "a\nb\r\nc\x0bd\te"], ids=range(7)
)
async def test_any_text_in_any_field_leaves_a_screen(text: str) -> None:
    async with app_of(scene("s[k*lane]", k=8)).run_test(size=(60, 20)) as pilot:
        below, screen = await form_screen(pilot)
        for field in FIELDS:
            editor = screen.query_one(f"#{field}")
            if isinstance(editor, TextArea):
                editor.insert(text)
            elif isinstance(editor, Input):
                editor.insert_text_at_cursor(text)
            await pilot.pause()
            assert "\x1b" not in "".join(shown(screen))
        await pilot.press(*["escape"] * (1 + screen.form.changed))
        await settled(pilot, lambda: pilot.app.screen is below)
        assert below.view.error is None


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (160, 45), (250, 70)])
async def test_every_size_shows_every_field(size: tuple[int, int]) -> None:
    async with app_of(scene("s[k*lane]", "s[lane]", k=8)).run_test(size=size) as pilot:
        _, screen = await form_screen(pilot)
        text = "\n".join(shown(screen))
        for words in ("declarations", "block index", "architecture", "0xffffffff", "8 passes", "sm_120", "take back"):
            assert words in text, words
        assert ("pass 1" in text) == (size[1] >= 45)
        await pilot.press(*["shift+tab"] * 4)
        fields = screen.query_one("#fields")
        assert screen.focused is not None
        assert screen.focused.region in fields.region


async def test_a_form_taller_than_the_screen_scrolls_to_the_field() -> None:
    many = "\n".join(f"int a{i};" for i in range(12))
    async with app_of(scene("s[lane]", declarations=many)).run_test(size=(60, 20)) as pilot:
        _, screen = await form_screen(pilot)
        await pilot.press("shift+tab")
        await pilot.pause()
        assert screen.focused is screen.query_one("#arch")
        assert screen.focused.region in screen.query_one("#fields").region
        assert screen.query(StripView)


def test_taking_an_edit_back_leaves_a_knob_that_is_there() -> None:
    view = state.begin_edit(opened("s[k*lane]", k=8))
    view = state.take_back(state.edit(view, replace(view.pattern, expression="s[k*lane + n]")))
    assert state.turn_knob(view, 1).values == {"k": 9}
