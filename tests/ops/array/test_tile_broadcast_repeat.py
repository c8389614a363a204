"""Tile and broadcast: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.tile(t.i, [2]),
        ValueError,
        (
            "Shape must be rank 2 but is rank 1 for 'Tile' (op: 'Tile') with input shapes: "
            "[2,3], [1]."
        ),
    ),
    (
        lambda t: tf.tile(t.i, 2),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'Tile' (op: 'Tile') with input shapes: "
            "[2,3], []."
        ),
    ),
    (lambda t: tf.tile(t.i, [-2, 1]), ValueError, "Invalid value in tensor used for shape: -2"),
    (
        lambda t: tf.broadcast_to(t.i, [3]),
        ValueError,
        (
            "Shape must be at most rank 1 but is rank 2 for 'BroadcastTo' (op: "
            "'BroadcastTo') with input shapes: [2,3], [1]."
        ),
    ),
    (
        lambda t: tf.broadcast_to(t.i, [2, 4]),
        ValueError,
        (
            "Dimensions must be equal, but are 3 and 4 for 'BroadcastTo' (op: "
            "'BroadcastTo') with input shapes: [2,3], [2] and with input tensors computed "
            "as partial shapes: input[1] = [2,4]."
        ),
    ),
    (
        lambda t: tf.broadcast_to(t.i, [4, 3]),
        ValueError,
        (
            "Dimensions must be equal, but are 2 and 4 for 'BroadcastTo' (op: "
            "'BroadcastTo') with input shapes: [2,3], [2] and with input tensors computed "
            "as partial shapes: input[1] = [4,3]."
        ),
    ),
    (
        lambda t: tf.broadcast_static_shape(tf.TensorShape([2, 3]), tf.TensorShape([4])),
        ValueError,
        "Incompatible shapes for broadcasting: (2, 3) and (4,)",
    ),
    (
        lambda t: tf.broadcast_dynamic_shape(2, [3]),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'BroadcastArgs' (op: 'BroadcastArgs') "
            "with input shapes: [], [1]."
        ),
    ),
    (
        lambda t: tf.repeat([1, 2], 2, axis=1),
        ValueError,
        "axis=1 out of bounds: expected -1<=axis<1",
    ),
    (lambda t: tf.repeat([1, 2], 2, axis=0.5), TypeError, "axis must be an int; got float"),
    (
        lambda t: tf.repeat([1, 2], 0.5),
        TypeError,
        "repeats must be an integer tensor; dtype=<dtype: 'float32'>",
    ),
    (
        lambda t: tf.repeat([1, 2], [1, 2, 3], axis=0),
        ValueError,
        "Dimensions 2 and 3 are not compatible",
    ),
    (
        lambda t: tf.repeat(t.q, 2, -1),
        ValueError,
        "axis may only be negative if ndims is statically known.",
    ),
]

FAILING = [
    (lambda t: tf.tile(t.i, [-1, 1]), {}, "Expected multiples[0] >= 0, but got -1"),
    (
        lambda t: tf.tile(t.q, [2]),
        {},
        ("Expected multiples argument to be a vector of length 2 but got length 1"),
    ),
    (lambda t: tf.tile(t.q, t.k), {"k": 3}, "Expected multiples to be 1-D, but got shape []"),
    (lambda t: tf.tile(t.q, t.k), {"k": [1, -3]}, "Expected multiples[1] >= 0, but got -3"),
    (
        lambda t: tf.broadcast_to(t.q, [4]),
        {},
        "Rank of input (2) must be no greater than rank of output shape (1).",
    ),
    (lambda t: tf.broadcast_to(t.q, [2, 5]), {}, "Incompatible shapes: [1,4] vs. [2,5]"),
    (
        lambda t: tf.broadcast_to(t.q, t.k),
        {"k": 4},
        "shape must be a vector of {int32,int64}, got shape []",
    ),
    (lambda t: tf.broadcast_to(t.q, t.k), {"k": [-1, 4]}, "Dimension -1 must be >= 0"),
    (lambda t: tf.broadcast_dynamic_shape([2, 3], [4]), {}, "Incompatible shapes: [2,3] vs. [4]"),
    (lambda t: tf.broadcast_dynamic_shape(t.k, [4]), {"k": [[1]]}, "In[0] must be a vector.[1,1]"),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
