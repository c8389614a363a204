"""Indexing: TensorFlow's errors for invalid calls."""

import numpy as np
import pytest

from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: t.cube[[1, 2], [3, 4]],
        TypeError,
        (
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid indices, got [1, 2]"
        ),
    ),
    (
        lambda t: t.cube[np.array([1, 2])],
        TypeError,
        (
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid indices, got array([1, 2])"
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)
