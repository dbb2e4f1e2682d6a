"""A user's .cu file: compiled to PTX, interpreted warp by warp, every access of it counted. Needs no GPU."""
