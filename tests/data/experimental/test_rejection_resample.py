"""rejection_resample: its component datasets."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("expected, draws", [([0.0, 1.0], False), ([0.2, 0.8], True)])
def test_unwanted_class_is_dropped_without_draw(graph, expected, draws):
    resample = tf.data.experimental.rejection_resample
    tf.data.Dataset.range(8).apply(
        resample(lambda x: tf.cast(x % 2, tf.int32), expected, [0.5, 0.5], 1)
    )
    kinds = {op.type for op in graph.get_operations()}
    assert any("DirectedInterleave" in kind for kind in kinds) is draws  # as in TensorFlow 1.15.5
