"""Function libraries: valid additions, serialization and parsing."""

import pytest

import tfmini as tf
from tests.support.models.function_graphs import add_function, add_node, new_graph_def
from tfmini._src.graph.function_library import Function, from_library

F = tf.float32


def definition(name, op="Identity", gradient=None):
    """A FunctionDef of one node, in a GraphDef, with its gradient function."""
    message = new_graph_def(tf)
    result = {"Identity": "y:output:0", "Neg": "y:y:0"}[op]
    add_function(tf, message, name, [("x", F)], [("r", F, result)], [("y", op, ["x"], {"T": F})])
    if gradient:
        message.library.gradient.add(function_name=name, gradient_func=gradient)
    return message


def defined(name, op="Identity", gradient=None):
    return Function(definition(name, op).library.function[0], gradient)


def test_equal_functions_may_be_readded():
    graph = tf.get_default_graph()
    defined("f").add_to_graph(graph)
    defined("f").add_to_graph(graph)
    assert graph._get_function("f").name == "f"
    assert graph._get_function("g") is None
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Cannot add function 'f' because a diff"
    ):
        defined("f", "Neg").add_to_graph(graph)


def test_function_has_one_gradient():
    graph = tf.get_default_graph()
    defined("f", gradient=defined("g")).add_to_graph(graph)
    assert [name for name in ("f", "g", "h") if graph._is_function(name)] == ["f", "g"]
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="Cannot assign gradient function 'h' to 'f' because it already has gradient function 'g'",
    ):
        defined("f", gradient=defined("h")).add_to_graph(graph)


def test_graphs_with_functions_declare_their_minimum_reader():
    graph = tf.get_default_graph()
    assert graph.as_graph_def().versions.min_consumer == 0
    defined("f").add_to_graph(graph)
    assert graph.as_graph_def().versions.min_consumer == 12


def test_gradients_round_trip():
    message = definition("f", gradient="g")
    add_function(tf, message, "g", [("x", F), ("dy", F)], [("dx", F, "dy")], [])
    tf.import_graph_def(message)
    library = tf.get_default_graph().as_graph_def().library
    assert [function.signature.name for function in library.function] == ["f", "g"]
    assert list(library.gradient) == list(message.library.gradient)
    assert from_library(library)[0].grad_func_name == "g"


def test_cyclic_gradients_are_rejected():
    message = definition("f", gradient="g")
    message.library.function.extend(definition("g").library.function)
    message.library.gradient.add(function_name="g", gradient_func="f")
    with pytest.raises(ValueError, match="^FunctionDefLibrary contains cyclic gradient functions!"):
        tf.import_graph_def(message)


def test_rejected_graph_adds_no_functions():
    message = definition("f")
    add_node(tf, message.node, "c", "f", ["nowhere"])
    with pytest.raises(ValueError, match="Node 'c': Unknown input node 'nowhere'"):
        tf.import_graph_def(message)
    assert not tf.get_default_graph()._functions


def test_functions_of_earlier_import_are_callable():
    tf.import_graph_def(definition("f"))
    message = new_graph_def(tf)
    add_node(tf, message.node, "x", "Placeholder", dtype=F, shape=tf.TensorShape([2]))
    add_node(tf, message.node, "c", "f", ["x"])
    (y,) = tf.import_graph_def(message, return_elements=["c:0"])
    assert y.shape.as_list() == [2]
    assert y.op.type == "f"
    with tf.Session() as session:
        assert session.run(y, {"import_1/x:0": [1.0, 2.0]}).tolist() == [1.0, 2.0]


def test_create_op_creates_calls():
    graph = tf.get_default_graph()
    defined("f", "Neg").add_to_graph(graph)
    op = graph.create_op("f", [tf.constant([2.0])], name="call")
    assert op.op_def.name == "f"
    assert op.outputs[0].shape.as_list() == [1]
    with tf.Session() as session:
        assert session.run(op.outputs[0]).tolist() == [-2.0]


@pytest.mark.parametrize(
    "argument, kind, text",
    [
        ({}, ValueError, 'No type fields in name: "x"'),
        ({"type_attr": "T"}, tf.errors.NotFoundError, "No attr named 'T' in NodeDef:"),
        ({"type_list_attr": "T"}, tf.errors.NotFoundError, "No attr named 'T' in NodeDef:"),
        ({"type": 1, "number_attr": "N"}, tf.errors.NotFoundError, "No attr named 'N' in NodeDef:"),
    ],
)
def test_invalid_signature_is_rejected(argument, kind, text):
    graph_def = tf.GraphDef()
    function = graph_def.library.function.add()
    function.signature.name = "f"
    function.signature.input_arg.add(name="x", **argument)
    graph_def.node.add(name="p", op="Placeholder").attr["dtype"].type = 1
    graph_def.node.add(name="call", op="f", input=["p"])
    with tf.Graph().as_default(), pytest.raises(kind) as caught:
        tf.import_graph_def(graph_def)
    assert getattr(caught.value, "message", str(caught.value)) == text
