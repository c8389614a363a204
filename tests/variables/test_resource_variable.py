"""Variables in eager mode: values and texts as in TensorFlow 1.15.5."""

import gc
import pickle
import weakref

import pytest

import tfmini as tf
from tfmini._src.graph.eager import tapes
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.variables.store import VariableStore
from tfmini.contrib.eager import EagerVariableStore

pytestmark = pytest.mark.usefixtures("eager")


def test_deletion_frees_the_value():
    variable = tf.Variable([1.0, 2.0])
    cell = weakref.ref(variable.handle._array)
    del variable
    gc.collect()
    assert cell() is None


@pytest.mark.parametrize("trainable", [False, True])
def test_pickling(trainable):
    variable = pickle.loads(pickle.dumps(tf.Variable([1.0], trainable=trainable)))
    assert variable.numpy() == [1.0] and variable.trainable == trainable


def test_unsupported_scope_arguments():
    with pytest.raises(NotImplementedError, match="Caching devices is not yet supported"):
        with tf.variable_scope("s", caching_device="/cpu:0"):
            pass
    with pytest.raises(ValueError, match="use_resource cannot be set to false"):
        tf.get_variable_scope().set_use_resource(False)


def test_graph_store_is_refused():
    with pytest.raises(ValueError, match="Cannot construct EagerVariableStore"):
        EagerVariableStore(VariableStore())


def test_tensor_proto_of_a_value():
    with tf.Graph().as_default(), eager_mode():
        message = tf.make_tensor_proto(tf.constant([1, 2]))
        assert tf.make_ndarray(message).tolist() == [1, 2]
        assert tf.make_tensor_proto(tf.constant("a")).string_val == [b"a"]


def test_count_up_to_of_vector_is_refused():
    with tf.Graph().as_default(), eager_mode():
        expected = r"^input is not a scalar: \[3\]"
        with pytest.raises(tf.errors.InvalidArgumentError, match=expected):
            tf.Variable([1, 2, 3]).count_up_to(3)


def test_failing_function_leaves_no_tape():
    variable = tf.Variable(3.0)

    def fails():
        raise KeyError("in the function")

    for created in (
        tf.contrib.eager.implicit_value_and_gradients,
        tf.contrib.eager.implicit_gradients,
    ):
        with pytest.raises(KeyError, match="in the function"):
            created(fails)()
    assert not tapes.recording()
    value, ((gradient, of),) = tf.contrib.eager.implicit_value_and_gradients(lambda: variable**2)()
    assert (value.numpy(), gradient.numpy()) == (9, 6) and of is variable
    assert not tapes.recording()


def test_op_dtype_must_match_variable():
    handle = tf.raw_ops.VarHandleOp(dtype=tf.int32, shape=[1])
    tf.raw_ops.AssignVariableOp(resource=handle, value=[1])
    invalid = "Trying to assign variable with wrong dtype. Expected int32 got float"
    with pytest.raises(tf.errors.InvalidArgumentError, match=invalid):
        tf.raw_ops.AssignVariableOp(resource=handle, value=[1.0])
    invalid = "Trying to read variable with wrong dtype. Expected float got int32"
    with pytest.raises(tf.errors.InvalidArgumentError, match=invalid):
        tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=invalid):
        tf.raw_ops.ResourceGather(resource=handle, indices=[0], dtype=tf.float32)
    assert tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.int32).numpy() == [1]
