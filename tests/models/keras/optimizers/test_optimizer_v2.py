"""Slots of Keras optimizers, and the methods that derived optimizers call."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("name", ["Adam", "RMSprop"])
def test_slots_of_reference_variables_are_refused(name):
    with tf.Graph().as_default():
        variable = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
        with pytest.raises(ValueError, match=rf"float32_ref .* float32: .*'{name}/v/"):
            getattr(tf.keras.optimizers, name)().get_updates(tf.reduce_sum(variable), [variable])


def test_derived_optimizer_may_ignore_prepared_state():
    class Halved(tf.keras.optimizers.SGD):
        def _resource_apply_dense(self, grad, var):
            state = self._fallback_apply_state(var.device, var.dtype.base_dtype)
            rate = self._call_if_callable(lambda: state["lr_t"] / 2)
            return var.assign_sub(rate * grad).op

        def _valid_dtypes(self):
            return {tf.float64}

    with tf.Graph().as_default(), tf.Session() as session:
        variables = [tf.Variable([1.0], use_resource=True, dtype=d) for d in [tf.float64] * 2]
        update = Halved(0.5).get_updates(tf.add_n(variables) * 3.0, variables)
        session.run(tf.global_variables_initializer())
        session.run(update)
        assert session.run(variables) == [[0.25], [0.25]]
        single = tf.Variable([1.0], use_resource=True)
        with pytest.raises(ValueError, match="Invalid type tf.float32 for"):
            Halved().get_updates(tf.reduce_sum(single), [single])
