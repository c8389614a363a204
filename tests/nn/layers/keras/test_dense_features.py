import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

layers = tf.keras.layers


def test_feature_columns_before_layer():
    number = tf.feature_column.numeric_column("a")
    kind = tf.feature_column.categorical_column_with_identity("b", 5)
    inputs = {
        "a": tf.keras.Input((1,), name="a"),
        "b": tf.keras.Input((1,), name="b", dtype=tf.int64),
    }
    features = layers.DenseFeatures([number, tf.feature_column.embedding_column(kind, 3)])
    model = tf.keras.Model([inputs["a"], inputs["b"]], features(inputs))
    a, b = np.array([[0.5], [2.0]], "f"), np.array([[3], [1]])
    (table,) = model.get_weights()
    np.testing.assert_allclose(
        model.predict({"a": a, "b": b}), np.concatenate([a, table[b[:, 0]]], axis=1)
    )


def test_dict_input_requires_feature_layer():
    model = tf.keras.Sequential([layers.Dense(1)])
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="doesn't have FeatureLayer as the first layer"):
        model.fit({"a": np.ones((8, 1), "f")}, np.ones((8, 1), "f"), verbose=0)
