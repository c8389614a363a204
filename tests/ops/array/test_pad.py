"""Pad: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.pad(t.i, [[1, 1]]),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'Pad' (op: 'Pad') with input shapes: "
            "[2,3], [1,2]."
        ),
    ),
    (
        lambda t: tf.pad(t.i, [1, 1]),
        ValueError,
        ("Shape must be rank 2 but is rank 1 for 'Pad' (op: 'Pad') with input shapes: [2,3], [2]."),
    ),
    (
        lambda t: tf.pad(t.i, [[1, 1, 1], [1, 1, 1]]),
        ValueError,
        ("Dimension must be 2 but is 3 for 'Pad' (op: 'Pad') with input shapes: [2,3], [2,3]."),
    ),
    (
        lambda t: tf.pad(t.i, [[-1, 1], [0, 0]]),
        ValueError,
        (
            "Paddings must be non-negative for 'Pad' (op: 'Pad') with input shapes: [2,3], "
            "[2,2] and with computed input tensors: input[1] = <[-1 1][0 0]>."
        ),
    ),
    (lambda t: tf.pad(t.i, [[1, 1], [1, 1]], "EDGE"), ValueError, "Unknown padding mode: EDGE"),
]

FAILING = [
    (
        lambda t: tf.pad(t.i, [[2, 1], [1, 1]], "REFLECT"),
        {},
        "paddings must be less than the dimension size: 2, 1 not less than 2",
    ),
    (
        lambda t: tf.pad(t.i, [[3, 1], [1, 1]], "SYMMETRIC"),
        {},
        ("paddings must be no greater than the dimension size: 3, 1 greater than 2"),
    ),
    (
        lambda t: tf.pad(t.q, t.k),
        {"k": [[1, 0]]},
        "The first dimension of paddings must be the rank of inputs[1,2] [1,4]",
    ),
    (
        lambda t: tf.pad(t.q, t.k),
        {"k": [[1, 0, 1]]},
        "paddings must be a matrix with 2 columns: [1,3]",
    ),
    (lambda t: tf.pad(t.q, t.k), {"k": [[1, 0], [-1, 0]]}, "Paddings must be non-negative: -1 0"),
    (
        lambda t: tf.pad(t.q, t.k, "REFLECT"),
        {"k": [[1, 0], [-1, 0]]},
        "paddings must be less than the dimension size: 1, 0 not less than 1",
    ),
    (
        lambda t: tf.pad(t.q, t.k, "REFLECT"),
        {"k": [[0, 0], [1, 5]]},
        "paddings must be less than the dimension size: 1, 5 not less than 4",
    ),
    (
        lambda t: tf.pad(t.q, t.k, "REFLECT"),
        {"k": [[0, 0]]},
        "The first dimension of paddings must be the rank of inputs[1,2], [1,4]",
    ),
    (
        lambda t: tf.pad(t.q, [[1, 0], [0, 0]], constant_values=t.r),
        {"r": [1.0]},
        "constant_values must be a scalar. Found: [1]",
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
