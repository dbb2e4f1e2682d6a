"""The user's configuration: what it says, what is wrong in it, and what goes before it."""

from __future__ import annotations

import doctest
import os
import sys
from pathlib import Path

import pytest

from tests.tui.conftest import app_of, scene
from warpviz.cli import main
from warpviz.tui import keymap
from warpviz.tui.app import WarpvizApp
from warpviz.tui.config import DEFAULTS, Config, ConfigError, choose_motion, config_path, read_config, user_config
from warpviz.tui.glyphs import ASCII, UNICODE, choose_glyphs
from warpviz.tui.keymap import shown_keys, written
from warpviz.tui.keys import EXPLORER_KEYS, GALLERY_KEYS, LAST_KEYS, PRESENTING_KEYS
from warpviz.tui.palette import colour_depth, palette

TABLES = (EXPLORER_KEYS, PRESENTING_KEYS, GALLERY_KEYS)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration file of this test, and no other."""
    path = tmp_path / "config.toml"
    monkeypatch.setenv("WARPVIZ_CONFIG", str(path))
    for name in ("NO_COLOR", "WARPVIZ_ASCII", "WARPVIZ_MOTION"):
        monkeypatch.delenv(name, raising=False)
    return path


def test_every_setting(file: Path) -> None:
    file.write_text(
        'theme = "contrast"\nascii = true\ncolours = "256"\nmotion = "reduced"\n'
        '[keys]\nplay = "space, k"\nstep_on = "L"\nhelp = "f1,?"\nundo = "ctrl+Z"\nprevious_lane = ","\n'
    )
    keys = {"play": "space,k", "step_on": "L", "help": "f1,question_mark", "undo": "ctrl+z", "previous_lane": "comma"}
    assert user_config(TABLES) == Config("contrast", True, "cube", "reduced", keys)


@pytest.mark.parametrize(
    ("text", "config"),
    [
        ("", DEFAULTS),
        ('colours = "auto"', DEFAULTS),
        ('theme = "light"', Config(theme="light")),
        ("ascii = false", Config(ascii=False)),
        ('colours = "16"', Config(colours="ansi")),
        ("[keys]", DEFAULTS),
    ],
)
def test_what_is_left_out_is_found_out(file: Path, text: str, config: Config) -> None:
    file.write_text(text)
    assert read_config(file, TABLES) == config


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("theme = dark", "is not TOML: "),
        ("x = " + "[" * 5000, "is not TOML: "),
        ('theme = "blue"', 'theme is "blue"; write "dark" or "light" or "contrast"'),
        ("theme = 1", 'theme is 1; write "dark" or "light" or "contrast"'),
        ("theme = []", 'theme is []; write "dark" or "light" or "contrast"'),
        ("ascii = 1", "ascii is 1; write true or false"),
        ('ascii = "true"', 'ascii is "true"; write true or false'),
        ("colours = 256", 'colours is 256; write "auto" or "rgb" or "256" or "16" or "mono"'),
        ('motion = "none"', 'motion is "none"; write "full" or "reduced"'),
        ('colour = "256"', "colour is no setting; the settings are theme, ascii, colours, motion, keys"),
        ("keys = 3", 'keys is a table; write [keys] and under it lines like play = "space,k"'),
        ('[keys]\nplai = "k"', "keys.plai is no action; the actions are play, step_on, step_back, "),
        ("[keys]\nplay = 5", 'keys.play is 5; write keys in quotes, such as "space,k"'),
        ('[keys]\nplay = ""', "keys.play names no key; "),
        ('[keys]\nplay = "spcae"', "keys.play names 'spcae', which is no key; "),
        ('[keys]\nplay = "hold+k"', "keys.play names 'hold+k', which is no key; "),
        ('[keys]\nplay = "ctrl+c"', "keys.play takes ctrl+c, which always leaves the program at once; "),
        ('[keys]\nplay = "m"', "keys.play takes m, which is measure's; give measure another key too"),
        ('[keys]\nplay = "z"\nmeasure = "z"', "keys.measure takes z, which is play's; give play another key too"),
        ('[keys]\nfilter = "up"', "keys.filter takes ↑, which is choose_up's; give choose_up another key too"),
    ],
)
def test_one_sentence_names_the_file_the_key_and_the_mend(file: Path, text: str, sentence: str) -> None:
    file.write_text(text)
    with pytest.raises(ConfigError) as raised:
        read_config(file, TABLES)
    assert str(raised.value).startswith(f"{file}: {sentence}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        '[keys]\nplay = "m"\nmeasure = "space"',
        '[keys]\nfilter = "x"',
        '[keys]\nopen = "l"',
        '[keys]\nstep_on = "right"',
    ],
)
def test_keys_may_change_places_and_screens_may_share_them(file: Path, text: str) -> None:
    file.write_text(text)
    assert read_config(file, TABLES).keymap


def test_no_two_actions_of_a_screen_share_a_key_to_begin_with() -> None:
    for table in TABLES:
        keys = [name for key in table for name in key.keys.split(",")]
        assert len(keys) == len(set(keys))
        assert len({key.id for key in table}) == len(table)


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"#" * 200_000], ids=["missing", "no text", "too long"])
def test_a_named_file_that_cannot_be_read(file: Path, content: bytes | None) -> None:
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"config\.toml: (cannot be read|is not UTF-8|is larger)"):
        user_config(TABLES)


@pytest.mark.skipif(sys.platform != "linux", reason="XDG_CONFIG_HOME is for Linux")
def test_the_platforms_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WARPVIZ_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_path() == tmp_path / "warpviz" / "config.toml"
    assert user_config(TABLES) == DEFAULTS
    config_path().parent.mkdir()
    config_path().write_text('theme = "light"')
    assert user_config(TABLES).theme == "light"


def test_the_environment_goes_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour_depth("rgb") == "mono"
    monkeypatch.setenv("NO_COLOR", "")
    assert colour_depth("rgb") == "rgb"
    assert choose_glyphs({"WARPVIZ_ASCII": "1"}, "utf-8", ascii_wished=False) is ASCII
    assert choose_glyphs({"WARPVIZ_ASCII": "0"}, "utf-8", ascii_wished=True) is UNICODE
    assert choose_glyphs({}, "utf-8", ascii_wished=True) is ASCII
    assert choose_glyphs({}, "latin-1", ascii_wished=False) is ASCII
    assert choose_motion("reduced", {"WARPVIZ_MOTION": "full"}) == "full"
    assert choose_motion("full", {"WARPVIZ_MOTION": "reduced"}) == "reduced"
    assert choose_motion("reduced", {}) == "reduced"
    with pytest.raises(ConfigError, match="WARPVIZ_MOTION is 'slow'; set it to full or reduced"):
        choose_motion("full", {"WARPVIZ_MOTION": "slow"})


async def test_the_app_follows_it(nothing_recorded: None) -> None:
    config = Config("light", True, "cube", "reduced", {"first": "k"})
    app = WarpvizApp(scene("s[16*lane]"), gallery=(), config=config)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.3)
        assert app.look.palette is palette("cube", "light")
        assert app.look.glyphs is ASCII
        assert app.look.motion == "reduced"
        assert app.console.color_system == "256"
        await pilot.press("end", "home")
        assert app.screen.view.position > 0  # type: ignore[attr-defined]
        await pilot.press("k")
        assert app.screen.view.position == 0  # type: ignore[attr-defined]
        await pilot.press("t")
        assert app.look.palette is palette("cube", "contrast")


@pytest.mark.parametrize("arguments", [[], ["stride"]])
def test_a_bad_file_is_said_before_the_screen_opens(
    file: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('theme = "blue"')
    for name in ("warpviz.cli.at_terminal", "warpviz.cli.open.at_terminal"):
        monkeypatch.setattr(name, lambda: True)
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f'warpviz: {file}: theme is "blue"; write "dark" or "light" or "contrast"\n'


def test_the_footer_and_the_help_show_the_users_keys() -> None:
    assert shown_keys("← →", EXPLORER_KEYS, {}) == "← →"
    assert shown_keys("← →", EXPLORER_KEYS, {"step_on": "l,f2", "step_back": "j"}) == "j l f2"
    assert shown_keys("← →", EXPLORER_KEYS, {"step_on": "l"}) == "← l"
    assert shown_keys("home 0", EXPLORER_KEYS, {"first": "g"}) == "g"
    assert shown_keys("?", EXPLORER_KEYS, {"help": "f1"}) == "f1"
    assert shown_keys("0-9", PRESENTING_KEYS, {"help": "f1"}) == "0-9"
    assert [written(key) for key in ("question_mark", "ctrl+p", "A", "plus", "shift+tab", "f1")] == [
        "?", "ctrl+p", "A", "+", "shift+tab", "f1",
    ]  # fmt: skip


def test_what_the_screen_writes_for_a_key_is_a_key_of_its_screen() -> None:
    """So that a user's own key takes its place."""
    for table in TABLES:
        names = {written(name) for key in table for name in key.keys.split(",")}
        words = {word for key in table for word in key.shown.split()}
        assert words - names <= {"0-9"}
        assert {name for name, _ in LAST_KEYS} <= names


def test_examples_in_docstrings() -> None:
    result = doctest.testmod(keymap)
    assert result.attempted > 0
    assert result.failed == 0


def test_no_test_reads_the_users_own_file() -> None:
    assert os.environ["WARPVIZ_CONFIG"] == os.devnull
    assert app_of(None).look.motion == "full"
