"""What each terminal is sent: the codes of as many colours as it shows, and the characters that it can draw."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from warpviz.tui.glyphs import ASCII, UNICODE, choose_glyphs
from warpviz.tui.palette import Depth, colour_depth

TERMINALS: dict[str, tuple[dict[str, str], Depth]] = {
    "truecolor": ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "rgb"),
    "24bit": ({"TERM": "xterm", "COLORTERM": "24bit"}, "rgb"),
    "256 colours": ({"TERM": "xterm-256color"}, "cube"),
    "16 colours": ({"TERM": "xterm"}, "ansi"),
    "linux console": ({"TERM": "linux"}, "ansi"),
    "tmux": ({"TERM": "tmux-256color"}, "cube"),
    "tmux in a truecolor terminal": ({"TERM": "tmux-256color", "COLORTERM": "truecolor"}, "rgb"),
    "screen": ({"TERM": "screen"}, "ansi"),
    "screen of 256 colours": ({"TERM": "screen-256color"}, "cube"),
    "dumb": ({"TERM": "dumb"}, "mono"),
    "no TERM": ({}, "mono"),
    "NO_COLOR": ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "no"}, "mono"),
    "empty NO_COLOR": ({"TERM": "xterm-256color", "NO_COLOR": ""}, "cube"),
    "NO_COLOR and FORCE_COLOR": ({"TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": "1"}, "mono"),
    "FORCE_COLOR": ({"TERM": "xterm", "FORCE_COLOR": "1"}, "ansi"),
    "CLICOLOR_FORCE": ({"TERM": "xterm-256color", "CLICOLOR_FORCE": "1"}, "cube"),
    "dumb and FORCE_COLOR": ({"TERM": "dumb", "FORCE_COLOR": "1"}, "mono"),
}
SPEAKING = ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "WARPVIZ_ASCII")
SGR = re.compile(rb"\x1b\[([0-9;]*)m")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no TERM")
@pytest.mark.parametrize(("environment", "depth"), TERMINALS.values(), ids=TERMINALS)
def test_the_depth_of_each_terminal(environment: dict[str, str], depth: Depth, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SPEAKING:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert colour_depth() == depth
    assert colour_depth("ansi") == ("mono" if environment.get("NO_COLOR") else "ansi")


@pytest.mark.parametrize(
    ("environment", "glyphs"),
    [
        ({}, UNICODE),
        ({"LANG": "en_US.UTF-8"}, UNICODE),
        ({"LANG": "C.utf8"}, UNICODE),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "C"}, ASCII),
        ({"LANG": "de_DE.ISO-8859-1"}, ASCII),
        ({"LANG": "de_DE.UTF-8", "LC_CTYPE": "POSIX"}, ASCII),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, ASCII),  # Python has set the latter
        ({"LC_CTYPE": "C.UTF-8"}, UNICODE),
        ({"LC_ALL": "C", "WARPVIZ_ASCII": "0"}, UNICODE),
        ({"LANG": "C.UTF-8", "WARPVIZ_ASCII": "1"}, ASCII),
        ({"LANG": "C.UTF-8", "WARPVIZ_ASCII": ""}, UNICODE),
    ],
)
def test_the_characters_of_each_locale(
    environment: dict[str, str], glyphs: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Output:
        encoding = "utf-8"

    monkeypatch.setattr(sys, "__stdout__", Output)
    assert choose_glyphs(environment) is glyphs
    Output.encoding = "iso8859-1"
    assert choose_glyphs(environment) is ASCII


def test_the_locale_of_a_terminal_is_nothing_to_a_file() -> None:
    assert choose_glyphs({"LC_ALL": "C"}, encoding="utf-8") is UNICODE


def colour_codes(raw: bytes) -> set[Depth]:
    """Of which depths the colours are that a terminal is sent."""
    found: set[Depth] = set()
    for sequence in SGR.findall(raw):
        numbers = [int(number or 0) for number in sequence.split(b";")]
        while numbers:
            number = numbers.pop(0)
            if number in (38, 48):
                kind = numbers.pop(0)
                del numbers[: 3 if kind == 2 else 1]
                found.add("rgb" if kind == 2 else "cube")
            elif 30 <= number <= 37 or 40 <= number <= 47 or 90 <= number <= 97 or 100 <= number <= 107:
                found.add("ansi")
    return found


def test_the_codes_are_told_apart() -> None:
    assert colour_codes(b"\x1b[1;38;2;31;5;7;48;5;33mx\x1b[0m") == {"rgb", "cube"}
    assert colour_codes(b"\x1b[31;1m") == colour_codes(b"\x1b[105m") == {"ansi"}
    assert colour_codes(b"\x1b[1;2;4;7;39;49m\x1b[m\x1b[31;5H") == set()


def seen(environment: dict[str, str], *keys: str) -> bytes:
    """Everything that the program writes to a terminal of just this environment while these keys are pressed."""
    pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    from tests.terminal import Terminal

    unset = [f"-u{name}" for name in (*SPEAKING, "LC_ALL", "LC_CTYPE", "WARPVIZ_MOTION") if name not in environment]
    given = [f"{name}={value}" for name, value in environment.items()]
    program = [sys.executable, "-m", "warpviz", "global-stride"]
    with Terminal(["env", *unset, *given, *program], 100, 30, {}) as terminal:
        terminal.until(lambda screen: any("predicted" in row for row in screen))
        for key in keys:
            terminal.send(key)
            terminal.until_quiet(0.15)
        terminal.send("\x03")
        assert terminal.exit_code() == 130
        return bytes(terminal.raw)


@pytest.mark.terminal
@pytest.mark.parametrize(("environment", "depth"), TERMINALS.values(), ids=TERMINALS)
def test_a_terminal_is_sent_its_own_codes_alone(environment: dict[str, str], depth: Depth) -> None:
    raw = seen(environment, "$", "t", "t", "e", "+")
    assert colour_codes(raw) == (set() if depth == "mono" else {depth})
    assert b"\x1b[1" in raw  # bold


@pytest.mark.terminal
@pytest.mark.parametrize(("colours", "depth"), [("rgb", "rgb"), ("256", "cube"), ("16", "ansi"), ("mono", "mono")])
def test_the_configuration_may_say_better(colours: str, depth: Depth, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'colours = "{colours}"')
    raw = seen({"TERM": "xterm-256color", "WARPVIZ_CONFIG": str(file)}, "$", "e")
    assert colour_codes(raw) == (set() if depth == "mono" else {depth})


@pytest.mark.terminal
@pytest.mark.parametrize(
    "environment",
    [{"WARPVIZ_ASCII": "1"}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LANG": "C"}, {"PYTHONIOENCODING": "latin-1"}],
    ids=["WARPVIZ_ASCII", "LC_ALL=C", "LC_ALL=POSIX", "LANG=C", "latin-1"],
)
def test_only_ascii_is_sent_where_nothing_else_can_be_drawn(environment: dict[str, str]) -> None:
    raw = seen({"TERM": "xterm-256color", **environment}, "$", "w", "t", "?")
    assert raw.decode("ascii")
    assert b"lane" in raw


@pytest.mark.terminal
def test_a_bad_configuration_leaves_the_terminal_alone(tmp_path: Path) -> None:
    pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    from tests.terminal import Terminal

    file = tmp_path / "config.toml"
    file.write_text('[keys]\nplay = "m"')
    for arguments in ([], ["stride"]):
        program = [sys.executable, "-m", "warpviz", *arguments]
        with Terminal(program, 200, 24, {"WARPVIZ_CONFIG": os.fspath(file)}) as terminal:
            assert terminal.exit_code() == 2
            assert terminal.raw.startswith(f"warpviz: {file}: keys.play takes m, which is measure's".encode())
            assert b"\x1b" not in terminal.raw
