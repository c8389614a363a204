"""tf.compat.v2 columns with a shared table: TensorFlow 1.15.5's names, numbers and errors."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.feature_column.shared_embeddings import shared_embeddings
from tfmini._src.session.eager.enable import eager_mode

columns = tf.feature_column


def _ids(count=3):
    return [columns.categorical_column_with_identity(name, count) for name in "ba"]


def _features():
    return {
        "a": tf.constant([[0], [1]], tf.int64),
        "b": tf.constant([[2, 0], [1, 1]], tf.int64),
    }


def _rising(shape, dtype=None, partition_info=None):
    return tf.reshape(tf.range(6.0), [3, 2])


def _variables():
    return [variable.name for variable in tf.global_variables()]


def test_layers_of_graph_share_table():
    b, a = shared_embeddings(_ids(), 2, initializer=_rising, combiner="sum")
    output = tf.keras.layers.DenseFeatures([b, a])(_features())
    tf.keras.layers.DenseFeatures([a])(_features())
    assert _variables() == ["a_b_shared_embedding:0"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        result = session.run(output)
    np.testing.assert_array_equal(result, [[0, 1, 4, 6], [2, 3, 4, 6]])
    with tf.Graph().as_default():
        tf.keras.layers.DenseFeatures([a, b])(_features())
        assert _variables() == ["a_b_shared_embedding:0"]
    assert (a.name, b.variable_shape.as_list()) == ("a_shared_embedding", [2])


def test_sequences_share_table():
    ids = columns.sequence_categorical_column_with_identity("a", 3)
    (column,) = shared_embeddings([ids], 2, initializer=_rising)
    feature = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant([2, 0, 1], tf.int64), [2, 2])
    output, lengths = tf.keras.experimental.SequenceFeatures([column])({"a": feature})
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        result, counts = session.run([output, lengths])
    np.testing.assert_array_equal(result, [[[4, 5], [0, 0]], [[0, 1], [2, 3]]])
    np.testing.assert_array_equal(counts, [1, 2])


def test_eager_mode_is_refused():
    with eager_mode(), pytest.raises(RuntimeError, match="when eager execution is enabled"):
        shared_embeddings(_ids(), 2)
