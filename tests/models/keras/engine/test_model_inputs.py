"""The placeholders on which a model is built."""

import numpy as np

import tfmini as tf
from tfmini._src.models.keras.engine.model_inputs import ModelInputs


def test_dict_inputs():
    made = ModelInputs({"b": np.ones(10), "a": np.ones((20, 3), np.int32)})
    assert made.get_input_names() == ["a", "b"]
    symbolic = made.get_symbolic_inputs()
    assert list(symbolic) == ["a", "b"]
    assert symbolic["a"].shape.as_list() == [None, 3]
    assert symbolic["a"].dtype == tf.int32
    assert symbolic["b"].shape.as_list() == [None, 1]
    assert symbolic["b"].dtype == tf.float32  # Keras's dtype, not the array's
    assert made.get_symbolic_inputs()["b"] is symbolic["b"]


def test_single_and_multiple_inputs():
    made = ModelInputs(np.ones((4, 2)))
    assert made.get_input_names() == ["input_1"]
    assert made.get_symbolic_inputs(return_single_as_list=True) == [made.get_symbolic_inputs()]
    tensor = tf.zeros((4, 2))
    made = ModelInputs([tensor, tf.TensorSpec([None, 2], tf.float64)])
    assert made.get_input_names() == ["input_1", "input_2"]
    first, second = made.get_symbolic_inputs()
    assert first is tensor
    assert second.dtype == tf.float64
    assert second.op.type == "Placeholder"
