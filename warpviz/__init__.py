"""warpviz shows how the 32 lanes of a GPU warp hit memory, pass by pass.

>>> import numpy as np, warpviz
>>> warpviz.cost(np.arange(32) * 32, space="shared").conflicts
array([7])
"""

from warpviz.model.cost import Cost, cost

__all__ = ["Cost", "cost"]
