"""A user's kernel on the GPU: launched as it was interpreted, its arrays read back, timed and counted."""
