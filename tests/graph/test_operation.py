"""Changing the control inputs and inputs of existing operations."""

import numpy as np
import pytest

import tfmini as tf


@pytest.fixture
def nodes():
    """Constants 0, 1 and 2 by name, and "d", the sum of the first two."""
    constants = {name: tf.constant(float(n), name=name) for n, name in enumerate("abc")}
    return {**constants, "d": tf.add(constants["a"], constants["b"], name="d")}


def test_duplicate_control_input_is_ignored(nodes):
    a, c, d = (nodes[name].op for name in "acd")
    d._add_control_input(c)
    d._add_control_input(c)
    d._add_control_inputs([c, a, a])
    assert d.control_inputs == [c, a]
    assert c._control_outputs == [d] and a._control_outputs == [d]
    assert list(d.node_def.input) == ["a", "b", "^c", "^a"]
    d._remove_all_control_inputs()
    assert not d.control_inputs and not c._control_outputs and not a._control_outputs


def test_control_inputs_must_be_operations(nodes):
    for wrong in (nodes["c"], 3):
        with pytest.raises(TypeError) as caught:
            nodes["d"].op._add_control_input(wrong)
        assert str(caught.value) == f"op must be an Operation: {wrong}"
    assert not nodes["d"].op.control_inputs


def test_input_is_replaced(nodes):
    a, b, c, d = nodes.values()
    d.op._update_input(0, c)
    assert list(d.op.inputs) == [c, b] and c.consumers() == [d.op] and not a.consumers()
    with tf.Session() as session:
        assert session.run(d) == 3.0
    d.op._update_input(1, c)
    assert list(d.op.inputs) == [c, c]
    with tf.Session() as session:
        assert session.run(d) == 4.0


def test_invalid_inputs(nodes):
    d = nodes["d"]
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="other")
    with pytest.raises(ValueError) as caught:
        d.op._update_input(0, other)
    assert str(caught.value) == f"{other} must be from the same graph as {d.op}."
    with pytest.raises(TypeError, match=r"^tensor must be a Tensor: 3\.0$"):
        d.op._update_input(0, 3.0)
    message = r"^Cannot update edge\. Input index \[2\] is greater than the number of total inputs \[2\]\.$"
    with pytest.raises(tf.errors.OutOfRangeError, match=message):
        d.op._update_input(2, nodes["c"])
    assert list(d.op.inputs) == [nodes["a"], nodes["b"]]


def test_input_dtype_mismatch_invalidates_graph(nodes):
    nodes["d"].op._update_input(1, tf.constant(1, name="integer"))
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(nodes["a"])
    assert caught.value.message == (
        "Input 1 of node d was passed int32 from integer:0 incompatible with expected float."
    )


def test_returned_lists_are_copies(nodes):
    parts = tf.split(tf.zeros([4]), 2)[0].op
    assert parts.values() == tuple(parts.outputs) and type(parts.values()) is tuple
    assert nodes["a"].op.values() == (nodes["a"],)
    for op in (nodes["d"].op, tf.assign(tf.Variable(1.0, use_resource=False), 2.0).op):
        for name in ("_outputs", "_control_outputs_list", "_input_types", "_output_types"):
            result = list(getattr(op, name))
            getattr(op, name).append(None)
            assert getattr(op, name) == result


def test_copied_node_runs():
    x = tf.constant([1.0, 2.0], name="x")
    total = tf.reduce_sum(x, name="total")
    node_def = tf.NodeDef()
    node_def.CopyFrom(total.op._node_def)
    node_def.name, node_def.device = "outer/copy", "/cpu:0"
    doubled = tf.constant([2.0, 4.0])
    with tf.name_scope("unread"), tf.device("/gpu:7"):
        copy = tf.Operation(
            node_def,
            x.graph,
            [doubled, total.op.inputs[1]],
            [tf.float32],
            [x.op],
            None,
            total.op,
            total.op._op_def,
        )
    assert x.graph._nodes_by_id[x.graph._version] is copy
    assert [*x.op._control_outputs] == [copy]
    assert x.graph._get_op_def("Sum") == copy.op_def
    assert (copy.name, copy.device, copy.type) == ("outer/copy", "/cpu:0", "Sum")
    assert (copy.outputs[0].dtype, copy.outputs[0].shape) == (tf.float32, [])
    assert copy.control_inputs == [x.op]
    assert copy._original_op is total.op
    assert x.graph.get_tensor_by_name("outer/copy:0") is copy.outputs[0]
    assert copy in doubled.consumers()
    with tf.Session() as session:
        assert session.run(copy.outputs[0]) == np.float32(6.0)


def test_gradients_pass_through_copied_node():
    x = tf.constant(3.0)
    square = tf.square(x)
    copy = tf.Operation(tf.NodeDef(op="Square", name="copy"), x.graph, [square])
    (gradient,) = tf.gradients(copy.outputs[0], x)
    with tf.Session() as session:
        assert session.run(gradient) == 4 * 3.0**3


def test_invalid_node_defs():
    graph = tf.get_default_graph()
    text = tf.constant("a", name="text")
    with pytest.raises(TypeError, match="node_def needs to be a NodeDef: 3"):
        tf.Operation(3, graph)
    with pytest.raises(TypeError, match="g needs to be a Graph: 3"):
        tf.Operation(tf.NodeDef(op="NoOp", name="a"), 3)
    with pytest.raises(TypeError, match="inputs needs to be a list of Tensors: 3"):
        tf.Operation(tf.NodeDef(op="NoOp", name="a"), graph, 3)
    with pytest.raises(TypeError, match="input needs to be a Tensor: 3"):
        tf.Operation(tf.NodeDef(op="Square", name="a"), graph, [3])
    with pytest.raises(TypeError, match="are not compatible with expected types"):
        tf.Operation(tf.NodeDef(op="Identity", name="a"), graph, [text], input_types=[tf.int32])
    for name in ("", "_a", "-a", "/a", "a:0"):
        with pytest.raises(ValueError, match="is not a valid node name"):
            tf.Operation(tf.NodeDef(op="NoOp", name=name), graph)
    with pytest.raises(ValueError, match="Duplicate node name"):
        tf.Operation(tf.NodeDef(op="NoOp", name="text"), graph)
