"""What was compiled once is not compiled again, and nothing is taken for it; and what is said where NVRTC fails."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gpu.samples import stride, table_fragment
from warpviz.gpu import GpuError
from warpviz.gpu.code import compile as compiling
from warpviz.gpu.code.compile import (
    CUDA_12,
    compile_ahead,
    compile_cubin,
    compiler_identity,
    cubin_key,
    known_archs,
    nvrtc_version,
    too_new_for,
)
from warpviz.gpu.kernels import Source, address_kernel, timed_kernel

SOURCE = Source(
    "copy.cu", '#include "copy.cuh"\n', (("copy.cuh", "__global__ void f(KIND* a) { a[1] = a[0]; }"),), ("KIND=int",)
)
WORD = st.text("ab", max_size=2)  # few, so that many are equal when they are cut otherwise
SOURCES = st.builds(
    Source, WORD, WORD, st.lists(st.tuples(WORD, WORD), max_size=2).map(tuple), st.lists(WORD, max_size=2).map(tuple)
)
KEYED = st.tuples(SOURCES, st.lists(WORD, max_size=2).map(tuple), st.lists(WORD, max_size=2).map(tuple))


def _forget() -> None:
    for function in (compile_cubin, known_archs, nvrtc_version, compiler_identity):
        function.cache_clear()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, on disk and in memory."""
    monkeypatch.setenv("WARPVIZ_CACHE", str(tmp_path / "cache"))
    _forget()
    yield tmp_path / "cache"
    _forget()


