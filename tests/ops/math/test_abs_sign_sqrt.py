"""Roots, reciprocals and cubes."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64, tf.float16, tf.bfloat16, tf.complex64])
@pytest.mark.parametrize("name", ["SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad"])
def test_no_gradient_comes_of_a_zero_one(name, dtype):
    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.placeholder(dtype, [4])
        z = getattr(tf.raw_ops, name)(y=y, dy=tf.constant([0, 0, 0, 2], dtype))
        result = session.run(z, {y: [0.0, np.inf, np.nan, 1.0]})
        assert result.dtype == dtype.as_numpy_dtype
        assert list(result != 0) == [False, False, False, True]


def test_a_masked_root_has_a_gradient():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 0.0])
        root = tf.where(x > 0, tf.sqrt(x), x)
        assert list(session.run(tf.gradients(root, x)[0])) == [0.5, 1.0]
        scalar = tf.constant(0.0)
        assert session.run(tf.gradients(tf.sqrt(scalar) * 0.0, scalar)[0]) == 0.0


@np.errstate(all="ignore")
def test_cubes():
    given = np.array([-2, -0.0, 0, 7, 1e12, -1e13, 1e-12, 0.1, np.nan, np.inf, -np.inf], np.float32)
    x, power = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    i, of_i = tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    with tf.Session() as session:
        found = session.run(tf.pow(x, power), {x: given, power: 3})
        whole = session.run(tf.pow(i, of_i), {i: [-3, 1290, 1291], of_i: 3})
    exact = (given.astype("d") ** 3).astype("f")
    np.testing.assert_array_equal(found, exact)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(exact))
    assert whole.tolist() == [-27, 1290**3, 1291**3 - 2**32]
