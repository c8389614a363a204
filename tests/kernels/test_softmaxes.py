"""Softmax and cross entropies, compared with NumPy in double precision."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support import cases
from tfmini._src.devices.cuda import softmax as softmaxes

SHAPES = [(1, 1), (9, 3), (5, 32), (3, 257), (2, 2100), (2, 3, 40), (0, 5), (4,)]
EXACT = {"float32": 2e-6, "float64": 2e-14}


def drawn(shape, dtype, seed=0):
    return xp.asarray(np.random.RandomState(seed).randn(*shape) * 3, dtype)


def expected_softmax(x):
    x = np.asarray(x, "d")
    exponentials = np.exp(x - x.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


@cases.in_one_test
@pytest.mark.parametrize("dtype", EXACT)
@pytest.mark.parametrize("shape", SHAPES)
def test_softmax(order, shape, dtype):
    x = drawn(shape, dtype)
    actual, logarithm = softmaxes.softmax(xp, x), softmaxes.softmax(xp, x, logarithm=True)
    assert actual.dtype == logarithm.dtype == dtype
    if not x.size:
        assert actual.shape == shape
        return
    expected = expected_softmax(x)
    np.testing.assert_allclose(actual, expected, rtol=EXACT[dtype] * 2)
    np.testing.assert_allclose(logarithm, np.log(expected), rtol=EXACT[dtype], atol=EXACT[dtype])


@pytest.mark.parametrize("columns", [5, 600])
def test_softmax_of_nonfinite_values(columns):
    x = drawn((6, columns), "float32")
    x[0, 1], x[1, 2], x[2], x[3, 3] = np.inf, -np.inf, -np.inf, np.nan
    x[4] += 1e4
    result = softmaxes.softmax(xp, x)
    assert np.isnan(result[[0, 2, 3]]).all()
    rest = [1, 4, 5]
    np.testing.assert_allclose(result[rest], expected_softmax(x[rest]), rtol=3e-6, atol=1e-38)
    assert np.isnan(softmaxes.softmax(xp, x, logarithm=True)[[0, 2, 3]]).all()


def expected_losses(x, labels):
    x, labels = np.asarray(x, "d"), np.asarray(labels, "d")
    softmax = expected_softmax(x)
    losses = -(labels * np.log(softmax)).sum(-1)
    return losses, softmax - labels


@cases.in_one_test
@pytest.mark.parametrize("dtype", EXACT)
@pytest.mark.parametrize("shape", [(1, 1), (9, 3), (5, 32), (3, 257), (2, 2100)])
def test_cross_entropy(order, shape, dtype):
    x, labels = drawn(shape, dtype), xp.asarray(expected_softmax(drawn(shape, dtype, 1)), dtype)
    losses, gradients = softmaxes.softmax_cross_entropy(xp, x, labels)
    for found, expected in zip((losses, gradients), expected_losses(x, labels)):
        assert found.dtype == dtype
        np.testing.assert_allclose(found, expected, rtol=EXACT[dtype] * 2, atol=EXACT[dtype])


@pytest.mark.parametrize("shapes", [((4, 5), (1, 5)), ((1, 5), (4, 5)), ((4, 1), (4, 5))])
def test_cross_entropy_broadcasts(shapes):
    x, labels = drawn(shapes[0], "d"), drawn(shapes[1], "d", 1)
    losses, gradients = softmaxes.softmax_cross_entropy(xp, x, labels)
    wide = np.broadcast_arrays(x, labels)
    for found, expected in zip((losses, gradients), expected_losses(*wide)):
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


def test_cross_entropy_of_views():
    x, labels = drawn((7, 4), "d").T, drawn((4, 14), "d", 1)[:, ::2]
    losses, gradients = softmaxes.softmax_cross_entropy(xp, x, labels)
    for found, expected in zip((losses, gradients), expected_losses(x, labels)):
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


def test_cross_entropy_of_empty_input():
    for shape in ((0, 3), (3, 0)):
        empty = xp.asarray(np.zeros(shape, "f"))
        losses, gradients = softmaxes.softmax_cross_entropy(xp, empty, empty)
        assert losses.tolist() == [0.0] * shape[0]
        assert gradients.shape == shape


@cases.in_one_test
@pytest.mark.parametrize("dtype", EXACT)
@pytest.mark.parametrize("labels_dtype", ["int32", "int64"])
@pytest.mark.parametrize("shape", [(9, 3), (3, 257), (2, 2100)])
def test_sparse_cross_entropy(order, shape, dtype, labels_dtype):
    x = drawn(shape, dtype)
    labels = xp.asarray(np.random.RandomState(1).randint(0, shape[1], shape[0]), labels_dtype)
    losses, gradients = softmaxes.sparse_softmax_cross_entropy(xp, x, labels)
    expected = expected_losses(x, np.asarray(labels)[:, None] == np.arange(shape[1]))
    for found, wanted in zip((losses, gradients), expected):
        np.testing.assert_allclose(found, wanted, rtol=EXACT[dtype] * 2, atol=EXACT[dtype])


@pytest.mark.parametrize("columns", [3, 300])
def test_out_of_range_labels_give_nan(order, columns):
    x, labels = drawn((4, columns), "float32"), xp.asarray([0, -1, columns, columns - 1])
    losses, gradients = softmaxes.sparse_softmax_cross_entropy(xp, x, labels)
    assert np.isnan(losses).tolist() == [False, True, True, False]
    assert np.isnan(gradients).all(axis=1).tolist() == [False, True, True, False]
    assert np.isfinite(gradients[[0, 3]]).all()
