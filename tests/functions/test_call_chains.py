"""Functions that call functions, deep or often: what an import costs, and how deep a run goes."""

import sys

import pytest

import tfmini as tf
from tests.function_graphs import add_function, add_node, new_graph_def
from tfmini._src.graph.graphdef import function_bodies

F = tf.float32


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


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def bodies(monkeypatch):
    """The names of the functions whose bodies are made."""
    names = []

    def body_of(function, *args):
        names.append(function.name)
        return original(function, *args)

    original = function_bodies.body_of
    monkeypatch.setattr(function_bodies, "body_of", body_of)
    return names


@pytest.mark.parametrize("around", [False, True])
def test_equal_calls_are_looked_into_once(bodies, around):
    message = new_graph_def(tf)
    chain(message, 30, calls=2, around=around)
    called(message, 30, [3])
    assert set(bodies) == {f"f{i}" for i in range(30)}
    # Around: once for the shape that the import gives, once for the unknown one of a call within itself.
    assert len(bodies) <= (60 if around else 30)


def test_calls_for_other_shapes_are_looked_into():
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


def test_a_run_makes_each_body_once(bodies):
    message = new_graph_def(tf)
    chain(message, 40)
    result = called(message, 40)
    del bodies[:]
    with tf.Session() as session:
        assert session.run(result, {"x:0": 2.0}) == -2.0
    assert len(bodies) <= 2 * 40  # for what it computes, and for the shape that it gives


def test_a_chain_that_is_too_deep_says_how_it_runs():
    message = new_graph_def(tf)
    chain(message, 600)
    result = called(message, 600)
    limit = sys.getrecursionlimit()
    with tf.Session() as session:
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            session.run(result, {"x:0": 2.0})
        assert f"recursion limit allows, which is {limit}" in caught.value.message
        sys.setrecursionlimit(20_000)
        try:
            assert session.run(result, {"x:0": 2.0}) == -2.0
        finally:
            sys.setrecursionlimit(limit)
