"""NVML of the GPUs that tests/gpu/fake_driver.c has. FAKE_MIG: when set, they are in MIG mode; FAKE_SLICE: the UUID of
the only slice, of GPU 0."""

from __future__ import annotations

import os
from types import SimpleNamespace

NVML_CLOCK_SM, NVML_CLOCK_MEM = 1, 2
NVML_TEMPERATURE_GPU = 0

_MEBIBYTE = 1 << 20
_MOST_SLICES = 7


class NVMLError(Exception):
    pass


def _uuid(number: int) -> str:
    digit = str(number)
    return "GPU-" + "-".join(digit * length for length in (8, 4, 4, 4, 12))


def nvmlInit() -> None:  # noqa: N802
    pass


def nvmlShutdown() -> None:  # noqa: N802
    pass


def nvmlDeviceGetCount() -> int:  # noqa: N802
    return int(os.environ.get("FAKE_DEVICES", "1"))


def nvmlDeviceGetHandleByIndex(number: int) -> int | str:  # noqa: N802
    return number


def nvmlDeviceGetHandleByUUID(uuid: bytes) -> str:  # noqa: N802
    return uuid.decode()


def nvmlDeviceGetName(gpu: int) -> str:  # noqa: N802
    return f"Fake GPU {gpu}"


def nvmlDeviceGetUUID(gpu: int | str) -> str:  # noqa: N802
    return _uuid(gpu) if isinstance(gpu, int) else gpu


def nvmlDeviceGetMigMode(gpu: int) -> tuple[int, int]:  # noqa: N802
    if "FAKE_MIG" not in os.environ:
        raise NVMLError("not supported")
    return 1, 1


def nvmlDeviceGetMaxMigDeviceCount(gpu: int) -> int:  # noqa: N802
    return _MOST_SLICES


def nvmlDeviceGetMigDeviceHandleByIndex(gpu: int, number: int) -> str:  # noqa: N802
    if gpu or number or "FAKE_SLICE" not in os.environ:
        raise NVMLError("not found")
    return os.environ["FAKE_SLICE"]


def nvmlDeviceGetMemoryInfo(gpu: str) -> SimpleNamespace:  # noqa: N802
    return SimpleNamespace(free=410 * _MEBIBYTE, total=143771 * _MEBIBYTE)


def nvmlDeviceGetClockInfo(gpu: str, kind: int) -> int:  # noqa: N802
    return {NVML_CLOCK_SM: 1980, NVML_CLOCK_MEM: 3201}[kind]
