"""What happened: told to a screen by the thread that measures, and to the app by a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from warpviz.expression import ExpressionError
    from warpviz.gpu import GpuError, Measurement
    from warpviz.kernel.code import Code
    from warpviz.kernel.counting import LineKind
    from warpviz.kernel.prepare import Prepared
    from warpviz.scene import Scene
    from warpviz.tui.interpreted import Interpreted
    from warpviz.tui.kernel_launch import AskedKernel
    from warpviz.tui.measured_kernel import MeasuredKernel
    from warpviz.tui.state import Advised, Sweeping
    from warpviz.tui.state.kernel_complaint import KernelComplaint
    from warpviz.tui.state.kernel_work import Work
    from warpviz.tui.state.replay_trace import Replayable


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


class KernelProgressed(Message):
    """What was asked for under this serial number has come further. found: the kernel, as soon as it is compiled."""

    def __init__(self, serial: int, work: Work, found: AskedKernel | None) -> None:
        super().__init__()
        self.serial = serial
        self.work = work
        self.found = found

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, KernelProgressed)


class KernelInterpreted(Message):
    """The kernel asked for under this serial number has run to its end."""

    def __init__(self, serial: int, interpreted: Interpreted) -> None:
        super().__init__()
        self.serial = serial
        self.interpreted = interpreted


class KernelFailed(Message):
    """The kernel asked for under this serial number cannot be shown. found: it, when it could be compiled."""

    def __init__(self, serial: int, complaint: KernelComplaint, found: AskedKernel | None) -> None:
        super().__init__()
        self.serial = serial
        self.complaint = complaint
        self.found = found


class LaunchWanted(Message):
    """The kernel asked for under this serial number is compiled; what is given beside its file does not yet say how it
    is run."""

    def __init__(self, serial: int, found: AskedKernel) -> None:
        super().__init__()
        self.serial = serial
        self.found = found


class KernelsFound(Message):
    """The file asked for under this serial number has kernels of these names, and nothing says which one is meant."""

    def __init__(self, serial: int, names: tuple[str, ...]) -> None:
        super().__init__()
        self.serial = serial
        self.names = names


class KernelMeasured(Message):
    """The kernel that was to be measured under this serial number is measured."""

    def __init__(self, serial: int, measured: MeasuredKernel) -> None:
        super().__init__()
        self.serial = serial
        self.measured = measured


class KernelLeft(Message):
    """The user has left the kernel."""


class AccessesWanted(Message):
    """The user wants to see a block's accesses one by one, from those of a line on. at: None for the first of all.
    code: what the compiler makes of the accesses; None where it is not known."""

    def __init__(self, prepared: Prepared, at: LineKind | None, code: Code | None) -> None:
        super().__init__()
        self.prepared = prepared
        self.at = at
        self.code = code


class BlockRecorded(Message):
    """What a kernel's block did, as asked for under this serial number."""

    def __init__(self, serial: int, block: Replayable) -> None:
        super().__init__()
        self.serial = serial
        self.block = block


class BlockRefused(Message):
    """The block that was asked for under this serial number cannot be run; the sentence says why."""

    def __init__(self, serial: int, sentence: str) -> None:
        super().__init__()
        self.serial = serial
        self.sentence = sentence


class LineFitted(Message):
    """The accesses of a line, as asked for under this serial number, are a scene; None where no expression says what
    they do."""

    def __init__(self, serial: int, scene: Scene | None) -> None:
        super().__init__()
        self.serial = serial
        self.scene = scene
