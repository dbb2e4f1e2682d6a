"""NVRTC in a process of its own: what it makes, what it rejects, and what is said when it ends or does not."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from warpviz.gpu import GpuError
from warpviz.gpu.code.compile import RejectedError, compile_cubin, compile_ptx
from warpviz.gpu.code.compiler import Compiler, running
from warpviz.gpu.kernels import Source
from warpviz.gpu.toolkit import header_folders

TEMPLATE = Source(
    "t.cu", '#include "n.cuh"\n', (("n.cuh", "template <class T> __global__ void k(T* a) { a[N] = 1; }\n"),), ("N=3",)
)
FLOATS = Source(TEMPLATE.name, TEMPLATE.text, TEMPLATE.headers, ("N=3",), ("-lineinfo",), ("k<float>", "k<int>"))


@pytest.fixture(autouse=True)
def _own_cache(nvrtc: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPVIZ_CACHE", str(tmp_path / "cache"))
    compile_cubin.cache_clear()


def test_ptx_for_an_architecture_with_the_instances_that_are_asked_for() -> None:
    with Compiler() as compiler:
        ptx = compiler.ptx(FLOATS, "sm_80")
        assert compiler.ptx(TEMPLATE, "sm_80").names == ()
    assert ".target sm_80" in ptx.text
    assert ".loc" in ptx.text
    assert dict(ptx.names) == {"k<float>": "_Z1kIfEvPT_", "k<int>": "_Z1kIiEvPT_"}
    assert all(f".entry {symbol}(" in ptx.text for _, symbol in ptx.names)


def test_machine_code_for_an_architecture() -> None:
    with Compiler() as compiler:
        assert compiler.cubin(FLOATS, "sm_90") == compile_cubin(FLOATS, "sm_90")
        with pytest.raises(RejectedError, match='"N" is undefined'):
            compiler.cubin(Source(TEMPLATE.name, TEMPLATE.text, TEMPLATE.headers, instances=("k<int>",)), "sm_90")
        assert compiler.ptx(FLOATS, "sm_90").text, "it goes on"


def test_one_that_is_running_goes_on_to_run() -> None:
    with Compiler() as compiler:
        with running(compiler) as one:
            assert one is compiler
        assert compiler.cubin(FLOATS, "sm_90")
    with running(None) as own:
        assert own.cubin(FLOATS, "sm_90")
    assert own._process.returncode is not None


def test_what_was_compiled_once_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first = compile_ptx(FLOATS, "sm_90")
    cubin = compile_cubin(FLOATS, "sm_90")
    monkeypatch.setattr("warpviz.gpu.code.compile._program", lambda *asked: pytest.fail("compiled again"))
    assert compile_ptx(FLOATS, "sm_90") == first
    compile_cubin.cache_clear()
    assert compile_cubin(FLOATS, "sm_90") == cubin
    assert b"_Z1kIfEvPT_" in cubin
    with pytest.raises(pytest.fail.Exception):
        compile_ptx(TEMPLATE, "sm_90")


def test_what_is_rejected_is_told_with_the_whole_log() -> None:
    text = "__global__ void k(int* a) {\n  a[0] = x;\n  a[1] = y;\n}\n"
    with Compiler() as compiler:
        with pytest.raises(RejectedError, match=r'^NVRTC rejects k\.cu: k\.cu\(2\): .*"x" is undefined$') as caught:
            compiler.ptx(Source("k.cu", text), "sm_90")
        assert 'k.cu(3): error: identifier "y" is undefined' in caught.value.log
        with pytest.raises(GpuError, match="does not compile for sm_999"):
            compiler.ptx(TEMPLATE, "sm_999")
        assert compiler.ptx(TEMPLATE, "sm_90").text


def test_a_text_that_takes_too_long_is_given_up() -> None:
    begun = time.monotonic()
    with (
        Compiler(seconds=0.02) as compiler,
        pytest.raises(GpuError, match=r"NVRTC was not done within 0\.02 s and was stopped") as caught,
    ):
        compiler.ptx(FLOATS, "sm_90")
    assert caught.value.kind == "timed_out"
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there are no signals here")
def test_a_compiler_that_dies_is_one_sentence() -> None:
    with Compiler() as compiler:
        compiler.ptx(TEMPLATE, "sm_90")
        os.kill(compiler._process.pid, signal.SIGKILL)
        for _ in range(2):
            with pytest.raises(GpuError, match=r"NVRTC itself crashes on this text \(by signal 9\)"):
                compiler.ptx(TEMPLATE, "sm_90")


def test_nothing_is_left_behind() -> None:
    with pytest.raises(KeyboardInterrupt), Compiler() as compiler:
        raise KeyboardInterrupt
    assert compiler._process.returncode is not None


def test_without_python_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(GpuError, match="Python does not start to compile: No such file"), Compiler():
        pytest.fail("it starts")


def test_headers_are_those_of_the_toolkit_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "cuda"))
    before = header_folders()
    assert tmp_path / "cuda" / "include" not in before
    real = tmp_path / "cuda-99" / "include"
    real.mkdir(parents=True)
    (tmp_path / "cuda").symlink_to(tmp_path / "cuda-99")
    (real / "cuda_fp16.h").touch()
    assert header_folders() == (real,)
    (real / "cccl").mkdir()
    assert header_folders() == (real, real / "cccl")
