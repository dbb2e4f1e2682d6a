"""Shell completion, asked as the shells ask; and that every command's help shows it in use."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from tests.cli.conftest import Run
from warpviz.cli.completion import SHELLS
from warpviz.cli.program import warpviz as program
from warpviz.hardware import OPS, SPACES
from warpviz.scene import shipped_scenes

ROOT = Path(__file__).parent.parent.parent
SCENES = {scene.name for scene in shipped_scenes()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to complete in, with the program on the PATH."""
    commands = tmp_path / "bin"
    commands.mkdir()
    warpviz = commands / "warpviz"
    warpviz.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m warpviz "$@"\n')
    warpviz.chmod(0o755)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(folder)
    return folder


def offered(line: str) -> list[str]:
    """What is offered for the last word of a line, through click."""
    *words, incomplete = line.split(" ")[1:]
    items = ShellComplete(program, {}, "warpviz", "_WARPVIZ_COMPLETE").get_completions(words, incomplete)
    return [item.value for item in items if item.type == "plain"]


def offered_in_bash(line: str) -> list[str]:
    """What is offered for the last word of a line in a real bash that has read the script."""
    words = line.split(" ")
    asking = (
        'eval "$(warpviz completion bash)"; set -- $(complete -p warpviz); '
        f"COMP_WORDS=({' '.join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}; "
        '"${@: -2:1}" warpviz; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "--norc", "-c", asking], capture_output=True, text=True, check=True, timeout=60)
    assert "Traceback" not in done.stderr
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="needs bash")
def test_in_a_real_bash(folder: Path) -> None:
    (folder / "lesson.toml").touch()
    (folder / "notes.txt").touch()
    assert {*SCENES, "predict", "measure", "completion", "lesson.toml"} <= set(offered_in_bash("warpviz "))
    assert offered_in_bash("warpviz pred") == ["predict"]
    assert offered_in_bash("warpviz tile-p") == ["tile-padding"]
    assert offered_in_bash("warpviz measure less") == ["lesson.toml"]
    assert offered_in_bash("warpviz predict s[lane] --space ") == list(SPACES)
    assert offered_in_bash("warpviz completion z") == ["zsh"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("warpviz tile-", ["tile-row-column", "tile-padding", "tile-swizzle"]),
        ("warpviz open aos", ["aos-soa"]),
        ("warpviz measure aos", ["aos-soa"]),
        ("warpviz sweep glo", ["global-stride"]),
        ("warpviz export str", ["stride"]),
        ("warpviz export --svg out.svg str", ["stride"]),
        ("warpviz -e s[lane] --op ", list(OPS)),
        ("warpviz predict s[lane] --op r", ["red"]),
        ("warpviz predict --mat", ["--matrices"]),
        ("warpviz measure --counters ", ["auto", "off", "require"]),
        ("warpviz --exp", ["--expression"]),
        ("warpviz --ver", ["--version"]),
        ("warpviz completion ", ["bash", "zsh", "fish"]),
        ("warpviz predict ", []),
        ("warpviz stride ", []),
    ],
)
def test_what_is_offered(folder: Path, line: str, answer: list[str]) -> None:
    assert offered(line) == answer


def test_scene_files_are_offered_in_any_folder(folder: Path) -> None:
    lessons = folder / "lessons"
    lessons.mkdir()
    for name in ("one.toml", "only.toml", "other.txt"):
        (lessons / name).touch()
    assert offered("warpviz lessons/on") == ["lessons/one.toml", "lessons/only.toml"]
    assert offered("warpviz nowhere/on") == []


def test_each_name_is_offered_once(folder: Path) -> None:
    for line in ("warpviz ", "warpviz -", "warpviz --"):
        names = offered(line)
        assert len(names) == len(set(names))


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell(shell: str, run: Run) -> None:
    answer = run("completion", shell)
    assert answer.code == 0
    assert f"_WARPVIZ_COMPLETE={shell}_complete" in answer.out
    if path := shutil.which(shell):
        subprocess.run([path, "-n"], input=answer.out, text=True, check=True)


@pytest.mark.parametrize(
    ("shell", "environment"),
    [
        ("zsh", {"COMP_WORDS": "warpviz tile-p", "COMP_CWORD": "1"}),
        ("fish", {"COMP_WORDS": "warpviz tile-p", "COMP_CWORD": "tile-p"}),
    ],
)
def test_zsh_and_fish_are_answered(
    shell: str, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, run: Run, folder: Path
) -> None:
    for name, value in {**environment, "_WARPVIZ_COMPLETE": f"{shell}_complete"}.items():
        monkeypatch.setenv(name, value)
    answer = run()
    assert answer.code == 0
    assert "tile-padding" in answer.out
    assert "A column with padding" in answer.out
    assert "tile-swizzle" not in answer.out


def test_a_question_never_opens_the_gallery(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("_WARPVIZ_COMPLETE", "zsh_source")
    monkeypatch.setattr("warpviz.cli.at_terminal", lambda: True)
    monkeypatch.setattr("warpviz.tui.app.run", lambda *rest: pytest.fail("the screen opened"))
    assert "compdef" in run().out


def test_an_unknown_shell(run: Run) -> None:
    answer = run("completion", "csh")
    assert answer.code == 2
    assert "'csh' is not one of 'bash', 'zsh', 'fish'" in answer.err


@pytest.mark.parametrize("name", ["", *program.commands])
def test_every_help_has_examples(name: str, run: Run) -> None:
    answer = run(*filter(None, [name]), "--help")
    assert answer.code == 0
    _, found, examples = answer.out.partition("Examples:\n")
    assert found
    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    assert len(lines) >= 2
    for line in lines:
        assert "warpviz" in line
        assert len(line) <= 100
    commands = [word for line in lines for word in line.split() if word in program.commands]
    assert name in ("", *commands)
