"""The memory of a kernel: global arrays, shared, local, constant and parameter bytes, and how instructions use them."""
