"""`tf.Operation(node_def, graph, ...)`, as programs that copy nodes make them."""

import numpy as np
import pytest

import tfmini as tf


def test_a_copied_node_runs():
    x = tf.constant([1.0, 2.0], name="x")
    total = tf.reduce_sum(x, name="total")
    node_def = tf.NodeDef()
    node_def.CopyFrom(total.op.node_def)
    node_def.name, node_def.device = "outer/copy", "/cpu:0"
    doubled = tf.constant([2.0, 4.0])
    with tf.name_scope("unread"), tf.device("/gpu:7"):
        copy = tf.Operation(
            node_def, x.graph, [doubled, total.op.inputs[1]], [tf.float32], [x.op], None, total.op
        )
    assert (copy.name, copy.device, copy.type) == ("outer/copy", "/cpu:0", "Sum")
    assert (copy.outputs[0].dtype, copy.outputs[0].shape) == (tf.float32, [])
    assert copy.control_inputs == [x.op]
    assert copy._original_op is total.op
    assert x.graph.get_tensor_by_name("outer/copy:0") is copy.outputs[0]
    assert copy in doubled.consumers()
    with tf.Session() as session:
        assert session.run(copy.outputs[0]) == np.float32(6.0)


def test_gradients_go_through_a_copied_node():
    x = tf.constant(3.0)
    square = tf.square(x)
    copy = tf.Operation(tf.NodeDef(op="Square", name="copy"), x.graph, [square])
    (gradient,) = tf.gradients(copy.outputs[0], x)
    with tf.Session() as session:
        assert session.run(gradient) == 4 * 3.0**3


def test_what_makes_no_node():
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
