"""1-D arrays become columns or stay; the expected values are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf

X = np.arange(3.0)


@pytest.fixture
def model():
    """Twice its first input, of shape [batch], and three times its second, of shape [batch, 1]."""
    tf.keras.backend.clear_session()
    numbers, column = tf.keras.Input((), name="numbers"), tf.keras.Input((1,), name="column")
    twice = tf.keras.layers.Lambda(lambda x: x * 2.0)(numbers)
    return tf.keras.Model(
        [numbers, column], [twice, tf.keras.layers.Lambda(lambda x: x * 3.0)(column)]
    )


@pytest.mark.parametrize("made", [np.asarray, tf.constant])
def test_vectors_become_columns_where_required(model, made):
    x = [made(X.astype("f"))] * 2
    twice, thrice = model.predict(x, steps=None if made is np.asarray else 1)
    np.testing.assert_array_equal(twice, 2 * X)
    np.testing.assert_array_equal(thrice, 3 * X[:, None])


def test_scalar_targets_and_weights():
    tf.keras.backend.clear_session()
    column = tf.keras.Input((1,))
    model = tf.keras.Model(column, tf.keras.layers.Lambda(lambda x: x * 3.0)(column))
    model.compile("sgd", "mse")
    np.testing.assert_allclose(model.evaluate(X, X, verbose=0), np.mean((3 * X - X) ** 2))
    weights = np.array([1.0, 2.0, 0.0])
    result = model.test_on_batch(X, X + 1, sample_weight=weights)
    np.testing.assert_allclose(result, np.mean(weights * (3 * X - X - 1) ** 2))
