"""Nodes that depend only on constants become constants with the same name and value."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.saved_model.graph_util.fold_constants import fold_constants
from tfmini.compat.python.framework.c_api_util import ApiDefMap
from tfmini.compat.python.grappler.tf_optimizer import OptimizeGraph


def kinds(graph_def):
    return {node.name: node.op for node in graph_def.node}


def test_constant_subgraphs_are_folded():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [2], name="x")
        twice = tf.multiply(tf.constant([1.0, 2.0], name="c"), 2.0, name="twice")
        tf.add(x, tf.exp(twice, name="e"), name="y")
        tf.random_uniform([2], name="random")
    folded = fold_constants(graph.as_graph_def(), ["y"])
    result = kinds(folded)
    assert result["e"] == "Const" and result["y"].startswith("Add") and result["x"] == "Placeholder"
    assert result["random/RandomUniform"] == "RandomUniform"
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(folded, name="")
        np.testing.assert_allclose(
            session.run("y:0", {"x:0": [0, 1]}), np.exp([2, 4]) + [0, 1], rtol=1e-6
        )


def test_loop_constants_are_not_folded():
    graph = tf.Graph()
    with graph.as_default():
        body = lambda i: i + tf.multiply(tf.constant(2), tf.constant(3), name="six")  # noqa: E731
        tf.identity(tf.while_loop(lambda i: i < 20, body, [tf.constant(0)]), name="y")
    folded = fold_constants(graph.as_graph_def(), ["y"])
    (six,) = [node for node in folded.node if node.name == "while/six"]
    assert six.op == "Const" and all(name.startswith("^while/") for name in six.input) and six.input
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(folded, name="")
        assert session.run("y:0") == 24


def test_large_values_are_not_folded():
    graph = tf.Graph()
    with graph.as_default():
        tf.fill([3000, 1000], 1.0, name="large")
        tf.fill([30, 10], 1.0, name="small")
    result = kinds(fold_constants(graph.as_graph_def(), ["large", "small"]))
    assert (result["large"], result["small"]) == ("Fill", "Const")


def test_optimize_graph_keeps_train_op_dependencies():
    graph = tf.Graph()
    with graph.as_default():
        tf.add(tf.placeholder(tf.float32, name="x"), tf.sqrt(tf.constant(4.0)), name="y")
        tf.constant(1.0, name="other")
        meta_graph = tf.train.export_meta_graph(graph=graph)
    with pytest.raises(tf.errors.InvalidArgumentError, match="train_op not specified"):
        OptimizeGraph(tf.ConfigProto(), meta_graph)
    meta_graph.collection_def["train_op"].node_list.value.append("y:0")
    result = kinds(OptimizeGraph(tf.ConfigProto(), meta_graph))
    assert result == {"x": "Placeholder", "Sqrt": "Const", "y": "Add"}


def test_op_definitions_by_name():
    declared = ApiDefMap()
    assert declared.get_op_def("MatMul").input_arg[0].name == "a"
    assert "MatMul" in declared.op_names() and "Erfinv" not in declared.op_names()
    with pytest.raises(ValueError, match="No op_def found for NoSuchOp"):
        declared.get_op_def("NoSuchOp")


def test_stateful_and_multi_output_nodes_are_not_folded():
    graph = tf.Graph()
    with graph.as_default():
        parts = tf.split(tf.constant([1.0, 2.0]), 2, name="parts")
        tf.identity(parts[1], name="second")
        tf.placeholder_with_default(tf.constant(1.0), [], name="given")
        tf.Print(tf.constant(1.0), [], name="printed")
        tf.stack([1, 2], name="stacked")
        tf.zeros([0, 2], name="nothing")
        tf.strings.join(["a", "b"], name="text")
        tf.add(tf.cast(tf.constant([1.5]), tf.float64), 1.0, name="double")
    folded = fold_constants(graph.as_graph_def(), ["second", "stacked", "text", "double"])
    result = kinds(folded)
    assert {name: result[name] for name in ("parts", "second", "given", "printed")} == {
        "parts": "Split",
        "second": "Identity",
        "given": "PlaceholderWithDefault",
        "printed": "Print",
    }
    values = {
        node.name: tf.make_ndarray(node.attr["value"].tensor)
        for node in folded.node
        if node.op == "Const"
    }
    assert values["double"].dtype == np.float64 and values["double"].tolist() == [2.5]
    assert values["text"].tolist() == b"ab" and values["stacked"].tolist() == [1, 2]
    assert {node.name for node in folded.node} == {op.name for op in graph.get_operations()}


def test_folded_node_inherits_control_inputs():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        with tf.control_dependencies([x]):
            late = tf.constant(2.0, name="late")
        with tf.control_dependencies([tf.identity(x, name="again")]):
            square = tf.square(late, name="square")
        root = tf.sqrt(square, name="root")
        tf.add(x, root, name="y")
        tf.add(square, x, name="z")
    folded = {node.name: node for node in fold_constants(graph.as_graph_def(), ["y"]).node}
    assert sorted(folded["root"].input) == ["^again", "^x"] and folded["root"].op == "Const"
    assert sorted(folded["square"].input) == ["^again", "^x"] and folded["square"].op == "Const"
    assert sorted(folded["root"].attr) == ["dtype", "value"]
    assert list(folded["y"].input) == ["x", "root"]
