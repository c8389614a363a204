"""gather_nd: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

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
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)
