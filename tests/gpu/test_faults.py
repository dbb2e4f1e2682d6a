"""Machines as they are: each failure of a driver and its GPU is one sentence with the mend, and the next measurement
works. Over a fake driver, so without a GPU."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run  # noqa: F401
from tests.compiling import compiler_process
from tests.gpu import driver
from tests.gpu.driver import Outcome
from tests.gpu.fake_worker import is_running
from tests.gpu.samples import measurement, request, stride
from warpviz.gpu import Code, FrozenAccess, GpuError, Probe, Unavailable
from warpviz.gpu.code.disassembler import Disassembler, find_disassembler
from warpviz.gpu.link import Ask
from warpviz.gpu.machine import missing

WORKS = "the GPU evaluates the expression otherwise"  # what no kernel has written is not what was predicted
NOBODY = 65534  # the user and the group without rights
SLICE = "MIG-12345678-9abc-def0-1234-56789abcdef0"
ZERO, ONE = ("GPU-" + "-".join(digit * length for length in (8, 4, 4, 4, 12)) for digit in "01")
TWO_GPUS = "this machine has 0 (Fake GPU 0, GPU-00000000-0000-0000-0000-000000000000), 1 (Fake GPU 1, GPU-11111111-1111"

SENTENCES: dict[str, tuple[Mapping[str, str], str, str]] = {
    "all is well": ({}, "refused", WORKS),
    "an old driver": ({"FAKE_CUDA_VERSION": "12040"}, "no_gpu", "runs CUDA 12.4, which does not load what NVRTC"),
    "a minor version older": ({"FAKE_CUDA_VERSION": "13000"}, "refused", WORKS),
    "no device": ({"FAKE_DEVICES": "0"}, "no_gpu", "shows no GPU: nvidia-smi tells more; a container is given one"),
    "a stub": ({"FAKE_FAIL": "cuInit=34"}, "no_gpu", "the toolkit's stub, not the driver's: take the folder stubs out"),
    "module and library differ": ({"FAKE_FAIL": "cuInit=803"}, "no_gpu", "of different versions, as after an update"),
    "cuda-compat": ({"FAKE_FAIL": "cuInit=804"}, "no_gpu", "of the package cuda-compat, which this GPU does not take"),
    "not permitted": ({"FAKE_FAIL": "cuDevicePrimaryCtxRetain=800"}, "no_gpu", "this user may not use the GPU"),
    "not ready": ({"FAKE_FAIL": "cuInit=802"}, "no_gpu", "fabric manager has to run"),
    "operating system": ({"FAKE_FAIL": "cuInit=304"}, "no_gpu", "the system refuses it something"),
    "unknown at start": ({"FAKE_FAIL": "cuInit=999"}, "no_gpu", "sudo modprobe nvidia_uvm"),
    "without a licence": ({"FAKE_FAIL": "cuDevicePrimaryCtxRetain=102"}, "no_gpu", "a virtual GPU needs one"),
    "MPS": ({"FAKE_FAIL": "cuInit=806"}, "no_gpu", "Multi-Process Service"),
    "nobody knows at start": ({"FAKE_FAIL": "cuInit=1"}, "no_gpu", "does not start in cuInit: the fake driver fails"),
    "prohibited": (
        {"FAKE_FAIL": "cuDevicePrimaryCtxRetain=46", "FAKE_MODE": "2"},
        "no_gpu",
        "this GPU's compute mode (prohibited) lets nobody compute: nvidia-smi -q -d COMPUTE shows it",
    ),
    "exclusive": (
        {"FAKE_FAIL": "cuDevicePrimaryCtxRetain=46", "FAKE_MODE": "3"},
        "no_gpu",
        "(exclusive) lets one process compute at a time, and another has it",
    ),
    "exclusive, as invalid device": (
        {"FAKE_FAIL": "cuDevicePrimaryCtxRetain=101", "FAKE_MODE": "3"},
        "no_gpu",
        "(exclusive) lets one process",
    ),
    "busy": ({"FAKE_FAIL": "cuDevicePrimaryCtxRetain=46"}, "no_gpu", "not to be had: other processes hold it"),
    "no memory for a context": (
        {"FAKE_FAIL": "cuDevicePrimaryCtxRetain=2"},
        "failed",
        "the GPU's memory is full: 410 MiB of 143,771 MiB are free, other processes hold most of it (nvidia-smi lists",
    ),
    "no memory for code": ({"FAKE_FAIL": "cuModuleLoadData=2"}, "failed", "memory is full: 410 MiB of 143,771 MiB"),
    "no memory": ({"FAKE_FAIL": "cuMemAlloc=2"}, "failed", "end one, or choose another GPU with --device"),
    "lost": (
        {"FAKE_FAIL": "cuStreamQuery=999,cuStreamSynchronize=999"},
        "failed",
        "does not answer any more: nvidia-smi or dmesg tells more (Xid); it may need a reset (cuStreamSynchronize: ",
    ),
    "memory errors": ({"FAKE_FAIL": "cuStreamSynchronize=214"}, "failed", "does not answer any more"),
    "launch failed": ({"FAKE_FAIL": "cuStreamSynchronize=719"}, "failed", "the kernel failed on the GPU; if a plain"),
    "stack error": ({"FAKE_FAIL": "cuMemcpyDtoH=714"}, "failed", "the kernel failed on the GPU"),
    "watchdog": ({"FAKE_FAIL": "cuStreamSynchronize=702"}, "failed", "longer than the system allows"),
    "foreign code": ({"FAKE_FAIL": "cuModuleLoadData=209"}, "failed", "do not go together"),
    "nobody knows": ({"FAKE_FAIL": "cuLaunchKernel=1"}, "failed", "the GPU fails in cuLaunchKernel: the fake driver"),
    "everything hidden": (
        {"CUDA_VISIBLE_DEVICES": ""},
        "no_gpu",
        "CUDA_VISIBLE_DEVICES is empty, so that CUDA shows no",
    ),
    "everything hidden by -1": ({"CUDA_VISIBLE_DEVICES": "-1"}, "no_gpu", "CUDA_VISIBLE_DEVICES is '-1', so that CUDA"),
    "no such number": (
        {"FAKE_DEVICES": "2", "CUDA_VISIBLE_DEVICES": "7"},
        "no_gpu",
        f"there is no GPU 7, as --device or CUDA_VISIBLE_DEVICES asks for: {TWO_GPUS}",
    ),
    "no such UUID": (
        {"FAKE_DEVICES": "2", "CUDA_VISIBLE_DEVICES": "GPU-77"},
        "no_gpu",
        f"there is no GPU-77, as --device or CUDA_VISIBLE_DEVICES asks for: {TWO_GPUS}",
    ),
    "an ambiguous UUID": (
        {"FAKE_DEVICES": "2", "CUDA_VISIBLE_DEVICES": "GPU-"},
        "no_gpu",
        f"GPU- is the beginning of {ZERO} and of {ONE}: write more of it",
    ),
    "MIG without slices": (
        {"FAKE_MIG": "1", "FAKE_FAIL": "cuInit=100"},
        "no_gpu",
        "GPU 0 (Fake GPU 0) is in MIG mode and has no slice: nvidia-smi mig -cgi makes one",
    ),
}
DEVICES: dict[str, tuple[Mapping[str, str], str, str]] = {
    "the first": ({"FAKE_DEVICES": "2"}, ZERO, "Fake GPU 0"),
    "a number": ({"FAKE_DEVICES": "2", "CUDA_VISIBLE_DEVICES": "1"}, ONE, "Fake GPU 1"),
    "a UUID": ({"FAKE_DEVICES": "2", "CUDA_VISIBLE_DEVICES": "GPU-11"}, ONE, "Fake GPU 1"),
    "a slice": ({"FAKE_SLICE": SLICE, "CUDA_VISIBLE_DEVICES": SLICE}, SLICE, "Fake GPU MIG 1g.18gb"),
}


@pytest.fixture(scope="module")
def fake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the fake driver."""
    return driver.build(tmp_path_factory.mktemp("driver"))


