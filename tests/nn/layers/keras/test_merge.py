"""Merge layers."""

import numpy as np
import pytest

import tfmini as tf
from tests.nn.layers.keras.outputs import outputs

pytestmark = pytest.mark.usefixtures("keras_session")

LAYERS = tf.keras.layers

DRAW = np.random.RandomState(0)

STEPS = DRAW.randn(2, 4, 3).astype(np.float32)


def test_dot():
    other = DRAW.randn(2, 5, 3).astype(np.float32)
    output = outputs(LAYERS.Dot(2), STEPS, other)
    np.testing.assert_allclose(output, STEPS @ other.transpose(0, 2, 1), rtol=1e-5)
    rows = STEPS[:, 0], other[:, 0]
    cosines = (rows[0] * rows[1]).sum(1) / np.prod([np.linalg.norm(r, axis=1) for r in rows], 0)
    output = outputs(LAYERS.Dot(-1, normalize=True), *rows)
    np.testing.assert_allclose(output[:, 0], cosines, rtol=1e-5)
    with pytest.raises(ValueError, match="Dimension incompatibility 4 != 5"):
        LAYERS.dot([tf.constant(STEPS), tf.constant(other)], 1)
