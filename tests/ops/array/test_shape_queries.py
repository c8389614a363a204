"""Shape, size and rank: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: tf.shape_n(t.x),
        TypeError,
        (
            "Expected list for 'input' argument to 'shape_n' Op, not <tf.Tensor 'x:0' "
            "shape=(2, 3, 4) dtype=float32>."
        ),
    ),
    (
        lambda t: tf.shape_n([t.x, t.s]),
        TypeError,
        (
            "Tensors in list passed to 'input' of 'ShapeN' Op have types [float32, string] "
            "that don't all match."
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)
