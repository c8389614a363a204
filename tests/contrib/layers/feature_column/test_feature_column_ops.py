"""Columns sorted by key; duplicates are rejected."""

import numpy as np
import pytest

import tfmini as tf

layers = tf.contrib.layers


def test_columns_are_sorted():
    with tf.Graph().as_default(), tf.Session() as session:
        features = {"b": tf.constant([[1.0], [2.0]]), "a": tf.constant([[3.0], [4.0]])}
        b, a = (layers.real_valued_column(name) for name in "ba")
        result = session.run(layers.input_from_feature_columns(features, [b, a]))
        with pytest.raises(ValueError, match="^Duplicate feature column key found for column: b"):
            layers.input_from_feature_columns(features, [b, a, b])
    np.testing.assert_array_equal(result, [[3, 1], [4, 2]])
