"""Nodes of later releases: default attrs are dropped, others rejected by name, ops renamed to 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base import proto


def product(**attrs):
    """A GraphDef of a product, with attrs unknown to 1.15.5."""
    graph = tf.Graph()
    with graph.as_default():
        tf.nn.max_pool2d(tf.ones([1, 2, 2, 1]), 2, 2, "VALID", name="largest")
    message = graph.as_graph_def()
    (node,) = [node for node in message.node if node.name == "largest"]
    for key, value in attrs.items():
        node.attr[key].CopyFrom(value)
    return message


def test_default_attr_of_newer_node_is_dropped():
    empty = proto.AttrValue(list=proto.AttrValue.ListValue())
    with tf.Graph().as_default(), tf.Session() as session:
        (got,) = tf.import_graph_def(
            product(explicit_paddings=empty), return_elements=["largest:0"]
        )
        assert "explicit_paddings" not in got.op.node_def.attr
        assert session.run(got).item() == 1


def test_other_value_of_newer_attr_is_rejected():
    other = proto.AttrValue(list=proto.AttrValue.ListValue(i=[0, 0, 1, 1, 1, 1, 0, 0]))
    with tf.Graph().as_default():
        with pytest.raises(
            ValueError, match="mentions attr 'explicit_paddings' not in Op<name=MaxPool"
        ):
            tf.import_graph_def(product(explicit_paddings=other))
        with pytest.raises(ValueError, match="mentions attr 'nobody_has_it'"):
            tf.import_graph_def(product(nobody_has_it=proto.AttrValue(i=0)))


def test_harmless_newer_attr_is_dropped():
    message = proto.GraphDef()
    node = message.node.add(name="v", op="VarHandleOp")
    node.attr["dtype"].type = 1
    node.attr["shape"].shape.dim.add(size=2)
    node.attr["debug_name"].s = b"dense/kernel/"
    with tf.Graph().as_default():
        (handle,) = tf.import_graph_def(message, return_elements=["v"])
        assert "debug_name" not in handle.node_def.attr


def test_tensor_list_resizes_if_attr_requests_it():
    graph = tf.Graph()
    with graph.as_default():
        held = tf.raw_ops.TensorListReserve(
            element_shape=[2], num_elements=1, element_dtype=tf.float32
        )
        held = tf.raw_ops.TensorListSetItem(input_handle=held, index=2, item=[3.0, 4.0], name="set")
        tf.raw_ops.TensorListStack(
            input_handle=held, element_shape=[2], element_dtype=tf.float32, name="all"
        )
    message = graph.as_graph_def()
    (node,) = [node for node in message.node if node.name == "set"]
    with (
        tf.Session(graph=graph) as session,
        pytest.raises(tf.errors.InvalidArgumentError, match="modify element 2"),
    ):
        session.run("all:0")
    node.attr["resize_if_index_out_of_bounds"].b = True
    with tf.Graph().as_default(), tf.Session() as session:
        (result,) = tf.import_graph_def(message, return_elements=["all:0"])
        np.testing.assert_array_equal(session.run(result), [[0, 0], [0, 0], [3, 4]])
