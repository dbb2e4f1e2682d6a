"""How the program ends."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes."""

    DONE = 0
    MEASUREMENT_FAILED = 1
    BAD_INPUT = 2
    NO_GPU = 3
    INTERRUPTED = 130
