"""Weight values of a layer: read and assigned in the default session, and without one."""

import copy

import numpy as np
import pytest

import tfmini as tf


def built(units=2, **options):
    layer = tf.layers.Dense(units, name="layer", **options)
    layer(tf.zeros([1, 3]))
    return layer


def test_values_in_default_session():
    layer = built(kernel_initializer="ones")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        kernel, bias = layer.get_weights()
        np.testing.assert_array_equal(kernel, np.ones([3, 2]))
        np.testing.assert_array_equal(bias, np.zeros(2))
        layer.set_weights([kernel * 3, bias + 1])
        np.testing.assert_array_equal(session.run(layer.kernel), np.full([3, 2], 3))
        nodes = len(tf.get_default_graph().get_operations())
        layer.set_weights([kernel, bias])
        assert len(tf.get_default_graph().get_operations()) == nodes
        np.testing.assert_array_equal(session.run(layer.kernel), kernel)


def test_uninitialized_weights_are_initialized():
    layer = built(kernel_initializer="ones")
    with tf.Session():
        np.testing.assert_array_equal(layer.get_weights()[0], np.ones([3, 2]))


def test_values_without_a_session():
    layer = built(kernel_initializer="ones")
    np.testing.assert_array_equal(layer.get_weights()[0], np.ones([3, 2]))
    layer.set_weights([np.full([3, 2], 5), np.arange(2)])
    np.testing.assert_array_equal(layer.get_weights()[0], np.full([3, 2], 5))
    np.testing.assert_array_equal(layer.get_weights()[1], [0, 1])


def test_initial_weights_argument():
    kernel = np.arange(6.0).reshape(3, 2)
    with tf.Session() as session:
        layer = built(weights=[kernel, np.ones(2)])
        np.testing.assert_array_equal(session.run(layer.kernel), kernel)
        np.testing.assert_array_equal(layer.get_weights()[1], np.ones(2))


def test_layer_without_weights():
    layer = tf.layers.Layer(name="empty")
    layer(tf.ones([2]))
    assert layer.get_weights() == layer.weights == []
    layer.set_weights([])


def test_partitioned_weight_counts_once():
    class Table(tf.layers.Layer):
        def build(self, shape):
            cut = tf.fixed_size_partitioner(2)
            self.table = self.add_weight("table", [4, 3], partitioner=cut)

        def call(self, x):
            return x

    layer = Table()
    layer(tf.ones([1]))
    assert layer.count_params() == 12
    # As in TensorFlow: the collection of trainable variables contains the partitions, the layer the whole.
    assert layer.trainable_weights == []
    assert layer.non_trainable_weights == [layer.table]


def test_copy_before_first_call_has_separate_weights():
    layer = tf.layers.Dense(2)
    other = copy.deepcopy(layer)
    x = tf.ones([1, 3])
    layer(x)
    other(x)
    assert layer.kernel is not other.kernel
    assert other.kernel.name == "dense_1/kernel:0"


def test_layer_tensors_are_not_copied():
    layer = tf.layers.Layer()
    layer.constants = [tf.ones([2]), tf.zeros([2])]
    layer.number = [1]
    other = copy.deepcopy(layer)
    assert other.constants is layer.constants
    assert other.number == layer.number
    assert other.number is not layer.number


def test_unsupported_training_argument_is_dropped():
    class Plain(tf.layers.Layer):
        def call(self, x):
            return x

    x = tf.ones([1])
    assert Plain()(x, training=True) is x


def test_values_with_partitioned_weights_elsewhere():
    """TensorFlow fails: it checks the initialization of the partitioned variable."""

    class Table(tf.layers.Layer):
        def build(self, shape):
            self.add_weight("table", [4, 3], partitioner=tf.fixed_size_partitioner(2))

        def call(self, x):
            return x

    Table()(tf.ones([1]))
    with tf.Session():
        np.testing.assert_array_equal(built().get_weights()[1], [0, 0])


def test_variables_in_layer_lists_are_tracked():
    class Listed(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            still = tf.Variable(1.0, trainable=False, name="still")
            self.held = [tf.keras.layers.Dense(1), still, tf.Variable(2.0, name="trained")]

    with tf.Graph().as_default():
        layer = Listed()
        layer.held[0].build((None, 2))
        names = [w.op.name.rpartition("/")[2] for w in layer.held.weights]
        assert names == ["kernel", "bias", "trained", "still"]
        assert [w.op.name for w in layer.held.non_trainable_weights] == ["still"]
        assert [w.op.name for w in layer.non_trainable_weights] == ["still"]


@pytest.mark.parametrize("kind", [tf.keras.layers.Dense, tf.layers.Dense])
def test_subclass_may_wrap_variable_getter(session, kind):
    class Wrapped(tf.Variable):
        def __init__(self, variable):
            self.latent = variable

        name = property(lambda self: self.latent.name)
        graph = property(lambda self: self.latent.graph)
        shape = property(lambda self: self.latent.shape)
        dtype = property(lambda self: self.latent.dtype)

        def _as_graph_element(self):
            return self.latent._as_graph_element()

        def _dense_var_to_tensor(self, dtype=None, name=None, as_ref=False):
            return tf.sign(self.latent._dense_var_to_tensor(dtype=dtype, name=name, as_ref=as_ref))

    tf.register_tensor_conversion_function(Wrapped, Wrapped._dense_var_to_tensor)

    class Signs(kind):
        def _add_variable_with_custom_getter(self, name, getter, **options):
            def wrapped(*args, **kwargs):
                variable = getter(*args, **kwargs)
                return Wrapped(variable) if kwargs["name"] == "kernel" else variable

            return super()._add_variable_with_custom_getter(name, getter=wrapped, **options)

    with tf.variable_scope("scope", use_resource=True):
        layer = Signs(1, kernel_initializer=tf.constant_initializer(-3.0))
        outputs = layer(tf.ones([1, 4]))
    assert type(layer.kernel) is Wrapped and type(layer.bias) is not Wrapped
    session.run([layer.kernel.latent.initializer, layer.bias.initializer])
    assert session.run(outputs).tolist() == [[-4.0]]
