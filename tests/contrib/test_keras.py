"""tf.contrib.keras: the old alias of tf.keras."""

import tfmini as tf


def test_contrib_keras_is_tf_keras():
    assert tf.contrib.keras.layers is tf.keras.layers
    assert tf.contrib.keras.wrappers.scikit_learn is tf.keras.wrappers.scikit_learn
    assert not hasattr(tf.contrib.keras, "estimator")  # added in later releases
