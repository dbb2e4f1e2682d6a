"""vabsdiff2 and vabsdiff4: the differences' magnitudes of two 16-bit halves, or of four bytes, or their sum."""

from __future__ import annotations

import numpy as np

from warpviz.kernel.machine.arithmetic.operation import Array, Name, Operation, unsigned

_BITS = unsigned(32)


def lower_absolute_differences(name: Name) -> Operation:
    """The magnitudes in place, or with .add their sum plus the third source. Nothing else of PTX's video instructions
    is made of CUDA C++."""
    bits = 32 // int(name.instruction.opcode[-1])
    adds = name.has("add")
    kinds = [name.type("u32", "s32") for _ in range(3)]  # of the second source, the first one, the result
    name.finish()
    dtypes = [np.dtype(f"{'int' if kind[0] == 's' else 'uint'}{bits}") for kind in kinds[:2]]

    def compute(first: Array, second: Array, start: Array) -> Array:
        total = start if adds else np.zeros_like(start)
        for place in range(0, 32, bits):
            left, right = (
                (source >> np.uint32(place)).astype(f"uint{bits}").view(dtype).astype(np.int32)
                for source, dtype in zip((first, second), dtypes[::-1], strict=True)
            )
            magnitude = np.abs(left - right).astype(np.uint32)
            total = total + magnitude if adds else total | magnitude << np.uint32(place)
        return total

    return Operation(compute, (_BITS, _BITS, _BITS))
