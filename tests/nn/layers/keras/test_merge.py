"""Merge layers."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

LAYERS = tf.keras.layers

DRAW = np.random.RandomState(0)

STEPS = DRAW.randn(2, 4, 3).astype(np.float32)


def outputs(layer, *inputs, training=None, **call):
    """The output of a layer; it is made again from its configuration, and its shape is what it said."""
    tensors = [tf.constant(x) for x in inputs]
    given = tensors[0] if len(tensors) == 1 else tensors
    shapes = [x.shape for x in tensors]
    if training is not None:
        call["training"] = training
    result = layer(given, **call)
    said = layer.compute_output_shape(shapes[0] if len(shapes) == 1 else shapes)
    assert tf.TensorShape(said).as_list() == result.shape.as_list()
    again = type(layer).from_config(layer.get_config())
    assert again.get_config() == layer.get_config() or "function" in layer.get_config()
    session = tf.keras.backend.get_session()
    session.run([v.initializer for v in layer.weights])
    return session.run(result)


def test_dot():
    other = DRAW.randn(2, 5, 3).astype(np.float32)
    made = outputs(LAYERS.Dot(2), STEPS, other)
    np.testing.assert_allclose(made, STEPS @ other.transpose(0, 2, 1), rtol=1e-5)
    rows = STEPS[:, 0], other[:, 0]
    cosines = (rows[0] * rows[1]).sum(1) / np.prod([np.linalg.norm(r, axis=1) for r in rows], 0)
    made = outputs(LAYERS.Dot(-1, normalize=True), *rows)
    np.testing.assert_allclose(made[:, 0], cosines, rtol=1e-5)
    with pytest.raises(ValueError, match="Dimension incompatibility 4 != 5"):
        LAYERS.dot([tf.constant(STEPS), tf.constant(other)], 1)
