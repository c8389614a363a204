"""Whether nodes go to the graph of symbolic tensors of eager mode."""

import pytest

import tfmini as tf
from tfmini._src.nn.layers.backend.keras_graph import get_graph, in_keras_graph, runs_as_written
from tfmini._src.session.eager.enable import eager_mode


class Counts(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.counter = self.add_weight("counter", (), initializer="zeros", trainable=False)

    def call(self, inputs, training=None):
        if training:
            total = tf.reduce_sum(inputs)
            self.add_update(lambda: self.counter.assign_add(total))
        return inputs


def test_branches_of_it_are_parts_of_it():
    seen = []

    def branch():
        seen.append((in_keras_graph(), runs_as_written()))
        return tf.constant(1)

    with eager_mode():
        assert not in_keras_graph()
        with get_graph().as_default():
            tf.cond(tf.placeholder(tf.bool, []), branch, branch)
        tf.function(branch)()
    assert seen == [(True, False), (True, False), (False, True)]


def test_updates_in_branches_are_refused():
    with eager_mode(), pytest.raises(RuntimeError, match="`add_update` in a control flow branch"):
        Counts()(tf.keras.Input((3,)))
