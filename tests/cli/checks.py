"""The doctor's checks, as tests look at them."""

from __future__ import annotations

from collections.abc import Iterable

from warpviz.cli.doctor.check import Check


def by_name(checks: Iterable[Check]) -> dict[str, Check]:
    """Each is told in words, and one that is not well, and no other, says what to do."""
    found = {check.name: check for check in checks}
    assert all(check.value and bool(check.mend) == (check.status != "ok") for check in found.values())
    return found
