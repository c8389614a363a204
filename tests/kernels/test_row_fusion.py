"""Groups with row reductions, compared with NumPy, with equal results in every thread order."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support import cases
from tfmini._src.devices.cuda.fusion import Float16Operands
from tfmini._src.devices.cuda.row_fusion import RowKernel, RowStep, one_block_per_row

X, Y = ("input", 0), ("input", 1)


def step(index):
    return "step", index


# x * 0.5 + y, its softmax, and the logarithm of the sums.
SOFTMAX = (
    RowStep("multiply", (X, ("number", 0.5)), True),
    RowStep("add", (step(0), Y), True),
    RowStep("max", (step(1),), False),
    RowStep("subtract", (step(1), step(2)), True),
    RowStep("exp", (step(3),), True),
    RowStep("sum", (step(4),), False),
    RowStep("divide", (step(4), step(5)), True),
    RowStep("log", (step(5),), False),
)


def drawn(*shape, dtype="f", seed=0):
    return xp.asarray(np.random.RandomState(seed).randn(*shape), dtype)


def expected(x, y):
    z = np.asarray(x, "d") * 0.5 + np.asarray(y, "d")
    powers = np.exp(z - z.max(-1, keepdims=True))
    totals = powers.sum(-1, keepdims=True)
    return powers / totals, np.log(totals)


# The shape of y next to that of x, and its static knowledge.
BESIDE = {
    "whole": ((2, 3, 4, 50), (2, 3, 4, 50), (2, 3, 4, 50)),
    "long rows": ((3, 1300), (3, 1300), (3, 1300)),
    "numbers of the rows": ((5, 40), (5, 1), (5, 1)),
    "mask": ((2, 3, 4, 50), (2, 1, 1, 50), (2, 1, 1, 50)),
    "rows of a mask": ((2, 3, 4, 50), (1, 3, 1, 1), (1, 3, 1, 1)),
    "a row": ((6, 33), (33,), (33,)),
    "a number": ((6, 33), (), ()),
}


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", BESIDE)
def test_softmax(order, name, dtype):
    shape, other, dims = BESIDE[name]
    kernel = RowKernel(
        SOFTMAX, [6, 7], [True, False], [shape, dims], len(shape), dtype, Float16Operands()
    )
    x, y = drawn(*shape, dtype=dtype), drawn(*other, dtype=dtype, seed=1)
    for value in (y, float(y)) if other == () else (y,):
        actual, logarithms = kernel(xp, x, value)
        room = 2e-5 if dtype == "f" else 1e-12
        np.testing.assert_allclose(actual, expected(x, y)[0], rtol=room, atol=room)
        np.testing.assert_allclose(logarithms, expected(x, y)[1][..., 0], rtol=room, atol=room)
        assert actual.dtype == logarithms.dtype == dtype


def test_strided_arrays():
    """Transposed arrays, and every second element in reverse."""
    base, long = drawn(40, 6), drawn(6, 80, seed=1)
    x, y = base.T, long[:, ::-2]
    kernel = RowKernel(SOFTMAX, [6], [True], [(6, 40)] * 2, 2, "f", Float16Operands())
    np.testing.assert_allclose(kernel(xp, x, y), expected(x, y)[0], rtol=2e-5, atol=1e-6)


def test_dynamic_rows_with_one_column():
    """Per-row values stay scalars: steps outside the loop over the row read them."""
    steps = (RowStep("sum", (X,), False), RowStep("multiply", (step(0), Y), False))
    kernel = RowKernel(steps, [1], [True], [(None, None), (None, 1)], 2, "f", Float16Operands())
    for columns in (1, 3):
        x, y = drawn(4, columns), drawn(4, 1, seed=1)
        np.testing.assert_allclose(kernel(xp, x, y), x.sum(-1, keepdims=True) * y, rtol=1e-6)


def test_float16_storage():
    kernel = RowKernel(
        (*SOFTMAX[:7], RowStep("float16", (step(6),), True)),
        *([7], [True], [(6, 40)] * 2, 2, "f", Float16Operands(frozenset([0]), frozenset([0]))),
    )
    x, y = drawn(6, 40, dtype="e"), drawn(6, 40, seed=1)
    actual = kernel(xp, x, y)
    assert actual.dtype == np.float16
    np.testing.assert_allclose(actual, expected(x, y)[0], rtol=1e-3, atol=1e-6)


def test_means_and_nan():
    """The mean of deviations from the mean; the maximum of a row with NaN is NaN."""
    steps = (
        RowStep("mean", (X,), False),
        RowStep("subtract", (X, step(0)), True),
        RowStep("square", (step(1),), True),
        RowStep("mean", (step(2),), False),
        RowStep("max", (step(1),), False),
    )
    x = drawn(7, 300)
    x[3, 200] = np.nan
    kernel = RowKernel(steps, [3, 4], [True, True], [(7, 300)], 2, "f", Float16Operands())
    variance, largest = kernel(xp, x)
    np.testing.assert_allclose(variance, x.var(1, keepdims=True), rtol=1e-5)
    off = x - x.mean(1, keepdims=True)
    np.testing.assert_allclose(largest, off.max(1, keepdims=True), rtol=1e-4)


def test_unsupported_inputs_return_none():
    known = RowKernel(SOFTMAX, [6], [True], [(6, 40), (6, 40)], 2, "f", Float16Operands())
    assert known(xp, drawn(6, 40), drawn(1, 40)) is None
    assert known(xp, drawn(6, 40), drawn(40)) is None
    assert known(xp, drawn(6, 9000), drawn(6, 9000)) is None  # several blocks are faster
    assert (
        one_block_per_row(128, 9000)
        and one_block_per_row(6, 8192)
        and one_block_per_row(None, 10**6)
        and not one_block_per_row(6, 9000)
    )


def test_empty_input():
    kernel = RowKernel(SOFTMAX, [6], [True], [(None, 40), (40,)], 2, "f", Float16Operands())
    assert kernel(xp, drawn(0, 40), drawn(40)).shape == (0, 40)
