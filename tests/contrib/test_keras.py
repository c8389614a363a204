"""tf.contrib.keras: the older name of tf.keras."""

import tfmini as tf


def test_it_is_the_same():
    assert tf.contrib.keras.layers is tf.keras.layers
    assert tf.contrib.keras.wrappers.scikit_learn is tf.keras.wrappers.scikit_learn
    assert not hasattr(tf.contrib.keras, "estimator")  # added in later releases
