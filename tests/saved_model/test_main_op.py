"""`tf.saved_model.main_op`: the op that a SavedModel runs when loaded."""

import pytest

import tfmini as tf


@pytest.fixture
def state():
    """A global variable, a local one and a table, and tensors that show whether each is initialized."""
    variable = tf.get_variable("v", initializer=1.0)
    local = tf.get_local_variable("l", initializer=2.0)
    pairs = tf.lookup.KeyValueTensorInitializer(["key"], [3.0])
    table = tf.lookup.StaticHashTable(pairs, 0.0)
    return variable, [variable, local, table.lookup(tf.constant("key"))]


def test_main_op_initializes_everything(state):
    initialize = tf.saved_model.main_op.main_op()
    with tf.Session() as session:
        session.run(initialize)
        assert session.run(state[1]) == [1.0, 2.0, 3.0]


def test_main_op_runs_restore(state):
    variable, values = state
    restore = variable.assign(7.0).op
    initialize = tf.saved_model.main_op.main_op_with_restore(restore)
    # As in TensorFlow, earlier nodes do not wait for the initializers.
    before, restored = initialize.control_inputs
    assert restored is restore and len(before.control_inputs) == 3
    with tf.Session() as session:
        session.run(before)
        assert session.run(values) == [1.0, 2.0, 3.0]
    with pytest.raises(TypeError, match="expected Tensor arguments not 'Assign'"):
        tf.saved_model.main_op.main_op_with_restore("Assign")


def test_initializers_run_in_order(state):
    """TensorFlow 1.15.5's names, in the order of the node's inputs."""
    made = tf.saved_model.main_op.main_op()
    assert list(made.node_def.input) == ["^init", "^init_1", "^init_all_tables"]
    assert [len(op.control_inputs) for op in made.control_inputs] == [1, 1, 1]
    assert [op.control_inputs[0].name for op in made.control_inputs[:2]] == ["v/Assign", "l/Assign"]
