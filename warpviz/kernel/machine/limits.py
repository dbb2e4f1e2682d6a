"""What a kernel may take of a GPU's memory: more than that, and CUDA neither compiles nor launches it."""

from __future__ import annotations

from warpviz.kernel.memory.layout import MOST_LOCAL_BYTES, MOST_SHARED_BYTES, MOST_STATIC_SHARED_BYTES, Layout
from warpviz.kernel.program import CannotRun, Program


def check_limits(program: Program, layout: Layout) -> None:
    """layout: of the program's variables and the launch's dynamic shared memory. Raises CannotRun."""
    static = sum(variable.size for variable in program.variables if variable.space == "shared")
    if static > MOST_STATIC_SHARED_BYTES:
        raise CannotRun(
            f"the __shared__ variables take {static:,} bytes; {MOST_STATIC_SHARED_BYTES:,} are the most, "
            "beyond that shared memory is dynamic: extern __shared__, and smem=BYTES of the launch",
            0,
        )
    shared = layout.sizes["shared"]
    if shared > MOST_SHARED_BYTES:
        raise CannotRun(
            f"a block has {shared:,} bytes of shared memory, static and dynamic; {MOST_SHARED_BYTES:,} are the most", 0
        )
    local = max((variable.size for variable in program.variables if variable.space == "local"), default=0)
    if local > MOST_LOCAL_BYTES:
        raise CannotRun(
            f"a thread has {local:,} bytes of local memory for its arrays; {MOST_LOCAL_BYTES:,} are the most", 0
        )
