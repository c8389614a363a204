"""Variable stores: reuse and defaults of a scope."""

import pytest

import tfmini as tf


def get(name, shape=(), **options):
    return tf.get_variable(name, shape, initializer=tf.zeros_initializer(), **options)


@pytest.mark.parametrize("reuse", [True, tf.AUTO_REUSE])
def test_reuse(graph, reuse):
    with tf.variable_scope("s") as scope:
        v = get("v")
        scope.reuse_variables()
        assert get("v") is v
    with tf.variable_scope("s", reuse=reuse):
        assert tf.get_variable("v") is v
        with tf.variable_scope("inner") as inner:
            assert inner.reuse is reuse
    with tf.variable_scope(scope):
        assert tf.get_variable("v") is v
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
        assert get("new").name == "s/new:0"
    tf.get_variable_scope().reuse_variables()
    assert tf.get_variable("s/v") is v


def test_scope_defaults(graph):
    penalty = tf.identity
    with tf.variable_scope(
        "s",
        initializer=tf.ones_initializer(),
        regularizer=penalty,
        dtype=tf.float64,
        use_resource=True,
        constraint=tf.abs,
        caching_device="/cpu:0",
    ) as scope:
        v = tf.get_variable("v", [2])
        with tf.variable_scope("t") as inner:
            w = tf.get_variable("w", [2], regularizer=tf.no_regularizer, dtype=tf.float32)
    assert (scope.dtype, scope.use_resource, scope.regularizer) == (tf.float64, True, penalty)
    assert (inner.constraint, inner.initializer) == (None, scope.initializer)
    assert (v.dtype, w.dtype, v.constraint) == (tf.float64, tf.float32, tf.abs)
    assert v.handle.op.type == w.handle.op.type == "VarHandleOp"
    assert v.initial_value.op.name == "s/v/Initializer/ones"
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert [loss.name for loss in losses] == ["s/v/Regularizer/Identity:0"]


EXISTS = (
    "Variable weights already exists, disallowed. Did you mean to set reuse=True or "
    "reuse=tf.AUTO_REUSE in VarScope?"
)


def test_variable_created_twice(graph):
    get("weights")
    with pytest.raises(ValueError) as caught:
        get("weights")
    text = str(caught.value)
    assert text.startswith(EXISTS + " Originally defined at:\n\n")
    first = text.split("\n\n")[1].splitlines()
    assert __file__ in first[0] and "return tf.get_variable(name" in first[1]
    with tf.variable_scope("", use_resource=True):
        tf.get_variable("other", [])
        with pytest.raises(ValueError) as caught:
            tf.get_variable("other", [])
    assert str(caught.value) == EXISTS.replace("weights", "other")