@pytest.fixture
def compiled(nvrtc: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the sources that NVRTC was given."""
    names = []
    real = compiling._compiled

    def compile_and_note(library: ModuleType, source: Source, options: list[str]) -> bytes:
        names.append(source.name)
        return real(library, source, options)

    monkeypatch.setattr(compiling, "_compiled", compile_and_note)
    return names


def test_what_is_kept_is_byte_for_byte_what_nvrtc_makes(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    source = timed_kernel(stride(8, width=8))
    first = compile_cubin(source, "sm_90")
    compile_cubin.cache_clear()
    assert compile_cubin(source, "sm_90") == first
    assert len(compiled) == 1
    compile_cubin.cache_clear()
    monkeypatch.setenv("WARPVIZ_CACHE", "off")
    assert compile_cubin(source, "sm_90") == first
    assert len(compiled) == 2


@given(KEYED, KEYED)
def test_all_that_determines_a_cubin_is_in_its_key(
    one: tuple[Source, tuple[str, ...], tuple[str, ...]], other: tuple[Source, tuple[str, ...], tuple[str, ...]]
) -> None:
    def seen(source: Source, options: tuple[str, ...], compiler: tuple[str, ...]) -> object:
        return dataclasses.replace(source, macros=()), options, compiler  # the macros are options

    assert (cubin_key(*one) == cubin_key(*other)) == (seen(*one) == seen(*other))


def test_each_change_of_the_source_is_compiled(compiled: list[str]) -> None:
    changed = [
        dataclasses.replace(SOURCE, name="other.cu"),
        dataclasses.replace(SOURCE, text=SOURCE.text + "// more\n"),
        dataclasses.replace(SOURCE, macros=("KIND=double",)),
        dataclasses.replace(SOURCE, headers=(("copy.cuh", SOURCE.headers[0][1].replace("a[1]", "a[2]")),)),
    ]
    cubins = [compile_cubin(source, "sm_90") for source in (SOURCE, *changed)]
    cubins.append(compile_cubin(SOURCE, "sm_80"))
    assert len(compiled) == 6
    compile_cubin.cache_clear()
    assert [compile_cubin(source, "sm_90") for source in (SOURCE, *changed)] == cubins[:5]
    assert compile_cubin(SOURCE, "sm_80") == cubins[5]
    assert len(compiled) == 6


def test_another_compiler_compiles_again(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    compile_cubin(SOURCE, "sm_90")
    compile_cubin.cache_clear()
    monkeypatch.setattr(compiling, "compiler_identity", lambda: ("13.0", "another file"))
    compile_cubin(SOURCE, "sm_90")
    assert len(compiled) == 2


def test_the_compiler_is_known_by_its_file(nvrtc: str, monkeypatch: pytest.MonkeyPatch) -> None:
    version, *file = compiler_identity()
    assert version == nvrtc_version()
    if file:
        assert Path(file[0]).stat().st_size == int(file[1])
    monkeypatch.setitem(sys.modules, "cuda.pathfinder", None)
    compiler_identity.cache_clear()
    assert compiler_identity() == (version,)


def test_a_damaged_entry_is_compiled_again_and_mended(compiled: list[str], folder: Path) -> None:
    cubin = compile_cubin(SOURCE, "sm_90")
    (entry,) = folder.iterdir()
    whole = entry.read_bytes()
    entry.write_bytes(whole[: len(whole) // 2])
    compile_cubin.cache_clear()
    assert compile_cubin(SOURCE, "sm_90") == cubin
    assert entry.read_bytes() == whole
    assert len(compiled) == 2


def test_without_a_folder_all_is_compiled(compiled: list[str], folder: Path) -> None:
    folder.write_text("a file where the folder would be")
    assert compile_cubin(SOURCE, "sm_90")[:4] == b"\x7fELF"
    assert len(compiled) == 1


def test_the_architectures_are_named_from_old_to_new(nvrtc: str) -> None:
    archs = known_archs()
    assert {"sm_75", "sm_80", "sm_90"} < set(archs)
    assert list(archs) == sorted(archs, key=lambda arch: int(arch.removeprefix("sm_")))


def test_what_nvrtc_rejects_is_not_kept(compiled: list[str], folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(GpuError, match=r"NVRTC rejects wrong\.cu: .*error"):
            compile_cubin(Source("wrong.cu", "no C++ at all"), "sm_90")
    assert len(compiled) == 2
    assert not folder.exists()


def test_processes_that_compile_the_same_at_once_all_get_it(nvrtc: str, folder: Path) -> None:
    program = """
import hashlib
from tests.gpu.test_compile import SOURCE
from warpviz.gpu.code.compile import compile_cubin
print(hashlib.sha256(compile_cubin(SOURCE, "sm_90")).hexdigest())
"""
    processes = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) for _ in range(4)]
    answers = {process.communicate(timeout=120)[0] for process in processes}
    assert len(answers) == 1
    assert len(answers.pop()) == 65
    assert len(list(folder.iterdir())) == 1


def test_without_bindings_the_mend_is_named_for_each_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuda.bindings", None)
    with pytest.raises(GpuError, match=r"cuda-bindings, .*pip install cuda-bindings .*pip install 'cuda-bindings<13'"):
        nvrtc_version()


@pytest.mark.parametrize("version", ["12.9.1", "13.5.0"])
def test_without_nvrtc_the_mend_is_that_of_the_bindings(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    def fail() -> None:
        raise RuntimeError("libnvrtc.so is not found")

    bindings, nvrtc = ModuleType("cuda.bindings"), ModuleType("cuda.bindings.nvrtc")
    vars(bindings).update(__version__=version, nvrtc=nvrtc, __path__=[])
    vars(nvrtc).update(nvrtcVersion=fail)
    parent = ModuleType("cuda")
    vars(parent).update(bindings=bindings, __path__=[])
    for module in (parent, bindings, nvrtc):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    major = version[:2]
    sentence = f"NVRTC {major}, which .* is not there: pip install 'cuda-toolkit\\[nvrtc\\]=={major}\\.\\*'"
    with pytest.raises(GpuError, match=sentence) as caught:
        nvrtc_version()
    assert caught.value.kind == "failed"


@pytest.mark.parametrize(
    ("driver", "nvrtc_of", "mend"),
    [
        (
            (12, 4),
            "13.5",
            f"update it, or pip uninstall nvidia-cuda-nvrtc and then {CUDA_12}",
        ),
        ((11, 8), "12.9", "update it to 525 or newer"),
        ((11, 8), "13.0", "update it to 525 or newer"),
        ((12, 0), "12.9", None),
        ((13, 0), "13.5", None),
        ((13, 0), "12.8", None),
    ],
)
def test_a_driver_loads_the_code_of_its_own_major_version_and_older(
    monkeypatch: pytest.MonkeyPatch, driver: tuple[int, int], nvrtc_of: str, mend: str | None
) -> None:
    monkeypatch.setattr(compiling, "nvrtc_version", lambda: nvrtc_of)
    sentence = too_new_for(driver)
    if mend is None:
        assert sentence is None
    else:
        assert sentence is not None
        assert sentence.startswith(
            f"the driver runs CUDA {driver[0]}.{driver[1]}, which does not load what NVRTC {nvrtc_of} "
        )
        assert sentence.endswith(mend)


def test_what_is_compiled_ahead_is_there_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WARPVIZ_CACHE", str(tmp_path))
    sources = [address_kernel(table_fragment(stride(4 * k))) for k in range(300, 304)]
    broken = address_kernel("not C")
    compile_ahead([*sources[:2], broken, *sources[2:]], "sm_90")
    end = time.monotonic() + 30
    while len([path for path in tmp_path.rglob("*") if path.is_file()]) < len(sources) and time.monotonic() < end:
        time.sleep(0.02)
    monkeypatch.setattr("warpviz.gpu.code.compile._compiled", lambda *asked: pytest.fail("compiled again"))
    assert all(compile_cubin(source, "sm_90")[:4] == b"\x7fELF" for source in sources)
