"""CUDA C++ to machine code, and what the machine code makes of an access."""
