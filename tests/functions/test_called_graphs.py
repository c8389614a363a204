"""Deeply nested and frequent function calls: import cost, and recursion depth of runs."""

import sys
from traceback import walk_stack

import numpy as np
import pytest

import tfmini as tf
from tests.support.models.function_graphs import Func, add_function, add_node, new_graph_def
from tests.support.waiting import until
from tfmini._src.graph.graphdef import function_bodies

F = tf.float32

RUN = "run_with_deadline.<locals>.run"  # run by a thread with a deadline


def chain(message, length, calls=1, around=False):
    """`f{length - 1}` calls the one before `calls` times, and so on down to f0, which negates."""
    for i in range(length):
        previous = f"f{(i - 1) % length}"
        if i == 0 and not around:
            nodes = [("n0", "Neg", ["x"], {"T": F})]
            last = "n0:y:0"
        else:
            nodes = [(f"n{k}", previous, [f"n{k - 1}:y:0" if k else "x"], {}) for k in range(calls)]
            last = f"n{calls - 1}:y:0"
        add_function(tf, message, f"f{i}", [("x", F)], [("y", F, last)], nodes)


def called(message, length, shape=()):
    add_node(tf, message.node, "x", "Placeholder", dtype=F, shape=tf.TensorShape(shape))
    add_node(tf, message.node, "c", f"f{length - 1}", ["x"])
    return tf.import_graph_def(message, return_elements=["c:0"], name="")[0]


@pytest.fixture
def bodies(monkeypatch):
    """Names of functions with created bodies."""
    names = []

    def body_of(function, *args):
        names.append(function.name)
        return original(function, *args)

    original = function_bodies.build_body
    monkeypatch.setattr(function_bodies, "build_body", body_of)
    return names


@pytest.mark.parametrize("around", [False, True])
def test_equal_calls_are_imported_once(bodies, around):
    message = new_graph_def(tf)
    chain(message, 30, calls=2, around=around)
    called(message, 30, [3])
    assert set(bodies) == {f"f{i}" for i in range(30)}
    # Twice: once for the shape given by the import, once for the unknown shape of a recursive call.
    assert len(bodies) <= (60 if around else 30)


def test_calls_with_other_shapes_are_reimported():
    message = new_graph_def(tf)
    add_function(
        tf, message, "Same", [("x", F)], [("y", F, "n:y:0")], [("n", "Neg", ["x"], {"T": F})]
    )
    product = {"T": F, "transpose_a": False, "transpose_b": False}
    nodes = [
        ("one", "Same", ["x"], {}),
        ("two", "Same", ["one:y:0"], {}),
        ("other", "Same", ["w"], {}),
        ("product", "MatMul", ["two:y:0", "other:y:0"], product),
        ("last", "Same", ["product:product:0"], {}),
    ]
    add_function(tf, message, "Outer", [("x", F), ("w", F)], [("y", F, "last:y:0")], nodes)
    for name, shape in (("x", [2, 3]), ("w", [3, 5])):
        add_node(tf, message.node, name, "Placeholder", dtype=F, shape=tf.TensorShape(shape))
    add_node(tf, message.node, "c", "Outer", ["x", "w"])
    (result,) = tf.import_graph_def(message, return_elements=["c:0"], name="")
    assert result.shape.as_list() == [2, 5]


def test_run_builds_every_body_once(bodies):
    message = new_graph_def(tf)
    chain(message, 40)
    result = called(message, 40)
    del bodies[:]
    with tf.Session() as session:
        assert session.run(result, {"x:0": 2.0}) == -2.0
    assert len(bodies) <= 3 * 40  # for the computation, and for shape inference: again every 30


def test_call_chain_may_exceed_stack_depth():
    message = new_graph_def(tf)
    chain(message, 1100)
    result = called(message, 1100)
    assert result.shape.as_list() == []
    with tf.Session() as session:
        assert session.run(result, {"x:0": 2.0}) == -2.0


def test_gradient_of_deep_chain():
    message = new_graph_def(tf)
    chain(message, 120)
    result = called(message, 120)
    x = tf.get_default_graph().get_tensor_by_name("x:0")
    (gradient,) = tf.gradients(result, x)
    with tf.Session() as session:
        assert session.run(gradient, {x: 2.0}) == -1.0


