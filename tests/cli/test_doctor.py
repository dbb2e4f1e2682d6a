"""`warpviz doctor`: what it says of machines that lack this and that."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.checks import by_name
from tests.cli.conftest import Run
from warpviz.cli.doctor import python, terminal
from warpviz.cli.doctor.check import degraded, missing, ok
from warpviz.cli.doctor.files import file_checks
from warpviz.cli.doctor.python import python_checks
from warpviz.cli.doctor.report import Style, as_json, lines, summary
from warpviz.cli.doctor.terminal import terminal_checks
from warpviz.gpu import gpu_present
from warpviz.tui.glyphs import ASCII, UNICODE

ROOT = Path(__file__).parent.parent.parent
STAND_INS = {
    "pynvml.py": "import time\ntime.sleep(600)",
    "cuda/__init__.py": "",
    "cuda/bindings/__init__.py": "import time\ntime.sleep(600)",
}


def in_a_process(*arguments: str, **environment: str | None) -> subprocess.CompletedProcess[bytes]:
    """environment: None takes a name out of it."""
    changed = {name: value for name, value in (os.environ | environment).items() if value is not None}
    command = [sys.executable, "-m", "warpviz", "doctor", *arguments]
    return subprocess.run(command, cwd=ROOT, env=changed, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def test_piped_it_is_plain_text_of_80_columns() -> None:
    done = in_a_process(PYTHONIOENCODING="ascii", PATH="", HOME=None, TERM=None, CUDA_VISIBLE_DEVICES="7")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode("ascii")
    assert "\x1b" not in text
    assert [line for line in text.splitlines() if len(line) > 80 and len(line.split()) > 1 and "/" not in line] == []
    groups = [line for line in text.splitlines() if line and not line.startswith((" ", "all ", "of "))]
    assert groups == ["terminal", "Python", "GPU", "compiler and tools", "files"]


def test_json_is_one_object(run: Run) -> None:
    answer = run("doctor", "--json")
    assert answer.code == 0
    (report,) = answer.objects
    assert set(report) == {"checks", "ok"}
    for check in report["checks"]:
        assert list(check) == ["group", "name", "status", "value", "mend"]
        assert check["status"] in ("ok", "degraded", "missing")
        assert (check["mend"] is None) == (check["status"] == "ok")
    assert report["ok"] == all(check["status"] == "ok" for check in report["checks"])
    assert {check["group"] for check in report["checks"]} == {
        "terminal",
        "Python",
        "GPU",
        "compiler and tools",
        "files",
    }


def test_on_macos_no_driver_and_no_tool_is_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    answer = run("doctor", "--json")
    groups = ("GPU", "compiler and tools")
    (gpu,) = (check for check in answer.objects[0]["checks"] if check["group"] in groups)
    assert gpu["value"] == "there is no CUDA for macOS"


def test_it_takes_no_argument(run: Run) -> None:
    assert run("doctor", "everything").code == 2


@pytest.mark.parametrize("absent", ["numpy", "warpviz.gpu", "warpviz.cli.doctor.python"])
def test_a_part_that_cannot_be_loaded_is_a_finding(absent: str) -> None:
    without = f"import sys; sys.modules[{absent!r}] = None"
    program = f"{without}; from warpviz.cli import main; sys.exit(main(['doctor', '--json']))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    report = json.loads(done.stdout)
    stumbled = [check for check in report["checks"] if "the doctor stumbles over" in check["value"]]
    assert [absent in check["value"] for check in stumbled] == [True] * len(stumbled) != []
    assert "configuration" in {check["name"] for check in report["checks"]}
    assert not report["ok"]


def test_neither_the_screen_nor_cuda_is_loaded() -> None:
    program = "import sys; from warpviz.cli import main; main(['doctor', '--json'])"
    tell = "print('loaded', *[m for m in ('textual', 'cuda', 'pynvml') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", f"{program}\n{tell}"], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"loaded"


@pytest.mark.terminal
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_ctrl_c_ends_it_and_what_it_started(tmp_path: Path) -> None:
    from tests.terminal import Terminal

    for name, text in STAND_INS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    program = (
        "import sys; from warpviz.gpu.machine import presence; presence.gpu_present = lambda: True; "
        "from warpviz.cli import main; sys.exit(main(['doctor']))"
    )
    environment = {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    with Terminal([sys.executable, "-c", program], 80, 24, environment) as screen:
        screen.until(lambda rows: any("asking CUDA and NVML" in row for row in rows))
        assert _processes_of(tmp_path)
        screen.send("\x03")
        assert screen.exit_code() == 130
    assert not _processes_of(tmp_path)
    assert b"Traceback" not in screen.raw


def _processes_of(folder: Path) -> list[str]:
    """The inventories whose stand-ins lie in this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            asked, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        if b"warpviz.gpu.machine.inventory" in asked and str(folder).encode() in environment:
            found.append(process.name)
    return found


