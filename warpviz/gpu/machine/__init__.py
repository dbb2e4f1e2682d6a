"""The driver and the GPUs of this machine: which there are, which one is chosen, and what is wrong with them."""
