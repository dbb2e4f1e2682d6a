"""warpviz shows how the 32 lanes of a GPU warp hit memory, pass by pass.

>>> import numpy as np, warpviz
>>> warpviz.cost(np.arange(32) * 32, space="shared").conflicts
array([7])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warpviz.model.cost import Cost, cost

__all__ = ["Cost", "cost"]


def __getattr__(name: str) -> object:
    """The model is loaded with its first use, and numpy with it: a screen is drawn before that."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from warpviz import model

    return getattr(model, name)
