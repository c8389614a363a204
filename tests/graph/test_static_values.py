"""get_static_value: what the graph decides, and that its tensors cannot be fed any more."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.static_values import static_shape


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: tf.constant([1, 2]), [1, 2]),
        (lambda: tf.shape(tf.placeholder(tf.float32, [2, 3])), [2, 3]),
        (lambda: tf.shape(tf.placeholder(tf.float32, [2, None])), None),
        (lambda: tf.size(tf.placeholder(tf.float32, [2, 3])), 6),
        (lambda: tf.rank(tf.placeholder(tf.float32, [2, None])), 2),
        (lambda: tf.rank(tf.placeholder(tf.float32)), None),
        (lambda: tf.range(1, 7, 2), [1, 3, 5]),
        (lambda: tf.cast(tf.constant([1.7]), tf.int32), [1]),
        (lambda: tf.concat([tf.constant([1]), tf.constant([2])], 0), [1, 2]),
        (lambda: tf.stack([tf.constant(1), tf.size(tf.ones([4]))]), [1, 4]),
        (lambda: tf.stack([tf.constant(1), tf.placeholder(tf.int32, [])]), None),
        (lambda: tf.fill([2], 7), [7, 7]),
        (lambda: tf.equal(tf.constant([1, 2]), 2), [False, True]),
        (lambda: tf.not_equal(tf.constant([1, 2]), 2), [True, False]),
        (lambda: tf.constant(1) + 1, None),
        (lambda: tf.placeholder(tf.float32), None),
    ],
)
def test_what_is_known(make, expected, graph):
    tensor = make()
    value = tf.get_static_value(tensor)
    if expected is None:
        assert value is None
    else:
        np.testing.assert_array_equal(value, expected)
        assert value.dtype == tensor.dtype.as_numpy_dtype
    assert graph.is_feedable(tensor) is (expected is None)


def test_part_of_a_pack():
    packed = tf.stack([tf.constant(1), tf.placeholder(tf.int32, [])])
    assert tf.get_static_value(packed, partial=True).tolist() == [1, None]


def test_other_values():
    assert tf.get_static_value(5) == 5
    assert tf.get_static_value(tf.SparseTensor([[0]], [1.0], [2])) is None


def test_every_second_size_of_a_shape():
    shape = tf.shape(tf.placeholder(tf.float32, [2, None, 4, 5]))
    found = (
        tf.contrib.util.constant_value(shape),
        static_shape(shape[::2]),
        static_shape(shape[3:0:-2]),
    )
    assert found[0] is None
    assert [each.as_list() for each in found[1:]] == [[2, 4], [5, None]]
