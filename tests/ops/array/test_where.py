"""where and boolean_mask: TensorFlow's errors for invalid calls."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (5, 1), (2, 2, 2, 2)], ids=str)
def test_where_lists_indices_in_row_major_order(shape):
    value = np.random.RandomState(0).rand(*shape) > 0.5
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(tf.where(value)), np.argwhere(value))
        np.testing.assert_array_equal(session.run(tf.where(value.T)), np.argwhere(value.T))


@pytest.mark.parametrize("kind", ["f", "d", "e", "i4", "i8", "u1", "?", "F"])
@pytest.mark.parametrize("shape", [(3, 5), (128, 128), (7, 59999)], ids=str)
def test_where_selects_bit_exactly(shape, kind):
    random = np.random.RandomState(1)
    x, y = (random.randint(0, 2 if kind == "?" else 99, shape).astype(kind) for _ in range(2))
    if kind in "fde":
        x[0, :3], y[0, :3] = [-0.0, np.nan, np.inf], [0.0, -np.inf, np.nan]
    wide = random.rand(*shape[::-1])
    feeds = [tf.placeholder(x.dtype, shape) for _ in range(2)]
    condition = tf.placeholder(tf.bool, shape)
    results = [tf.where(condition, *feeds), tf.where_v2(condition, *feeds)]
    with tf.Session() as session:
        for inputs in (wide.T > 0.5, np.zeros(shape, bool), np.ones(shape, bool)):
            for a, b in ((x, y), (np.asfortranarray(x), y)):
                for actual in session.run(results, {condition: inputs, feeds[0]: a, feeds[1]: b}):
                    expected = np.where(inputs, x, y)
                    assert actual.dtype == expected.dtype and actual.tobytes() == expected.tobytes()
