"""The hardware rules, lane by lane, as slow and plain as can be. No line of it is shared with the model."""

from __future__ import annotations


def wavefronts(addresses: list[int], active: list[bool], op: str, width: int, matrices: int | None) -> tuple[int, int]:
    """(wavefronts, ideal wavefronts) of one shared-memory access."""
    total = ideal = 0
    for phase in phases(addresses, active, op, width, matrices):
        lanes_of_bank: dict[int, int] = {}
        words_of_bank: dict[int, set[int]] = {}
        for lane in phase:
            for byte in range(addresses[lane], addresses[lane] + width, 4):
                word = byte // 4
                bank = word % 32
                lanes_of_bank[bank] = lanes_of_bank.get(bank, 0) + 1
                words_of_bank.setdefault(bank, set()).add(word)
        if phase:
            ideal += 1
            if op in ("atom", "red"):
                total += max(lanes_of_bank.values())
            else:
                total += max(len(words) for words in words_of_bank.values())
    return total, ideal


def phases(addresses: list[int], active: list[bool], op: str, width: int, matrices: int | None) -> list[list[int]]:
    """The active lanes of each phase."""
    last = 32
    size = 32
    if op == "ldmatrix":
        assert matrices is not None
        size = 8
        last = 8 * matrices
    elif width == 8:
        size = 16
    elif width == 16:
        size = 8
    if op == "ld" and width in (8, 16) and (agree(addresses, active, 1) or agree(addresses, active, 2)):
        size = size * 2
    return [
        [lane for lane in range(first, first + size) if active[lane] and lane < last] for first in range(0, 32, size)
    ]


def agree(addresses: list[int], active: list[bool], x: int) -> bool:
    """Whether every two active lanes l and l^x have equal addresses."""
    for lane in range(32):
        partner = lane ^ x
        if active[lane] and active[partner] and addresses[lane] != addresses[partner]:
            return False
    return True


def global_memory(addresses: list[int], active: list[bool], op: str) -> tuple[int, int, int]:
    """(requests, sectors, lines) of one global access."""
    seen: dict[int, int] = {}
    sectors = set()
    lines = set()
    for lane in range(32):
        if not active[lane]:
            continue
        address = addresses[lane]
        turn = 0
        if op in ("atom", "red"):
            turn = seen.get(address, 0)
            seen[address] = turn + 1
        sectors.add((turn, address // 32))
        lines.add((turn, address // 128))
    return int(any(active)), len(sectors), len(lines)


def constant_requests(addresses: list[int], active: list[bool], width: int) -> int:
    """Requests of one constant access; 16 bytes are two loads of 8."""
    requests = set()
    for lane in range(32):
        if active[lane]:
            requests.add(addresses[lane])
            if width == 16:
                requests.add(addresses[lane] + 8)
    return len(requests)