@pytest.fixture(scope="module")
def tried(fake: Path) -> dict[str, Outcome]:
    cases = {**SENTENCES, **DEVICES}
    return dict(zip(cases, driver.outcomes(fake, [changes for changes, *_ in cases.values()]), strict=True))


@pytest.fixture
def machine(fake: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine with the fake driver, for this process and those that it starts. Gives what changes its environment."""
    for name, value in driver.environment(fake).items():
        monkeypatch.setenv(name, value)
    for name in ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("warpviz.gpu.machine.presence.device_nodes", lambda: ["/dev/nvidia0"])
    monkeypatch.setitem(sys.modules, "pynvml", driver.load_fake_nvml())
    return monkeypatch


@pytest.fixture
def probe(machine: pytest.MonkeyPatch) -> Iterator[Probe]:
    with Probe() as probe:
        yield probe


ASKED = request(stride(4), counters="off")


def test_every_failure_is_one_line_of_plain_words(tried: dict[str, Outcome]) -> None:
    for name, outcome in tried.items():
        assert outcome.sentence.count("\n") == 0, name
        assert not outcome.sentence.endswith("."), name


@pytest.mark.parametrize("case", SENTENCES)
def test_each_failure_is_one_sentence_with_the_mend(tried: dict[str, Outcome], case: str) -> None:
    _, kind, words = SENTENCES[case]
    assert words in tried[case].sentence
    assert tried[case].kind == kind


@pytest.mark.parametrize("case", DEVICES)
def test_the_device_is_the_one_that_is_shown(tried: dict[str, Outcome], case: str) -> None:
    _, uuid, name = DEVICES[case]
    assert (tried[case].uuid, tried[case].name) == (uuid, name)


@pytest.mark.parametrize(
    ("lacking", "words"),
    [
        (
            "cuDevicePrimaryCtxRetain",
            r"\(CUDA 13\.0\) has no cuDevicePrimaryCtxRetain, which cuda-bindings \d+\.\S+ calls",
        ),
        ("cuInit", "has no cuInit, which"),
        ("cuStreamQuery", r"has no cuStreamQuery, which .*: update the driver, or pip install 'cuda-bindings<13\.1'"),
    ],
)
def test_bindings_newer_than_the_driver_are_told_so(
    probe: Probe, machine: pytest.MonkeyPatch, lacking: str, words: str
) -> None:
    machine.setenv("FAKE_CUDA_VERSION", "13000")
    machine.setenv("FAKE_LACKS", lacking)
    with pytest.raises(GpuError, match=words) as caught:
        probe.measure(ASKED)
    assert caught.value.kind == "no_gpu"


def test_without_nvml_a_full_memory_is_told_without_numbers(fake: Path) -> None:
    (outcome,) = driver.outcomes(fake, [{"FAKE_FAIL": "cuMemAlloc=2"}], nvml=False)
    assert outcome.sentence.startswith("the GPU's memory is full: other processes hold most of it")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"FAKE_FAIL": "cuDevicePrimaryCtxRetain=2"}, "memory is full"),
        ({"FAKE_FAIL": "cuMemAlloc=2"}, "memory is full"),
        ({"FAKE_FAIL": "cuStreamQuery=999,cuStreamSynchronize=999"}, "does not answer any more"),
        ({"FAKE_HANG": "1"}, "evaluating the addresses on the GPU\\): the measurement was stopped after 3 s"),
        ({"FAKE_CUDA_VERSION": "12040"}, "runs CUDA 12"),
    ],
    ids=["no memory for a context", "no memory", "lost", "hang", "old driver"],
)
def test_after_a_fault_the_next_measurement_works(
    probe: Probe, machine: pytest.MonkeyPatch, fault: Mapping[str, str], words: str
) -> None:
    for name, value in fault.items():
        machine.setenv(name, value)
    with pytest.raises(GpuError, match=words):
        probe.measure(ASKED, timeout_s=3)
    assert children() == []
    for name in fault:
        machine.delenv(name)
    assert_works(probe)


def test_a_worker_killed_in_the_middle_of_a_measurement(probe: Probe, machine: pytest.MonkeyPatch) -> None:
    machine.setenv("FAKE_HANG", "1")

    def kill(stage: str) -> None:
        if stage.startswith("evaluating"):
            threading.Timer(0.2, lambda: [os.kill(pid, signal.SIGKILL) for pid in children()]).start()

    with pytest.raises(
        GpuError, match="the process that owns the GPU ended by signal 9; the next measurement"
    ) as caught:
        probe.measure(ASKED, progress=kill)
    assert caught.value.kind == "failed"
    machine.delenv("FAKE_HANG")
    assert_works(probe)


def test_two_at_once_both_work(machine: pytest.MonkeyPatch) -> None:
    with Probe() as one, Probe() as other:
        threads = [threading.Thread(target=assert_works, args=(probe,)) for probe in (one, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(children()) == 2
        one.close()
        assert_works(other)
    assert children() == []


def test_a_gpu_is_chosen_among_those_that_are_shown(machine: pytest.MonkeyPatch) -> None:
    machine.setenv("FAKE_DEVICES", "4")
    machine.setenv("CUDA_VISIBLE_DEVICES", "0,3")
    assert uuid_of(Probe("1")) == "GPU-33333333-3333-3333-3333-333333333333"
    assert uuid_of(Probe("GPU-333")) == "GPU-33333333-3333-3333-3333-333333333333"
    machine.setenv("CUDA_VISIBLE_DEVICES", f"{ONE},GPU-2")
    assert uuid_of(Probe("GPU-1")) == ONE
    assert uuid_of(Probe("1")) == "GPU-22222222-2222-2222-2222-222222222222"
    machine.delenv("CUDA_VISIBLE_DEVICES")
    assert uuid_of(Probe("2")) == "GPU-22222222-2222-2222-2222-222222222222"


@pytest.mark.parametrize(
    ("arguments", "changes", "code", "words"),
    [
        ((), {"CUDA_VISIBLE_DEVICES": "7"}, 3, "there is no GPU 7"),
        (
            ("--device", "3"),
            {},
            3,
            "there is no GPU 3, as --device or CUDA_VISIBLE_DEVICES asks for: this machine has 0",
        ),
        (("--device", "3"), {"CUDA_VISIBLE_DEVICES": "0"}, 3, "there is no GPU 3: CUDA_VISIBLE_DEVICES=0 shows only 0"),
        (
            ("--device", "GPU-1"),
            {"CUDA_VISIBLE_DEVICES": "0"},
            3,
            "GPU-1 is not among those that CUDA_VISIBLE_DEVICES=0",
        ),
        (("--device", "one"), {}, 2, "'one' is no GPU; one is named by its number (0, 1, …) or by its UUID"),
        (("--device", "-1"), {}, 2, "'-1' is no GPU"),
        ((), {"FAKE_FAIL": "cuMemAlloc=2"}, 1, "the GPU's memory is full"),
    ],
)
def test_the_command_line_says_it_and_exits_as_it_should(
    run: Run,  # noqa: F811
    machine: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    changes: Mapping[str, str],
    code: int,
    words: str,
) -> None:
    for name, value in {"FAKE_DEVICES": "2", **changes}.items():
        machine.setenv(name, value)
    answer = run("measure", "s[lane]", "--counters", "off", *arguments)
    assert words in answer.err
    assert (answer.code, answer.out) == (code, "")


@pytest.fixture
def common_user() -> Callable[[], AbstractContextManager[None]]:
    """Gives up root's rights for a while."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root gives up its rights")
    for name in ("grp", "pwd"):
        importlib.import_module(name)  # Python's own folder may be for root alone

    @contextmanager
    def without_rights() -> Iterator[None]:
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)
            os.setegid(0)

    return without_rights


