"""`Defun`, beyond golden programs (tests/conformance/recorded_programs/control_flow/functions_*.py)."""

import numpy as np
import pytest

import tfmini as tf
from tfmini.compat.python.framework import function

Defun, F = function.Defun, tf.float32


def test_body_is_built_once_on_demand(session):
    built = []

    @Defun(F)
    def double(x):
        built.append(x.name)
        return x * 2.0

    assert built == []
    assert session.run([double(1.0), double(2.0)]) == [2.0, 4.0]
    assert built == ["x:0"]


def test_function_serves_several_graphs():
    @Defun(F, F)
    def difference(x, y):
        return x - y

    for value in (1.0, 2.0):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            assert session.run(difference(value, 0.5)) == value - 0.5
            assert graph._is_function(difference.name)
            assert graph._get_function(difference.name.encode()) is difference


def test_captured_tensor_belongs_to_one_graph():
    outside = tf.constant(2.0)

    @Defun(F)
    def times(x):
        return x * outside

    times(1.0)
    assert times.captured_inputs == [outside]
    with tf.Graph().as_default(), pytest.raises(ValueError, match="must be from the same graph"):
        tf.identity(outside) + times(1.0)


def test_recursive_function_is_refused():
    @Defun(F)
    def endless(x):
        return endless(x) + 1.0

    with pytest.raises(
        RecursionError, match="Function 'endless' calls itself while its body is built"
    ):
        endless(1.0)
    with pytest.raises(
        RecursionError, match="Function 'endless' calls itself while its body is built"
    ):  # and again: no partial body remains
        endless(1.0)


def test_gradient_function_may_be_set_later(session):
    @Defun(F, F)
    def seven(x, dy):
        return dy * 7.0

    @Defun(F)
    def same(x):
        return x

    assert same.grad_func_name is None
    same.set_grad_func(seven)
    x = tf.constant(3.0)
    assert session.run(tf.gradients(same(x), x)) == [7.0]
    assert same.grad_func_name == seven.name
    library = tf.get_default_graph().as_graph_def().library
    assert [(g.function_name, g.gradient_func) for g in library.gradient] == [
        (same.name, seven.name)
    ]


def test_library_functions_are_callable(session):
    @Defun(F, F, out_names=["sum", "product"])
    def both(x, y):
        return x + y, x * y

    @Defun(F, F)
    def rule(x, dy):
        return dy * 5.0

    @Defun(F, grad_func=rule)
    def outer(x):
        return both(x, x)[1]

    outer(1.0)
    library = tf.get_default_graph().as_graph_def().library
    with tf.Graph().as_default() as graph, tf.Session() as session:
        result = {f.name: f for f in function.from_library(library)}
        assert set(result) == {both.name, rule.name, outer.name}
        for one in result.values():
            one.add_to_graph(graph)
        x = tf.constant(3.0)
        y = result[outer.name](x)
        assert session.run([*result[both.name](x, 2.0), y, *tf.gradients(y, x)]) == [5, 6, 9, 5]
        assert result[both.name].definition == both.definition


def test_functions_are_exported_with_graph(session):
    w = tf.get_variable("w", initializer=[1.0, 2.0])

    @Defun(F)
    def scaled(x):
        """Times w."""
        return x * w

    x = tf.placeholder(F, [2], name="x")
    y = tf.identity(scaled(x), name="y")
    (gradient,) = tf.gradients(y, w)
    meta = tf.train.export_meta_graph()
    expected = session.run([w.initializer, y, gradient], {x: [3.0, 4.0]})[1:]
    with tf.Graph().as_default() as graph, tf.Session() as other:
        tf.train.import_meta_graph(meta)
        other.run("w/Assign")
        actual = other.run(["y:0", gradient.name], {"x:0": [3.0, 4.0]})
        np.testing.assert_array_equal(actual, expected)
        y = graph.get_tensor_by_name("y:0")
        repeated = tf.gradients(y * 2.0, tf.global_variables()[0])  # of the imported call
        np.testing.assert_array_equal(other.run(repeated, {"x:0": [3.0, 4.0]})[0], 2 * expected[1])
        assert graph._get_function(scaled.name).definition.signature.description == "Times w."


def test_overloaded_function_with_gradient(session):
    @Defun()
    def rule(x, dy):
        return dy * 4.0

    @Defun(grad_func=rule)
    def same(x):
        return tf.identity(x)

    for dtype in (F, tf.float64):
        x = tf.constant(1.0, dtype)
        assert session.run(tf.gradients(same(x), x)) == [4.0]


def test_xla_is_attr_only(session):
    compiled = Defun(F, compiled=True, separate_compiled_gradients=True, func_name="C")(
        lambda x: tf.sqrt(x)
    )
    assert session.run(compiled(4.0, name="call")) == 2.0
    attrs = compiled.definition.attr
    assert attrs["_XlaCompile"].b and attrs["_XlaSeparateCompiledGradients"].b
    assert attrs["_XlaScope"].s == b"function_C"


def test_excess_gradient_results_are_refused(session):
    @Defun(F, F, F)
    def gradient(x, dy, dz):
        return x, dy + dz

    @Defun(F, grad_func=gradient)
    def twice(x):
        return x, x

    x = tf.constant(1.0)
    (dx,) = tf.gradients(tf.add_n(twice(x)), [x])
    text = r"SymGrad expects to return 1 tensor\(s\), but get 2 tensor\(s\) instead"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        session.run(dx)
