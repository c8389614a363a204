"""Inputs and outputs of models are found; what cannot be told is asked for."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.programs.cli.export import random_feeds
from tfmini._src.saved_model.frozen_graph import of_checkpoint, of_graph_def, of_saved_model


@pytest.fixture
def files(tmp_path):
    """A model with an optimizer: its checkpoint and its SavedModel."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.Variable([[1.0], [2.0]], name="w")
    y = tf.matmul(x, w, name="y")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(tmp_path / "served"), {"x": x}, {"y": y})
        tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y, name="loss"))
        tf.train.Saver().save(session, str(tmp_path / "model"))
    return tmp_path


def value(frozen, fed):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(frozen.graph_def, name="")
        return session.run(frozen.outputs[0], {frozen.inputs[0]: fed}).tolist()


def test_a_saved_model_by_its_signature(files):
    frozen = of_saved_model(str(files / "served"), "serving_default", [], [])
    assert (frozen.inputs, frozen.outputs) == (["x:0"], ["y:0"])
    assert value(frozen, [[1, 1]]) == [[3]]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="no signature 'other'; it has serving_default"
    ):
        of_saved_model(str(files / "served"), "other", [], [])


def test_a_checkpoint_with_its_graph(files):
    frozen = of_checkpoint(str(files / "model"), [], ["y:0"])
    assert frozen.inputs == ["x:0"] and value(frozen, [[2, 0]]) == [[2]]
    assert {node.op for node in frozen.graph_def.node} <= {
        "Const",
        "Identity",
        "MatMul",
        "Placeholder",
    }
    found = of_checkpoint(str(files / "model"), [], [])
    assert found.outputs == ["loss:0"]


def test_several_results_are_listed():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [3], name="x")
        tf.exp(x, name="a")
        tf.sin(x, name="b")
        tf.constant(1.0, name="unused")
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="--outputs. No other node reads: a:0, b:0$"
    ):
        of_graph_def(graph.as_graph_def(), [], [])
    assert of_graph_def(graph.as_graph_def(), [], ["b:0"]).inputs == ["x:0"]


def test_a_graph_with_variables_is_not_frozen():
    graph = tf.Graph()
    with graph.as_default():
        tf.identity(tf.Variable(1.0, name="v"), name="y")
    with pytest.raises(tf.errors.InvalidArgumentError, match="has variables, such as v"):
        of_graph_def(graph.as_graph_def(), [], ["y:0"])


def test_random_feeds_have_the_shapes_and_dtypes_of_inputs():
    graph = tf.Graph()
    with graph.as_default():
        tf.placeholder(tf.float32, [None, 3], name="x")
        tf.placeholder(tf.int64, [2], name="n")
        tf.placeholder(tf.string, [], name="s")
    feeds = random_feeds(graph, ["x:0", "n:0", "s:0"])
    assert feeds["x:0"].shape == (2, 3) and feeds["x:0"].dtype == np.float32
    assert set(feeds["n:0"].tolist()) <= {0, 1} and feeds["s:0"] == "a"
