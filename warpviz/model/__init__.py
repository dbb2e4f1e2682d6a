"""What an access costs and who is served when. Pure numpy: it knows no expression, no GPU and no screen."""

from warpviz.model.cost import Cost, cost, predict
from warpviz.model.rules import assumptions
from warpviz.model.schedule import Cell, Schedule, Step, schedule

__all__ = ["Cell", "Cost", "Schedule", "Step", "assumptions", "cost", "predict", "schedule"]
