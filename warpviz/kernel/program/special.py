"""The special registers that are known, with their types."""

from __future__ import annotations

_AXES = [f"%{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"]
_NUMBERS = (
    "%laneid %warpid %nwarpid %smid %nsmid %dynamic_smem_size %total_smem_size "
    "%lanemask_eq %lanemask_le %lanemask_lt %lanemask_ge %lanemask_gt %clock"
)
_LONG = ("%gridid", "%clock64", "%globaltimer")
_GRID_GROUP = frozenset(("%envreg1", "%envreg2"))  # where the driver puts what grid.sync() counts in
_TYPES = dict.fromkeys((*_AXES, *_NUMBERS.split()), "u32") | dict.fromkeys(_LONG, "u64")


def special_type(name: str) -> str | None:
    """The type of a special register; None for one that is not known.

    >>> special_type("%tid.x"), special_type("%envreg3")
    ('u32', None)
    """
    return _TYPES.get(name)


def not_interpreted(name: str) -> str:
    """What is said of a special register that is not known.

    >>> not_interpreted("%envreg3")
    'the special register %envreg3 is not interpreted'
    """
    if name in _GRID_GROUP:
        return (
            "a group of the whole grid (cooperative_groups::this_grid) is not interpreted: "
            "make a kernel of each part between its grid.sync()"
        )
    return f"the special register {name} is not interpreted"
