"""What an error of the CUDA driver means for the user: its number becomes a sentence with the mend.

The numbers are those of CUresult in NVIDIA's CUDA Driver API; they are the same in every version.
"""

from __future__ import annotations

from warpviz.gpu.errors import GpuError, Kind

OUT_OF_MEMORY = 2
NO_DEVICE = 100
UNAVAILABLE = (46, 101)  # device unavailable, invalid device: what a compute mode that does not let one in gives

_MEBIBYTE = 1 << 20
_STARTING = ("cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent")

_AT_START = {
    304: "the NVIDIA driver does not start, the system refuses it something: nvidia-smi or dmesg tells more",
    999: "the NVIDIA driver does not start: often its module nvidia_uvm is not loaded or is stuck (sudo modprobe "
    "nvidia_uvm), or the GPU has failed; nvidia-smi or dmesg (Xid) tells more",
}
_LOST = "the GPU does not answer any more: nvidia-smi or dmesg tells more (Xid); it may need a reset"
_KERNEL = "the kernel failed on the GPU; if a plain s[lane] fails as well, nvidia-smi or dmesg tells more (Xid)"
_CODE = "the driver does not take the machine code: the driver and the compiler (NVRTC) do not go together"
_MPS = (
    "the CUDA Multi-Process Service (MPS) lets nobody in: restart it, or end it with: echo quit | "
    "nvidia-cuda-mps-control"
)
_MEANINGS = {
    OUT_OF_MEMORY: "the GPU's memory is full",
    34: "the library libcuda.so.1 that is found is the toolkit's stub, not the driver's: take the folder stubs out of "
    "LD_LIBRARY_PATH",
    36: "the NVIDIA driver is too old for this call: a newer one has it",
    46: "the GPU is not to be had: other processes hold it, or its compute mode keeps this one out (nvidia-smi -q -d "
    "COMPUTE shows it)",
    101: "the GPU is not to be had: its compute mode may keep this process out (nvidia-smi -q -d COMPUTE shows it)",
    102: "the GPU has no licence: a virtual GPU needs one (nvidia-smi -q shows it)",
    200: _CODE,
    209: _CODE,
    214: _LOST,
    218: _CODE,
    220: _LOST,
    222: _CODE,
    226: _LOST,
    300: _CODE,
    700: _KERNEL,
    702: "the kernel took longer than the system allows: the watchdog of a GPU that drives a display ended it",
    714: _KERNEL,
    715: _KERNEL,
    716: _KERNEL,
    717: _KERNEL,
    718: _KERNEL,
    719: _KERNEL,
    800: "this user may not use the GPU so: the driver does not permit it; a debugger, a profiler or a policy of the "
    "administrator may hold it",
    802: "the GPU is not ready yet: where GPUs are joined by NVSwitch the fabric manager has to run (systemctl status "
    "nvidia-fabricmanager)",
    803: "the NVIDIA driver's module and its library are of different versions, as after an update: restart the "
    "machine; in a container, start it anew",
    804: "the library libcuda.so.1 that is found is of the package cuda-compat, which this GPU does not take: take it "
    "out of LD_LIBRARY_PATH, or update the NVIDIA driver",
    805: _MPS,
    806: _MPS,
    807: _MPS,
    808: _MPS,
    999: _LOST,
}


class DriverError(GpuError):
    """A call of the driver that failed. code: its CUresult."""

    def __init__(self, kind: Kind, sentence: str, code: int) -> None:
        super().__init__(kind, sentence)
        self.code = code


def complaint(function: str, code: int, said: str) -> DriverError:
    """What to raise for a call that failed. said: the driver's own words, with the name of the error.

    The kind is "no_gpu" for a GPU that cannot be had at all, and "failed" else.
    """
    starting = function in _STARTING
    meaning = (_AT_START.get(code) if starting else None) or _MEANINGS.get(code)
    kind: Kind = "no_gpu" if starting and code != OUT_OF_MEMORY else "failed"
    if meaning is None:
        what = "the NVIDIA driver does not start" if starting else "the GPU fails"
        return DriverError(kind, f"{what} in {function}: {said}", code)
    return DriverError(kind, f"{meaning} ({function}: {said})", code)


def memory_full(room: tuple[int, int] | None) -> str:
    """room: the bytes that are free and all that there are; None when nobody tells."""
    mend = "other processes hold most of it (nvidia-smi lists them): end one, or choose another GPU with --device"
    if room is None:
        return f"the GPU's memory is full: {mend}"
    free, total = (f"{value // _MEBIBYTE:,} MiB" for value in room)
    return f"the GPU's memory is full: {free} of {total} are free, {mend}"


def closed_by_mode(mode: int) -> str | None:
    """For the device attribute COMPUTE_MODE: why it keeps a process out; None for the mode that lets everyone in."""
    shown = "nvidia-smi -q -d COMPUTE shows it, and the administrator changes it: nvidia-smi -c DEFAULT"
    if mode == 2:
        return f"this GPU's compute mode (prohibited) lets nobody compute: {shown}"
    if mode in (1, 3):
        return f"this GPU's compute mode (exclusive) lets one process compute at a time, and another has it: {shown}"
    return None


def lacks_function(cuda: str, bindings: str, function: str, fitting: str) -> str:
    """cuda: the newest version that the driver runs. bindings: the version of the package cuda-bindings. fitting: the
    command that installs the one that goes with the driver."""
    return (
        f"the NVIDIA driver (CUDA {cuda}) has no {function}, which cuda-bindings {bindings} calls: "
        f"update the driver, or {fitting}"
    )
