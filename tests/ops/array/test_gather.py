"""Gather: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.gather(t.i, [0], axis=2),
        ValueError,
        (
            "Shape must be at least rank 3 but is rank 2 for 'GatherV2' (op: 'GatherV2') "
            "with input shapes: [2,3], [1], [] and with computed input tensors: input[2] = "
            "<2>."
        ),
    ),
    (
        lambda t: tf.gather(t.i, [0], axis=-3),
        ValueError,
        (
            "Shape must be at least rank 3 but is rank 2 for 'GatherV2' (op: 'GatherV2') "
            "with input shapes: [2,3], [1], [] and with computed input tensors: input[2] = "
            "<-3>."
        ),
    ),
    (
        lambda t: tf.gather(3, [0]),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'GatherV2' (op: 'GatherV2') "
            "with input shapes: [], [1], []."
        ),
    ),
    (
        lambda t: tf.gather(t.i, [0.5]),
        TypeError,
        (
            "Value passed to parameter 'indices' has DataType float32 not in list of "
            "allowed values: int32, int64"
        ),
    ),
    (
        lambda t: tf.gather(t.i, [0], axis=[0]),
        ValueError,
        (
            "Shape must be rank 0 but is rank 1 for 'GatherV2' (op: 'GatherV2') with input "
            "shapes: [2,3], [1], [1]."
        ),
    ),
    (
        lambda t: tf.gather(t.i, [[0]], batch_dims=2),
        ValueError,
        (
            "Shape must be at least rank 3 but is rank 2 for 'GatherV2' (op: 'GatherV2') "
            "with input shapes: [2,3], [1,1], [] and with computed input tensors: input[2] "
            "= <2>."
        ),
    ),
    (
        lambda t: tf.batch_gather(t.i, t.k),
        ValueError,
        "batch_gather does not allow indices with unknown shape.",
    ),
    (
        lambda t: tf.batch_gather([1, 2], [[1]]),
        ValueError,
        "batch_dims = 1 must be less than rank(params) = 1",
    ),
]

FAILING = [
    (lambda t: tf.gather(t.i, [2]), {}, "indices[0] = 2 is not in [0, 2)"),
    (lambda t: tf.gather(t.i, [[0, 1], [-1, 5]]), {}, "indices[1,0] = -1 is not in [0, 2)"),
    (lambda t: tf.gather(t.i, 7), {}, "indices = 7 is not in [0, 2)"),
    (lambda t: tf.gather(t.x, [0, 9], axis=1), {}, "indices[1] = 9 is not in [0, 3)"),
    (lambda t: tf.gather(t.q, [0], axis=5), {}, "Expected axis in the range [-2, 2), but got 5"),
    (
        lambda t: tf.gather(t.x, [0], axis=t.n),
        {"n": 4},
        "Expected axis in the range [-3, 3), but got 4",
    ),
    (lambda t: tf.gather(t.x, [0], axis=t.k), {"k": [1]}, "axis must be scalar"),
    (lambda t: tf.gather(t.r, [0]), {"r": 1.0}, "params must be at least 1 dimensional"),
    (
        lambda t: tf.gather(t.x, [[0]], axis=t.n, batch_dims=1),
        {"n": 0},
        "batch_dims (1) must be less than or equal to axis (0).",
    ),
    (
        lambda t: tf.gather(t.q, t.k, axis=1, batch_dims=2),
        {"k": [[0]]},
        "Expected batch_dims in the range [-2, 2), but got 2",
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
