"""Datasets of SparseTensorValues and RaggedTensorValues, as returned by `Session.run`."""

import numpy as np

import tfmini as tf


def rows_of(dataset):
    following = tf.data.make_one_shot_iterator(dataset).get_next()
    result = []
    with tf.Session() as session:
        while True:
            try:
                result.append(session.run(following))
            except tf.errors.OutOfRangeError:
                return result


SPARSE = tf.SparseTensorValue(
    indices=np.array([[0, 0], [1, 2]]), values=np.array([5, 6], np.int32), dense_shape=[2, 3]
)


def test_sparse_tensor_value():
    with tf.Graph().as_default():
        (result,) = rows_of(tf.data.Dataset.from_tensors(SPARSE))
        assert result.indices.tolist() == [[0, 0], [1, 2]] and result.values.tolist() == [5, 6]
        rows = rows_of(tf.data.Dataset.from_tensor_slices(SPARSE))
        assert [row.indices.tolist() for row in rows] == [[[0]], [[2]]]
        assert [row.dense_shape.tolist() for row in rows] == [[3], [3]]


def test_function_returning_sparse_tensor_value():
    def one(i):
        return tf.SparseTensorValue(indices=[[0, 0]], values=[i], dense_shape=[1, 1])

    with tf.Graph().as_default():
        rows = rows_of(tf.data.Dataset.range(2).map(one))
    assert [row.values.tolist() for row in rows] == [[0], [1]]


def test_ragged_tensor_value():
    value = tf.ragged.constant_value([[1, 2], [3]])
    with tf.Graph().as_default():
        (result,) = rows_of(tf.data.Dataset.from_tensors(value))
    assert result.to_list() == [[1, 2], [3]]
