"""Slots of Keras optimizers."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("name", ["Adam", "RMSprop"])
def test_slots_of_reference_variables_are_refused(name):
    with tf.Graph().as_default():
        variable = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
        with pytest.raises(ValueError, match=rf"float32_ref .* float32: .*'{name}/v/"):
            getattr(tf.keras.optimizers, name)().get_updates(tf.reduce_sum(variable), [variable])
