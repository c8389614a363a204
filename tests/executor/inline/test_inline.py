"""Function calls in executed graphs: names, effects, errors, recursion."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.executor.inline.inline import InlinedGraph
from tfmini.compat.python.framework import function

F, INT = tf.float32, tf.int32
HERE = __file__


def inlined_nodes(session):
    """The nodes of the session's executed graph, by name."""
    return session._inlined_graph.update()._nodes_by_name


def test_graph_without_calls_is_not_copied():
    tf.constant(1)
    graph = tf.get_default_graph()
    assert InlinedGraph(graph, None, {}).update() is graph


def test_inlined_nodes_are_named_below_call(session):
    @function.Defun(F, func_name="Inner")
    def inner(x):
        with tf.name_scope("deep"):
            return tf.sqrt(x, name="root")

    @function.Defun(F, func_name="Outer")
    def outer(x):
        return inner(x, name="first") + inner(x, name="second")

    with tf.name_scope("scope"):
        outer(tf.constant(4.0), name="call")
    nodes = inlined_nodes(session)
    assert {"scope/call/first/deep/root", "scope/call/second/deep/root"} <= set(nodes)
    assert not any(op.opdef.is_function for op in nodes.values())


def line_of(text):
    with open(HERE) as file:
        return next(n for n, line in enumerate(file, 1) if text in line)


def test_error_reports_node_and_call_lines(session):
    @function.Defun(F, func_name="Checked")
    def checked(x):
        return tf.check_numerics(x, "is it a number", name="check")  # the line in the body

    @function.Defun(F, func_name="Outer")
    def outer(x):
        return checked(x, name="inner")  # the inner call

    y = outer(tf.log(tf.placeholder_with_default(-1.0, [])), name="call")  # the outer call
    with pytest.raises(tf.errors.InvalidArgumentError) as failed:
        session.run(y)
    lines = failed.value.message.split("\n\t ")
    assert lines == [
        "is it a number : Tensor had NaN values",
        f"[[node call/inner_0/check_0 (defined at {HERE}:{line_of('# the line in the body')}) ]]",
        f"[[call/inner_0 (defined at {HERE}:{line_of('# the inner call')}) ]]",
        f"[[call (defined at {HERE}:{line_of('# the outer call')}) ]]",
    ]
    assert failed.value.op is None and failed.value.node_def is None


def test_error_after_call_names_original_node(session):
    @function.Defun(F)
    def same(x):
        return x

    bad = tf.check_numerics(tf.log(same(-1.0)), "bad", name="bad")
    with pytest.raises(tf.errors.InvalidArgumentError) as failed:
        session.run(bad)
    assert failed.value.op is bad.op
    assert failed.value.node_def.name == "bad"


def counting(calls, tag):
    """A node that records its runs, even if its result is unused."""
    return tf.py_func(lambda: calls.append(tag) or np.float32(1), [], F)


def test_any_result_runs_call_effects(session):
    calls = []

    @function.Defun(F)
    def heard(x):
        counting(calls, "heard")
        return x + 1.0, x * 2.0

    first, second = heard(tf.constant(3.0))
    fed = second * 2.0
    session.run([first, second])
    assert calls == ["heard"]
    session.run(second)
    session.run(first.op)
    assert calls == ["heard"] * 3
    assert session.run(fed, {second: 5.0}) == 10.0
    session.run(tf.constant(1))
    assert calls == ["heard"] * 3


def test_branch_effects_run_only_when_taken(session):
    calls = []

    @function.Defun(F)
    def heard(x):
        counting(calls, "heard")
        return x + 1.0

    go = tf.placeholder(tf.bool, [])
    y = tf.cond(go, lambda: heard(2.0), lambda: 0.0)
    assert session.run(y, {go: False}) == 0.0
    assert calls == []
    assert session.run(y, {go: True}) == 3.0
    assert calls == ["heard"]


def test_loop_effects_run_every_iteration(session):
    calls = []

    @function.Defun(INT)
    def heard(x):
        counting(calls, "heard")
        return x + 1

    y = tf.while_loop(
        lambda i: i < 4, lambda i: heard(i), [0], shape_invariants=[tf.TensorShape(None)]
    )
    assert session.run(y) == 4
    assert len(calls) == 4


def test_calls_inline_loops_separately(session):
    @function.Defun(INT, INT)
    def power(x, times):
        x.set_shape([])
        return tf.while_loop(lambda i, _: i < times, lambda i, v: (i + 1, v * x), (0, 1))[1]

    assert session.run([power(2, 10), power(3, 4), power(power(2, 2), 3)]) == [1024, 81, 64]


def test_calls_added_after_first_run(session):
    total = tf.get_variable("total", [], initializer=tf.zeros_initializer(), use_resource=True)
    draw = tf.random_uniform([], seed=4)
    session.run(total.initializer)
    session.run(total.assign_add(1.0))
    before = session.run(draw)
    cached = draw + 1.0
    session.run(cached)

    @function.Defun(F)
    def doubled(x):
        return x * 2.0

    y = doubled(total)
    assert session.run(y) == 2.0
    assert session.run(doubled(y)) == 4.0
    assert session.run(draw) != before
    with tf.Session() as other:
        want = [other.run(draw) for _ in range(4)]
    assert before == want[0]
    assert session.run(draw) == want[3]


def test_calls_in_partial_runs_and_callables(session):
    a, b = tf.placeholder(F, []), tf.placeholder(F, [])

    @function.Defun(F, F)
    def parts(x, y):
        return x * 2.0, x + y

    first, second = parts(a, b)
    handle = session.partial_run_setup([first, second], [a, b])
    assert session.partial_run(handle, first, {a: 3.0}) == 6.0
    assert session.partial_run(handle, second, {b: 4.0}) == 7.0
    assert session.make_callable([second], [a, b])(1.0, 2.0) == [3.0]


def test_body_nodes_inherit_call_device():
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
        with tf.device("/cpu:1"):

            @function.Defun(F, func_name="There")
            def there(x):
                return tf.sin(x, name="sine")

        @function.Defun(F, func_name="Anywhere")
        def anywhere(x):
            return tf.cos(x, name="cosine")

        there(1.0, name="one")
        with tf.device("/cpu:0"):
            anywhere(1.0, name="two")
        nodes = inlined_nodes(session)
        assert nodes["one/sine_0"].device == "/device:CPU:1"
        assert nodes["two/cosine_0"].device == "/device:CPU:0"


def test_gradients_pass_through_branches_in_bodies(session):
    @function.Defun(F)
    def branchy(x):
        total = tf.reduce_sum(x)
        return tf.cond(total > 0.0, lambda: x * total, lambda: -x)

    x = tf.placeholder(F, [2])
    (slope,) = tf.gradients(branchy(x), x)
    assert session.run(slope, {x: [1.0, 2.0]}).tolist() == [6.0, 6.0]
    assert session.run(slope, {x: [-1.0, -2.0]}).tolist() == [-1.0, -1.0]


def test_loop_in_body_has_no_gradient(session):
    """TensorFlow returns zeros."""

    @function.Defun(F)
    def looped(x):
        return tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v * v), (0, x))[1]

    x = tf.constant(1.5)
    y = looped(x)
    slope = tf.gradients(y, x)
    with pytest.raises(tf.errors.NotFoundError, match="No gradient defined for op: Enter"):
        session.run(slope)
    assert session.run(y) == 1.5**8  # independent nodes run
