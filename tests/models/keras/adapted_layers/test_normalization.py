"""`Normalization`, and layers adapted to data before training, as in TensorFlow 1.15.5."""

import contextlib

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.keras.adapted_layers.combiner_layer import (
    CombinerPreprocessingLayer,
    PreprocessingLayer,
)
from tfmini._src.models.keras.adapted_layers.normalization import MomentsCombiner, Normalization
from tfmini._src.session.eager.enable import eager_mode

DATA = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 60.0]], np.float32)


@pytest.fixture(params=["graph", "eager"])
def mode(request):
    how = eager_mode() if request.param == "eager" else contextlib.nullcontext()
    with tf.Graph().as_default(), how:
        yield


@pytest.mark.parametrize("axis", [-1, (1,)])
def test_adapt_accepts_arrays_then_datasets(mode, axis):
    layer = Normalization(axis=axis, name="n")
    layer.adapt(DATA)
    mean, variance, count = layer.get_weights()
    np.testing.assert_allclose(mean, [2.0, 30.0])
    np.testing.assert_allclose(variance, [0.666667, 466.6666], rtol=1e-5)
    assert count == 3
    np.testing.assert_allclose(
        tf.keras.backend.get_value(layer(tf.constant(DATA))),
        [[-1.5, -0.042857], [0.0, -0.021429], [1.5, 0.064286]],
        atol=1e-5,
    )
    layer.adapt(tf.data.Dataset.from_tensor_slices(DATA * 2).batch(2), reset_state=False)
    mean, variance, count = layer.get_weights()
    np.testing.assert_allclose(mean, [3.0, 45.0])
    np.testing.assert_allclose(variance, [2.666667, 1391.6666], rtol=1e-5)
    assert count == 6
    assert layer.get_config() == {"name": "n", "trainable": True, "dtype": "float32", "axis": axis}
    assert layer.compute_output_shape((None, 2)) == (None, 2)


def test_accumulators_merge_and_serialize():
    combiner = MomentsCombiner(-1)
    whole = combiner.compute(DATA)
    parts = combiner.merge([combiner.compute(DATA[:1]), combiner.compute(DATA[1:])])
    for one, other in zip(whole, parts):
        np.testing.assert_allclose(one, other)
    text = combiner.serialize(whole)
    assert text == (
        b'{"count": 3, "mean": [2.0, 30.0], "variance": [0.6666666666666666, 466.6666666666667]}'
    )
    assert combiner.serialize(combiner.deserialize(text)) == text


def test_base_layer_cannot_adapt():
    with pytest.raises(NotImplementedError, match="^$"):
        PreprocessingLayer().adapt(DATA)


def test_scalar_layer_builds_without_shape(mode):
    class Sum(MomentsCombiner):
        def compute(self, batch_values, accumulator=None):
            return np.sum(batch_values) + (accumulator or 0)

        def extract(self, accumulator):
            return {"sum": accumulator}

    class Adding(CombinerPreprocessingLayer):
        def build(self, input_shape):
            self._add_state_variable("sum", (), tf.float32, tf.zeros_initializer())
            super().build(input_shape)

    layer = Adding(Sum(0))
    layer.adapt(tf.data.Dataset.range(1, 5))
    assert layer.get_weights() == [10.0]
    assert repr(layer._combiner) == "<Sum>"
