"""Fill, zeros and ones: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: tf.zeros([[1, 2]]),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'zeros' (op: 'Fill') with input "
            "shapes: [1,2], []."
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)
