"""Wrapped TensorFlow 1.x functions and their pruned parts, in eager mode and in graphs."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.functions.variable_holder import VariableHolder
from tfmini._src.functions.wrap_function import WrappedGraph, function_from_graph_def
from tfmini._src.variables.lifted_values import UnliftableError

SCALAR = tf.TensorSpec((), tf.float32)


def test_pruned_function(eager):
    met = []

    def f(x, y):
        met.append((x, x * x))
        return met[0][1], 2 * y * y

    wrapped = tf.wrap_function(f, [SCALAR, SCALAR])
    assert [result.numpy() for result in wrapped(3.0, 1.0)] == [9.0, 2.0]
    x, xx = met[0]
    assert [result.numpy() for result in wrapped.prune(x, [xx])(2.0)] == [4.0]
    with pytest.raises(UnliftableError) as no:
        wrapped.prune((), xx)
    assert str(no.value) == (
        "Unable to lift tensor <tf.Tensor 'mul:0' shape=() dtype=float32> because it depends transitively on "
        "placeholder <tf.Operation 'placeholder' type=Placeholder> via at least one path, e.g.: mul (Mul) <- "
        "placeholder (Placeholder)"
    )


def test_variables_and_gradients_of_pruned_function(eager):
    v = tf.Variable(2.0, use_resource=True)
    wrapped = tf.wrap_function(lambda z: tf.identity(v * z, "fetch"), [SCALAR])
    pruned = wrapped.prune(wrapped.inputs, wrapped.graph.get_tensor_by_name("fetch:0"))
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = pruned(x)
    assert [grad.numpy() for grad in tape.gradient(y, [x, v])] == [2.0, 3.0]


def test_fetched_operations_run(eager):
    v = tf.Variable(0, use_resource=True)

    def f():
        step = tf.placeholder(tf.int32, [], name="step")
        v.assign_add(step, name="increment", read_value=False)
        return tf.constant(1, name="other")

    wrapped = tf.wrap_function(f, [])
    step = wrapped.graph.get_tensor_by_name("step:0")
    both = wrapped.prune(step, (wrapped.graph.get_operation_by_name("increment"), "other:0"))
    assert [op.name for op in both.graph.control_outputs] == ["increment"]
    assert [t.name for t in both.inputs] == ["step:0", "increment/resource:0"]
    nothing, one = both(2)
    assert nothing is None and one.numpy() == 1
    assert v.numpy() == 2
    assert wrapped.prune(step, "other:0")(5).numpy() == 1
    assert v.numpy() == 2


def test_signature_with_python_and_composite_values(eager):
    def f(x, y, doubled):
        """Its text."""
        return (x * x, y * 2.0) if doubled else (x, y)

    ragged = tf.RaggedTensorSpec([None, None], tf.float32)
    wrapped = tf.wrap_function(f, [ragged, SCALAR, True])
    assert wrapped.__doc__ == "Its text."
    x = tf.ragged.constant([[1.0, 2.0], [3.0]])
    squares, doubled = wrapped(x.values, x.row_splits, 4.0)
    assert squares.to_list() == [[1.0, 4.0], [9.0]]
    assert doubled.numpy() == 8.0


def test_function_from_graph_def(eager):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        tf.add(x, 1.0, name="y")
    f = function_from_graph_def(graph.as_graph_def(), "x:0", "y:0")
    np.testing.assert_array_equal(f([[1.0, 2.0]]).numpy(), [[2.0, 3.0]])


def test_variables_belong_to_function(eager):
    """By name, each name once; they are in the collections of its graph, not of the one around."""

    def f():
        v = tf.Variable(3.0, name="v")
        w = tf.Variable(4.0, name="v", trainable=False)
        return v * w

    wrapped = tf.wrap_function(f, [])
    assert wrapped().numpy() == 12.0
    result = wrapped._variable_holder.variables
    assert {name: v.numpy() for name, v in result.items()} == {"v": 3.0, "v_1": 4.0}
    assert [v.name for v in result.values()] == ["v:0", "v_1:0"]
    assert wrapped.graph.get_collection("variables") == [*result.values()]
    assert wrapped.graph.get_collection("trainable_variables") == [result["v"]]
    assert not tf.get_default_graph().get_collection("variables")


def test_functions_of_one_graph_share_variables(eager):
    def add(x):
        with tf.variable_scope("shared", reuse=tf.AUTO_REUSE):
            return tf.get_variable("v", initializer=tf.constant_initializer(3.0), shape=[]) + x

    def increment(x):
        with tf.variable_scope("shared", reuse=tf.AUTO_REUSE):
            v = tf.get_variable("v", initializer=tf.constant_initializer(9.0), shape=[])
        return tf.assign_add(v, x).op, x

    graph = WrappedGraph()
    adding = graph.wrap_function(add, [SCALAR])
    incrementing = graph.wrap_function(increment, [SCALAR], name="second")
    assert adding(tf.constant(7.0)).numpy() == 10.0
    nothing, collected = incrementing(tf.constant(2.0))
    assert nothing is None and collected.numpy() == 2.0
    assert adding(tf.constant(7.0)).numpy() == 12.0
    assert list(graph.variables) == ["shared/v"] and list(graph.functions) == ["add", "second"]


def test_graphs_share_variables_through_holder(eager):
    holder = VariableHolder(share_variables=True)
    created = []
    for start in (3.0, 4.0):
        graph = WrappedGraph(variable_holder=holder)

        def plus(x, start=start):
            return tf.Variable(start, name="v") + x

        created.append(graph.wrap_function(plus, [SCALAR])(tf.constant(1.0)).numpy())
    assert created == [4.0, 4.0] and list(holder.variables) == ["v"]
    assert VariableHolder(lambda: tf.Variable(1.0))().numpy() == 1.0
