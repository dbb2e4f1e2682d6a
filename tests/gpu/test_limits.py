"""What is refused before anything is launched."""

from __future__ import annotations

import pytest

from tests.gpu.samples import stride
from warpviz.gpu import FrozenAccess, GpuError
from warpviz.gpu.limits import Limits, check, global_origin

LIMITS = Limits(shared_bytes=232448, constant_bytes=65536, global_bytes=1 << 30)


def one_lane(address: int, **kind: object) -> FrozenAccess:
    values = {"space": "shared", "op": "ld", "width": 4, "matrices": None} | kind
    return FrozenAccess(addresses=(None,) * 5 + (address,) + (None,) * 26, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (one_lane(232448), "lane 5 reaches byte 232,451 of shared memory"),
        (one_lane(232440, width=16), "not a multiple of 16"),
        (one_lane(-4), "lane 5 goes to byte -4, before the start of shared memory"),
        (one_lane(65536, space="const"), "of constant memory, which has at most 65,536 bytes"),
        (one_lane(6), "lane 5 is at byte 6, which is not a multiple of 4"),
        (stride(1 << 26, space="global"), "spread over 2,080,374,788 bytes"),
        (FrozenAccess("shared", "ld", 4, None, (None,) * 32), "no lane is active"),
        (one_lane(16, op="ldmatrix", width=16, matrices=1), "ldmatrix is executed by the whole warp"),
    ],
)
def test_an_access_outside_its_memory_is_refused(pattern: FrozenAccess, words: str) -> None:
    with pytest.raises(GpuError, match=words) as caught:
        check(pattern, LIMITS)
    assert caught.value.kind == "refused"


@pytest.mark.parametrize(
    "pattern",
    [
        one_lane(232444),
        one_lane(65532, space="const"),
        one_lane(-4, space="global"),
        one_lane(1 << 50, space="global"),
        stride(16, op="ldmatrix", width=16, matrices=1),
    ],
)
def test_an_access_up_to_the_last_byte_is_not(pattern: FrozenAccess) -> None:
    check(pattern, LIMITS)


@pytest.mark.parametrize(("address", "origin"), [(0, 0), (1020, 0), (1024, 1024), (-4, -1024), (5000, 4096)])
def test_a_global_buffer_begins_where_the_pattern_does(address: int, origin: int) -> None:
    assert global_origin(one_lane(address, space="global")) == origin
