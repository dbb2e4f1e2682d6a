"""Hardware counters, by Nsight Compute."""
