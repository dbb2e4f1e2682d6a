"""What happened: told to a screen by the thread that measures, and to the app by a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from warpviz.expression import ExpressionError
    from warpviz.gpu import GpuError, Measurement
    from warpviz.scene import Scene
    from warpviz.tui.state import Advised, Sweeping


class SceneChosen(Message):
    """The user wants to see this scene."""

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.scene = scene


class SceneKept(Message):
    """What the user has made of a scene, for the gallery to list."""

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.scene = scene


class Refused(Message):
    """The scene just opened cannot be evaluated, so there is nothing to show."""

    def __init__(self, error: ExpressionError) -> None:
        super().__init__()
        self.error = error


class Left(Message):
    """The user has left the explorer of this scene. own: what was explored there, as it was edited; None for a scene
    that ships."""

    def __init__(self, scene: Scene, own: Scene | None) -> None:
        super().__init__()
        self.scene = scene
        self.own = own


class AdviceFound(Message):
    """What would mend a setup has been worked out."""

    def __init__(self, advised: Advised) -> None:
        super().__init__()
        self.advised = advised


class SweepFound(Message):
    """The cost over a knob has been worked out."""

    def __init__(self, sweeping: Sweeping) -> None:
        super().__init__()
        self.sweeping = sweeping


class MeasureProgressed(Message):
    """The measurement with this serial number has come a stage further."""

    def __init__(self, serial: int, said: str) -> None:
        super().__init__()
        self.serial = serial
        self.said = said

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, MeasureProgressed)


class Measured(Message):
    """What was asked for under this serial number is measured, in the order of the request; a part of it may have been
    refused, but not all."""

    def __init__(self, serial: int, outcomes: list[Measurement | GpuError]) -> None:
        super().__init__()
        self.serial = serial
        self.outcomes = outcomes


class MeasureFailed(Message):
    """The measurement with this serial number did not happen; the sentence says why."""

    def __init__(self, serial: int, sentence: str) -> None:
        super().__init__()
        self.serial = serial
        self.sentence = sentence
