"""Whatever is typed, the answer is a prediction or one sentence; never a traceback, never another exit code."""

from __future__ import annotations

import contextlib
import io
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from warpviz.cli import main

_TOKENS = st.sampled_from(
    """lane threadIdx.x blockDim.y s tile p k [ ] ( ) { } , ; : ? . -> & * + - / % ^ | ~ ! << >> < > == != && || = ++
    0 1 7 32 0x1f 1u 2147483647 4294967296 99999999999999999999 08 1.5 1e3 'a' "x" int unsigned float4 half struct P
    typedef const __shared__ extern __constant__ volatile sizeof #define N \\ // /* */ min max abs __popc(lane)
    s[lane] tile[lane][0] p->x (float2*) (int)lane \n \t \0 é 漢 @ $ ` enum union void auto goto return if""".split(" ")
)
_C_LIKE = st.lists(_TOKENS, max_size=14).map(" ".join)
_TEXT = st.one_of(_C_LIKE, st.text(max_size=40))


def _answer(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


@settings(max_examples=40)
@given(expression=_TEXT, declarations=_TEXT, where=st.one_of(st.just(""), _TEXT))
def test_predict(expression: str, declarations: str, where: str) -> None:
    code, out, err = _answer(
        "predict", "--json", "--decl", f" {declarations}", "--where", where, "--set", "k=3", "--", expression
    )
    assert code in (0, 2)
    if code == 0:
        assert json.loads(out)["space"] in ("shared", "global", "const")
    else:
        assert out == ""
        assert "warpviz: " in err or "Error: " in err


@settings(max_examples=40)
@given(option=st.sampled_from(["--block", "--grid", "--block-index", "--warp", "--set", "--arch", "--op"]), text=_TEXT)
def test_options(option: str, text: str) -> None:
    code, out, err = _answer("predict", "s[lane]", "--json", f"{option}={text}")
    assert code in (0, 2)
    assert bool(out) == (code == 0)
    assert bool(err) == (code == 2)
