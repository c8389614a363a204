"""tensordot, norms and polynomials against numpy."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

A = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 8 - 1
B = np.arange(12, dtype=np.float32).reshape(4, 3) / 5 - 1


@pytest.mark.parametrize(
    "axes", [1, 0, [[1], [1]], [[1, 2], [1, 0]], [2, 0], [[-1], [-2]]], ids=str
)
@pytest.mark.parametrize("known", ["all", "rank", "nothing"])
def test_tensordot(axes, known):
    shapes = {"all": (A.shape, B.shape), "rank": ([None] * 3, [None] * 2), "nothing": (None, None)}
    a, b = (tf.placeholder(tf.float32, shape) for shape in shapes[known])
    actual = run(tf.tensordot(a, b, axes), {a: A, b: B})
    np.testing.assert_allclose(actual, np.tensordot(A, B, axes), rtol=1e-5, atol=1e-5)


def test_tensordot_with_tensor_axes():
    actual = run(tf.tensordot(A, B, tf.constant([[2], [0]])))
    np.testing.assert_allclose(actual, np.tensordot(A, B, [[2], [0]]), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("ord", [1, 2, 3, 0.5, np.inf, "euclidean"])
@pytest.mark.parametrize("keepdims", [False, True])
def test_vector_norms(ord, keepdims):
    expected = np.linalg.norm(A, 2 if ord == "euclidean" else ord, axis=1, keepdims=keepdims)
    np.testing.assert_allclose(run(tf.norm(A, ord, 1, keepdims)), expected, rtol=1e-5)


@pytest.mark.parametrize("ord", [1, np.inf, "fro"])
def test_matrix_norms(ord):
    expected = np.linalg.norm(A, ord, axis=(0, 2))
    np.testing.assert_allclose(run(tf.norm(A, ord, [0, 2])), expected, rtol=1e-5)


def test_norm_over_all_axes():
    assert run(tf.norm(A)) == pytest.approx(np.linalg.norm(A), rel=1e-6)


def test_polynomials():
    assert run(tf.math.polyval([2.0, -1.0, 3.0], [1.0, 2.0])).tolist() == [4, 9]
    assert run(tf.math.polyval([], [1.0, 2.0])).tolist() == [0, 0]