@pytest.mark.parametrize(
    ("mode", "group", "words"),
    [
        (0o660, 1, "which is for root and the group GROUP: sudo usermod -aG GROUP $USER, and log in again"),
        (0o660, 54321, "which is for root and the group 54321: sudo usermod -aG 54321 $USER"),
        (0o600, 54321, "which is for root alone: the administrator opens it to all"),
    ],
)
def test_a_device_node_that_may_not_be_opened_is_named_with_its_group(
    common_user: Callable[[], AbstractContextManager[None]],
    monkeypatch: pytest.MonkeyPatch,
    mode: int,
    group: int,
    words: str,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        node = Path(folder) / "nvidia0"
        node.touch()
        os.chown(node, 0, group)
        node.chmod(mode)
        monkeypatch.setattr("warpviz.gpu.machine.missing.device_nodes", lambda: [str(node)])
        assert missing.why_closed() is None
        with common_user():
            said = missing.why_closed()
        group_name = node.group() if group == 1 else str(group)
    assert said is not None
    assert said.startswith(f"this user may not open {node}, {words.replace('GROUP', group_name)}")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EPERM, "/dev/nvidia0 is there but may not be opened: a container is given it with"),
        (errno.EIO, "/dev/nvidia0 cannot be opened (Input/output error): nvidia-smi or dmesg (Xid) tells more"),
    ],
)
def test_a_device_node_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, number: int, words: str) -> None:
    def fail(path: str, flags: int) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("warpviz.gpu.machine.missing.device_nodes", lambda: ["/dev/nvidia0"])
    monkeypatch.setattr("warpviz.gpu.machine.missing.os.open", fail)
    assert (missing.why_closed() or "").startswith(words)


