"""`warpviz recorded`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from warpviz.cli.complain import complain
from warpviz.cli.exits import Exit
from warpviz.comparing import verdict_of
from warpviz.gpu import Gpu
from warpviz.gpu.recorded import Entry, RecordedFile, known, open_file
from warpviz.gpu.verdict.comparison import Outcome
from warpviz.wording import counted, printable

SAID: dict[Outcome, str] = {"equal": "equal the prediction", "off": "are off", "unmeasured": "have no answer"}


def list_recorded(places: Sequence[str], as_json: bool) -> int:
    """Print what each file holds; one that cannot be read is complained of. Gives the exit code.

    places: files, and folders of them; none for those that the program finds by itself.
    """
    code = Exit.DONE
    files = known() if not places else [file for place in places for file in _files(Path(place))]
    if not files:
        complain(f"there is no recorded file in {', '.join(places)}")
    for file in files:
        try:
            outcomes = outcomes_of(file.entries()) if not file.problem else {}
        except ValueError as error:
            file, outcomes = RecordedFile(file.path, file.shipped, problem=str(error)), {}
        if file.problem and str(file.path) in places:
            code = Exit.BAD_INPUT
        if as_json:
            click.echo(json.dumps(_as_json(file, outcomes)))
        elif file.gpu is not None:
            click.echo("\n".join(_lines(file, file.gpu, outcomes)))
        if file.problem:
            complain(file.problem)
    return code


def outcomes_of(entries: Mapping[str, Entry]) -> Mapping[Outcome, int]:
    """How many measurements equal the prediction, are off, and do not tell."""
    return Counter(verdict_of(entry.measurement).outcome for entry in entries.values())


def outcomes_in_words(outcomes: Mapping[Outcome, int]) -> str:
    """
    >>> outcomes_in_words({"equal": 3, "off": 1})
    '3 equal the prediction, 1 are off, 0 have no answer'
    """
    return ", ".join(f"{outcomes.get(outcome, 0):,} {said}" for outcome, said in SAID.items())


def _files(place: Path) -> list[RecordedFile]:
    """The files of a folder; for anything else the file itself, with its problem if it has one."""
    return [open_file(path) for path in (sorted(place.glob("*.json")) if place.is_dir() else [place])]


def _lines(file: RecordedFile, gpu: Gpu, outcomes: Mapping[Outcome, int]) -> list[str]:
    ships = ", comes with warpviz" if file.shipped else ""
    return [
        f"{printable(gpu.in_words)}, {printable(file.last[:10])}{ships}",
        f"  {counted(file.count, 'measurement')}: {outcomes_in_words(outcomes)}",
        f"  {printable(str(file.path))}; in the explorer: --recorded {printable(file.known_as)}",
    ]


def _as_json(file: RecordedFile, outcomes: Mapping[Outcome, int]) -> dict[str, Any]:
    return asdict(file) | {"path": str(file.path)} | {outcome: outcomes.get(outcome, 0) for outcome in SAID}
