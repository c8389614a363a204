"""Loss scaling in eager mode, where a loss is a function; graphs are in `recorded_programs/contrib`."""

import numpy as np

import tfmini as tf


def test_loss_functions_in_eager_mode(eager):
    mixed = tf.contrib.mixed_precision
    x = tf.Variable(2.0, use_resource=True)
    optimizer = mixed.LossScaleOptimizer(
        tf.train.GradientDescentOptimizer(0.25), mixed.FixedLossScaleManager(1e4)
    )
    seen = []

    def loss():
        seen.append(x.numpy())
        return x * x

    ((gradient, variable),) = optimizer.compute_gradients(loss, [x])
    assert variable is x and seen == [2.0]
    np.testing.assert_allclose(gradient, 4.0, rtol=1e-6)
    optimizer.apply_gradients([(gradient, x)])
    np.testing.assert_allclose(x.numpy(), 1.0, rtol=1e-6)
    optimizer.apply_gradients([(tf.constant(np.inf), x)])
    np.testing.assert_allclose(x.numpy(), 1.0, rtol=1e-6)
