"""Splines through points in a plane, and gradients at coinciding points: TensorFlow 1.15.5's numbers."""

import numpy as np
import pytest

import tfmini as tf

# By order: the gradients at the first point and at (0.5, 0.25).
GRADIENTS = {
    1: [[1.375, 2.375], [1.21002, 2.5]],
    2: [[1.25, 2.25], [1.155372, 2.5]],
    3: [[1.125, 2.125], [1.190042, 2.5]],
    4: [[0.819663, 1.819663], [1.33958, 2.5]],
    5: [[0.875, 1.875], [1.30937, 2.5]],
    6: [[0.479495, 1.479495], [1.455633, 2.5]],
}


@pytest.mark.parametrize("order", GRADIENTS)
def test_values_and_gradients(order):
    with tf.Graph().as_default(), tf.Session() as session:
        points = tf.constant([[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
        values = tf.constant([[[1.0], [2.0], [3.0], [5.0]]])
        queries = tf.constant([[[0.0, 0.0], [0.5, 0.25]]])
        result = tf.contrib.image.interpolate_spline(points, values, queries, order)
        result, grad = session.run([result, *tf.gradients(result, queries)])
    np.testing.assert_allclose(result, [[[1.0], [2.125]]], rtol=1e-5)
    np.testing.assert_allclose(grad, [GRADIENTS[order]], rtol=1e-4)