@pytest.fixture
def disassembler() -> Disassembler:
    found = find_disassembler()
    if isinstance(found, Unavailable):
        pytest.skip(found.reason)
    return found


@pytest.mark.parametrize(
    ("pattern", "kernel", "opcodes"),
    [
        (stride(4), "timed", (("LDS", 16),)),
        (stride(16, width=16), "timed", (("LDS.128", 16),)),
        (stride(4, op="st"), "timed", (("STS", 16),)),
        (stride(4, space="global"), "stream", None),
    ],
)
def test_the_machine_code_is_read_on_demand(
    probe: Probe, disassembler: Disassembler, pattern: FrozenAccess, kernel: str, opcodes: tuple[tuple[str, int], ...]
) -> None:
    code = probe.read_code(measurement(pattern)).code
    assert isinstance(code, Code), code
    assert (code.kernel, code.registers, code.tool) == (kernel, 24, disassembler.tool)
    assert code.opcodes == opcodes or (opcodes is None and sum(count for _, count in code.opcodes) == code.asked)


def test_machine_code_is_read_once(probe: Probe, disassembler: Disassembler, monkeypatch: pytest.MonkeyPatch) -> None:
    first = probe.read_code(measurement(stride(8))).code
    assert isinstance(first, Code), first

    def fail(self: Disassembler, cubin: bytes) -> str:
        raise AssertionError("it is disassembled again")

    monkeypatch.setattr(Disassembler, "listing", fail)
    with Probe() as another:
        assert another.read_code(measurement(stride(8))).code == first  # kept on disk
    monkeypatch.setattr("warpviz.gpu.code.reader.find_disassembler", fail)
    assert probe.read_code(measurement(stride(12))).code == first  # remembered


def children() -> list[int]:
    """The processes that this one has started and that run, but for the one in which the tests compile."""
    found = []
    for thread in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has just ended
            found += [pid for pid in map(int, thread.read_text().split()) if is_running(pid)]
    return [pid for pid in found if pid != compiler_process()]


def uuid_of(probe: Probe) -> str:
    """Of the GPU that its worker has."""
    with probe:
        return str(probe._owner.ask({"start": True}, Ask(lambda stage: None, 20, stopped=lambda: False))["started"])


def assert_works(probe: Probe) -> None:
    with pytest.raises(GpuError, match=WORKS):
        probe.measure(ASKED)
