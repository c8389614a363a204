"""Quadrature points of a softmax-normal, for which TensorFlow fails due to a misspelled attribute."""

import numpy as np

import tfmini as tf


def test_gauss_hermite_of_a_softmax_integrates_it():
    c = tf.contrib.distributions
    with tf.Graph().as_default(), tf.Session() as session:
        pair = c.quadrature_scheme_softmaxnormal_gauss_hermite([0.5], [2.0], 20)
        grid, probs = session.run(pair)
    assert grid.shape == (2, 20)
    numbers = np.linspace(-20, 20, 4001)
    density = np.exp(-0.5 * ((numbers - 0.5) / 2) ** 2)
    mean = np.sum(density / (1 + np.exp(numbers))) / np.sum(density)
    np.testing.assert_allclose(grid.sum(0), np.ones(20), rtol=1e-5)
    np.testing.assert_allclose(grid @ probs, [1 - mean, mean], rtol=1e-3)
