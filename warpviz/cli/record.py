"""`warpviz record`."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from warpviz.cli.exits import Exit
from warpviz.cli.measured import failed
from warpviz.cli.recorded import outcomes_in_words
from warpviz.comparing import verdict_of
from warpviz.gpu import Gpu, GpuError, Probe, gpu_present, recorded
from warpviz.gpu.machine.presence import NO_DRIVER
from warpviz.gpu.recorded import Entry
from warpviz.gpu.recorder import Batch, Recorder, Subject, Told
from warpviz.gpu.request import Counters
from warpviz.recording import subjects_of
from warpviz.wording import counted, printable

_MOST_LINES = 10  # of one kind in the summary
_SAVE_EVERY_SECONDS = 20.0
_LINE_EVERY = 500  # accesses, where the progress goes to no terminal


def record(file: str | None, counters: Counters, only: Sequence[str], device: str | None) -> int:
    """Measure, write the file as it grows, and say what is in it; gives the exit code.

    file: None for the usual place. only: see `subjects_of`. device: see `Probe`.
    Raises SceneError, click.UsageError for bad input.
    """
    subjects = subjects_of(only)
    kept = _Kept(None if file is None else Path(file))
    if not gpu_present():
        return failed(GpuError("no_gpu", NO_DRIVER))
    code = _measure(subjects, Probe(device), counters, kept)
    if kept.new:
        click.echo("\n".join(kept.summary()))
    return code


class _Kept:
    """What is recorded, and the file that has it. path: None for the usual place, known when the GPU is.

    Raises click.UsageError when the file cannot be added to.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.new: dict[str, Entry] = {}
        self.refused: list[tuple[Subject, str]] = []
        self._entries: dict[str, Entry] = {}
        self._next_save = 0.0
        if path is not None:
            self._begin(path)

    def keep(self, batch: Batch) -> None:
        """Add to what is recorded, and write the first and now and then the rest to the file."""
        self.refused += batch.refused
        if not batch.entries:
            return
        if self.path is None:
            self.path = recorded.user_folder() / _file_name(batch.entries[0].measurement.gpu)
            self._begin(self.path)
        self.new = recorded.joined(self.new, batch.entries)
        self._entries = recorded.joined(self._entries, batch.entries)
        if time.monotonic() >= self._next_save:
            self.save()

    def save(self) -> None:
        """Write the file, if there is anything to write."""
        if self.path is None or not self.new:
            return
        self._next_save = time.monotonic() + _SAVE_EVERY_SECONDS
        try:
            if self.path.parent == recorded.user_folder():
                self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists():  # another may have added to it meanwhile
                self._entries = recorded.joined(recorded.read(self.path), self._entries.values())
            recorded.write(self.path, self._entries)
        except ValueError as error:
            raise click.UsageError(f"{error}: give another FILE") from error
        except OSError as error:
            raise click.UsageError(f"{self.path} cannot be written: {error.strerror or error}") from error

    def summary(self) -> list[str]:
        """What was recorded, in lines."""
        gpu = next(iter(self.new.values())).measurement.gpu
        verdicts = [(entry, verdict_of(entry.measurement)) for entry in self.new.values()]
        outcomes = Counter(verdict.outcome for _, verdict in verdicts)
        off = [f"{_named(e.labels, e)}: {verdict.sentence}" for e, verdict in verdicts if verdict.outcome == "off"]
        reasons = Counter(verdict.sentence for _, verdict in verdicts if verdict.outcome == "unmeasured")
        return [
            f"{printable(gpu.in_words)}: {counted(len(self.new), 'access')} recorded in {self.path}",
            f"  {outcomes_in_words(outcomes)}, {len(self.refused):,} could not be measured",
            *_some([f"off: {line}" for line in off]),
            *_some([f"not told, {n:,} times: {reason}" for reason, n in reasons.most_common()]),
            *_some([f"not measured: {', '.join(subject.labels)}: {sentence}" for subject, sentence in self.refused]),
        ]

    def _begin(self, path: Path) -> None:
        """With what the file already holds."""
        if path.exists():
            try:
                self._entries = recorded.read(path)
            except ValueError as error:
                raise click.UsageError(f"{error}; move it away or give another FILE") from error


def _measure(subjects: Sequence[Subject], probe: Probe, counters: Counters, kept: _Kept) -> int:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with probe, Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("starting", total=len(subjects))
        told = _telling(progress, task) if console.is_terminal else _telling_lines(console, len(subjects))
        recorder = Recorder(probe, counters, told)
        try:
            for batch in recorder.record(subjects):
                kept.keep(batch)
        except GpuError as error:
            return failed(error)
        except KeyboardInterrupt:
            return Exit.INTERRUPTED
        finally:
            kept.save()
    return Exit.DONE if kept.new else Exit.MEASUREMENT_FAILED


def _telling(progress: Progress, task: TaskID) -> Told:
    return lambda done, stage: progress.update(task, completed=done, description=stage)


def _telling_lines(console: Console, total: int) -> Told:
    """A line now and then, where nothing can be drawn over."""
    said = 0

    def tell(done: int, stage: str) -> None:
        nonlocal said
        if done >= said + _LINE_EVERY:
            said = done
            console.print(f"{done:,} of {total:,} recorded", highlight=False)

    return tell


def _file_name(gpu: Gpu) -> str:
    """Of its own for each GPU, driver and compiler, since a file is of one."""
    words = f"{gpu.name} driver {gpu.driver} nvrtc {gpu.nvrtc}"
    return re.sub(r"[^a-z0-9.]+", "-", words.lower()).strip("-.") + ".json"


def _named(labels: Sequence[str], entry: Entry) -> str:
    access = entry.measurement.access
    return printable(f"{labels[0]} ({access.space} {access.op}, {counted(access.width, 'byte')})")


def _some(lines: Sequence[str]) -> list[str]:
    """The first of these lines, and how many more there are."""
    more = len(lines) - _MOST_LINES
    return [f"  {line}" for line in lines[:_MOST_LINES]] + ([f"  and {more:,} more"] if more > 0 else [])
