"""Roots, reciprocals and cubes."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64, tf.float16, tf.bfloat16, tf.complex64])
@pytest.mark.parametrize("name", ["SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad"])
def test_zero_gradient_stays_zero(name, dtype):
    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.placeholder(dtype, [4])
        z = getattr(tf.raw_ops, name)(y=y, dy=tf.constant([0, 0, 0, 2], dtype))
        result = session.run(z, {y: [0.0, np.inf, np.nan, 1.0]})
        assert result.dtype == dtype.as_numpy_dtype
        assert list(result != 0) == [False, False, False, True]


def test_masked_root_has_gradient():
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


@pytest.mark.parametrize("dtype", [tf.complex64, tf.complex128])
def test_inverse_of_complex_zero_is_infinite(dtype):
    given = np.array([0, 4, 2j], dtype.as_numpy_dtype)
    fed, constant = tf.placeholder(dtype), tf.constant(given)
    with tf.Session() as session, np.errstate(all="ignore"):
        for inverse, expected in ((tf.reciprocal, [0.25, -0.5j]), (tf.rsqrt, [0.5, 0.5 - 0.5j])):
            for found in session.run([inverse(fed), inverse(constant)], {fed: given}):
                assert found[0].real == np.inf
                np.testing.assert_allclose(found[1:], expected, rtol=1e-6)
