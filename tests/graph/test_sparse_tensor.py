"""tf.SparseTensor: feeds, operators and static shapes."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def matrix():
    return tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 4])


def test_feeds_of_tuples_and_sparse_tensor_values(session):
    x = tf.sparse_placeholder(tf.float32, [2, 2])
    dense = tf.sparse_tensor_to_dense(x)
    parts = ([[0, 1]], [3.0], [2, 2])
    for value in (parts, tf.SparseTensorValue(*parts)):
        assert session.run(dense, {x: value}).tolist() == [[0, 3], [0, 0]]
    value = session.run(tf.sparse_transpose(x), {x: parts})
    assert isinstance(value, tf.SparseTensorValue)
    assert value.indices.tolist() == [[1, 0]]


def test_operators_share_indices(session):
    x = matrix()
    for result, values in ((x * 2, [2, 4]), (x / 2, [0.5, 1]), (tf.fill([3, 4], 3.0) * x, [3, 6])):
        assert isinstance(result, tf.SparseTensor)
        assert result.indices is x.indices
        assert session.run(result.values).tolist() == values
    whole = tf.SparseTensor([[0]], tf.constant([7], tf.int8), [1]) / tf.constant(2, tf.int8)
    assert whole.dtype is tf.float32


def test_static_shape():
    n = tf.placeholder(tf.int64, [])
    unknown = tf.SparseTensor([[0, 1]], [1.0], tf.stack([n, 4]))
    assert unknown.shape.as_list() == [None, 4]
    assert tf.SparseTensor([[0]], [1.0], tf.constant([3, 4], tf.int64)[1:]).shape == [4]
    joined = tf.concat([tf.stack([n]), [5]], 0)
    assert tf.SparseTensor([[0, 1]], [1.0], joined).shape.as_list() == [None, 5]
    assert tf.sparse_placeholder(tf.float32).shape.ndims is None
    whole = tf.shape(tf.placeholder(tf.float32, [None, 2]), out_type=tf.int64)
    assert tf.SparseTensor([[0, 1]], [1.0], whole).get_shape().as_list() == [None, 2]
    assert tf.SparseTensor([[0, 1]], [1.0], whole + 1).shape.as_list() == [None, None]
