"""Reshape and axes of size one: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: tf.reshape(t.x, [5, -1]),
        ValueError,
        (
            "Dimension size must be evenly divisible by 5 but is 24 for 'Reshape' (op: "
            "'Reshape') with input shapes: [2,3,4], [2] and with input tensors computed as "
            "partial shapes: input[1] = [5,?]."
        ),
    ),
    (
        lambda t: tf.expand_dims(t.x, [1, 2]),
        ValueError,
        (
            "'dim' input must be a tensor with a single value for 'ExpandDims' (op: "
            "'ExpandDims') with input shapes: [2,3,4], [2] and with computed input "
            "tensors: input[1] = <1 2>."
        ),
    ),
    (
        lambda t: tf.expand_dims(t.q, [1, 2]),
        ValueError,
        (
            "'dim' input must be a tensor with a single value for 'ExpandDims' (op: "
            "'ExpandDims') with input shapes: ?, [2] and with computed input tensors: "
            "input[1] = <1 2>."
        ),
    ),
    (
        lambda t: tf.squeeze(t.x, tf.constant(1)),
        TypeError,
        (
            "Expected list for 'axis' argument to 'squeeze' Op, not <tf.Tensor 'Const_1:0' "
            "shape=() dtype=int32>."
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)
