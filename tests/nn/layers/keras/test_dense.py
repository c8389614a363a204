"""Layers built before their call create weights once; an outer layer's effects on an inner one."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("kind", [tf.keras.layers.Dense, tf.layers.Dense])
def test_built_layer_is_not_rebuilt(kind):
    layer = kind(2)
    layer.build((None, 3))
    assert layer.built
    before = list(layer.weights)
    layer(tf.placeholder(tf.float32, [4, 3]))
    assert len(layer.weights) == len(before) == 2
    assert all(one is other for one, other in zip(layer.weights, before))


def test_inner_layer_uses_resource_variables():
    class Outer(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.inner = tf.layers.Dense(3)

        def call(self, inputs):
            return self.inner(inputs)

    outer, alone = Outer(), tf.layers.Dense(3)
    for layer in (outer, alone):
        layer(tf.placeholder(tf.float32, [2, 2]))
    assert outer.inner.kernel.handle.dtype == tf.resource
    assert alone.kernel.op.type == "VariableV2"
