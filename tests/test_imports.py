"""What each part may load, seen in a fresh process; and that the examples in the docstrings hold."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import warpviz

HEAVY = ("numpy", "pycparser", "textual", "rich", "click", "cuda.bindings")
EVALUATE = "from warpviz.expression import Pattern, parse; parse(Pattern('s[lane]')).evaluate({})"


@pytest.mark.parametrize(
    ("statement", "loaded"),
    [
        ("import warpviz, warpviz.hardware, warpviz.scene; warpviz.scene.shipped_scenes()", ()),
        ("import warpviz; warpviz.cost", ("numpy",)),
        (EVALUATE, ("numpy", "pycparser")),
        ("import warpviz.gpu", ("numpy",)),
        ("import warpviz.tui.app, warpviz.tui.screens.gallery", ("textual", "rich")),
        ("from warpviz.cli import main; main(['predict', 's[lane]'])", ("numpy", "pycparser", "click")),
    ],
    ids=["scenes", "model", "expression", "gpu", "screen", "predict"],
)
def test_nothing_loads_more_than_it_needs(statement: str, loaded: tuple[str, ...]) -> None:
    tell = f"import sys; print('loaded', *[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", f"{statement}\n{tell}"], capture_output=True, text=True, check=True)
    assert set(done.stdout.splitlines()[-1].split()[1:]) == set(loaded)


def test_examples_in_docstrings() -> None:
    modules = [info.name for info in pkgutil.walk_packages(warpviz.__path__, "warpviz.") if "__main__" not in info.name]
    results = [doctest.testmod(importlib.import_module(module)) for module in ["warpviz", *modules]]
    assert sum(result.attempted for result in results) > 20
    assert sum(result.failed for result in results) == 0
