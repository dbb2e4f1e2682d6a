"""The words of the screen, the documents and the data, each with its meaning."""

from __future__ import annotations

GLOSSARY: tuple[tuple[str, str], ...] = (
    ("lane", "0..31, a thread's place in its warp"),
    ("access", "one warp instruction: 32 addresses, the active lanes, a width in bytes"),
    ("request", "one access as the memory pipe counts it"),
    ("sector, line", "32 and 128 aligned bytes of global memory"),
    ("bank", "(byte address / 4) % 32 of shared memory; a word is 4 aligned bytes"),
    ("phase", "the lanes that the hardware serves together: 32, 16 or 8"),
    ("pass, wavefront", "one trip through the shared-memory data stage"),
    ("ideal", "the wavefronts of the same access without conflicts"),
    ("conflicts", "wavefronts less ideal"),
    ("broadcast", "lanes that share a word, and so cost nothing more"),
    (
        "round",
        "of a global atomic: its n-th lane with the same address goes out in round n; sectors and lines count in each "
        "round",
    ),
)
