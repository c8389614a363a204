"""compile: target tensors, and errors for mismatched ones."""

import numpy as np
import pytest

import tfmini as tf


@pytest.fixture
def model():
    tf.keras.backend.clear_session()
    inputs = tf.keras.Input([2])
    ones = [tf.keras.layers.Dense(1, kernel_initializer="ones", name=name) for name in "ab"]
    return tf.keras.Model(inputs, [layer(inputs) for layer in ones])


@pytest.mark.parametrize("count", [1, 3])
def test_target_tensor_count_must_match_outputs(model, count):
    inputs = [tf.zeros([3, 1])] * count
    with pytest.raises(ValueError) as caught:
        model.compile("sgd", "mse", target_tensors=inputs)
    assert str(caught.value) == (
        "When passing a list as `target_tensors`, it should have one entry per model output. The model has 2 "
        f"outputs, but you passed target_tensors={inputs}"
    )


@pytest.mark.parametrize("kind", [list, dict])
def test_target_tensors_replace_targets(model, kind):
    inputs = [tf.fill([3, 1], 5.0), tf.fill([3, 1], 3.0)]
    model.compile("sgd", "mse", target_tensors=dict(zip("ab", inputs)) if kind is dict else inputs)
    result = model.evaluate(np.ones([3, 2]), steps=1, verbose=0)
    np.testing.assert_allclose(result, [9 + 1, 9, 1])  # for outputs of 2
