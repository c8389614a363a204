"""Invalid model data: TensorFlow 1.15.5's errors."""

import re

import numpy as np
import pytest

import tfmini as tf


class Net(tf.keras.Model):
    """A model with deferred inputs."""

    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, inputs):
        return self.dense(inputs)


@pytest.mark.parametrize(
    "x, y, text",
    [
        (np.ones((4, 2)), {"a": np.ones((4, 1))}, "You cannot pass a dictionary as model target."),
        (
            np.ones((4, 2)),
            "abc",
            "Please provide as model inputs either a single array or a list of arrays. You passed: target=abc",
        ),
        (
            "ab",
            np.ones((4, 1)),
            "Please provide as model inputs either a single array or a list of arrays. You passed: inputs=ab",
        ),
    ],
    ids=["dict", "targets", "inputs"],
)
def test_invalid_data(x, y, text):
    tf.keras.backend.clear_session()
    model = Net()
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        model.fit(x, y, verbose=0)
