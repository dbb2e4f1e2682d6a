"""A kernel compiled and interpreted, for a thread: what comes of it is posted to the screen."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from textual.message import Message

from warpviz.gpu import GpuError
from warpviz.gpu.code.compiler import Compiler
from warpviz.kernel.errors import KERNEL_ERRORS
from warpviz.kernel.launch import LaunchError
from warpviz.kernel.machine.errors import Cancelled
from warpviz.kernel.predict import predict
from warpviz.kernel.source import KernelSource, SeveralKernels, read_source
from warpviz.tui.interpreted import Interpreted
from warpviz.tui.kernel_launch import AskedKernel, find_asked, options_of
from warpviz.tui.messages import KernelFailed, KernelInterpreted, KernelProgressed, KernelsFound, LaunchWanted
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.state.kernel_complaint import complaint_of
from warpviz.tui.state.kernel_work import Work

Post = Callable[[Message], object]
Asks = Callable[[], bool]


def open_kernel(asked: KernelToOpen, serial: int, post: Post, cancelled: Asks) -> None:
    """Compile and interpret what is asked for; posts KernelProgressed, and at the end one of KernelInterpreted,
    KernelFailed, LaunchWanted and KernelsFound. After `cancelled` nothing more."""

    def tell(message: Message) -> None:
        if not cancelled():
            post(message)

    source: KernelSource | None = None
    found: AskedKernel | None = None
    try:
        tell(KernelProgressed(serial, Work("compiling"), None))
        source = read_source(asked.path)
        with Compiler() as compiler:
            found = find_asked(asked, source, compiler)
            tell(_run(found, compiler, serial, tell, cancelled))
    except Cancelled:
        return
    except SeveralKernels as several:
        tell(KernelsFound(serial, several.names))
    except (GpuError, *KERNEL_ERRORS) as error:
        tell(KernelFailed(serial, complaint_of(error, source), found))


def _run(found: AskedKernel, compiler: Compiler, serial: int, tell: Post, cancelled: Asks) -> Message:
    """What comes of it in the end."""
    try:
        launch = found.launch(options_of(found.asked))
    except LaunchError as error:
        if error.where is not None and not error.where.option:  # it is in the file
            raise
        return LaunchWanted(serial, found)
    prepared = found.prepared(launch)

    def progress(done: int, blocks: int) -> None:
        tell(KernelProgressed(serial, Work("interpreting", done, blocks), found))

    progress(0, prod(launch.grid))
    outcome = predict(prepared, compiler=compiler, cancelled=cancelled, progress=progress)
    interpreted = Interpreted(found, prepared, outcome)
    interpreted.table.rows("source")  # worked out here, so that the screen need not
    return KernelInterpreted(serial, interpreted)
