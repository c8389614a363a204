"""`tf.contrib.eager.Sequential` of layers and functions, in both modes."""

import pytest

import tfmini as tf

tfe = tf.contrib.eager

pytestmark = pytest.mark.filterwarnings("ignore")


def test_sequential_of_layers_and_functions(values, one):
    def add_training(inputs, training=None):
        return inputs if training is None else inputs + (1.0 if training else -1.0)

    dense = tf.layers.Dense(1, use_bias=False)
    net = tfe.Sequential([dense, add_training])
    net.add(tf.negative)
    net(one)
    values.set(dense.variables[0], [[3.0]])
    assert values.of(net(one)) == -3.0
    assert values.of(net(one, training=True)) == -4.0
    assert values.of(net(one, training=False)) == -2.0
    with pytest.raises(TypeError, match="takes only tf.layers.Layer objects or callables; not '3'"):
        net.add(3)
