"""`warpviz doctor`: whether everything works on this machine, and what mends what does not. A module a group."""
