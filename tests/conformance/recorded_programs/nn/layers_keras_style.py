"""Layers in a keras_style_scope: separate weights, named by the name scope; copied layers."""

import copy


def build(tf):
    class Outer(tf.layers.Layer):
        def build(self, shape):
            self.gain = self.add_weight("gain", [3], trainable=None, regularizer=tf.nn.l2_loss)
            self.inner = tf.layers.Dense(2, name="inner", kernel_regularizer="l2")

        def call(self, x):
            self.add_loss(lambda: tf.reduce_sum(self.gain))
            return self.inner(x * self.gain)

    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.layers.experimental.keras_style_scope():
        first, second = Outer(name="model"), Outer(name="model")
        with tf.variable_scope("unheard", reuse=tf.AUTO_REUSE):
            outputs = [first(x), second(x), first(x)]
            unnamed = tf.layers.Dense(2)
            outputs.append(unnamed(x))
    dense = tf.layers.Dense(2, tf.nn.relu, name="whole")
    other = copy.deepcopy(dense)
    same = copy.copy(dense)
    outputs += [dense(x), other(x), same(x)]
    layers = [first, second, unnamed, dense, other, same, first.inner]
    facts = {
        "names": [layer.name for layer in layers],
        "weights": [[v.name for v in layer.weights] for layer in layers],
        "trained": [[v.name for v in layer.trainable_weights] for layer in layers],
        "losses": [[t.name for t in layer.losses] for layer in layers],
    }
    return {
        "facts": facts,
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("outputs", outputs, {x: [[1.0, 2.0, 3.0]]}),
        ],
    }
