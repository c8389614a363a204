"""`tf.contrib.eager.Network`: names, errors and checkpoints as in TensorFlow 1.15.5, in both modes."""

import pytest

import tfmini as tf
from tests.contrib.eager.conftest import Inner, Outer

tfe = tf.contrib.eager

pytestmark = pytest.mark.filterwarnings("ignore")


def test_names_follow_nesting(one):
    tf.layers.Dense(1)  # its number does not matter
    net = Outer()
    with pytest.raises(ValueError, match="does not yet have a final name"):
        assert net.name
    net(one)
    assert [v.name for v in net.variables] == [
        "outer/inner/dense/kernel:0",
        "outer/inner_1/dense/kernel:0",
        "outer/last/kernel:0",
        "outer/last/bias:0",
    ]
    assert (net.name, net.a.name, net.scope_name) == ("outer", "inner", "outer")
    assert len(net.losses) == 1
    with tf.variable_scope("outside"):
        other = Outer(net.a)
    other(one)
    assert other.name == "outside/outer"
    assert [v.name for v in other.variables] == [
        "outer/inner/dense/kernel:0",
        "outside/outer/inner/dense/kernel:0",
        "outside/outer/last/kernel:0",
        "outside/outer/last/bias:0",
    ]


def test_invalid_networks(one):
    net = Outer()
    net(one)
    with pytest.raises(ValueError, match="A Network named 'outer' already exists"):
        Inner("outer")(one)
    with pytest.raises(ValueError, match="not allowed in Network names"):
        Inner("a/b")
    with (
        tf.variable_scope("a") as scope,
        pytest.raises(ValueError, match="VariableScopes are not valid Network names"),
    ):
        Inner(scope)
    with pytest.raises(TypeError, match="passed type <class 'int'>, not a tf.layers.Layer"):
        net.track_layer(3)
    with pytest.raises(ValueError, match="Attempt to add two Layers with the name 'last'"):
        net.track_layer(tf.layers.Dense(1, name="last"))
    with pytest.raises(RuntimeError, match="add_variable not supported in Network class yet"):
        net.add_variable("v", [])
    with pytest.raises(RuntimeError, match="add_loss is not supported in Network class yet"):
        net.add_loss(1.0)
    with pytest.raises(AttributeError, match="cannot mark Network as not trainable"):
        net.trainable = False
    with pytest.raises(NotImplementedError, match="does not support object-based checkpointing"):
        tf.train.Checkpoint(net=net).save("nowhere")


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
