"""Variables in eager mode: values and texts as TensorFlow 1.15.5 gives them."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.eager import tapes
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.variables.store import VariableStore
from tfmini.contrib.eager import EagerVariableStore

pytestmark = pytest.mark.usefixtures("eager")


def test_graph_only_members_are_refused():
    variable = tf.Variable([1.0, 2.0])
    for attribute, text in (
        ("initial_value", "initial_value not supported in EAGER mode."),
        ("create", "Calling create is not supported when eager execution is enabled."),
    ):
        with pytest.raises(RuntimeError, match=text):
            getattr(variable, attribute)
    with pytest.raises(AttributeError, match="Tensor.op is meaningless"):
        _ = variable.op
    assert variable.initializer is None
    assert tf.variables_initializer([variable]) is None
    assert tf.global_variables_initializer() is None


def test_load_assigns():
    variable = tf.Variable([1.0, 2.0])
    variable.load([7.0, 8.0])
    np.testing.assert_array_equal(variable.numpy(), [7, 8])


def test_a_copy_has_its_own_value():
    variable = tf.Variable([1.0, 2.0], name="v")
    copied = copy.deepcopy(variable)
    copied.assign([3.0, 4.0])
    assert copied.name == "v_copy:0"
    np.testing.assert_array_equal(variable.numpy(), [1, 2])


def test_pickle():
    variable = tf.Variable([1.0, 2.0], name="q", trainable=False)
    restored = pickle.loads(pickle.dumps(variable))
    restored.assign_add([1.0, 1.0])
    assert (restored.name, restored.trainable) == ("q:0", False)
    np.testing.assert_array_equal(restored.numpy(), [2, 3])
    np.testing.assert_array_equal(variable.numpy(), [1, 2])


def test_deletion_frees_the_value():
    variable = tf.Variable([1.0, 2.0])
    cell = weakref.ref(variable.handle._array)
    del variable
    gc.collect()
    assert cell() is None


def test_scopes_share_nothing():
    names = []
    for _ in range(2):
        with tf.variable_scope("s"), tf.variable_scope("t"):
            names += [tf.get_variable("a", [2]).name, tf.Variable(1.0).name]
    assert names == ["s/t/a:0", "s/t/Variable:0"] * 2
    with tf.variable_scope("s", reuse=True):
        assert tf.get_variable("new", [2]).name == "s/new:0"
    with tf.variable_scope(None, "d"), tf.variable_scope(None, "d") as inner:
        assert inner.name == "d/d"
    assert tf.global_variables() == []


def test_scope_refusals():
    with pytest.raises(NotImplementedError, match="Caching devices is not yet supported"):
        with tf.variable_scope("s", caching_device="/cpu:0"):
            pass
    with pytest.raises(ValueError, match="use_resource cannot be set to false"):
        tf.get_variable_scope().set_use_resource(False)


def test_use_resource_false():
    assert tf.Variable(1.0, use_resource=False).numpy() == 1
    assert tf.get_variable("a", [1], use_resource=False).handle.dtype == tf.resource


def test_eager_variable_store():
    store = EagerVariableStore()
    results = []
    for _ in range(2):
        with store.as_default():
            results.append(tf.layers.dense(tf.ones([1, 2]), 3, name="l").numpy())
    np.testing.assert_array_equal(*results)
    assert [v.name for v in store.trainable_variables()] == ["l/bias:0", "l/kernel:0"]
    assert tf.trainable_variables() == store.variables()[::-1]
    copied = store.copy()
    store.variables()[0].assign([1.0, 1.0, 1.0])
    assert [v.name for v in copied.variables()] == ["l/bias:0", "l/kernel:0"]
    np.testing.assert_array_equal(copied.variables()[0].numpy(), [0, 0, 0])


def test_graph_store_is_refused():
    with pytest.raises(ValueError, match="Cannot construct EagerVariableStore"):
        EagerVariableStore(VariableStore())


def test_global_step():
    step = tf.train.get_or_create_global_step()
    step.assign_add(3)
    assert tf.train.get_global_step() is step
    assert tf.train.global_step(None, step) == 3
    with pytest.raises(ValueError, match='"global_step" already exists.'):
        tf.train.create_global_step()


def test_layers_have_trainable_weights():
    layer = tf.layers.Dense(2, kernel_regularizer=tf.reduce_sum)
    layer(tf.ones([1, 3]))
    assert layer.trainable_variables == layer.variables != []
    assert tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES) == []


def test_metrics_need_a_graph():
    with pytest.raises(RuntimeError, match="tf.metrics.mean is not supported when eager"):
        tf.metrics.mean(1.0)
    with pytest.raises(RuntimeError, match="tf.metrics.sparse_precision_at_k is not supported"):
        tf.metrics.precision_at_k([[1]], [[1.0]], 1)


def test_tensor_proto_of_a_value():
    with tf.Graph().as_default(), eager_mode():
        message = tf.make_tensor_proto(tf.constant([1, 2]))
        assert tf.make_ndarray(message).tolist() == [1, 2]
        assert tf.make_tensor_proto(tf.constant("a")).string_val == [b"a"]


def test_count_up_to_of_a_vector():
    with tf.Graph().as_default(), eager_mode():
        wanted = r"^input is not a scalar: \[3\]"
        with pytest.raises(tf.errors.InvalidArgumentError, match=wanted):
            tf.Variable([1, 2, 3]).count_up_to(3)


def test_failing_function_leaves_no_tape():
    variable = tf.Variable(3.0)

    def fails():
        raise KeyError("in the function")

    for made in (
        tf.contrib.eager.implicit_value_and_gradients,
        tf.contrib.eager.implicit_gradients,
    ):
        with pytest.raises(KeyError, match="in the function"):
            made(fails)()
    assert not tapes.recording()
    value, ((gradient, of),) = tf.contrib.eager.implicit_value_and_gradients(lambda: variable**2)()
    assert (value.numpy(), gradient.numpy()) == (9, 6) and of is variable
    assert not tapes.recording()


def test_ops_on_variables_are_of_their_dtype():
    handle = tf.raw_ops.VarHandleOp(dtype=tf.int32, shape=[1])
    tf.raw_ops.AssignVariableOp(resource=handle, value=[1])
    wrong = "Trying to assign variable with wrong dtype. Expected int32 got float"
    with pytest.raises(tf.errors.InvalidArgumentError, match=wrong):
        tf.raw_ops.AssignVariableOp(resource=handle, value=[1.0])
    wrong = "Trying to read variable with wrong dtype. Expected float got int32"
    with pytest.raises(tf.errors.InvalidArgumentError, match=wrong):
        tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=wrong):
        tf.raw_ops.ResourceGather(resource=handle, indices=[0], dtype=tf.float32)
    assert tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.int32).numpy() == [1]
