"""Cond contexts."""

import pytest

import tfmini as tf
from tfmini._src.base.proto import ControlFlowContextDef
from tfmini._src.graph.control_flow_context import from_control_flow_context_def
from tfmini._src.ops.control_flow.cond_context import CondContext


@pytest.fixture
def pred():
    return tf.placeholder(tf.bool, [], name="pred")


def test_error_leaves_the_context(pred):
    with pytest.raises(ZeroDivisionError, match="by zero"):
        tf.cond(pred, lambda: 1 // 0, lambda: 2)
    assert tf.get_default_graph()._get_control_flow_context() is None
    assert tf.constant(1).op.control_inputs == []


def test_proto_round_trip(pred):
    x = tf.constant(1.0, name="x")
    other = tf.placeholder(tf.bool, [], name="other")
    tf.cond(pred, lambda: tf.cond(other, lambda: x + 1.0, lambda: x), lambda: x * 2.0)
    original = tf.get_collection(tf.GraphKeys.COND_CONTEXT)
    assert len(original) == 2
    definition = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="copy")
        for context in original:
            wrapped = ControlFlowContextDef()
            context.to_control_flow_context_def(wrapped)
            copy = from_control_flow_context_def(wrapped, import_scope="copy")
            assert isinstance(copy, CondContext)
            assert copy.name == "copy/" + context.name
            assert copy.pred is graph.get_tensor_by_name("copy/" + context.pred.name)
            assert copy.branch == context.branch
            # Nested contexts keep the scope, in TensorFlow too.
            written, before = copy.to_proto(export_scope="copy"), context.to_proto()
            assert len(written.nested_contexts) == len(before.nested_contexts)
            written.ClearField("nested_contexts")
            before.ClearField("nested_contexts")
            assert written == before
        node = graph.get_operation_by_name("copy/cond/cond/add")
        assert node._get_control_flow_context().name == "copy/cond/cond/cond_text"
        assert context.to_proto(export_scope="elsewhere") is None
