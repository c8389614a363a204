"""Subgraphs lifted to other graphs, with TensorFlow 1.15.5's recorded results."""

import pytest

import tfmini as tf
from tfmini._src.functions.func_graph_from_py_func import func_graph_from_py_func
from tfmini._src.functions.lift_to_graph import lift_to_graph
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.variables.lifted_values import UnliftableError

pytestmark = pytest.mark.usefixtures("eager")


def _body():
    """A product plus one, and the first power of two times `b` that is not below `a`."""

    def parts(a, b):
        one = tf.constant(1.0, name="one")
        with tf.control_dependencies([one]):
            doubled = tf.while_loop(lambda i: i < a, lambda i: i * 2.0, [b], name="loop")
        return a * b + one, doubled

    scalar = tf.TensorSpec([], tf.float32)
    return func_graph_from_py_func("parts", parts, [scalar, scalar], {})


def _values(graph, fetches, feeds):
    with tf.Session(graph=graph) as session:
        return session.run(fetches, feeds)


@pytest.mark.parametrize("sources", ["arguments", "placeholders", "product"])
def test_lifted_values(sources):
    body, graph = _body(), tf.Graph()
    a, b = body.inputs
    if sources == "placeholders":
        copies = lift_to_graph(body.outputs, graph, add_sources=True)
    elif sources == "arguments":
        copies = lift_to_graph(body.outputs, graph, body.inputs, [a.op])
    else:
        product = next(op for op in body.get_operations() if op.type == "Mul").outputs[0]
        total = body.outputs[0].op.inputs[0]
        copies = lift_to_graph([total], graph, [product])
        assert _values(graph, copies[total], {copies[product]: 5.0}) == 6.0
        assert [op.name for op in graph.get_operations()] == ["mul", "one", "add"]
        return
    result = _values(graph, [copies[y] for y in body.outputs], {copies[a]: 10.0, copies[b]: 3.0})
    assert result == [31.0, 12.0]


def test_placeholders_are_refused():
    body = _body()
    a, b = body.inputs
    for arguments in ({}, {"sources": [a]}, {"disallowed_placeholders": [b.op]}):
        with pytest.raises(UnliftableError, match="because it depends transitively on placeholder"):
            lift_to_graph(body.outputs, tf.Graph(), **arguments)


def test_lifted_ops_are_not_copied_again():
    body, graph = _body(), tf.Graph()
    copies = lift_to_graph([body.outputs[0]], graph, add_sources=True)
    count = len(graph.get_operations())
    assert lift_to_graph([body.outputs[0]], graph, op_map=copies) is copies
    assert len(graph.get_operations()) == count


def test_captures_keep_their_order():
    variables = [tf.Variable(float(index)) for index in range(1, 4)]
    function = tf.function(lambda: variables[0] + variables[1] + variables[2])
    body = function.get_concrete_function().graph
    lifted = TracedGraph("lifted")
    lift_to_graph(body.outputs, lifted, add_sources=True, handle_captures=True)
    assert lifted.external_captures == [variable.handle for variable in variables]
    assert [t.name for t in lifted.internal_captures] == [t.name for t in body.internal_captures]
    bare = TracedGraph("bare")
    copies = lift_to_graph([*body.outputs, variables[0]], bare, add_sources=True)
    assert bare.external_captures == []
    assert copies[variables[0]] is variables[0]
    assert [op.type for op in bare.get_operations()].count("Placeholder") == 3


def test_colocation_is_not_lifted():
    def colocated():
        two = tf.constant(2.0, name="two")
        with tf.colocate_with(two), tf.device("/cpu:0"):
            return tf.add(two, 1.0, name="three")

    body = func_graph_from_py_func("colocated", colocated, [], {})
    assert body.get_operation_by_name("three").colocation_groups() == [b"loc:@two"]
    copies = lift_to_graph(body.outputs, graph := tf.Graph())
    three = graph.get_operation_by_name("three")
    assert three.colocation_groups() == [b"loc:@three"]
    assert three.device == "/device:CPU:0"
    assert _values(graph, copies[body.outputs[0]], {}) == 3.0
