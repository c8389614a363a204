"""Dynamic partition and stitch: TensorFlow's errors for invalid calls."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import registry


@pytest.mark.parametrize("count, kind", [(3, "f"), (300, "f"), (3, object), (300, object)])
def test_rows_keep_their_order(count, kind):
    rng = np.random.RandomState(0)
    data = np.arange(1000 * 80).reshape(1000, 80).astype(kind)
    data = data.astype("S").astype(object) if kind is object else data
    numbers = rng.choice([0, count // 2, count - 1], 1000).astype(np.int32)
    fed = tf.placeholder(tf.string if kind is object else tf.float32)
    parts = tf.dynamic_partition(fed, numbers, count)
    chosen = [0, count // 2, count - 1]
    with tf.Session() as session:
        result = session.run([parts[number] for number in (*chosen, 1)], {fed: data})
    for number, part in zip(chosen, result):
        np.testing.assert_array_equal(part, data[numbers == number])
    assert result[-1].shape == (0, 80) or count == 3


def test_partition_count_exceeds_sixteen_bits():
    """Tests only the kernel: a graph with so many tensors needs 90 MB."""
    data = np.arange(400.0).reshape(200, 2)
    numbers = np.random.RandomState(0).choice([69_999, 4463, 65_536], 200).astype(np.int32)
    result = registry["DynamicPartition"].kernel(np, data, numbers, num_partitions=70_000)
    for number in (4463, 65_536, 69_999):
        np.testing.assert_array_equal(result[number], data[numbers == number])
    assert len(result) == 70_000 and result[0].shape == (0, 2)
