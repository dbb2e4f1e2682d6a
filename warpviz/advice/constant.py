"""Constant memory: one address at a time, so what lanes index differently belongs elsewhere."""

from __future__ import annotations

from warpviz.advice.arrays import ArrayAccesses
from warpviz.advice.fix import Fix
from warpviz.expression import ExpressionError
from warpviz.expression.members import in_shared_memory

UNIFORM_ALONE = "constant memory gives one word at a time to all lanes: only a uniform index costs one request"


def moved(array: ArrayAccesses) -> Fix | None:
    """The table in shared memory, where different words cost nothing more."""
    setting = array.setting
    try:
        patterns = array.with_patterns([in_shared_memory(site) for site in array.sites])
    except ExpressionError:
        return None
    weighed = setting.weigh(patterns, setting.values)
    if weighed is None or not setting.is_cheaper(weighed):
        return None
    return Fix(
        "move",
        f"keep {array.site.path} in shared memory",
        patterns,
        setting.values,
        setting.before,
        tuple(count.now for count in weighed),
        "pass",
        array.site.size_bytes,
        "before it: constant requests; the block copies the table first",
    )
