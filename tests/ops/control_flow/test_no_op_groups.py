"""group, tuple, with_dependencies: names, devices, what waits for what."""

import pytest

import tfmini as tf
from tfmini._src.ops.control_flow.no_op_groups import with_dependencies


def test_group_waits_for_everything():
    first, second = tf.Variable(0), tf.Variable(0)
    both = tf.group(first.assign(1), [second.assign(2)], name="both")
    assert both.name == "both"
    with tf.Session() as session:
        session.run(tf.group(first.initializer, second.initializer))
        assert session.run(both) is None
        assert session.run([first, second]) == [1, 2]


def test_one_node_for_each_device():
    with tf.device("/cpu:0"):
        a = tf.constant(1)
    b = tf.constant(2)
    grouped = tf.group(a, b)
    assert [op.name for op in grouped.control_inputs] == ["group_deps/NoOp", "group_deps/NoOp_1"]
    assert [op.device for op in grouped.control_inputs] == ["", "/device:CPU:0"]


def test_group_refuses_other_things():
    with pytest.raises(TypeError, match=r"not '5' with type '<class 'int'>'"):
        tf.group(5)
    with pytest.raises(ValueError, match="Unknown keyword arguments: nam"):
        tf.group(nam="x")


def test_nothing_to_group():
    assert tf.group().type == "NoOp"


def test_tuple_gates_all():
    x = tf.constant(1.0)
    slices = tf.IndexedSlices(x, tf.constant([0]))
    results = tf.tuple([x, None, slices, tf.no_op(), 5], control_inputs=[tf.no_op("other")])
    assert [type(r).__name__ for r in results] == [
        *("Tensor", "NoneType", "IndexedSlices", "Operation", "Tensor"),
    ]
    gate = results[0].op.control_inputs[0]
    assert gate.name == "tuple/group_deps"
    assert "other" in [op.name for op in gate.control_inputs]
    with tf.Session() as session:
        assert session.run([results[0], results[4]]) == [1.0, 5]


def test_tuple_refuses():
    with pytest.raises(ValueError, match=r"Must have at least one Tensor: \[None\]"):
        tf.tuple([None])
    with pytest.raises(TypeError, match="Control input must be Operation or Tensor: 1"):
        tf.tuple([tf.constant(1)], control_inputs=[1])


def test_with_dependencies_keeps_references():
    variable = tf.Variable(1.0)
    waited = with_dependencies([tf.no_op()], variable._ref(), name="waited")
    assert (waited.op.type, waited.op.name) == ("RefIdentity", "waited")
