"""What comes as JSON, as the values that were written."""

from __future__ import annotations

from typing import Any


def tuples(value: Any) -> Any:
    """JSON's lists as tuples, those in its objects too.

    >>> tuples({"names": [["a", 1], []]})
    {'names': (('a', 1), ())}
    """
    if isinstance(value, dict):
        return {name: tuples(part) for name, part in value.items()}
    return tuple(map(tuples, value)) if isinstance(value, list) else value
