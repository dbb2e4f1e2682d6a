"""What the README says is what the program does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.conftest import run as run  # the fixture
from tests.readme import table

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^\$ (warpviz (?:predict|sweep) .+)\n((?:.+\n)+)", README, re.MULTILINE)


def test_the_table_is_the_recorded_measurements() -> None:
    assert table() in README
    assert "✗" not in table()


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=lambda text: text[:30])
def test_shown_output_is_what_comes_out(run: Run, command: str, output: str) -> None:
    answer = run(*shlex.split(command)[1:])
    assert answer.code == 0
    assert answer.out.rstrip() == output.replace("```", "").rstrip()


def test_two_commands_set_up_run_and_test() -> None:
    assert len(SHOWN) >= 3
    setups = re.findall(r"^\$ (python3 -m venv .+)$", README, re.MULTILINE)
    assert [line.rpartition("/")[2] for line in setups] == ["warpviz", "python -m pytest -n 3"]


def test_what_the_readme_names_is_there() -> None:
    for name in re.findall(r"\]\((\S+?)\)|^\| `((?:warpviz|kernels)/\S*)`", README, re.MULTILINE):
        assert (ROOT / (name[0] or name[1])).exists(), name


def test_the_picture_is_what_the_program_draws(run: Run) -> None:
    answer = run("export", "stride", "--step", "5", "--size", "100x20", "--svg", "-")
    assert answer.code == 0
    assert answer.out == (ROOT / "scenes" / "stride.svg").read_text(encoding="utf-8")
