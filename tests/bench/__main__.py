"""Print every benchmark: `python -m tests.bench [cost] [first_paint] [frames] [interpreter]`."""

import sys

from tests.bench import cost, first_paint, frames, interpreter

_REPORTS = {
    "cost": cost.report,
    "first_paint": first_paint.report,
    "frames": frames.report,
    "interpreter": interpreter.report,
}

for chosen in sys.argv[1:] or _REPORTS:
    print(f"\n{chosen}")
    print("\n".join(f"  {line}" for line in _REPORTS[chosen]()))
