"""Operations between two tensors, and the pending gradient count of each."""

import tfmini as tf
from tfmini._src.autodiff.pending_counts import (
    Edges,
    is_trainable,
    pending_counts,
    reachable_ops,
    stop_ops,
)


def edges():
    return Edges(tf.get_default_graph())


def names(ops):
    return sorted(op.name for op in ops)


def test_gradients_pass_differentiable_ops_only():
    a = tf.constant(1.0, name="a")
    whole = tf.cast(a, tf.int32, name="whole")
    tf.cast(whole, tf.float32, name="back")
    tf.exp(a, name="b")
    assert names(reachable_ops([a.op], edges())) == ["a", "b", "whole"]


def test_pending_counts():
    a = tf.constant(1.0, name="a")
    b = tf.exp(a, name="b")
    c = tf.multiply(b, b, name="c")
    tf.sin(b, name="other")
    reachable, counts, loops = pending_counts([c.op], [a.op], False, edges())
    assert names(reachable) == ["c"]
    assert {op.name: count for op, count in counts.items()} == {"a": 1, "b": 2, "c": 0}
    assert names(stop_ops([a.op], [], counts)) == ["a"]
    assert names(stop_ops([a.op, b.op], [c.op], counts)) == ["a", "c"]


def test_independent_tensors_are_unreachable():
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    reachable, counts, loops = pending_counts([tf.exp(b).op], [a.op], False, edges())
    assert not reachable and not counts


def test_trainable_dtypes():
    for dtype in (tf.float16, tf.float32, tf.float64, tf.complex64, tf.resource):
        assert is_trainable(dtype)
    for dtype in (tf.int32, tf.bool, tf.string, tf.bfloat16):
        assert not is_trainable(dtype)
