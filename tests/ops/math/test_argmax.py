"""ArgMax and ArgMin: column searches by groups of rows, equal elements, NaN."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases

RANDOM = np.random.RandomState(5)
# From 512 rows of 64 columns on, groups of 32 rows are searched; the last one may overlap.
SHAPES = [(511, 64), (512, 63), (512, 64), (513, 64), (575, 70), (2000, 65)]


def extremes(values, axis=0):
    x = tf.placeholder(values.dtype, values.shape)
    with tf.Session() as session:
        return session.run([tf.argmax(x, axis), tf.argmin(x, axis)], {x: values})


@cases.in_one_test
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kind", ["f", "d", "e", "i4", "i8", "u1", "i2"])
def test_first_of_equal_elements_wins(shape, kind):
    for below in (1, 3, 100):
        values = RANDOM.randint(0, below, shape).astype(kind)
        largest, least = extremes(values)
        np.testing.assert_array_equal(largest, values.argmax(0))
        np.testing.assert_array_equal(least, values.argmin(0))
        assert largest.dtype == np.int64


def test_extremes_at_column_ends():
    values = RANDOM.rand(1003, 100).astype("f")
    values[-1, ::3], values[0, 1::3] = 2, 2
    values[-1, 1::3], values[0, ::3] = -2, -2
    largest, least = extremes(values)
    assert set(largest[::3]) == set(least[1::3]) == {1002}
    assert set(largest[1::3]) == set(least[::3]) == {0}


@pytest.mark.parametrize("kind", ["f", "d"])
def test_nan_is_ignored(kind):
    values = RANDOM.randint(-2, 3, (700, 80)).astype(kind)
    values[RANDOM.rand(700, 80) < 0.3] = np.nan
    largest, least = extremes(values)
    np.testing.assert_array_equal(largest, np.nanargmax(values, 0))
    np.testing.assert_array_equal(least, np.nanargmin(values, 0))


def test_columns_without_finite_numbers():
    values = np.full((600, 64), np.nan, "f")
    values[300, 1], values[300, 2] = -np.inf, np.inf
    values[:, 3], values[:, 4] = -np.inf, np.inf
    largest, least = extremes(values)
    assert largest[:5].tolist() == [0, 0, 300, 0, 0]
    assert least[:5].tolist() == [0, 300, 0, 0, 0]


def test_minimum_integers_and_other_layouts():
    values = np.full((600, 64), np.iinfo("i4").min, "i4")
    assert not extremes(values)[0].any()
    values = RANDOM.rand(64, 600).T
    np.testing.assert_array_equal(extremes(values)[0], values.argmax(0))
    values = RANDOM.rand(600, 130)[:, ::2]
    np.testing.assert_array_equal(extremes(values)[0], values.argmax(0))
