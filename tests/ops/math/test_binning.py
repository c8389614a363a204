"""tf.histogram_fixed_width and tf.contrib.nn.nth_element."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

RANDOM = np.random.RandomState(2)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_histogram(dtype):
    values = RANDOM.uniform(-3, 13, 200).astype(dtype)
    ends = np.array([0, 10], dtype)
    actual = run(tf.histogram_fixed_width(values, ends, 7, tf.int64))
    inside = values.clip(0, np.nextafter(10.0, 0)).astype("d")
    np.testing.assert_array_equal(actual, np.histogram(inside, 7, (0, 10))[0])


@pytest.mark.parametrize("reverse", [True, False])
@pytest.mark.parametrize("n", [0, 3, 5])
def test_nth_element(n, reverse):
    x = RANDOM.permutation(24).reshape(2, 2, 6).astype("f")
    actual = run(tf.raw_ops.NthElement(input=x, n=n, reverse=reverse))
    np.testing.assert_array_equal(actual, np.sort(x)[..., -1 - n if reverse else n])
