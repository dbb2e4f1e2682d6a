"""The README's table of predicted beside measured, made from the recorded measurements: `python -m tests.readme`."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.expression import parse
from warpviz.gpu import Bandwidth, Counts, Measurement, compare, find_recorded
from warpviz.model import Cost, predict
from warpviz.scene import Scene, find_scene

# Scene -> the values of one knob that the table shows, the others at their defaults; None shows the defaults alone.
_SHOWN: dict[str, tuple[str, tuple[int, ...]] | None] = {
    "stride": ("k", (1, 2, 8, 32, 33)),
    "tile-row-column": None,
    "tile-padding": ("pad", (0, 1, 2, 4)),
    "tile-swizzle": None,
    "broadcast": None,
    "float2": ("k", (1, 2)),
    "float4": ("k", (1,)),
    "shared-atomic": ("n", (1, 4, 32)),
    "ldmatrix": ("pad", (0, 8)),
    "constant": ("n", (1, 4, 32)),
    "offset": ("offset", (0, 1, 8)),
    "global-stride": ("k", (1, 3, 8)),
    "aos-soa": None,
}


def table() -> str:
    """The table in Markdown, with the GPU and the command that measures."""
    rows = list(_rows())
    gpu, date = rows[0][1].gpu, rows[0][1].date[:10]
    lines = ["| scene | access | | predicted | measured | |", "|---|---|---|---|---|---|"]
    lines += [line for line, _ in rows]
    made = f"{gpu.name}, driver {gpu.driver}, NVRTC {gpu.nvrtc}, {date}; `warpviz measure SCENE --set NAME=A..B`"
    return "\n".join([made, "", *lines])


def _rows() -> Iterator[tuple[str, Measurement]]:
    for name, shown in _SHOWN.items():
        scene = find_scene(name)
        for values in [{}] if shown is None else [{shown[0]: value} for value in shown[1]]:
            yield from _rows_of(scene, values)


def _rows_of(scene: Scene, values: dict[str, int]) -> Iterator[tuple[str, Measurement]]:
    for access in scene.accesses:
        at = ", ".join(f"{name} = {value}" for name, value in values.items())
        taken = parse(access.pattern).evaluate(scene.defaults() | values).access
        cost, measured = predict(taken), find_recorded(taken)
        assert measured is not None, f"nothing is recorded for scene {scene.name}, {access.name}, {at}"
        sign = "✓" if compare(cost, measured).outcome == "equal" else "✗"
        expression = f"`{access.pattern.expression}` {access.pattern.op}"
        yield f"| {scene.name} | {expression} | {at} | {_predicted(cost)} | {_measured(measured)} | {sign} |", measured


def _predicted(cost: Cost) -> str:
    for name in ("wavefronts", "sectors", "requests"):
        counts = getattr(cost, name)
        if counts is not None:
            return f"{counts[0]} {name if counts[0] != 1 else name.removesuffix('s')}"
    raise AssertionError("a cost has wavefronts, sectors or requests")


def _measured(measurement: Measurement) -> str:
    slope, counters, bandwidth = measurement.wavefronts, measurement.counters, measurement.bandwidth
    if slope is not None:
        return f"{slope.units:.2f} ± {slope.half_spread_units:.2f}"
    assert isinstance(counters, Counts)
    assert isinstance(bandwidth, Bandwidth)
    return f"{counters.sectors:g} sectors; {bandwidth.useful_gb_per_second:,.0f} GB/s useful"


if __name__ == "__main__":
    print(table())
