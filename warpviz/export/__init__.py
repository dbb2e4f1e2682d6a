"""What is on the screen, written down: as SVG, as text, as data, and the animation as an asciinema cast.

A frame comes in as rows of styled segments, so nothing here knows how a screen is drawn.
"""

from __future__ import annotations

from typing import Literal, get_args

Kind = Literal["svg", "text", "json", "csv", "cast"]
KINDS: tuple[Kind, ...] = get_args(Kind)
