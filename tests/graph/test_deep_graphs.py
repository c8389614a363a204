"""Large graphs, and graphs deeper than Python's stack, for which static values are found iteratively."""

import contextlib
import gc

import pytest

import tfmini as tf


def test_reduction_axes_fold_in_deep_graph() -> None:
    hidden = tf.placeholder(tf.float32, [None, 2])
    for _ in range(2000):
        hidden = tf.nn.relu(hidden)
    assert tf.reduce_sum(hidden).shape.as_list() == []
    assert tf.reshape(hidden, tf.shape(hidden)).shape.as_list() == [None, 2]


@pytest.mark.parametrize("op", ["NoOp", "NoSuchOp"])
def test_garbage_collection_resumes_after_large_import(op: str) -> None:
    graph_def = tf.GraphDef()
    for i in range(1500):
        graph_def.node.add(name=f"n{i}", op="NoOp")
    graph_def.node.add(name="last", op=op)
    context = (
        contextlib.nullcontext()
        if op == "NoOp"
        else pytest.raises(tf.errors.NotFoundError, match="Op type not registered 'NoSuchOp'")
    )
    with tf.Graph().as_default(), context:
        tf.import_graph_def(graph_def)
    assert gc.isenabled()
