"""FrozenAccess: one access in a form that can be hashed, sent to another process and kept in a file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from warpviz.access import Access
from warpviz.hardware import SECTOR_BYTES, Op, Space


@dataclass(frozen=True)
class FrozenAccess:
    """One access of one warp.

    addresses: 32 byte addresses, None for a lane that touches nothing: an inactive one and, for ldmatrix, one whose
    address the instruction does not read. The other fields are those of `Access`.
    """

    space: Space
    op: Op
    width: int
    matrices: int | None
    addresses: tuple[int | None, ...]

    @classmethod
    def of(cls, access: Access) -> FrozenAccess:
        """Raises ValueError unless the access is a batch of one."""
        if len(access) != 1:
            raise ValueError(f"{len(access)} accesses in the batch; a measurement takes one")
        lanes = zip(access.addresses[0].tolist(), access.pointing[0].tolist(), strict=True)
        addresses = tuple(address if pointing else None for address, pointing in lanes)
        return cls(access.space, access.op, access.width, access.matrices, addresses)

    def access(self) -> Access:
        """The access again, as a batch of one. Raises ValueError for what no access can be."""
        return Access.of(
            [0 if address is None else address for address in self.addresses],
            space=self.space,
            op=self.op,
            width=self.width,
            active=[address is not None for address in self.addresses],
            matrices=self.matrices,
        )

    @property
    def touched(self) -> dict[int, int]:
        """lane -> byte address, of the lanes that touch memory."""
        return {lane: address for lane, address in enumerate(self.addresses) if address is not None}

    @property
    def mask(self) -> int:
        """Bit l is set when lane l touches memory."""
        return sum(1 << lane for lane in self.touched)

    @property
    def start(self) -> int:
        """The lowest byte that is touched; 0 when no lane touches any."""
        return min(self.touched.values(), default=0)

    @property
    def end(self) -> int:
        """One past the highest byte that is touched; 0 when no lane touches any."""
        return max((address + self.width for address in self.touched.values()), default=0)

    def distinct_bytes(self) -> int:
        """How many different bytes the lanes touch."""
        return len({address + i for address in self.touched.values() for i in range(self.width)})

    def distinct_sectors(self) -> int:
        """How many different 32-byte sectors the lanes touch. No access crosses a sector: widths divide 32."""
        return len({address // SECTOR_BYTES for address in self.touched.values()})

    def fingerprint(self) -> str:
        """A name for this very access: equal patterns, and no others, have equal ones."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def to_json(self) -> dict[str, Any]:
        return {
            "space": self.space,
            "op": self.op,
            "width": self.width,
            "matrices": self.matrices,
            "addresses": list(self.addresses),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> FrozenAccess:
        """Raises KeyError, TypeError or ValueError for data that `to_json` does not make."""
        addresses = tuple(None if address is None else int(address) for address in data["addresses"])
        pattern = cls(data["space"], data["op"], data["width"], data["matrices"], addresses)
        pattern.access()
        return pattern
