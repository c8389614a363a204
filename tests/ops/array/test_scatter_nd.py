"""scatter_nd: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: tf.scatter_nd([[1]], [[1]], [3]),
        ValueError,
        (
            "The inner 0 dimensions of output.shape=[?] must match the inner 1 dimensions "
            "of updates.shape=[1,1]: Shapes must be equal rank, but are 0 and 1 for "
            "'ScatterNd' (op: 'ScatterNd') with input shapes: [1,1], [1,1], [1]."
        ),
    ),
    (
        lambda t: tf.scatter_nd(1, [1], [3]),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'ScatterNd' (op: 'ScatterNd') "
            "with input shapes: [], [1], [1]."
        ),
    ),
    (
        lambda t: tf.scatter_nd([[1]], 1, [3]),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'ScatterNd' (op: 'ScatterNd') "
            "with input shapes: [1,1], [], [1]."
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)


def test_scatter_of_booleans_is_or(session):
    x = tf.placeholder_with_default([True, False, False], [3])
    added = tf.raw_ops.ScatterNdNonAliasingAdd(input=x, indices=[[0], [1]], updates=[True, True])
    assert session.run(added).tolist() == [True, True, False]
