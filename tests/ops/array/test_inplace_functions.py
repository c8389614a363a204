"""Functions of TensorFlow's internal `inplace_ops`, against numpy."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.ops.array import inplace_functions

X = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize(
    ("i", "v"), [(None, X * 2), (1, np.array([7.0, 8.0])), ([0, 2], np.array([[1.0, 1.0]] * 2))]
)
@pytest.mark.parametrize("kind", ["update", "add", "sub"])
def test_inplace_updates(kind, i, v):
    expected = X.copy()
    rows = slice(None) if i is None else i
    expected[rows] = {"update": v, "add": X[rows] + v, "sub": X[rows] - v}[kind]
    with tf.Session() as session:
        copied = getattr(inplace_functions, f"inplace_{kind}")(tf.constant(X), i, v)
        alias = getattr(inplace_functions, f"alias_inplace_{kind}")(tf.constant(X) + 0, i, v)
        for result in session.run([copied, alias]):
            np.testing.assert_array_equal(result, expected)


def test_empty_like():
    with tf.Session() as session:
        result = inplace_functions.empty_like(tf.constant(X), init=True)
        np.testing.assert_array_equal(session.run(result), np.zeros_like(X))
