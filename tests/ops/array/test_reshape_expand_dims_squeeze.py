"""Reshape and axes of size one: what TensorFlow refuses, and its words."""

import numpy as np
import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

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
        lambda t: tf.reshape(t.x, [5, 5]),
        ValueError,
        (
            "Cannot reshape a tensor with 24 elements to shape [5,5] (25 elements) for "
            "'Reshape' (op: 'Reshape') with input shapes: [2,3,4], [2] and with input "
            "tensors computed as partial shapes: input[1] = [5,5]."
        ),
    ),
    (
        lambda t: tf.reshape(t.x, 3),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'Reshape' (op: 'Reshape') with input "
            "shapes: [2,3,4], []."
        ),
    ),
    (
        lambda t: tf.reshape(t.x, [[3]]),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'Reshape' (op: 'Reshape') with input "
            "shapes: [2,3,4], [1,1]."
        ),
    ),
    (
        lambda t: tf.reshape(t.x, [1.0]),
        TypeError,
        (
            "Value passed to parameter 'shape' has DataType float32 not in list of allowed "
            "values: int32, int64"
        ),
    ),
    (
        lambda t: tf.expand_dims(t.x, 5),
        ValueError,
        (
            "dim 5 not in the interval [-4, 3]. for 'ExpandDims' (op: 'ExpandDims') with "
            "input shapes: [2,3,4], [] and with computed input tensors: input[1] = <5>."
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
        lambda t: tf.expand_dims(t.x),
        ValueError,
        "Must specify an axis argument to tf.expand_dims()",
    ),
    (lambda t: tf.expand_dims(t.x, 1, dim=1), ValueError, "Cannot specify both 'dim' and 'axis'"),
    (
        lambda t: tf.squeeze(t.x, 0),
        ValueError,
        (
            "Can not squeeze dim[0], expected a dimension of 1, got 2 for 'Squeeze' (op: "
            "'Squeeze') with input shapes: [2,3,4]."
        ),
    ),
    (
        lambda t: tf.squeeze(t.x, 7),
        ValueError,
        (
            "squeeze_dims[0] not in [-3,3). for 'Squeeze' (op: 'Squeeze') with input "
            "shapes: [2,3,4]."
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
    (
        lambda t: tf.reshape(None, [1]),
        ValueError,
        ("Tried to convert 'tensor' to a tensor and failed. Error: None values not supported."),
    ),
    (
        lambda t: tf.reshape(t.x, None),
        ValueError,
        ("Tried to convert 'shape' to a tensor and failed. Error: None values not supported."),
    ),
    (
        lambda t: tf.squeeze(t.x, 1.5),
        ValueError,
        (
            "Can not squeeze dim[1], expected a dimension of 1, got 3 for 'Squeeze' (op: "
            "'Squeeze') with input shapes: [2,3,4]."
        ),
    ),
    (lambda t: tf.reshape(t.x, [-2, 3]), ValueError, "Invalid value in tensor used for shape: -2"),
]

FAILING = [
    (
        lambda t: tf.reshape(t.q, [-1, 3, 0]),
        {"q": np.zeros([4, 5])},
        (
            "Input to reshape is a tensor with 20 values, but the requested shape requires "
            "a multiple of 3"
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
