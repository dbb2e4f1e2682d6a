"""FrozenAccess: the hashable form of one access."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gpu.samples import request, stride
from warpviz.access import Access
from warpviz.gpu import FrozenAccess, ProbeRequest

lanes = st.lists(st.one_of(st.none(), st.integers(-(2**40), 2**40)), min_size=32, max_size=32)


@given(lanes, st.sampled_from([1, 2, 4, 8, 16]))
def test_an_access_comes_back_from_its_pattern_and_from_json(addresses: list[int | None], width: int) -> None:
    scaled = tuple(None if address is None else address * width for address in addresses)
    pattern = FrozenAccess("global", "ld", width, None, scaled)
    assert FrozenAccess.of(pattern.access()) == pattern
    assert FrozenAccess.from_json(json.loads(json.dumps(pattern.to_json()))) == pattern


@given(lanes, st.sampled_from([1, 2, 4, 8, 16]))
def test_distinct_bytes_and_sectors_are_those_that_the_lanes_touch(addresses: list[int | None], width: int) -> None:
    pattern = FrozenAccess("global", "ld", width, None, tuple(None if a is None else a * width for a in addresses))
    touched: set[int] = set()
    for address in pattern.addresses:
        if address is not None:
            touched.update(range(address, address + width))
    assert pattern.distinct_bytes() == len(touched)
    assert pattern.distinct_sectors() == len({byte // 32 for byte in touched})


def test_the_address_of_an_inactive_lane_does_not_count() -> None:
    active = np.arange(32) != 3
    one = Access.of(np.arange(32) * 4, space="shared", active=active)
    other = Access.of(np.where(active, np.arange(32) * 4, 4096), space="shared", active=active)
    assert FrozenAccess.of(one).fingerprint() == FrozenAccess.of(other).fingerprint()
    assert FrozenAccess.of(one).mask == 0xFFFF_FFF7


def test_ldmatrix_reads_eight_addresses_a_matrix() -> None:
    pattern = FrozenAccess.of(Access.of(np.arange(32) * 16, space="shared", op="ldmatrix", width=16, matrices=2))
    assert sorted(pattern.touched) == list(range(16))


def test_every_field_makes_another_fingerprint() -> None:
    patterns = [stride(16), stride(32), stride(16, width=8), stride(16, op="st"), stride(16, space="global")]
    assert len({pattern.fingerprint() for pattern in patterns}) == len(patterns)


def test_a_fingerprint_never_changes() -> None:
    # Recorded files are keyed by it.
    assert stride(4).fingerprint() == "30c3945d988c66961cb2f63b0723a428"


def test_a_batch_of_two_is_no_pattern() -> None:
    with pytest.raises(ValueError, match="2 accesses"):
        FrozenAccess.of(Access.of(np.zeros((2, 32), dtype=int), space="shared"))


def test_a_request_is_hashable_and_comes_back_from_json() -> None:
    asked = request(stride(8), block=(16, 4, 1), block_index=(1, 2, 0), grid=(3, 3, 1), warp=1, counters="off")
    assert ProbeRequest.from_json(json.loads(json.dumps(asked.to_json()))) == asked
    assert len({asked, request(stride(8))}) == 2
