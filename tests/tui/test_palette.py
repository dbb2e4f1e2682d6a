"""The colours, as every kind of colour vision sees them; and how readable they are."""

from __future__ import annotations

import doctest
import importlib
import itertools

import numpy as np
import pytest
from rich.color import Color, ColorSystem
from rich.style import Style

from tests.tui.colour_blindness import VISIONS, Vision, ciede2000, contrast, difference
from warpviz.tui.palette import HUES, THEMES, Depth, Palette, State, Theme, next_theme, palette, themes_of

STATES: tuple[State, ...] = ("waiting", "now", "served")
DEPTHS: tuple[Depth, ...] = ("rgb", "cube")
# The least CIEDE2000 difference between two hues of one state and tint: of any two, of neighbours. A terminal of 256
# colours has few dark ones.
APART: dict[tuple[Depth, State, int], tuple[float, float]] = {
    ("rgb", "waiting", 0): (10, 15),
    ("rgb", "waiting", 1): (10, 15),
    ("rgb", "now", 0): (10, 15),
    ("rgb", "now", 1): (10, 15),
    ("rgb", "served", 0): (6, 8.5),
    ("rgb", "served", 1): (4.5, 7),
    ("cube", "waiting", 0): (7.5, 13),
    ("cube", "waiting", 1): (7.5, 13),
    ("cube", "now", 0): (7.5, 13),
    ("cube", "now", 1): (7.5, 13),
    ("cube", "served", 0): (5, 7),
    ("cube", "served", 1): (4.5, 7),
}

every_theme = pytest.mark.parametrize(("depth", "theme"), list(itertools.product(DEPTHS, THEMES)))
every_vision = pytest.mark.parametrize("vision", VISIONS)


def shown(colour: Color | None, depth: Depth) -> tuple[int, int, int]:
    """What a terminal of this depth shows for a colour."""
    assert colour is not None
    if depth == "cube":
        colour = colour.downgrade(ColorSystem.EIGHT_BIT)
    red, green, blue = colour.get_truecolor()
    return red, green, blue


def ink(style: Style, depth: Depth) -> tuple[int, int, int]:
    return shown(style.color, depth)


def ground(style: Style, depth: Depth) -> tuple[int, int, int]:
    return shown(style.bgcolor, depth)


def hue_colours(look: Palette, depth: Depth, state: State, tint: int) -> np.ndarray:
    """What tells the hues apart in a state: the number's own colour while it waits, then the block's."""
    of = ink if state == "waiting" else ground
    return np.array([of(hue.of(state, tint), depth) for hue in look.hues])


def ratio(style: Style, depth: Depth) -> float:
    return float(contrast(ink(style, depth), ground(style, depth)))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # from the supplementary test data of Sharma, Wu and Dalal (2005)
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
        ((50, -0.001, 2.49), (50, 0.0011, -2.49), 4.7461),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_is_ciede2000(one: tuple[float, ...], other: tuple[float, ...], expected: float) -> None:
    assert float(ciede2000(np.array(one), np.array(other))) == pytest.approx(expected, abs=1e-4)


def test_the_simulation_confuses_what_people_confuse() -> None:
    red, green, blue, teal = (200, 60, 40), (110, 120, 30), (60, 90, 220), (0, 110, 130)
    assert difference(red, green) > 40
    assert difference(red, green, "deuteranopia") < difference(red, green) / 2
    assert difference(blue, teal, "tritanopia") < difference(blue, teal) / 1.5
    assert float(difference((120, 120, 120), (120, 120, 120), "protanopia")) == 0
    assert float(contrast((0, 0, 0), (255, 255, 255))) == pytest.approx(21)


@every_theme
@every_vision
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("tint", [0, 1])
def test_hues_stay_apart(depth: Depth, theme: Theme, vision: Vision, state: State, tint: int) -> None:
    colours = hue_colours(palette(depth, theme), depth, state, tint)
    apart = difference(colours[:, None], colours[None, :], vision)
    any_two, neighbours = APART[depth, state, tint]
    assert apart[np.triu_indices(HUES, 1)].min() >= any_two
    assert min(apart[i, (i + 1) % HUES] for i in range(HUES)) >= neighbours


@every_theme
@every_vision
def test_states_stay_apart(depth: Depth, theme: Theme, vision: Vision) -> None:
    """By the ground of a block: that of the screen while it waits, a bright one now, a deep one when served."""
    look = palette(depth, theme)
    for tint in (0, 1):
        for hue in look.hues:
            waiting, now, served = (ground(hue.of(state, tint), depth) for state in STATES)
            assert difference(waiting, now, vision) >= 25
            assert difference(now, served, vision) >= 12
            assert difference(waiting, served, vision) >= 7.5
            assert waiting == ground(look.blank, depth)


@every_theme
@every_vision
def test_tints_part_neighbours(depth: Depth, theme: Theme, vision: Vision) -> None:
    for hue in palette(depth, theme).hues:
        for state in STATES:
            of = ink if state == "waiting" else ground
            assert difference(of(hue.of(state, 0), depth), of(hue.of(state, 1), depth), vision) >= 2.5


