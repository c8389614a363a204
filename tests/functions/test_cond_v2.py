"""Branches with results of different shapes or structures: static shape of the result, and errors."""

import pytest

import tfmini as tf
from tfmini._src.functions.control_flow_v2 import with_control_flow_v2


@pytest.mark.parametrize(
    "shapes, expected",
    [
        ([[2], [3]], [None]),
        ([[2, 3], [2, 4]], [2, None]),
        ([[5], [5]], [5]),
        ([[2], [2, 2]], None),
    ],
)
def test_result_shape_covers_both_branches(shapes, expected):
    with tf.Graph().as_default(), tf.Session() as session:

        @tf.function
        def chosen(which):
            return tf.cond(which, lambda: tf.zeros(shapes[0]), lambda: tf.zeros(shapes[1]))

        which = tf.placeholder(tf.bool, [])
        result = chosen(which)
        assert (result.shape.as_list() if result.shape.ndims is not None else None) == expected
        for value, shape in zip((True, False), shapes):
            assert list(session.run(result, {which: value}).shape) == shape


def test_mismatched_branch_results():
    """The errors of TensorFlow 1.15.5, which asks for the structures of tensors, not of Python numbers."""
    with tf.Graph().as_default(), with_control_flow_v2():
        true = tf.constant(True)
        with pytest.raises(AssertionError, match=r"\[2, 1\]"):
            tf.cond(true, lambda: [1, 2], lambda: [1])
        with pytest.raises(TypeError, match="'pred must not be a Python bool', True"):
            tf.cond(True, 1, 2)
        with pytest.raises(TypeError, match="str={'a': <tf.Tensor 'Const:0' shape="):
            tf.cond(true, lambda: {"a": 1}, lambda: {"b": 1})
        with pytest.raises(AssertionError, match="body_graph has 2 outputs; Expected: 3"):
            tf.while_loop(lambda i: i < 3, lambda i: None, [0])
        with pytest.raises(AssertionError, match="cond_graph has 2 outputs; Expected: 1"):
            tf.while_loop(lambda i: [i < 3, i > 0], lambda i: i + 1, [0])
        with pytest.raises(TypeError, match="to be a TypeSpec or TensorShape, got 3"):
            tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], shape_invariants=[3])


@pytest.mark.parametrize("dtype", ["int32", "float", "string"])
def test_predicates_are_booleans(session, dtype):
    """TensorFlow lowers the nodes to `Switch` and `LoopCond`, which take no other dtype; its numbers are left out."""
    predicate = tf.zeros([], tf.as_dtype(dtype))
    with with_control_flow_v2():
        chosen = tf.cond(predicate, lambda: 1, lambda: 2)
        last = tf.while_loop(lambda i: predicate, lambda i: i - 1, [3])
    for tensor, name, found in (chosen, "Switch", "pred"), (last, "LoopCond", "input"):
        text = (
            f"Input '{found}' passed {dtype} expected bool while building .* using Op<name={name};"
        )
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(tensor)
