import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles.numeric_gradient import check

ROWS = np.arange(6.0).reshape(3, 2) / 4 - 0.5


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as created:
        yield created


def run(fetches, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feed)


def test_map_fn_matches_list_comprehension():
    x = tf.placeholder(tf.float64, [None, 2])
    result = tf.map_fn(lambda row: tf.reduce_sum(row) * row, x)
    np.testing.assert_allclose(run(result, {x: ROWS}), [row.sum() * row for row in ROWS])


def test_zero_rows():
    x = tf.placeholder(tf.float32, [None, 2])
    assert run(tf.map_fn(lambda r: r * 2.0, x), {x: np.zeros([0, 2])}).shape == (0, 2)
    assert run(
        tf.foldl(lambda a, r: a + r, x, initializer=[1.0, 2.0][0] + x[0:0]), {x: np.zeros([0, 2])}
    ).shape == (0, 2)


def test_variable_in_map_fn_is_shared():
    def dense(row):
        w = tf.get_variable("w", initializer=lambda: tf.constant(2.0))
        return row * w

    result = tf.map_fn(dense, tf.constant([1.0, 2.0]))
    assert [v.name for v in tf.global_variables()] == ["w:0"]
    np.testing.assert_allclose(run(result), [2, 4])
    assert tf.get_variable_scope().caching_device is None


def test_error_restores_caching_device():
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        tf.map_fn(lambda row: 1 / 0, tf.constant([1.0]))
    assert tf.get_variable_scope().caching_device is None


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w: tf.map_fn(lambda r: tf.sin(r) * w, x),
        lambda x, w: tf.scan(lambda a, r: tf.sin(a + r) * w, x),
        lambda x, w: tf.scan(lambda a, r: a * r + w, x, initializer=w, reverse=True),
        lambda x, w: tf.foldl(lambda a, r: a * r + w, x),
        lambda x, w: tf.foldr(lambda a, r: tf.sin(a) * w + r, x, initializer=w),
    ],
    ids=["map", "scan", "scan back", "foldl", "foldr"],
)
def test_gradients(function):
    check(lambda x, w: [function(x, w)], [ROWS, np.array([0.5, -1.5])], order=1)


def test_undeclared_structure_is_refused():
    with pytest.raises((TypeError, ValueError), match="same nested structure"):
        tf.map_fn(lambda row: (row, row), tf.constant(ROWS))
