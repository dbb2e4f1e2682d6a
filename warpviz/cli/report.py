"""Predictions as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from warpviz.prediction import Prediction
from warpviz.wording import printable


def text(heading: str, rows: Iterable[Mapping[str, str]], predictions: Iterable[Prediction]) -> str:
    """A heading, a table, and what the predictions assume, each sentence once."""
    sentences = dict.fromkeys(sentence for prediction in predictions for sentence in prediction.assumptions())
    return "\n".join([heading, table(rows), *(f"  assumed: {sentence}" for sentence in sentences)])


def table(rows: Iterable[Mapping[str, str]]) -> str:
    """Rows of one kind as text: a heading and a line each, numbers right-aligned, words left. Empty for no rows."""
    listed = list(rows)
    headings = list(dict.fromkeys(heading for row in listed for heading in row))
    columns = [_aligned([heading, *(printable(row.get(heading, "")) for row in listed)]) for heading in headings]
    return "\n".join("  " + "  ".join(cells).rstrip() for cells in zip(*columns, strict=True))


def _aligned(cells: list[str]) -> list[str]:
    """A column's heading and cells, all of one width."""
    width = max(map(len, cells))
    numbers = all(cell.rstrip("%").replace(".", "").lstrip("-").isdigit() for cell in cells[1:] if cell)
    return [cell.rjust(width) if numbers else cell.ljust(width) for cell in cells]
