"""Gather: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.gather(t.i, [0], axis=-3),
        ValueError,
        (
            "Shape must be at least rank 3 but is rank 2 for 'GatherV2' (op: 'GatherV2') "
            "with input shapes: [2,3], [1], [] and with computed input tensors: input[2] = "
            "<-3>."
        ),
    ),
]

FAILING = [
    (lambda t: tf.gather(t.x, [0], axis=t.k), {"k": [1]}, "axis must be scalar"),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_errors_at_run_time(make, feed, text):
    fails(make, feed, text)