@every_theme
@every_vision
def test_what_matters_stands_out(depth: Depth, theme: Theme, vision: Vision) -> None:
    look = palette(depth, theme)
    blank = ground(look.blank, depth)
    good, bad, text, quiet = (ink(style, depth) for style in (look.good, look.bad, look.text, look.quiet))
    assert difference(good, bad, vision) >= 14
    assert min(difference(good, text, vision), difference(bad, text, vision)) >= 8
    assert min(difference(good, quiet, vision), difference(bad, quiet, vision)) >= 8
    assert difference(ground(look.fullest, depth), blank, vision) >= 30
    assert difference(ground(look.fullest, depth), ground(look.chosen, depth), vision) >= 18
    assert difference(ink(look.waste, depth), blank, vision) >= 20
    shade = np.array(ink(look.waste, depth)) / 4 + np.array(blank) * 3 / 4  # ░ is a quarter ink
    for hue, tint in itertools.product(look.hues, (0, 1)):
        assert difference(shade, ground(hue.of("served", tint), depth), vision) >= 3


@every_theme
def test_the_chosen_lane_stands_out(depth: Depth, theme: Theme) -> None:
    for hue in palette(depth, theme).hues:
        for state in ("now", "served"):
            chosen = hue.of(state, 0, chosen=True)
            for tint in (0, 1):
                assert hue.of(state, tint) != chosen
            assert ratio(chosen, depth) >= 4.5
        now, served = (ground(hue.of(state, 0, chosen=True), depth) for state in ("now", "served"))
        assert difference(now, served) >= 10


@every_theme
def test_text_is_readable(depth: Depth, theme: Theme) -> None:
    """WCAG 2: 4.5 for text (AA), 7 for the high-contrast theme's (AAA), 3 for numbers in blocks and for drawings."""
    look = palette(depth, theme)
    least = 7 if theme == "contrast" else 4.5
    texts = ("text", "strong", "quiet", "dim", "bar", "chosen", "good", "bad", "fullest")
    assert {
        name: ratio(getattr(look, name), depth) for name in texts if ratio(getattr(look, name), depth) < least
    } == {}
    assert ratio(look.waste, depth) >= 3
    assert ratio(look.faint, depth) >= (4.5 if theme == "contrast" else 1.6)
    for hue in look.hues:
        for state, tint in itertools.product(STATES, (0, 1)):
            deep = state == "served" and depth == "cube"  # 256 colours have few deep ones
            assert ratio(hue.of(state, tint), depth) >= (7 if theme == "contrast" and not deep else 3)


@pytest.mark.parametrize("theme", THEMES)
def test_the_numbered_colours_are_kept(theme: Theme) -> None:
    """What a terminal of 256 colours shows for each is no neighbour of it."""
    look = palette("cube", theme)
    styles = [hue.of(state, tint) for hue in look.hues for state in STATES for tint in (0, 1)]
    for style in [look.text, look.quiet, look.dim, look.faint, look.waste, look.good, look.bad, look.bar, *styles]:
        for colour in (style.color, style.bgcolor):
            wanted = np.array(shown(colour, "rgb"))
            assert np.abs(wanted - shown(colour, "cube")).max() <= 8


@pytest.mark.parametrize("theme", THEMES)
def test_sixteen_colours_are_the_terminals_own(theme: Theme) -> None:
    look = palette("ansi", theme)
    styles = [look.text, look.quiet, look.good, look.bad, look.fullest, look.waste]
    styles += [hue.of(state, tint) for hue in look.hues for state in STATES for tint in (0, 1)]
    for style in styles:
        for colour in (style.color, style.bgcolor):
            assert colour is None or colour.number in range(16)
            assert colour is None or colour.triplet is None
        assert style.color is None or style.bgcolor is None or style.color != style.bgcolor
    for hue in look.hues:
        assert len({hue.of(state, 0) for state in STATES}) == 3
    assert len({hue.of("now", 0).bgcolor for hue in look.hues}) == HUES
    if theme == "contrast":
        assert "bright_black" not in {style.color.name for style in styles if style.color}


def test_states_differ_without_any_colour() -> None:
    look = palette("mono", "dark")
    styles = [look.hues[0].of(state, 0) for state in STATES]
    assert len(set(styles)) == 3
    for style in [*styles, look.bar, look.fullest, look.good]:
        assert style.color is None
        assert style.bgcolor is None
    assert not palette("mono", "contrast").quiet.dim


def test_a_key_goes_through_the_themes() -> None:
    assert [next_theme("rgb", theme) for theme in THEMES] == ["light", "contrast", "dark"]
    for depth in ("rgb", "cube", "ansi", "mono"):
        assert len({palette(depth, theme) for theme in themes_of(depth)}) == len(themes_of(depth))


@pytest.mark.parametrize("module", ["colours", "choose"])
def test_examples_in_docstrings(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"warpviz.tui.palette.{module}"))
    assert result.attempted > 0
    assert result.failed == 0
