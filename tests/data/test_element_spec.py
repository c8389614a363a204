"""Element specs, as compared by `tensorflow.python.data.util.structure`."""

import pytest

import tfmini as tf
from tfmini._src.data.element_spec import are_compatible

FLOAT, WIDE = tf.TensorSpec([None], tf.float32), tf.TensorSpec([2], tf.float32)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (FLOAT, FLOAT, True),
        (FLOAT, WIDE, True),
        (FLOAT, tf.TensorSpec([None], tf.int32), False),
        (WIDE, tf.TensorSpec([3], tf.float32), False),
        ((FLOAT, {"a": WIDE}), (WIDE, {"a": WIDE}), True),
        ((FLOAT, FLOAT), FLOAT, False),
        ({"a": FLOAT}, {"b": FLOAT}, False),
    ],
)
def test_spec_compatibility(first, second, expected):
    assert are_compatible(first, second) is expected
