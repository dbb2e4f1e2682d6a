"""Setup: what the user edits. Pinned: a setup that the present one is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpviz.expression import Pattern
from warpviz.scene import Knob
from warpviz.tui.measuring import Measuring
from warpviz.tui.shown import Shown, read

if TYPE_CHECKING:
    from warpviz.gpu.recorded import RecordedFile


@dataclass(frozen=True)
class Setup:
    """What the user edits, and what undo takes back.

    patterns: one for each access of the scene. knobs: with their present values. arch: such as sm_90. recording: the
    file whose measurements are shown; None for the newest of this architecture.
    """

    patterns: tuple[Pattern, ...]
    knobs: tuple[Knob, ...]
    arch: str
    recording: RecordedFile | None = None

    @property
    def values(self) -> dict[str, int]:
        """The knobs' present values by name."""
        return {knob.name: knob.value for knob in self.knobs}


@dataclass(frozen=True)
class Pinned:
    """A: one access of a setup, as it was when it was pinned. access: its index."""

    setup: Setup
    access: int
    shown: Shown
    measuring: Measuring

    @property
    def pattern(self) -> Pattern:
        """What was asked."""
        return self.setup.patterns[self.access]

    @property
    def values(self) -> dict[str, int]:
        """The values of the names that stand in its texts."""
        return named_values(self.setup, self.access)


def named_values(setup: Setup, access: int) -> dict[str, int]:
    """The knobs' values by name, of the names that stand in one access's texts."""
    names = read(setup.patterns[access]).free_names
    return {name: value for name, value in setup.values.items() if name in names}