def test_deep_chain_round_trips_as_graph_def():
    message = new_graph_def(tf)
    chain(message, 300)
    called(message, 300)
    exported = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default():
        (result,) = tf.import_graph_def(exported, return_elements=["c:0"], name="")
        with tf.Session() as session:
            assert session.run(result, {"x:0": 2.0}) == -2.0


def nested(message, length, kind):
    """`f{length - 1}` calls the one before in a branch, or in the body of a loop, and adds 1; f0 negates."""
    negate = [("n", "Neg", ["x"], {"T": F})]
    add_function(tf, message, "f0", [("x", F)], [("y", F, "n:y:0")], negate)
    pair = [("i", tf.int32), ("x", F)]
    less = [("one", np.int32(1)), ("n", "Less", ["i", "one:output:0"], {"T": tf.int32})]
    add_function(tf, message, "IsLess", pair, [("y", tf.bool, "n:z:0")], less)
    for i in range(1, length):
        before = f"f{i - 1}"
        nodes = [("one", np.float32(1))]
        if kind == "If":
            attrs = {"Tcond": tf.bool, "Tin": [F], "Tout": [F]}
            branches = {"then_branch": Func(before), "else_branch": Func("f0")}
            nodes += [
                ("yes", np.bool_(True)),
                ("n", "If", ["yes:output:0", "x"], {**attrs, **branches}),
            ]
        else:
            body = [
                ("one", np.int32(1)),
                ("j", "Add", ["i", "one:output:0"], {"T": tf.int32}),
                ("n", before, ["x"], {}),
            ]
            results = [("j", tf.int32, "j:z:0"), ("y", F, "n:y:0")]
            add_function(tf, message, f"b{i}", pair, results, body)
            attrs = {"T": [tf.int32, F], "cond": Func("IsLess"), "body": Func(f"b{i}")}
            nodes += [("zero", np.int32(0)), ("n", "While", ["zero:output:0", "x"], attrs)]
        last = "n:output:0" if kind == "If" else "n:output:1"
        nodes.append(("sum", "Add", [last, "one:output:0"], {"T": F}))
        add_function(tf, message, f"f{i}", [("x", F)], [("y", F, "sum:z:0")], nodes)


@pytest.mark.parametrize("kind", ["If", "While"])
@pytest.mark.parametrize("target", ["", "server"])
def test_deeply_nested_branches_and_loops(kind, target):
    message = new_graph_def(tf)
    nested(message, 130, kind)
    result = called(message, 130)
    if target:
        server = tf.train.Server.create_local_server()
        target = server.target
    with tf.Session(target) as session:
        assert session.run(result, {"x:0": 2.0}) == 127.0


def test_branching_call_trees_run_as_plans():
    message = new_graph_def(tf)
    chain(message, 18, calls=2)
    result = called(message, 18)
    with tf.Session() as session:
        assert session.run(result, {"x:0": 2.0}) == 2.0
        assert len(session._inlined_graph.graph._ops) < 30_000  # of 2^17 calls


def test_inlining_limit_follows_environment(monkeypatch):
    message = new_graph_def(tf)
    chain(message, 10, calls=2)
    result = called(message, 10)
    counts = []
    for limit in ("20000", "100"):
        monkeypatch.setenv("TFMINI_INLINED_NODES", limit)
        with tf.Session() as session:
            assert session.run(result, {"x:0": 2.0}) == 2.0
            counts.append(len(session._inlined_graph.graph._ops))
    assert counts[1] < 300 < 2000 < counts[0]
    monkeypatch.setenv("TFMINI_INLINED_NODES", "many")
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="not 'many'"):
            session.run(result, {"x:0": 2.0})


def steps_with_deadlines():
    """The threads in which `run_with_deadline` runs a step now."""
    stacks = {number: walk_stack(top) for number, top in sys._current_frames().items()}
    return [n for n, stack in stacks.items() if any(f.f_code.co_qualname == RUN for f, _ in stack)]


@pytest.mark.parametrize("target", ["", "server"])
def test_endless_call_tree_times_out(target):
    message = new_graph_def(tf)
    chain(message, 60, calls=2)
    result = called(message, 60)
    if target:
        server = tf.train.Server.create_local_server()
        target = server.target
    with tf.Session(target) as session:
        with pytest.raises(
            tf.errors.DeadlineExceededError,
            match="^(Timed out waiting for notification|Deadline Exceeded|Operation timed out[.])$",
        ):
            session.run(result, {"x:0": 2.0}, options=tf.RunOptions(timeout_in_ms=1000))
    until(lambda: not steps_with_deadlines())
