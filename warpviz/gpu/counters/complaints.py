"""What Nsight Compute says when it counts nothing, as one sentence with the mend. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpviz.wording import printable

_LONGEST = 200  # characters of a message that is quoted

# What Nsight Compute 2019 to 2025 writes, the most telling first: one message often comes with vaguer ones behind it.
_COMPLAINTS = (
    (
        r"ERR_NVGPUCTRPERM|does not have permission to access NVIDIA GPU Performance Counters",
        "this user may not read the GPU's hardware counters (ERR_NVGPUCTRPERM): run as root or with CAP_SYS_ADMIN (a "
        "container: --cap-add=SYS_ADMIN), or have the administrator set the driver option "
        "NVreg_RestrictProfilingToAdminUsers=0",
    ),
    (
        r"driver resource was unavailable",
        "another tool holds the GPU's hardware counters, often DCGM, which watches the GPUs of a cluster: stop it, or "
        "pause it for the while with: dcgmi profile --pause",
    ),
    (
        r"driver is not compatible with|driver version is insufficient|driver is too old|Nsight Compute CUDA modules",
        "this Nsight Compute does not go with the NVIDIA driver: update the driver, or put the Nsight Compute of a "
        "CUDA version that the driver runs first on the PATH",
    ),
    (
        r"Subsystem for Linux|\bWSL\b",
        "the hardware counters cannot be read in this Windows Subsystem for Linux: it takes Windows 11 and a newer "
        "driver there, or Linux on its own",
    ),
    (
        r"(?i)\bvGPU\b|virtual GPU",
        "this virtual GPU (vGPU) keeps its hardware counters to itself: the administrator of its host allows them with "
        "the vGPU parameter enable_profiling=1",
    ),
    (
        r"Profiling is not supported on",
        "this Nsight Compute does not know this GPU: ncu --list-chips tells which it knows; a newer one may",
    ),
    (
        r"LibraryNotLoaded",
        "Nsight Compute finds no profiling library that goes with the driver (LibraryNotLoaded): in a container, start "
        "it with all of the driver's libraries (NVIDIA_DRIVER_CAPABILITIES=all)",
    ),
    (
        r"InterprocessLockFailed|lock file \S*nsight-compute-lock",
        "Nsight Compute may not open its lock file, which another user left in the temporary folder: set TMPDIR to a "
        "folder of your own",
    ),
    (
        r"(?i)unrecogni[sz]ed option|unknown option|option '\S+' is (?:unknown|invalid)",
        "this Nsight Compute is too old to know an option that warpviz gives it: install one of 2021 or later",
    ),
    (
        r"directory is not found under|not installed on your system",
        "the ncu on the PATH finds no Nsight Compute behind it: install Nsight Compute, or put its own folder first on "
        "the PATH",
    ),
    (
        r"(?i)unknown error on device",
        "Nsight Compute fails on this GPU (Unknown error on device): its version may not go with the driver, or with "
        "the CUDA that cuda-bindings is made for; try the one of the CUDA version that the driver runs",
    ),
)
_UNKNOWN_METRIC = re.compile(r"Failed to find metric (?:regex:\^)?'?([\w\\.]+)")
_ERROR = re.compile(r"==ERROR==\s*(.+)")
_VAGUE = re.compile(r"An error was reported by|An error occurred while|Failed to (?:profile|prepare)")
_ENDED = re.compile(r"application returned an error code \(([^)]*)\)")


def why_not(text: str) -> str:
    """One sentence for what the output says went wrong, with the mend where there is one."""
    known = known_complaint(text)
    if known:
        return known
    unknown = _UNKNOWN_METRIC.search(text)
    if unknown:
        return f"this Nsight Compute knows no metric {_metric(unknown)} for this GPU: a newer one may"
    errors = [message for message in _ERROR.findall(text) if not _VAGUE.match(message) and not _ENDED.search(message)]
    if errors:
        return _counted_nothing(errors[0])
    if ended := _ENDED.search(text):
        return f"the process that makes the counted accesses ended with exit code {ended[1]} under Nsight Compute"
    if "No kernels were profiled" in text:
        return "Nsight Compute saw no kernel: it may not reach the process that makes the accesses"
    said = [line for line in text.splitlines() if line.strip() and not line.startswith("==PROF==")]
    return _counted_nothing(said[-1] if said else "it gives no reason")


def known_complaint(text: str) -> str | None:
    """The sentence for a message whose reason is known; None when the output has no such message."""
    for pattern, sentence in _COMPLAINTS:
        if re.search(pattern, text):
            return sentence
    return None


def without_unknown(text: str, wanted: Sequence[str]) -> list[str]:
    """The wanted metrics but for those that the output says there are none of, on this GPU or in this version."""
    named = {_metric(match) for match in _UNKNOWN_METRIC.finditer(text)}
    return [name for name in wanted if name not in named and name.rpartition(".")[0] not in named]


def _metric(unknown: re.Match[str]) -> str:
    """Its name, from a message that has it as it was asked for or as a regular expression for its base name."""
    return unknown[1].replace("\\", "").rstrip(".")


def _counted_nothing(message: str) -> str:
    message = printable(message.strip())
    shown = message if len(message) <= _LONGEST else message[: _LONGEST - 1] + "…"
    return f"Nsight Compute counted nothing: {shown}"
