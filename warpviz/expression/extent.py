"""X[,Y[,Z]]: how the extent of a block or grid, or the index of a block, is written; an x may stand for the comma."""

from __future__ import annotations

from warpviz.expression.pattern import Dim3


def extent_of(text: str, missing: int) -> Dim3:
    """The numbers that a text gives; `missing` for those that it leaves out. Raises ValueError, with a sentence.

    >>> extent_of("16,16", missing=1)
    (16, 16, 1)
    >>> extent_of("8x4x2", missing=1)
    (8, 4, 2)
    """
    parts = text.lower().replace("x", ",").split(",")
    try:
        x, y, z = [*map(int, parts), missing, missing][:3]
    except ValueError:
        raise ValueError(f"{text!r} is not one to three whole numbers with commas between") from None
    if len(parts) > 3:
        raise ValueError(f"{text!r} has {len(parts)} numbers; one to three are meant")
    return x, y, z


def extent_text(extent: Dim3, missing: int) -> str:
    """The shortest text that `extent_of` reads as this.

    >>> extent_text((16, 1, 1), missing=1)
    '16'
    """
    x, y, z = extent
    kept = (x, y, z) if z != missing else (x, y) if y != missing else (x,)
    return ",".join(map(str, kept))
