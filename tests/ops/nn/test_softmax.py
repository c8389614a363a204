"""Softmax along any axis, and cross entropies in row blocks."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.oracles.numeric_gradient import check
from tfmini._src.devices.numpy import row_blocks

CUBE = np.random.RandomState(1).randn(4, 3, 5).astype("f")


def run(*fetches):
    with tf.Session() as session:
        results = session.run(list(fetches))
    return results if len(results) > 1 else results[0]


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_any_axis(axis):
    x = CUBE.astype("d")
    y, z = run(tf.nn.softmax(x, axis), tf.nn.log_softmax(x, axis))
    np.testing.assert_allclose(y, scipy.special.softmax(x, axis), rtol=1e-12)
    np.testing.assert_allclose(z, scipy.special.log_softmax(x, axis), rtol=1e-12)
    assert tf.nn.softmax(x, axis).shape == (4, 3, 5)


def test_tensor_axis():
    axis = tf.placeholder(tf.int32, [])
    y = tf.nn.softmax(CUBE, axis)
    with tf.Session() as session:
        for number in (0, 1, -3):
            result = session.run(y, {axis: number})
            np.testing.assert_allclose(result, scipy.special.softmax(CUBE, number), rtol=1e-5)


def test_gradients_along_other_axes():
    check(lambda t: [tf.nn.softmax(t, 1)], [CUBE.astype("d")], order=2)
    check(lambda t: [tf.nn.log_softmax(t, 0)], [CUBE.astype("d")], order=2)


def test_rows_without_finite_maximum_are_nan():
    rows = np.array([[1, np.nan], [np.inf, 1], [-np.inf, -np.inf], [-np.inf, 1]], "f")
    result = run(tf.nn.softmax(rows))
    assert np.isnan(result[:3]).all() and result[3].tolist() == [0, 1]


@pytest.mark.parametrize("large", [1000.0, -1000.0])
def test_single_large_logit(large):
    x, p = tf.placeholder(tf.float64, [None, None]), tf.placeholder(tf.float64, [None, None])
    classes = tf.placeholder(tf.int32, [None])
    losses = [
        tf.nn.softmax_cross_entropy_with_logits_v2(labels=p, logits=x),
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=classes, logits=x),
    ]
    fetches = [
        tf.nn.softmax(x),
        tf.nn.log_softmax(x),
        *losses,
        *(tf.gradients(y, x) for y in losses),
    ]
    with tf.Session() as session:
        for columns in range(1, 12):
            logits = np.random.RandomState(columns).randn(columns, columns)
            np.fill_diagonal(logits, large)
            labels = np.full_like(logits, 1 / columns)
            expected = scipy.special.log_softmax(logits, -1)
            for index in range(columns):
                result = session.run(fetches, {x: logits, p: labels, classes: [index] * columns})
                softmax = scipy.special.softmax(logits, -1)
                np.testing.assert_allclose(result[0], softmax, rtol=1e-12)
                np.testing.assert_allclose(result[1], expected, rtol=1e-12, atol=1e-12)
                np.testing.assert_allclose(result[2], -expected.mean(1), rtol=1e-12, atol=1e-12)
                np.testing.assert_allclose(result[3], -expected[:, index], rtol=1e-12, atol=1e-12)
                np.testing.assert_allclose(result[4][0], softmax - labels, rtol=1e-12, atol=1e-12)
                one = np.eye(columns)[index]
                np.testing.assert_allclose(result[5][0], softmax - one, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("size", [1, 7, 100])
def test_row_blocks_do_not_change_results(monkeypatch, size):
    logits = CUBE.reshape(12, 5)
    labels = np.abs(CUBE[::-1]).reshape(12, 5)
    classes = np.arange(12) % 5
    fetches = [
        tf.nn.softmax(logits),
        tf.nn.log_softmax(logits),
        tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits),
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=classes, logits=logits),
        tf.nn.top_k(logits, 2).indices,
        tf.nn.in_top_k(logits, classes, 2),
    ]
    whole = run(*fetches)
    monkeypatch.setattr(row_blocks, "ROW_BLOCK", size)
    for result, expected in zip(run(*fetches), whole):
        np.testing.assert_array_equal(result, expected)


def test_empty_batches():
    nothing = tf.placeholder(tf.float32, [None, 3])
    losses = [
        tf.nn.softmax_cross_entropy_with_logits_v2(labels=nothing, logits=nothing),
        tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.cast(nothing[:, 0], tf.int32), logits=nothing
        ),
    ]
    with tf.Session() as session:
        result = session.run(losses + tf.gradients(losses, nothing), {nothing: np.zeros((0, 3))})
    assert [array.shape for array in result] == [(0,), (0,), (0, 3)]


@pytest.mark.parametrize("shape", [(600, 1000), (3, 200_000), (1, 600_000), (90, 7, 500)], ids=str)
def test_large_inputs_use_threads(shape):
    logits = np.random.RandomState(0).randn(*shape).astype(np.float32)
    x = tf.placeholder(tf.float32)
    with tf.Session() as session:
        softmax, log_softmax = session.run([tf.nn.softmax(x), tf.nn.log_softmax(x)], {x: logits})
    np.testing.assert_allclose(softmax, scipy.special.softmax(logits.astype("d"), -1), rtol=2e-5)
    expected = scipy.special.log_softmax(logits.astype("d"), -1)
    np.testing.assert_allclose(log_softmax, expected, rtol=2e-5)


@pytest.mark.parametrize("dtype", [tf.bfloat16, tf.float16])
def test_long_half_precision_sums(dtype):
    equal = tf.zeros([2, 1000], dtype)
    y, logs = run(*(tf.cast(f(equal), tf.float64) for f in (tf.nn.softmax, tf.nn.log_softmax)))
    np.testing.assert_allclose(y, 0.001, rtol=0.004)
    np.testing.assert_allclose(logs, -np.log(1000), rtol=0.004)