def test_a_line_has_a_mark_and_a_word_and_the_mend_under_it() -> None:
    style = Style(UNICODE, 60)
    assert list(map(plain, lines(ok("TERM", "xterm"), style))) == ["  ✓ ok        TERM               xterm"]
    assert list(
        map(plain, lines(degraded("size", "40 columns, 12 rows, which is small", "make it larger"), style))
    ) == [
        "  ! degraded  size               40 columns, 12 rows, which",
        "                                 is small",
        "                                 → make it larger",
    ]
    (line, mend) = map(plain, lines(missing("driver", "41 °C\x1b[2J", "install it"), Style(ASCII, 60)))
    assert line == "  x missing   driver             41  C [2J"
    assert mend.endswith("-> install it")


def plain(line: str) -> str:
    import click

    return click.unstyle(line)


def test_the_summary_counts() -> None:
    well = [ok("a", "b")] * 3
    assert summary(well) == "all 3 checks are ok"
    assert summary([*well, missing("c", "d", "e"), degraded("f", "g", "h")]).startswith(
        "of 5 checks: 1 degraded, 1 missing"
    )
    assert json.loads(as_json([("x", well[0])])) == {
        "checks": [{"group": "x", "name": "a", "status": "ok", "value": "b", "mend": None}],
        "ok": True,
    }


