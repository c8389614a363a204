"""Dynamic partition and stitch: TensorFlow's errors for invalid calls."""

import numpy as np
import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused
from tfmini._src.graph.opdef import registry

REFUSED = [
    (
        lambda t: tf.dynamic_partition(t.i, [1, 0], 0),
        ValueError,
        ("Attr 'num_partitions' of 'DynamicPartition' Op passed 0 less than minimum 1."),
    ),
    (
        lambda t: tf.dynamic_stitch([[0, 2], [1]], [[10.0, 30.0], [20.0, 1.0]]),
        ValueError,
        (
            "Dimensions must be equal, but are 2 and 1 for 'DynamicStitch' (op: "
            "'DynamicStitch') with input shapes: [2], [1], [2], [2]."
        ),
    ),
    (
        lambda t: tf.dynamic_stitch([[0], [1]], [[10.0], [[20.0, 1.0]]]),
        ValueError,
        (
            "Shapes must be equal rank, but are 0 and 1 for 'DynamicStitch' (op: "
            "'DynamicStitch') with input shapes: [1], [1], [1], [1,2]."
        ),
    ),
]

FAILING = [
    (lambda t: tf.dynamic_partition(5, 7, 2), {}, "partitions = 7 is not in [0, 2)"),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_errors_at_run_time(make, feed, text):
    fails(make, feed, text)


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
