"""Argument ranks and values that dataset ops reject, as in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tfmini._src.graph.opdef import raw

OPS = {
    "AutoShardDataset": ((2, 2), "index must be between 0 and 1"),
    "DenseToSparseBatchDataset": ((2, [-2]), "Dimension -2 must be >= -1"),
    "ExperimentalSlidingWindowDataset": ((1, 0, 1), "Window shift must be greater"),
    "ExperimentalSleepDataset": ((-1,), "`sleep_microseconds` must be >= 0"),
}


@cases.in_one_test
@pytest.mark.parametrize("op", OPS)
def test_invalid_arguments(op):
    values, said = OPS[op]
    values = [np.int64(value) for value in values]
    handle, kinds = tf.data.Dataset.range(3)._variant_tensor, ([tf.int64], [()])
    with pytest.raises(ValueError, match="rank"):
        getattr(raw, op)(
            handle,
            *[value[None] for value in values],
            output_types=kinds[0],
            output_shapes=kinds[1],
        )
    hidden = [tf.compat.v1.placeholder_with_default(value, None) for value in values]
    output = getattr(raw, op)(handle, *hidden, output_types=kinds[0], output_shapes=kinds[1])
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=said):
        session.run(output)
