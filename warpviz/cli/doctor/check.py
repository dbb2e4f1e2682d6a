"""Check: one thing that the doctor looks at."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "degraded", "missing"]
Waiting = Callable[[str], AbstractContextManager[object]]  # says what takes a while, for as long as it does


@dataclass(frozen=True)
class Check:
    """How it stands with one thing. degraded: it works, but less well than it could; missing: it does not work.

    value: what was found, a few words or a sentence. mend: what to do; empty exactly when the status is "ok".
    """

    name: str
    status: Status
    value: str
    mend: str = ""


def ok(name: str, value: str) -> Check:
    return Check(name, "ok", value)


def degraded(name: str, value: str, mend: str) -> Check:
    return Check(name, "degraded", value, mend)


def missing(name: str, value: str, mend: str) -> Check:
    return Check(name, "missing", value, mend)
