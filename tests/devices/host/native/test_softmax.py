"""Row-wise softmax and cross entropies, compared with NumPy in double precision."""

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native import softmax

SHAPES = [
    (1, 2000),
    (40, 1000),
    (300, 10),
    (2000, 1),
    (130, 1031),
    (1, 1),
    (3, 7),
    (9, 15),
    (9, 16),
    (9, 17),
    (15, 24),
    (16, 24),
    (33, 24),
    (33, 25),
]
RTOL = {"f": 3e-6, "d": 1e-13}


def logits_of(shape, dtype):
    return (np.random.RandomState(shape[1]).randn(*shape) * 5).astype(dtype)


def log_softmax(x):
    shifted = x.astype("d") - x.max(1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(1, keepdims=True))


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("shape", SHAPES)
def test_softmax_matches_numpy(build, shape, dtype):
    x = logits_of(shape, dtype)
    out = np.empty_like(x)
    assert softmax.softmax(x, out, logarithm=False)
    np.testing.assert_allclose(out, np.exp(log_softmax(x)), rtol=RTOL[dtype], atol=1e-30)
    assert softmax.softmax(x, out, logarithm=True)
    np.testing.assert_allclose(out, log_softmax(x), rtol=RTOL[dtype], atol=RTOL[dtype])
    original = x.copy()
    assert softmax.softmax(original, original, logarithm=True)
    np.testing.assert_array_equal(original, out)


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("shape", SHAPES)
def test_cross_entropy_matches_numpy(build, shape, dtype):
    x = logits_of(shape, dtype)
    labels = np.random.RandomState(1).dirichlet(np.ones(shape[1]), shape[0]).astype(dtype)
    loss, gradient = softmax.cross_entropy(x, labels)
    logs = log_softmax(x)
    tolerance = {"rtol": 10 * RTOL[dtype], "atol": 10 * RTOL[dtype]}
    np.testing.assert_allclose(loss, -(labels * logs).sum(1), **tolerance)
    np.testing.assert_allclose(gradient, np.exp(logs) - labels, **tolerance)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_sparse_cross_entropy_matches_numpy(build, dtype, index):
    x = logits_of((200, 37), dtype)
    labels = np.random.RandomState(1).randint(0, 37, 200).astype(index)
    loss, gradient = softmax.cross_entropy(x, labels)
    logs = log_softmax(x)
    tolerance = {"rtol": 10 * RTOL[dtype], "atol": 10 * RTOL[dtype]}
    np.testing.assert_allclose(loss, -logs[np.arange(200), labels], **tolerance)
    np.testing.assert_allclose(gradient, np.exp(logs) - np.eye(37)[labels], **tolerance)


@pytest.mark.parametrize("columns", [7, 700])
def test_nonfinite_logits(build, columns):
    x = np.zeros((3, columns), "f")
    x[0, 3], x[1, 5], x[2, :] = np.nan, -np.inf, np.inf
    out = np.empty_like(x)
    assert softmax.softmax(x, out, logarithm=False)
    assert np.isnan(out[0]).all()
    assert out[1, 5] == 0
    np.testing.assert_allclose(out[1].sum(), 1, rtol=1e-6)
    assert np.isnan(out[2]).all()


def test_unsupported_inputs_fall_back_to_numpy(build):
    x = logits_of((64, 100), "f")
    assert not softmax.softmax(x[:0], np.empty_like(x[:0]), False)
    assert not softmax.softmax(x[:, ::2], np.empty((64, 50), "f"), False)
    assert not softmax.softmax(x.astype(np.float16), np.empty((64, 100), np.float16), False)
    assert softmax.cross_entropy(x, x.T.reshape(64, 100, order="F")) is None


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_one_dominant_logit_at_each_position(build, dtype):
    for columns in (*range(1, 36), 63, 64, 65, 79, 130):
        count = columns * -(
            -1100 // columns**2
        )  # the diagonals of squares, 1,024 elements or more in all
        large = np.eye(columns, dtype=bool)[np.arange(count) % columns]
        x = np.where(large, 1000, np.random.RandomState(columns).randn(count, columns)).astype(
            dtype
        )
        labels = np.full_like(x, 1 / columns)
        logs = x.astype("d") - 1000  # the others add less than exp(-990) to the sum
        tolerance = {"rtol": 10 * RTOL[dtype], "atol": 1e-30}

        out = np.empty_like(x)
        assert softmax.softmax(x, out, logarithm=False)
        np.testing.assert_array_equal(out, large)
        assert softmax.softmax(x, out, logarithm=True)
        np.testing.assert_allclose(out, logs, **tolerance)
        loss, gradient = softmax.cross_entropy(x, labels)
        np.testing.assert_allclose(loss, -(labels * logs).sum(1), **tolerance)
        np.testing.assert_allclose(gradient, large - labels, **tolerance)
        classes = np.arange(count) // columns % columns
        loss, gradient = softmax.cross_entropy(x, classes)
        np.testing.assert_allclose(loss, -logs[np.arange(count), classes], **tolerance)
        np.testing.assert_array_equal(
            gradient, large.astype(int) - np.eye(columns, dtype=int)[classes]
        )
