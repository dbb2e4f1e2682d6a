"""What every test may use: the hardware's own counts; and what none may touch: the user's configuration and cache."""

from __future__ import annotations

import csv
import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from warpviz.access import Access
from warpviz.gpu.code.compile import nvrtc_version
from warpviz.gpu.errors import GpuError
from warpviz.resources import resource_folder

DATA = Path(__file__).parent / "data"

# Examples that a property is tried on where its test says nothing else; more: --hypothesis-profile=thorough
settings.register_profile("suite", max_examples=40, deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("suite")


@dataclass(frozen=True)
class GoldenRow:
    """One access as Nsight Compute counted it on an H200. counts: the columns that apply, by name."""

    name: str
    access: Access
    counts: dict[str, int]

    @property
    def label(self) -> str:
        access = self.access
        return f"{access.space} {access.op} {access.width} {self.name}"


def _golden_rows() -> Iterator[GoldenRow]:
    with gzip.open(resource_folder("golden") / "h200_accesses.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            mask = int(row["mask"], 16)
            access = Access.of(
                np.array(row["offsets"].split(), dtype=np.int64),
                space=row["space"],  # type: ignore[arg-type]
                op=row["op"],  # type: ignore[arg-type]
                width=int(row["width"]),
                active=np.array([bool(mask >> lane & 1) for lane in range(32)]),
                matrices=int(row["matrices"]) if row["matrices"] else None,
            )
            names = ("requests", "sectors", "lines", "wavefronts", "conflicts")
            yield GoldenRow(row["name"], access, {name: int(row[name]) for name in names if row[name]})


@pytest.fixture(scope="session", autouse=True)
def no_configuration() -> Iterator[None]:
    """An empty configuration and nothing recorded by the user, in the programs too that a test starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WARPVIZ_CONFIG", os.devnull)
        patch.setenv("WARPVIZ_RECORDED", os.devnull)
        yield


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache that is empty at first, in the programs too that a test starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WARPVIZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def nvrtc() -> str:
    """The version of NVRTC. Skips where it is missing."""
    try:
        return nvrtc_version()
    except GpuError as error:
        pytest.skip(error.sentence)


@pytest.fixture(scope="session")
def golden_rows() -> list[GoldenRow]:
    """Every counted access."""
    return list(_golden_rows())
