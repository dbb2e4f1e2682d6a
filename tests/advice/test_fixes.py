"""What is advised is true: every fix costs what it says, the smallest is the smallest, swizzles are one to one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import warpviz
from warpviz.advice.fixes import Advice, Fix, advise
from warpviz.advice.samples import points, sample
from warpviz.expression import ExpressionError, Launch, Pattern, parse
from warpviz.model import Cost, predict
from warpviz.scene import find_scene, shipped_scenes

Said = tuple[str, tuple[int, ...], tuple[int, ...]]


def scene_advice(name: str, **values: int) -> Advice:
    scene = find_scene(name)
    return checked([a.pattern for a in scene.accesses], {**scene.defaults(), **values}, knobs_of(name))


def knobs_of(name: str) -> dict[str, range]:
    return {knob.name: knob.values() for knob in find_scene(name).knobs}


def checked(
    patterns: list[Pattern], values: Mapping[str, int] | None = None, knobs: Mapping[str, range] | None = None
) -> Advice:
    """The advice, every fix evaluated again."""
    advice = advise(patterns, values or {}, "sm_90", knobs)
    for fix in advice.fixes:
        assert len(fix.before) == len(fix.after) == len(patterns)
        assert fix.kind in ("wider", "move") or sum(fix.after) < sum(fix.before)
        if fix.patterns:
            assert tuple(cost_of(p, fix.values, requests=fix.kind == "wider") for p in fix.patterns) == fix.after
            if fix.kind != "wider":
                assert tuple(cost_of(pattern, values or {}) for pattern in patterns) == fix.before
    return advice


def cost_of(pattern: Pattern, values: Mapping[str, int], *, requests: bool = False) -> int:
    cost = predict(parse(pattern).evaluate(values).access)
    counts = (cost.wavefronts, cost.requests if requests else cost.sectors, cost.requests)
    return int(next(count for count in counts if count is not None)[0])


def conflicts(pattern: Pattern, values: Mapping[str, int]) -> int:
    cost: Cost = predict(parse(pattern).evaluate(values).access)
    assert cost.conflicts is not None
    return int(cost.conflicts[0])


def said(advice: Advice) -> list[Said]:
    return [(fix.title, fix.before, fix.after) for fix in advice.fixes]


def of_kind(advice: Advice, kind: str) -> Fix:
    return next(fix for fix in advice.fixes if fix.kind == kind)


SCENES: dict[str, list[Said]] = {
    "stride": [
        ("swizzle the index of s with its own high bits", (8,), (1,)),
        ("skip 1 float after every 32 of s", (8,), (1,)),
    ],
    "tile-row-column": [
        ("swizzle the column of tile with the row", (1, 32), (1, 1)),
        ("pad each row of tile by 1 float", (1, 32), (1, 1)),
    ],
    "tile-padding": [
        ("swizzle the column of tile with the row", (32, 1), (1, 1)),
        ("turn pad to 1", (32, 1), (1, 1)),
    ],
    "tile-swizzle": [],
    "broadcast": [],
    "float2": [],
    "float4": [],
    "offset": [
        ("begin at a multiple of 8 floats: turn offset to 0", (5,), (4,)),
        ("load 16 bytes a lane, as float4", (4,), (1,)),
    ],
    "global-stride": [("let neighbouring lanes load neighbouring floats", (12,), (4,))],
    "aos-soa": [
        ("take p apart: p_x as an array of its own", (16, 4), (4, 4)),
        ("load 16 bytes a lane, as float4", (1, 4), (1, 1)),
    ],
    "shared-atomic": [],
    "ldmatrix": [
        ("swizzle the column of A with the row", (32,), (4,)),
        ("turn pad to 8", (32,), (4,)),
    ],
    "constant": [("keep table in shared memory", (4,), (1,))],
}


@pytest.mark.parametrize("name", [scene.name for scene in shipped_scenes() if scene.name in SCENES])
def test_scenes(name: str) -> None:
    assert said(scene_advice(name)) == SCENES[name]


def test_nothing_to_mend_is_said() -> None:
    assert scene_advice("tile-swizzle") == Advice((), (), "every access is free of conflicts")
    assert scene_advice("offset", offset=8).already == "every access moves only the sectors that its bytes need"
    assert scene_advice("constant", n=1) == Advice((), (), "every access is one request")
    assert scene_advice("stride").already == ""
    both = [Pattern("s[lane]"), Pattern("g[lane]", "float4* g;")]
    assert checked(both) == Advice((), (), "every access costs as little as it can")


def test_texts_to_paste() -> None:
    stride = scene_advice("stride")
    assert of_kind(stride, "pad").patterns[0].expression == "s[k*lane + k*lane/32]"
    assert of_kind(stride, "pad").patterns[0].declarations == "__shared__ float s[2048 + 64];"
    assert of_kind(stride, "swizzle").patterns[0].expression == "s[k*lane ^ ((k*lane >> 5) & 31)]"
    tile = scene_advice("tile-row-column")
    assert {p.declarations for p in of_kind(tile, "pad").patterns} == {"__shared__ float tile[32][32 + 1];"}
    assert [p.expression for p in of_kind(tile, "swizzle").patterns] == ["tile[r][lane ^ r]", "tile[lane][c ^ lane]"]
    split = of_kind(scene_advice("aos-soa"), "soa").patterns
    assert split[0].expression == "p_x[first + lane]"
    assert split[0].declarations == split[1].declarations
    assert split[0].declarations.endswith("const float* x;\nconst float* p_x;\n")


def test_bytes_and_remarks() -> None:
    tile = scene_advice("tile-row-column")
    assert (of_kind(tile, "pad").extra_bytes, of_kind(tile, "pad").remark) == (128, "for every r and c")
    assert of_kind(tile, "swizzle").extra_bytes == 0
    assert of_kind(tile, "swizzle").remark == "one xor an access; for every r and c"
    stride = scene_advice("stride")
    assert of_kind(stride, "pad").extra_bytes == 256
    assert of_kind(stride, "pad").remark == "not for every k: k = 3 takes 2 passes"
    turn = of_kind(scene_advice("ldmatrix"), "turn")
    assert (turn.values, turn.extra_bytes) == ({"pad": 8}, 16 * 8 * 2)
    row = checked([Pattern("*(float4*)&t[lane][4*c]", "__shared__ float t[32][32];")], {"c": 1}, {"c": range(8)})
    assert of_kind(row, "pad").title == "pad each row of t by 4 floats"
    assert of_kind(row, "pad").remark == "keeps 16-byte alignment; for every c"
    dynamic = checked([Pattern("s[32*lane]", "extern __shared__ float s[];")])
    assert (of_kind(dynamic, "pad").extra_bytes, of_kind(dynamic, "pad").remark) == (None, "s grows by 1/32")


def test_a_knob_that_only_some_values_of_are_tried() -> None:
    knobs = {"c": range(0, 32000, 32)}
    advice = checked([Pattern("tile[lane][c % 32]", "__shared__ float tile[32][32];")], {"c": 0}, knobs)
    assert of_kind(advice, "pad").remark == "for every c that was tried"


TILE = "__shared__ float tile[64][32];"
REFUSED: list[tuple[list[Pattern], str]] = [
    ([Pattern("tile[r][2*lane]", "__shared__ float tile[32][64];")],
     "every lane is in row 1 of tile, so longer rows move them all alike"),
    ([Pattern("tile[lane][1]", TILE), Pattern("((float4*)tile[lane%4 + 1])[lane/4]", TILE, op="st")],
     "a pad of 7 floats would be free of conflicts, but 16-byte alignment would be lost: "
     "only a multiple of 4 floats keeps it"),
    ([Pattern("bins[lane % 4]", "__shared__ int bins[32];", op="atom")],
     "lanes work on the same word of bins, and atomics have no broadcast: wherever the word lies they take turns; "
     "add up within the warp first, or use more words"),
    ([Pattern("t[2*lane][0]", "__shared__ float t[64][33];")],
     "a swizzle needs rows of a multiple of 32 floats; t has rows of 33"),
    ([Pattern("lane < 16 ? a[32*lane] : b[32*lane]", "__shared__ int a[1024], b[1024];")],
     "no padding and no swizzle is looked for: the lanes fall in a and b at once"),
    ([Pattern("((float*)t)[32*lane]", "__shared__ float t[32][32];")],
     "longer rows of t do not help: an index of t crosses its rows or is worked out by hand, "
     "so it would not move with them"),
    ([Pattern("AT[lane][0]", "#define AT t\n#define ROWS t[32][32]\n__shared__ float ROWS;")],
     "longer rows of t do not help: a macro hides the length of the rows of t"),
    ([Pattern("*(t[lane] + 1)", "__shared__ float t[32][32];")],
     "no swizzle of t: this access has no index in brackets; write it as s[index]"),
    ([Pattern("s[8*lane].x", "struct P { float x, y, z; }; __shared__ P s[256];")],
     "no padding of s fits: its elements or its length do not fill 128 bytes"),
    ([Pattern("t[lane]", "__constant__ int t[32];")],
     "constant memory gives one word at a time to all lanes: only a uniform index costs one request"),
    ([Pattern("g[lane % 4]", "int* g;", op="red")],
     "lanes with the same address go out one after the other, in rounds, however the array lies; "
     "add up within the warp first"),
    ([Pattern("(p + 5*lane)->x", "struct P { float x, y; }; P* p;")],
     "write the access as p[index].member to give the member its own array"),
]  # fmt: skip


@pytest.mark.parametrize(("patterns", "sentence"), REFUSED, ids=[sentence[:30] for _, sentence in REFUSED])
def test_why_something_does_not_help(patterns: list[Pattern], sentence: str) -> None:
    advice = checked(patterns, {"r": 1})
    assert sentence in advice.refusals
    assert advice.already == ""


def test_what_does_not_make_every_access_free_is_offered_and_said() -> None:
    advice = checked([Pattern(index, "__shared__ float s[2048];") for index in ("s[48*lane]", "s[lane]")])
    assert [fix.after for fix in advice.fixes] == [(2, 1), (2, 1)]
    assert all("some conflicts stay" in fix.remark for fix in advice.fixes)
    assert (
        "of the paddings of s that were tried, after every 128 to 4,096 bytes, none is free of conflicts"
        in advice.refusals
    )


def test_the_rest_of_the_scene_shares_the_new_declarations() -> None:
    declarations = "__shared__ float tile[32][32]; __shared__ float other[32]; const float* in;"
    column, load, store = (Pattern(e, declarations) for e in ("tile[lane][0]", "in[lane]", "other[lane]"))
    pad = of_kind(checked([column, load, store]), "pad")
    assert {p.declarations for p in pad.patterns} == {declarations.replace("[32][32]", "[32][32 + 1]")}
    assert (pad.before, pad.after) == ((32, 4, 1), (1, 4, 1))


def test_an_undeclared_tile_gets_a_declaration() -> None:
    pad = of_kind(checked([Pattern("tile[lane][0]"), Pattern("tile[0][lane]", op="st")]), "pad")
    assert {p.declarations for p in pad.patterns} == {"__shared__ float tile[32][32 + 1];\n"}


def test_an_access_in_error_is_an_error() -> None:
    with pytest.raises(ExpressionError):
        advise([Pattern("s[lane")], {}, "sm_90")
    with pytest.raises(ValueError, match="arch"):
        advise([Pattern("s[lane]")], {}, "volta")


def test_alignment_without_a_knob_is_advice_alone() -> None:
    fix = of_kind(checked([Pattern("in[lane + 3]", "const float* in;")]), "align")
    assert (fix.title, fix.patterns, fix.before, fix.after) == ("begin at a multiple of 8 floats", (), (5,), (4,))


def test_pointers_that_are_stored_through_are_not_const() -> None:
    declarations = "struct P { float x, y; }; P* p;"
    patterns = [Pattern("p[lane].x", declarations), Pattern("p[lane].x", declarations, op="st")]
    assert "\nfloat* p_x;" in of_kind(checked(patterns), "soa").patterns[0].declarations


# The smallest is the smallest: what brute force finds with addresses of its own

TYPES = {1: "char", 2: "half", 4: "float", 8: "float2", 16: "float4"}
INDICES = {
    "t[lane][c]": lambda lane, c: (lane, c),
    "t[c][lane % C]": lambda lane, c: (c, lane),
    "t[lane / 4][lane % 4]": lambda lane, c: (lane // 4, lane % 4),
    "t[lane ^ 1][0]": lambda lane, c: (lane ^ 1, 0),
    "t[2 * (lane % 16)][c]": lambda lane, c: (2 * (lane % 16), c),
}


def passes(rows_and_columns: list[tuple[int, int]], pitch: int, width: int) -> tuple[int, int]:
    """(wavefronts, conflicts) of a load."""
    addresses = np.array([(row * pitch + column) * width for row, column in rows_and_columns])
    cost = warpviz.cost(addresses, space="shared", width=width)
    return int(cost.wavefronts[0]), int(cost.conflicts[0])


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(list(TYPES)),
    st.sampled_from([8, 16, 24, 32, 33, 48, 64, 128]),
    st.sets(st.sampled_from(list(INDICES)), min_size=1, max_size=3),
    st.integers(0, 7),
)
def test_rows_are_padded_by_the_fewest_elements(width: int, columns: int, indices: set[str], c: int) -> None:
    declarations = f"__shared__ {TYPES[width]} t[32][{columns}];"
    chosen = sorted(indices)
    patterns = [Pattern(index.replace("C", str(columns)), declarations) for index in chosen]
    lanes = [[INDICES[i](lane, c) for lane in range(32)] for i in chosen]
    lanes = [[(row, column % columns) for row, column in warp] for warp in lanes]
    free = [pad for pad in range(128 // width + 1) if all(passes(warp, columns + pad, width)[1] == 0 for warp in lanes)]
    advice = checked(patterns, {"c": c})
    longer = [fix for fix in advice.fixes if fix.title.startswith("pad each row")]
    if free and free[0] > 0:
        assert [fix.extra_bytes for fix in longer] == [32 * free[0] * width]
        assert longer[0].after == tuple(passes(warp, columns + free[0], width)[0] for warp in lanes)
    elif free:
        assert advice.already
    else:
        assert all(sum(fix.after) < sum(fix.before) for fix in longer)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 130), st.sampled_from([4, 8, 16]))
def test_an_index_skips_the_fewest_bytes(stride: int, width: int) -> None:
    pattern = Pattern(f"s[{stride}*lane]", f"__shared__ {TYPES[width]} s[8192];")
    index = stride * np.arange(32)
    every = [128 // width << bits for bits in range(6)]
    densities = [
        pad / interval
        for interval, pad in product(every, range(1, 128 // width + 1))
        if not warpviz.cost((index + index // interval * pad) * width, space="shared", width=width).conflicts[0]
    ]
    advice = checked([pattern])
    if conflicts(pattern, {}) == 0:
        assert advice.already
        return
    assume(densities)
    assert of_kind(advice, "pad").extra_bytes == round(min(densities) * 8192 * width)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(list(TYPES)), st.sampled_from([(32, 32), (32, 64), (64, 16), (16, 128)]),
    st.sampled_from(["t[lane % R][c]", "t[2*lane % R][c]", "t[r][2*lane % C]", "((float4*)t[lane % R])[0]"]),
)  # fmt: skip
def test_swizzles_put_every_element_somewhere_else(width: int, shape: tuple[int, int], index: str) -> None:
    rows, columns = shape
    declarations = f"__shared__ {TYPES[width]} t[{rows}][{columns}];"
    conflicting = Pattern(index.replace("R", str(rows)).replace("C", str(columns)), declarations)
    everywhere = Pattern("t[r][c]", declarations)
    advice = checked([conflicting, everywhere], {"r": 0, "c": 0})
    swizzles = [fix for fix in advice.fixes if fix.kind == "swizzle"]
    for fix in swizzles:
        program = parse(Pattern(fix.patterns[1].expression.replace("c", "(c + lane)"), declarations))
        places = [
            int(place) // width
            for r, c in product(range(rows), range(0, columns, 32))
            for place in program.evaluate({"r": r, "c": c}).access.addresses[0][: columns - c]
        ]
        assert sorted(places) == list(range(rows * columns))


# Whatever evaluates has an answer

WORDS = [
    "lane", "k", "lane % 4", "lane / 2", "2*lane", "32*lane", "k*lane + 1", "lane ^ k", "31 - lane", "lane*lane % 64",
]  # fmt: skip
DECLARATIONS = [
    "", "__shared__ float a[4096];", "__shared__ double a[33][64];", "__shared__ char a[64][96];", "const float* a;",
    "__shared__ half a[4][32][40];", "float4* a;", "__constant__ int a[64];", "extern __shared__ short a[];",
    "struct P { float x; double y; }; P* a;", "struct P { float x, y, z; }; __shared__ P a[99];",
    "#define N 32\ntypedef float Row[N + 1]; __shared__ Row a[N];",
    "struct Q { int n; float a[9][32]; }; __shared__ Q q[4];",
    "__shared__ float t[32][32]; float* a = t[lane];", "__device__ int a[32][32];",
]  # fmt: skip
SHAPES = [
    "a[{0}]", "a[{0}][{1}]", "a[{0}][{1}][{0}]", "((float4*)a)[{0}]", "((float2*)a[{0}])[{1}]",
    "*(uint4*)&a[{0}][8*({1})]", "a[{0}].x", "*(a + {0})", "*(a[{0}] + {1})", "q[{0}].a[{1}][k]",
    "lane < 9 ? a[{0}] : a[{1}]", "((char*)a)[4*({0})]",
]  # fmt: skip


@st.composite
def scenes(draw: st.DrawFn) -> list[Pattern]:
    declarations = draw(st.sampled_from(DECLARATIONS))
    return [
        Pattern(
            draw(st.sampled_from(SHAPES)).format(draw(st.sampled_from(WORDS)), draw(st.sampled_from(WORDS))),
            declarations,
            draw(st.sampled_from(["", "", "lane < k", "lane % 3 == 1"])),
            draw(st.sampled_from(["ld", "ld", "st", "atom", "red"])),
            draw(st.sampled_from([None, "global", "const"])),
        )
        for _ in range(draw(st.integers(1, 3)))
    ]


@settings(max_examples=120, deadline=None)
@given(scenes(), st.integers(0, 40))
def test_any_scene_that_evaluates_has_advice(patterns: list[Pattern], k: int) -> None:
    def evaluates(pattern: Pattern) -> bool:
        try:
            return bool(parse(pattern).evaluate({"k": k}))
        except ExpressionError:
            return False

    patterns = [pattern for pattern in patterns if evaluates(pattern)]
    assume(patterns)
    advice = checked(patterns, {"k": k}, {"k": range(0, 41, 5)})
    for sentence in [*advice.refusals, *(fix.title for fix in advice.fixes), *(fix.remark for fix in advice.fixes)]:
        assert len(sentence) < 200
        assert "\n" not in sentence


# A fix means the same at every value of the knobs

RC = {"r": range(32), "c": range(32)}
HELD_IN_ROWS = "__shared__ float s[32][32];"


def agrees_everywhere(patterns: list[Pattern], fix: Fix, knobs: Mapping[str, range]) -> None:
    """An element keeps one place of its own, over all accesses, with every combination of the knobs."""
    old, new = ([parse(pattern) for pattern in scene] for scene in (patterns, fix.patterns))
    moved: dict[int, int] = {}
    for combination in product(*knobs.values()):
        values = dict(zip(knobs, combination, strict=True))
        for before, after in zip((p.evaluate(values) for p in old), (p.evaluate(values) for p in new), strict=True):
            assert before.warnings or not after.warnings
            if before.warnings:
                continue
            lanes = before.access.active
            assert (lanes == after.access.active).all()
            places = zip(before.access.addresses[lanes].tolist(), after.access.addresses[lanes].tolist(), strict=True)
            assert all(moved.setdefault(was, now) == now for was, now in places)
    assert len(set(moved.values())) == len(moved)


@pytest.mark.parametrize("flat", ["((float*)s)[32*r + lane]", "(&s[0][0])[32*r + lane]", "*(&s[0][0] + (32*r + lane))"])
def test_an_index_that_crosses_rows_at_other_values(flat: str) -> None:
    patterns = [Pattern("s[lane][c]", HELD_IN_ROWS), Pattern(flat, HELD_IN_ROWS, op="st")]
    advice = checked(patterns, {"r": 0, "c": 0}, RC)
    assert not any("pad each row" in fix.title for fix in advice.fixes)
    assert (
        "longer rows of s do not help: with r = 1 an index of s crosses its rows or is worked out by hand, "
        "so it would not move with them" in advice.refusals
    )
    for fix in advice.fixes:
        agrees_everywhere(patterns, fix, {"r": range(32), "c": range(0, 32, 5)})


def test_an_index_that_crosses_rows_in_another_warp_or_block() -> None:
    for where, other in (("threadIdx.y", "warp"), ("blockIdx.x", "block")):
        launch = Launch(block=(32, 8, 1))
        patterns = [
            Pattern("s[threadIdx.x][0]", HELD_IN_ROWS, launch=launch),
            Pattern(f"((float*)s)[32*{where} + threadIdx.x]", HELD_IN_ROWS, op="st", launch=launch),
        ]
        advice = checked(patterns)
        assert not any("pad each row" in fix.title for fix in advice.fixes)
        assert any(f"in another {other} an index of s crosses" in sentence for sentence in advice.refusals)


TOGETHER = "__shared__ float s[32][32], t[32][32]; struct P { float x, y, z, w; }; P *p, *q;"
STAYS: list[tuple[list[str], str]] = [
    (["s[lane][0]", "(lane < 16 ? s : t)[lane][1]"], "s stays as it is: access 2 falls in s and t at once"),
    (["s[lane][0]", "(k < 16 ? s : t)[lane][1]"],
     "s stays as it is: access 2, with k = 0, sees it in another shape, or not always"),
    (["(k < 16 ? s : t)[lane][1]"], "t stays as it is: access 1, with k = 0, falls in s"),
    (["p[lane].x", "(lane < 16 ? p : q)[lane].y"], "p stays as it is: access 2 falls in p and q at once"),
]  # fmt: skip


@pytest.mark.parametrize(("expressions", "sentence"), STAYS, ids=[sentence for _, sentence in STAYS])
def test_an_array_that_is_reached_together_with_another_stays(expressions: list[str], sentence: str) -> None:
    patterns = [Pattern(expression, TOGETHER) for expression in expressions]
    advice = checked(patterns, {"k": 20}, {"k": range(40)})
    assert all(fix.patterns == () for fix in advice.fixes)
    assert sentence in advice.refusals


def test_dynamic_arrays_that_begin_at_the_same_byte_stay() -> None:
    declarations = "extern __shared__ float a[]; extern __shared__ float b[];"
    advice = checked([Pattern("a[32*lane]", declarations), Pattern("b[lane]", declarations)])
    assert advice.fixes == ()
    assert "a stays as it is: access 2 falls in b, which begins at the same byte" in advice.refusals


def test_a_fix_that_costs_other_accesses_more_is_none() -> None:
    declarations = "__shared__ float s[32][32 + pad], t[32][33 + pad];"
    patterns = [Pattern("s[lane][0]", declarations, "lane < 4"), Pattern("t[lane][0]", declarations)]
    advice = checked(patterns, {"pad": 0}, {"pad": range(2)})
    assert of_kind(advice, "turn").after == (1, 2)
    declarations = "__shared__ float s[32][32 + pad], t[32][33 - pad];"
    advice = checked([Pattern(p.expression, declarations, p.where) for p in patterns], {"pad": 0}, {"pad": range(2)})
    assert not any(fix.kind == "turn" for fix in advice.fixes)


def test_a_swizzle_is_claimed_where_it_stays_in_its_array() -> None:
    declarations = "__shared__ float tile[32][w];"
    patterns = [Pattern("tile[lane][0]", declarations), Pattern("tile[r][lane % w]", declarations, op="st")]
    advice = checked(patterns, {"w": 32, "r": 0}, {"w": range(16, 65, 16), "r": range(32)})
    fix = of_kind(advice, "swizzle")
    assert fix.remark == "one xor an access; for every r; only for w = 32"
    agrees_everywhere(patterns, fix, {"w": range(32, 33), "r": range(32)})


def test_a_swizzle_of_rows_whose_number_turns() -> None:
    declarations = "__shared__ float tile[n][32];"
    patterns = [Pattern("tile[r % n][lane]", declarations, op="st"), Pattern("tile[lane][0]", declarations)]
    fix = of_kind(checked(patterns, {"n": 32, "r": 0}, {"n": range(32, 65), "r": range(64)}), "swizzle")
    assert fix.patterns[0].expression == "tile[r%n][lane ^ (r%n & 31)]"
    for n in (32, 33, 47, 64):
        agrees_everywhere(patterns, fix, {"n": range(n, n + 1), "r": range(64)})


def test_what_only_odd_values_show_is_seen() -> None:
    patterns = [
        Pattern("s[lane][(c + pad) % 32]", HELD_IN_ROWS),
        Pattern("s[r][lane]", HELD_IN_ROWS, op="st"),
        Pattern("s[lane][lane*(pad % 2)]", HELD_IN_ROWS),
    ]
    advice = checked(patterns, {"pad": 0, "r": 0, "c": 0}, {"pad": range(129), **RC})
    assert of_kind(advice, "pad").remark == "not for every pad: pad = 1 takes 2 passes"


@pytest.mark.parametrize("most", [1, 128, 1000])
def test_a_knob_is_turned_by_one_however_long_it_is(most: int) -> None:
    declarations = "__shared__ float s[32][32 + pad];"
    expressions = ["s[lane][c]", "s[r][lane]", "s[(lane + 1) % 32][c]"]
    patterns = [Pattern(expression, declarations) for expression in expressions]
    advice = checked(patterns, {"pad": 0, "r": 0, "c": 0}, {"pad": range(most + 1), **RC})
    assert of_kind(advice, "turn").values["pad"] == 1


def test_a_knob_is_not_turned_to_where_an_index_leaves() -> None:
    patterns = [Pattern("s[lane][c]", "__shared__ float s[32][w];")]
    advice = checked(patterns, {"w": 64, "c": 0}, {"w": range(1, 65), "c": range(64)})
    assert not any(fix.kind == "turn" for fix in advice.fixes)


def test_the_values_that_are_tried() -> None:
    assert sample(range(30), 3, 40) == list(range(30))
    tried = sample(range(0, 1001), 500, 40)
    assert {*range(33), 499, 500, 501, 1000} <= set(tried)
    assert {value % 2 for value in tried if 40 < value < 499} == {0, 1}
    assert len(tried) < 60
    assert [at["k"] for at in points({"k": range(3)}, {"k": 1, "n": 7}, 40)] == [0, 1, 2]
    corners = [(at["r"], at["c"]) for at in points(RC, {"r": 0, "c": 0}, 40)]
    assert {(0, 0), (0, 31), (31, 0), (31, 31)} <= set(corners)


def test_values_outside_the_array_are_of_no_account_and_said() -> None:
    advice = checked([Pattern("tile[lane][c]")], {"c": 0}, {"c": range(40)})
    assert of_kind(advice, "pad").remark == "for every c that stays inside tile"


def test_an_access_that_cannot_be_evaluated_leaves_a_sentence() -> None:
    patterns = [Pattern("s[lane*2]"), Pattern("s[lane/k]")]
    advice = advise(patterns, {"k": 0}, "sm_90", {"k": range(4)})
    assert (advice.fixes, advice.already) == ((), "")
    assert advice.refusals == (
        "access 2 cannot be evaluated: division by zero; keep the lane out of it with ?: or --where",
    )


def test_a_member_s_own_array_turns_with_its_dimension() -> None:
    patterns = [Pattern("p[lane].x", "struct P { float x, y, z, w; }; __shared__ P p[n];")]
    fix = of_kind(checked(patterns, {"n": 32}, {"n": range(32, 65)}), "soa")
    assert "__shared__ float p_x[n];" in fix.patterns[0].declarations


FLAT = [
    "t[lane][c]", "t[r][lane]", "t[(lane + r) % 32][c]", "((float*)t)[32*r + lane]", "((float*)t)[lane + c]",
    "(&t[0][0])[r*lane]", "(r < 5 ? t : u)[lane][c]", "t[lane][c & 1]", "t[c][lane ^ r]", "u[lane][r]",
]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(FLAT), min_size=1, max_size=3), st.integers(0, 7), st.integers(0, 7))
def test_fixes_mean_the_same_at_every_value(expressions: list[str], r: int, c: int) -> None:
    declarations = "__shared__ float t[32][32], u[32][32];"
    patterns = [Pattern(expression, declarations) for expression in expressions]
    knobs = {"r": range(8), "c": range(8)}
    for fix in checked(patterns, {"r": r, "c": c}, knobs).fixes:
        agrees_everywhere(patterns, fix, knobs)
