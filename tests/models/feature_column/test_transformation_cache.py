"""Features of unknown rank: vectors get an axis, higher ranks stay, scalars are rejected."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.feature_column.transformation_cache import TransformationCache


def test_feature_of_unknown_rank():
    with tf.Graph().as_default(), tf.Session() as session:
        placeholder = tf.placeholder(tf.float32)
        column = tf.feature_column.numeric_column("x")
        layer = tf.feature_column.input_layer({"x": placeholder}, [column])
        for value in ([1.0, 2.0, 3.0], [[1.0], [2.0]]):
            result = session.run(layer, {placeholder: value})
            np.testing.assert_array_equal(result, np.reshape(value, (-1, 1)))
        text = r"Feature \(key: x\) cannot have rank 0"
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(layer, {placeholder: 1.0})


def test_vectors_gain_an_axis():
    with tf.Graph().as_default(), tf.Session() as session:
        placeholder = tf.placeholder(tf.float32)
        column = TransformationCache({"x": placeholder}).get("x")
        for shape, expected in (((3,), (3, 1)), ((3, 2), (3, 2)), ((2, 3, 4), (2, 3, 4))):
            assert session.run(column, {placeholder: np.zeros(shape)}).shape == expected
