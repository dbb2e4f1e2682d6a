"""What was measured of global memory and of the GPU's state, in words."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.gpu.measurement import Bandwidth, Conditions
from warpviz.wording import counted


def bandwidth_in_words(bandwidth: Bandwidth) -> str:
    """The bytes a second, with half the spread of the repeats, and what share of a plain copy that is.

    >>> bandwidth_in_words(Bandwidth(10**9, 2 * 10**9, 0.001, 0.02, 7, 4000.0, 0.01))
    "1,000 GB/s useful, 2,000 GB/s moved ± 1 %: 50 % of a copy's 4,000 GB/s"
    """
    return (
        f"{bandwidth.useful_gb_per_second:,.0f} GB/s useful, {bandwidth.moved_gb_per_second:,.0f} GB/s moved "
        f"± {100 * bandwidth.spread / 2:.0f} %: {100 * bandwidth.of_copy:.0f} % of a copy's "
        f"{bandwidth.copy_gb_per_second:,.0f} GB/s"
    )


def conditions_in_words(conditions: Conditions) -> str:
    """Clocks, temperature, power, and what holds the clocks back; what NVML does not tell is left out.

    >>> conditions_in_words(Conditions(1980, 3201, 41, 118.4, (), 0))
    'SM 1,980 MHz, memory 3,201 MHz, 41 °C, 118 W, nothing throttles'
    >>> conditions_in_words(Conditions(1200, None, 87, None, ("power cap", "heat: hardware slowdown"), 1))
    'SM 1,200 MHz, 87 °C, throttled by power cap, heat: hardware slowdown, 1 other process computes on it'
    """
    return ", ".join(_parts(conditions)) or "NVML tells nothing about it"


def _parts(conditions: Conditions) -> Iterator[str]:
    if conditions.sm_mhz is not None:
        yield f"SM {conditions.sm_mhz:,} MHz"
    if conditions.memory_mhz is not None:
        yield f"memory {conditions.memory_mhz:,} MHz"
    if conditions.temperature_celsius is not None:
        yield f"{conditions.temperature_celsius} °C"
    if conditions.power_watts is not None:
        yield f"{conditions.power_watts:.0f} W"
    if conditions.throttled is not None:
        yield f"throttled by {', '.join(conditions.throttled)}" if conditions.throttled else "nothing throttles"
    if conditions.other_processes:
        verb = "computes" if conditions.other_processes == 1 else "compute"
        yield f"{counted(conditions.other_processes, 'other process')} {verb} on it"
