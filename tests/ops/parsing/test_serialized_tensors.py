"""tf.serialize_tensor and tf.parse_tensor."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run


@pytest.mark.parametrize(
    "value",
    [
        np.array([[1.5]], "f"),
        np.array(True),
        np.array([1, -1], "i2"),
        np.array(3, "f2"),
        np.zeros([2, 0]),
        np.array([1 + 2j]),
        np.array(["a", "b"], object),
    ],
    ids=lambda value: str(value.dtype),
)
def test_round_trip(value):
    tensor = tf.constant(value)
    restored = run(tf.parse_tensor(tf.serialize_tensor(tensor), tensor.dtype))
    np.testing.assert_array_equal(restored, run(tensor))
