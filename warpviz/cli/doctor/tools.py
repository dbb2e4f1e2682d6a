"""The compiler, a measurement with it, and the tools beside it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

from warpviz.asking import request_of
from warpviz.cli.doctor.check import Check, Waiting, degraded, missing, ok
from warpviz.cli.doctor.one_gpu import gpus_of
from warpviz.expression import Pattern, parse
from warpviz.gpu import Counts, FrozenAccess, GpuError, Measurement, Probe, Unavailable, gpu_present
from warpviz.gpu.code.disassembler import find_disassembler
from warpviz.gpu.counters.ncu import find_ncu, tool_name
from warpviz.gpu.machine.health import Examination
from warpviz.gpu.machine.inventory import CompilerView
from warpviz.hardware import DEFAULT_ARCH

_EXAMPLE = Pattern("s[lane]")
_SECONDS = 30.0
_PARAMETERS = Path("/proc/driver/nvidia/params")
_NO_GPU = "there is no GPU to try it on"
_AFTER_DRIVER = "mend what is said of the GPU above"
_NOT_READ = "pip install nvidia-cuda-nvdisasm; without, nobody checks what the compiler keeps"
_NOT_COUNTED = "until that is mended global memory is timed, but its sectors are not counted"


def tool_checks(examination: Examination, waiting: Waiting, device: str | None) -> Iterator[Check]:
    """device: as --device takes it."""
    archs = _archs(examination)
    with waiting("compiling a kernel"):
        compiler = examination.compiler(archs)
    yield from _compiler(compiler, archs)
    yield _disassembler()
    ncu = _ncu()
    yield ncu
    with Probe(device=device) as probe:
        yield _measurement(probe, waiting)
        if ncu.status == "ok":
            yield _counters(probe, waiting)


def _archs(examination: Examination) -> list[str]:
    """Of the GPUs here; where there is none, the one that predictions are for."""
    found = [gpu.arch for gpu in gpus_of(examination.cuda, examination.nvml) if gpu.arch is not None]
    return list(dict.fromkeys(found)) or [DEFAULT_ARCH]


def _compiler(compiler: CompilerView | Unavailable, archs: list[str]) -> Iterator[Check]:
    if isinstance(compiler, Unavailable):
        yield missing("NVRTC", compiler.reason, "install it so; nothing can be measured without")
        return
    value = f"{compiler.version}, knows {compiler.archs[0]} to {compiler.archs[-1]}"
    if compiler.too_new is None:
        yield ok("NVRTC", value)
    else:
        yield missing("NVRTC", compiler.too_new, "nothing can be measured until they go together")
    refusals = dict(compiler.refusals)
    for arch in archs:
        if arch in refusals:
            yield missing(f"code for {arch}", refusals[arch], "install an NVRTC that compiles for it")
        else:
            yield ok(f"code for {arch}", "compiles")


def _measurement(probe: Probe, waiting: Waiting) -> Check:
    """Twice: the first time the worker starts, and the kernels are compiled."""
    if not gpu_present():
        return missing("measuring", _NO_GPU, _AFTER_DRIVER)
    request = request_of(parse(_EXAMPLE).evaluate({}), _EXAMPLE.launch, "off")
    try:
        with waiting("measuring s[lane]"):
            begin = time.perf_counter()
            probe.measure(request, timeout_s=_SECONDS)
            between = time.perf_counter()
            measurement = probe.measure(request, timeout_s=_SECONDS)
            end = time.perf_counter()
    except GpuError as error:
        return missing("measuring", error.sentence, "until that is mended nothing can be measured")
    value = f"s[lane] takes {1000 * (end - between):.0f} ms, the first time {between - begin:.1f} s"
    return _judged(measurement, value)


def _judged(measurement: Measurement, value: str) -> Check:
    slope = measurement.wavefronts
    if slope is not None and slope.count == 1:
        return ok("measuring", value)
    found = "no whole number" if slope is None or slope.count is None else f"{slope.count} wavefronts"
    return degraded("measuring", f"{value}; it shows {found}, not 1 wavefront", "end what else runs on the GPU")


def _disassembler() -> Check:
    found = find_disassembler()
    if isinstance(found, Unavailable):
        return missing(
            "disassembler",
            found.reason,
            _NOT_READ,
        )
    return ok("disassembler", f"{found.tool}, {found.path}")


def _ncu() -> Check:
    try:
        path = find_ncu()
    except GpuError as error:
        return missing("ncu", error.sentence, _NOT_COUNTED)
    return ok("ncu", f"{tool_name(path)}, {path}")


def _counters(probe: Probe, waiting: Waiting) -> Check:
    """By counting one access. What the driver says of the permission stands beside it."""
    if not gpu_present():
        return missing("counters", _NO_GPU, _AFTER_DRIVER)
    pattern = FrozenAccess.of(parse(_EXAMPLE).evaluate({}).access)
    begin = time.perf_counter()
    try:
        with waiting("counting s[lane] with Nsight Compute"):
            (counts,) = probe.count([pattern], timeout_s=_SECONDS)
    except GpuError as error:
        counts = Unavailable(error.sentence)
    if isinstance(counts, Counts):
        return ok("counters", f"read in {time.perf_counter() - begin:.1f} s{_permission()}")
    return missing("counters", counts.reason + _permission(), _NOT_COUNTED)


def _permission() -> str:
    """The driver's own word, where it tells."""
    try:
        admin_only = re.search(r"^RmProfilingAdminOnly: (\d)", _PARAMETERS.read_text(), re.MULTILINE)
    except OSError:
        return ""
    return f"; RmProfilingAdminOnly is {admin_only[1]}" if admin_only else ""
