"""Points: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.gather_nd(t.i, [[0, 0, 0]]),
        ValueError,
        (
            "indices.shape[-1] must be <= params.rank, but saw indices shape: [1,3] and "
            "params shape: [2,3] for 'GatherNd' (op: 'GatherNd') with input shapes: [2,3], "
            "[1,3]."
        ),
    ),
    (
        lambda t: tf.gather_nd(t.i, 0),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'GatherNd' (op: 'GatherNd') "
            "with input shapes: [2,3], []."
        ),
    ),
    (
        lambda t: tf.gather_nd(t.x, [[1, 2], [0, 1]], batch_dims=3),
        ValueError,
        "batch_dims = 3 must be less than rank(indices) = 2",
    ),
    (
        lambda t: tf.gather_nd(t.x, [[1, 2], [0, 1]], batch_dims=-1),
        ValueError,
        "tf.gather_nd does not allow negative batch_dims.",
    ),
    (
        lambda t: tf.unravel_index([1], 3),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'UnravelIndex' (op: 'UnravelIndex') "
            "with input shapes: [1], []."
        ),
    ),
]

FAILING = [
    (
        lambda t: tf.gather_nd(t.i, [[2, 0]]),
        {},
        "indices[0] = [2, 0] does not index into param shape [2,3]",
    ),
    (
        lambda t: tf.gather_nd(t.i, [[2, 0], [0, 5], [1, 1]]),
        {},
        "indices[1] = [0, 5] does not index into param shape [2,3]",
    ),
    (
        lambda t: tf.gather_nd(t.i, [[[0, 0], [1, -2]]]),
        {},
        "indices[0,1] = [1, -2] does not index into param shape [2,3]",
    ),
    (
        lambda t: tf.gather_nd(t.q, [[0, 0, 0]]),
        {},
        "index innermost dimension length must be <= params rank; saw: 3 vs. 2",
    ),
    (lambda t: tf.gather_nd(t.r, [[0]]), {"r": 1.0}, "params must be at least a vector"),
    (lambda t: tf.gather_nd(t.q, t.k), {"k": 0}, "indices must be at least a vector"),
    (
        lambda t: tf.unravel_index(t.k, [2, 3]),
        {"k": [[1]]},
        'The indices can only be scalar or vector, got "[1,1]"',
    ),
    (lambda t: tf.unravel_index([1], t.k), {"k": 3}, 'The indices can only be 1-D, got "[]"'),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
