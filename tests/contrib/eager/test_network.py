"""`tf.contrib.eager.Network`: names, errors and checkpoints as TensorFlow 1.15.5 gives them, in both modes."""

import contextlib

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode

tfe = tf.contrib.eager

pytestmark = pytest.mark.filterwarnings("ignore")


class Inner(tfe.Network):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.l1 = self.track_layer(tf.layers.Dense(1, use_bias=False))

    def call(self, x):
        return self.l1(x)


class Outer(tfe.Network):
    def __init__(self, shared=None, name=None):
        super().__init__(name=name)
        self.a = self.track_layer(shared or Inner())
        self.b = self.track_layer(Inner())
        regularizer = tf.contrib.layers.l1_regularizer(2.0)
        self.c = self.track_layer(tf.layers.Dense(2, name="last", bias_regularizer=regularizer))

    def call(self, x):
        return self.c(self.b(self.a(x)))


class Values:
    """Reads and sets values in one mode."""

    def __init__(self, session):
        self._session = session

    def of(self, tensor):
        return tensor.numpy() if self._session is None else self._session.run(tensor)

    def set(self, variable, value):
        assigned = variable.assign(value)
        if self._session is not None:
            self._session.run(assigned)


@pytest.fixture(params=["eager", "graph"])
def values(request):
    with contextlib.ExitStack() as stack:
        stack.enter_context(tf.Graph().as_default())
        if request.param == "eager":
            stack.enter_context(eager_mode())
            yield Values(None)
        else:
            yield Values(stack.enter_context(tf.Session()))


@pytest.fixture
def one(values):
    return tf.constant([[1.0]])


def test_names_are_those_of_the_nesting(one):
    tf.layers.Dense(1)  # whose number does not matter
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


def test_what_a_network_refuses(one):
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


def test_sequences_of_layers_and_functions(values, one):
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
