"""Fill, zeros and ones: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.fill([-1], 2),
        ValueError,
        (
            "Fill dimensions must be >= 0 for 'Fill' (op: 'Fill') with input shapes: [1], "
            "[] and with input tensors computed as partial shapes: input[0] = [?]."
        ),
    ),
    (
        lambda t: tf.fill(3, 2),
        ValueError,
        ("Shape must be rank 1 but is rank 0 for 'Fill' (op: 'Fill') with input shapes: [], []."),
    ),
    (
        lambda t: tf.fill([3], [2]),
        ValueError,
        ("Shape must be rank 0 but is rank 1 for 'Fill' (op: 'Fill') with input shapes: [1], [1]."),
    ),
    (
        lambda t: tf.zeros([None, 2]),
        TypeError,
        "Expected int32, got None of type 'NoneType' instead.",
    ),
    (
        lambda t: tf.zeros(t.p.shape),
        ValueError,
        "Cannot convert a partially known TensorShape to a Tensor: (?, 3)",
    ),
    (
        lambda t: tf.zeros(t.q.shape),
        ValueError,
        "Cannot convert a partially known TensorShape to a Tensor: <unknown>",
    ),
    (lambda t: tf.zeros(None), ValueError, "None values not supported."),
    (
        lambda t: tf.zeros([-1]),
        ValueError,
        (
            "Fill dimensions must be >= 0 for 'zeros' (op: 'Fill') with input shapes: [1], "
            "[] and with input tensors computed as partial shapes: input[0] = [?]."
        ),
    ),
    (
        lambda t: tf.zeros([[1, 2]]),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'zeros' (op: 'Fill') with input "
            "shapes: [1,2], []."
        ),
    ),
    (
        lambda t: tf.zeros([2], tf.string) if 0 else tf.ones([2], tf.string),
        TypeError,
        "Expected string, got 1 of type 'int' instead.",
    ),
    (lambda t: tf.zeros("a"), TypeError, "Expected int32, got 'a' of type 'str' instead."),
    (
        lambda t: tf.zeros([-1000, -1000]),
        ValueError,
        "Invalid value in tensor used for shape: -1000",
    ),
    (lambda t: tf.fill([-3], 2), ValueError, "Invalid value in tensor used for shape: -3"),
]

FAILING = [
    (lambda t: tf.fill(t.k, 1), {"k": [-1, 2]}, "Dimension -1 must be >= 0"),
    (lambda t: tf.fill(t.k, 1), {"k": 3}, "dims must be a vector, got shape []"),
    (lambda t: tf.fill([2], t.r), {"r": [3]}, "value must be a scalar, got shape [1]"),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
