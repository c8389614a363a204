"""check_numerics: detected values, its gradient, checks on every tensor of a graph."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize(
    ("values", "result"),
    [
        ([1.0, np.nan], "NaN"),
        ([np.inf, 1.0], "Inf"),
        ([-np.inf], "Inf"),
        ([np.inf, np.nan], "Inf and NaN"),
    ],
)
@pytest.mark.parametrize("dtype", [tf.float16, tf.float32, tf.float64, tf.bfloat16])
def test_nan_and_infinity_are_detected(values, result, dtype):
    x = tf.placeholder(dtype, [None])
    checked = tf.check_numerics(x, "bad x", name="checked")
    with tf.Session() as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match=rf"^bad x : Tensor had {result} values\n\t \[\[node checked ",
        ):
            session.run(checked, {x: np.array(values).astype(dtype.as_numpy_dtype)})


def test_finite_values_pass():
    x = tf.placeholder(tf.float32, [None])
    with tf.Session() as session:
        for values in ([], [1.0, -3e38]):
            actual = session.run(tf.check_numerics(x, "x"), {x: values})
            np.testing.assert_array_equal(actual, np.array(values, "f"))


def test_add_check_numerics_ops_checks_in_order():
    x = tf.placeholder(tf.float32, [], name="x")
    tf.log(tf.log(x, name="first"), name="second")
    checks = tf.add_check_numerics_ops()
    with tf.Session() as session:
        session.run(checks, {x: 3.0})
        with pytest.raises(tf.errors.InvalidArgumentError, match="first:0 : Tensor had NaN values"):
            session.run(checks, {x: -1.0})


def test_add_check_numerics_ops_refuses_conditionals():
    tf.cond(tf.placeholder(tf.bool, []), lambda: tf.constant(1.0), lambda: tf.constant(2.0))
    with pytest.raises(ValueError, match="is not compatible with TensorFlow control flow"):
        tf.add_check_numerics_ops()