NOTHING_SAID = ("TERM", "COLORTERM", "NO_COLOR", "TMUX", "SSH_CONNECTION", "SSH_TTY", "LC_ALL", "LC_CTYPE", "LANG")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A terminal of which the environment says nothing."""
    for name in (*NOTHING_SAID, "WARPVIZ_ASCII", "WARPVIZ_MOTION", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "__stdout__", SimpleNamespace(encoding="utf-8"))
    return monkeypatch


@pytest.mark.parametrize(
    ("environment", "name", "status", "said"),
    [
        ({}, "TERM", "degraded", "not set"),
        ({"TERM": "dumb"}, "TERM", "degraded", "dumb"),
        ({"TERM": "xterm-256color"}, "colours", "ok", "256, from TERM=xterm-256color"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "colours", "ok", "16 million, from COLORTERM=truecolor"),
        ({"TERM": "xterm"}, "colours", "degraded", "16, from TERM=xterm"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "colours", "ok", "as NO_COLOR says"),
        ({"LANG": "de_DE.UTF-8"}, "characters", "ok", "Unicode"),
        ({"LANG": "de_DE.ISO-8859-1"}, "characters", "degraded", "LANG=de_DE.ISO-8859-1 is no UTF-8"),
        ({"WARPVIZ_ASCII": "1"}, "characters", "ok", "WARPVIZ_ASCII=1"),
        ({"WARPVIZ_MOTION": "reduced"}, "motion", "ok", "reduced (WARPVIZ_MOTION)"),
        ({"WARPVIZ_MOTION": "wild"}, "motion", "degraded", "'wild'"),
        ({"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, "SSH", "ok", "yes"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="Windows has no TERM")
def test_what_the_environment_says(
    bare: pytest.MonkeyPatch, environment: dict[str, str], name: str, status: str, said: str
) -> None:
    for key, value in environment.items():
        bare.setenv(key, value)
    check = by_name(terminal_checks())[name]
    assert check.status == status
    assert said in check.value


def test_an_output_that_carries_no_unicode(bare: pytest.MonkeyPatch) -> None:
    bare.setattr(sys, "__stdout__", SimpleNamespace(encoding="latin-1"))
    check = by_name(terminal_checks())["characters"]
    assert (check.status, check.mend) == ("degraded", "export PYTHONUTF8=1")


@pytest.mark.parametrize(("size", "status"), [((60, 20), "ok"), ((59, 24), "degraded"), ((80, 19), "degraded")])
def test_a_window_has_a_least_size(bare: pytest.MonkeyPatch, size: tuple[int, int], status: str) -> None:
    bare.setattr(terminal, "_columns_and_rows", lambda: size)
    assert by_name(terminal_checks())["size"].status == status


@pytest.mark.parametrize(
    ("answer", "status"), [("echo on", "ok"), ("echo external", "degraded"), ("exit 1", "degraded"), (None, "degraded")]
)
@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_tmux_copies_when_it_is_told_to(
    bare: pytest.MonkeyPatch, tmp_path: Path, answer: str | None, status: str
) -> None:
    if answer is not None:
        (tmp_path / "tmux").write_text(f"#!/bin/sh\n{answer}\n")
        (tmp_path / "tmux").chmod(0o755)
    bare.setenv("PATH", str(tmp_path))
    bare.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    assert by_name(terminal_checks())["tmux"].status == status


def test_this_python_has_what_is_needed() -> None:
    assert {check.status for name, check in by_name(python_checks()).items() if name in ("Python", "numpy")} == {"ok"}


def test_packages_that_are_missing_or_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {"numpy": "1.25.0", "textual": "7.0rc1", "warpviz": "0.1.0"}

    def version(name: str) -> str:
        if name not in versions:
            raise PackageNotFoundError(name)
        return versions[name]

    declared = ["numpy>=1.26", "textual>=6", "click>=8.4", "elsewhere; sys_platform == 'nowhere'", "x; extra == 'test'"]
    monkeypatch.setattr(python, "requires", lambda name: declared)
    monkeypatch.setattr(python, "version", version)
    found = by_name(python_checks())
    assert {"elsewhere", "x"}.isdisjoint(found)
    assert (found["numpy"].status, found["numpy"].value) == ("degraded", "1.25.0; >=1.26 is needed")
    assert found["numpy"].mend.endswith("-m pip install 'numpy>=1.26'")
    assert found["textual"].status == "ok"
    assert found["click"].status == "missing"
    assert found["warpviz"].value.startswith("0.1.0, ")


def test_an_older_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    assert by_name(python_checks())["Python"].status == "missing"


def test_a_checkout_that_is_not_installed_reads_its_project_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(name: str) -> Any:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(python, "requires", not_installed)
    found = by_name(python_checks())
    assert {"numpy", "textual", "rich"} <= set(found)


def test_without_packaging_no_version_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "packaging.requirements", None)
    assert by_name(python_checks())["packages"].status == "missing"


def test_a_broken_configuration_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    monkeypatch.setenv("WARPVIZ_CONFIG", str(config))
    config.write_text('theme = "light"')
    assert by_name(file_checks())["configuration"] == ok("configuration", f"valid, {config}")
    config.write_text('theme = "pink"')
    check = by_name(file_checks())["configuration"]
    assert check.status == "degraded"
    assert "pink" in check.value
    assert by_name(terminal_checks())["motion"].status == "ok"


def test_no_configuration_is_ok(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WARPVIZ_CONFIG", raising=False)
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: tmp_path / name)
    check = by_name(file_checks())["configuration"]
    assert check.status == "ok"
    assert check.value.startswith("none")


def test_a_cache_that_keeps_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    for folder in (str(in_the_way / "cache"), "off"):
        monkeypatch.setenv("WARPVIZ_CACHE", folder)
        assert by_name(file_checks())["cache"].status == "degraded"


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=1_000_000))
    assert by_name(file_checks())["space"].status == "degraded"


def test_a_damaged_recorded_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("{")
    monkeypatch.setenv("WARPVIZ_RECORDED", str(tmp_path))
    damaged = [check for check in file_checks() if str(tmp_path / "mine.json") in check.value]
    assert [check.status for check in damaged] == ["degraded"]


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no NVIDIA driver")
def test_on_a_gpu_all_of_it_is_tried(run: Run) -> None:
    checks = {check["name"]: check for check in run("doctor", "--json").objects[0]["checks"]}
    assert [checks[name]["status"] for name in ("driver", "CUDA", "NVRTC", "measuring")] == ["ok"] * 4
    assert "GPU 0 memory" in checks or "visible GPUs" in checks
