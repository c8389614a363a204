"""Long sums of 16-bit floats are accumulated in wider ones, and exact to the dtype's last digit."""

import ml_dtypes
import numpy as np
import pytest

import tfmini as tf
from tests.support import cases

KINDS = {
    "half": (tf.float16, np.float16, 2**-11),
    "bfloat16": (tf.bfloat16, ml_dtypes.bfloat16, 2**-8),
}


FUNCTIONS = {
    "all": (lambda x: tf.reduce_sum(x), lambda x: x.sum()),
    "columns": (lambda x: tf.reduce_sum(x, 0), lambda x: x.sum(0)),
    "rows": (lambda x: tf.reduce_sum(tf.transpose(x), 1), lambda x: x.sum(0)),
    "between": (
        lambda x: tf.reduce_sum(tf.reshape(x, [2, 300, 16]), 1),
        lambda x: x.reshape(2, 300, 16).sum(1),
    ),
    "around": (
        lambda x: tf.reduce_sum(tf.reshape(x, [2, 300, 16]), [0, 2], keepdims=True),
        lambda x: x.reshape(2, 300, 16).sum((0, 2)),
    ),
    "beside_ones": (
        lambda x: tf.reduce_sum(tf.reshape(x, [600, 1, 16]), [0, 1]),
        lambda x: x.sum(0),
    ),
    "mean": (lambda x: tf.reduce_mean(x, 0), lambda x: x.mean(0)),
    "mean_of_all": (lambda x: tf.reduce_mean(x), lambda x: x.mean()),
    "norm": (lambda x: tf.norm(x, axis=0), lambda x: np.sqrt((x * x).sum(0))),
    "half_of_squares": (lambda x: tf.nn.l2_loss(x), lambda x: (x * x).sum() / 2),
    "product": (lambda x: tf.matmul(x, x, transpose_a=True), lambda x: x.T @ x),
    "gradient_of_bias": (
        lambda x: tf.raw_ops.BiasAddGrad(out_backprop=x),
        lambda x: x.sum(0),
    ),
    "gradient_of_bias_in_front": (
        lambda x: tf.raw_ops.BiasAddGrad(
            out_backprop=tf.reshape(tf.transpose(x), [1, 16, 600]), data_format="NCHW"
        ),
        lambda x: x.sum(0),
    ),
    "gradient_of_stretched": (
        lambda x: tf.gradients(x * tf.ones_like(x[:1]), x)[0][:1],
        lambda x: np.ones((1, 16)),
    ),
    "pooled": (
        lambda x: tf.nn.avg_pool(tf.reshape(x, [1, 60, 10, 16]), [60, 10], 1, "VALID"),
        lambda x: x.mean(0),
    ),
}


OF_HALVES = {"pooled"}  # TensorFlow pools no bfloat16


@cases.in_one_test
@pytest.mark.parametrize(
    "name, kind", [(n, k) for n in FUNCTIONS for k in KINDS if k == "half" or n not in OF_HALVES]
)
def test_sums_keep_full_precision(name, kind):
    dtype, numpy_dtype, least = KINDS[kind]
    values = np.random.RandomState(3).uniform(0.05, 0.15, (600, 16)).astype(numpy_dtype)
    function, wanted = FUNCTIONS[name]
    with tf.Graph().as_default(), tf.Session() as session:
        result = function(
            tf.placeholder_with_default(tf.cast(values.astype("f"), dtype), [600, 16])
        )
        assert result.dtype == dtype
        actual = session.run(tf.cast(result, tf.float64))
    expected = wanted(values.astype("d"))
    np.testing.assert_allclose(np.ravel(actual), np.ravel(expected), rtol=1.5 * least)
