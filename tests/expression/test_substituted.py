"""The expression with the numbers of a lane in it."""

from __future__ import annotations

import pytest

from tests.expression.ask import ask


@pytest.mark.parametrize(
    ("expression", "declarations", "values", "lane", "steps"),
    [
        ("s[k*lane]", "", {"k": 8}, 10, ("s[8*10]", "s[80]")),
        ("s[k * lane]", "", {"k": -1}, 3, ("s[(-1)*3]", "s[-3]")),
        ("s[3]", "", {}, 10, ("s[3]",)),
        ("s[lane]", "", {}, 10, ("s[10]",)),
        ("t[threadIdx.y][threadIdx.x + 1]", "", {}, 20, ("t[0][20 + 1]", "t[0][21]")),
        ("*(float4*)&s[4*lane]", "", {}, 3, ("*(float4*)&s[4*3]", "*(float4*)&s[12]")),
        ("((float4*)s)[lane ^ lane >> 3]", "", {}, 9, ("((float4*)s)[9 ^ (9 >> 3)]", "((float4*)s)[8]")),
        ("s[(lane + 1) * (2 - lane)]", "", {}, 3, ("s[(3 + 1)*(2 - 3)]", "s[-4]")),
        ("s[lane - (2 - lane)]", "", {}, 3, ("s[3 - (2 - 3)]", "s[4]")),
        ("s[-(-lane)]", "", {}, 3, ("s[- -3]", "s[3]")),
        ("lane < 16 ? a[lane] : b[lane - 16]", "float *a, *b;", {}, 20, ("20 < 16 ? a[20] : b[20 - 16]", "b[4]")),
        ("row[lane]", "__shared__ float t[9][32]; float* row = t[lane % 9];", {}, 20, ("row[20]",)),
        ("v[t].x", "struct V { int w; float x; }; const int t = 3*threadIdx.x; V* v;", {}, 4, ("v[12].x",)),
        ("(p + lane)->x", "float2* p;", {}, 4, ("(p + 4)->x",)),
        ("r.x", "__shared__ float4 t[32]; auto& r = t[lane*k];", {"k": 2}, 5, ("t[5*2].x", "t[10].x")),
        ("s[min(lane, 9) + (int)sizeof(int)]", "", {}, 20, ("s[min(20, 9) + (int)sizeof(int)]", "s[13]")),
        ("s[table[lane & 1]]", "const int table[2] = {7, 9};", {}, 3, ("s[table[3 & 1]]", "s[9]")),
        ("s[N*lane]", "#define N (2 + 1)", {}, 3, ("s[(2 + 1)*3]", "s[9]")),
        ("s[lane && 2 || 0]", "", {}, 3, ("s[(3 && 2) || 0]", "s[1]")),
        ("s[(lane, 2)]", "", {}, 3, ("s[3, 2]", "s[2]")),
    ],
)
def test_steps(expression: str, declarations: str, values: dict[str, int], lane: int, steps: tuple[str, ...]) -> None:
    assert ask(expression, declarations, values).substituted(lane) == steps


def test_a_lane_without_numbers_has_the_expression_as_it_is() -> None:
    evaluation = ask("s[7/lane]", where="lane > 3")
    assert evaluation.substituted(0) == ("s[7/lane]",)
    assert evaluation.substituted(2) == ("s[7/2]", "s[3]")
