"""C's integer arithmetic, against gcc: random expressions give the same number in every lane."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.expression.ask import AS_OFFSET, ask, numbers
from tests.expression.compilers import c_numbers, host_addresses, needs_gcc, needs_gxx
from warpviz.expression import Launch

Test = Callable[[list[str]], None]

TYPES = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long"]
TYPES += ["unsigned long", "long long", "unsigned long long", "uint8_t", "int64_t", "size_t", "_Bool"]
CONSTANTS = ["0", "1", "7", "31", "255", "65535", "2147483647", "0x80000000", "4294967295u", "0xffffffffffffffffull"]
CONSTANTS += ["017", "0b1011", "'a'", "12l", "9223372036854775807", "4000000000", "3ul", "sizeof(int)"]

DECLARATIONS = """
const short s = lane * 3001 - 40000; const unsigned char b = 37 * lane; unsigned u = 0u - lane;
const long long w = (long long)lane * 123456789123ll; const int table[2][4] = {{1, -2, 3}, {4000, lane, ~lane, -1}};
enum { ZERO, TWO = 2, THREE };
"""
LEAVES = ["lane", "s", "b", "u", "w", "TWO", "THREE", "table[lane & 1][lane >> 1 & 3]", "sizeof w", "sizeof(short[3])"]
UNARY_FUNCTIONS = ["__brev", "__brevll", "__popc", "__popcll", "__ffs", "__ffsll", "__clz", "__clzll"]
BINARY_FUNCTIONS = ["min", "max", "__mul24", "__umul24", "__mulhi", "__umulhi"]
PLAIN = ["+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||", ","]

leaf = st.sampled_from(LEAVES + CONSTANTS)


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Every operator round smaller expressions, with brackets left out often enough to try the precedence."""
    # A comma's left side is no constant: gcc 12 gives up on `(_Bool)((7, sizeof w))`.
    bare = st.one_of(inner, inner.map("({})".format))
    return st.one_of(
        st.tuples(bare, st.sampled_from(PLAIN[:-1]), bare).map(" ".join),
        inner.map("(lane, {})".format),
        st.tuples(bare, st.sampled_from(["<<", ">>"]), inner).map("({0[0]} {0[1]} (({0[2]}) & 7))".format),
        st.tuples(inner, st.sampled_from("/%"), inner).map("({0[0]}) {0[1]} ((({0[2]}) & 15) + 1)".format),
        st.tuples(inner, st.sampled_from("/%"), inner).map("({0[0]} | 1) {0[1]} (({0[2]}) | 1 | 64)".format),
        st.tuples(st.sampled_from(["-", "~", "!", "+"]), inner).map("{0[0]}({0[1]})".format),
        # The + makes both branches values: of two places of one narrow type CUDA's ?: is that place, C's is an int.
        st.tuples(bare, bare, bare).map("({0[0]} ? +({0[1]}) : {0[2]})".format),
        st.tuples(st.sampled_from(TYPES), inner).map("({0[0]})({0[1]})".format),
        st.tuples(st.sampled_from(UNARY_FUNCTIONS), inner).map("{0[0]}({0[1]})".format),
        st.tuples(st.sampled_from(BINARY_FUNCTIONS), inner, inner).map("{0[0]}({0[1]}, {0[2]})".format),
        inner.map("sizeof({})".format),
    )


expressions = st.recursive(leaf, compound, max_leaves=8)


@needs_gcc
def batches(size: int, examples: int) -> Callable[[Test], Test]:
    """A test of many expressions in one run of a compiler. A failing batch is not shrunk: it names the expression."""
    configured = settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
    )
    return lambda test: configured(given(st.lists(expressions, min_size=size, max_size=size))(test))


@needs_gcc
@batches(size=60, examples=12)
def test_every_lane_has_the_number_that_gcc_computes(batch: list[str]) -> None:
    for expression, expected in zip(batch, c_numbers(batch, DECLARATIONS), strict=True):
        assert numbers(expression, DECLARATIONS) == expected, expression


@needs_gxx
@batches(size=20, examples=4)
def test_what_is_printed_as_cuda_computes_the_same(batch: list[str]) -> None:
    evaluations = [ask(AS_OFFSET.format(expression), DECLARATIONS + "char* origin;") for expression in batch]
    fragments = [(evaluation.cuda_source(), Launch()) for evaluation in evaluations]
    for expression, evaluation, computed in zip(batch, evaluations, host_addresses(fragments), strict=True):
        assert computed == evaluation.access.addresses[0].tolist(), expression


def test_the_most_negative_number_divided_by_minus_one_wraps() -> None:
    least = "(-2147483647 - 1)"
    assert numbers(f"{least} / -(lane | 1)", where="lane < 2")[:2] == [-(2**31), -(2**31)]
    assert numbers(f"{least} % -(lane | 1)", where="lane < 2")[:2] == [0, 0]


def test_a_set_value_has_the_type_of_its_decimal_constant() -> None:
    assert numbers("k + 1", values={"k": 2**31 - 1})[0] == -(2**31)
    assert numbers("k + 1", values={"k": 2**31})[0] == 2**31 + 1
    assert numbers("sizeof(k)", values={"k": -(2**31)})[0] == 4


def test_a_declared_integer_without_a_value_takes_it_from_outside_in_its_own_type() -> None:
    assert numbers("n - 1 > 0", "unsigned n;", {"n": 0})[0] == 1
    assert numbers("n", "unsigned char n;", {"n": 300})[0] == 44
