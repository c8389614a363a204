"""Learning rates by epoch; the errors are TensorFlow 1.15.5's."""

import numpy as np

import tfmini as tf

X, Y = np.ones((4, 2)), np.ones((4, 1))


def trained(optimizer, schedule, epochs=1):
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(optimizer, "mse")
    scheduler = tf.keras.callbacks.LearningRateScheduler(schedule)
    return model.fit(X, Y, epochs=epochs, verbose=0, callbacks=[scheduler]).history


def test_schedule_receives_epoch_and_current_rate():
    rates = trained(tf.keras.optimizers.SGD(0.5), lambda epoch, rate: rate / (epoch + 1), 3)["lr"]
    np.testing.assert_allclose(rates, [0.5, 0.25, 0.25 / 3], rtol=1e-6)
    rates = trained(tf.keras.optimizers.SGD(0.5), lambda epoch: 0.1 * epoch, 3)["lr"]
    np.testing.assert_allclose(rates, [0.0, 0.1, 0.2], rtol=1e-6)
