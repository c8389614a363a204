"""Model inputs and outputs are detected; ambiguous ones must be specified."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.functions.defun import Defun
from tfmini._src.programs.cli.onnx_export import random_feeds
from tfmini._src.saved_model.frozen_graph import from_checkpoint, from_graph_def, from_saved_model


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


def test_saved_model_by_signature(files):
    frozen = from_saved_model(str(files / "served"), "serving_default", [], [])
    assert (frozen.inputs, frozen.outputs) == (["x:0"], ["y:0"])
    assert value(frozen, [[1, 1]]) == [[3]]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="no signature 'other'; it has serving_default"
    ):
        from_saved_model(str(files / "served"), "other", [], [])


def test_checkpoint_with_meta_graph(files):
    frozen = from_checkpoint(str(files / "model"), [], ["y:0"])
    assert frozen.inputs == ["x:0"] and value(frozen, [[2, 0]]) == [[2]]
    assert {node.op for node in frozen.graph_def.node} <= {
        "Const",
        "Identity",
        "MatMul",
        "Placeholder",
    }
    result = from_checkpoint(str(files / "model"), [], [])
    assert result.outputs == ["loss:0"]


def test_ambiguous_outputs_are_listed():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [3], name="x")
        tf.exp(x, name="a")
        tf.sin(x, name="b")
        tf.constant(1.0, name="unused")
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="--outputs. No other node reads: a, b$"
    ):
        from_graph_def(graph.as_graph_def(), [], [])
    assert from_graph_def(graph.as_graph_def(), [], ["b:0"]).inputs == ["x:0"]


def test_unread_outputs_of_read_node_are_ignored():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [2, 3], name="x")
        tf.exp(tf.unstack(x)[0], name="y")
        tf.summary.scalar("largest", tf.reduce_max(x))
        tf.cond(tf.placeholder(tf.bool, [], name="p"), lambda: x + 1, lambda: x - 1)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="No other node reads: y, Max, cond/Merge$"
    ):
        from_graph_def(graph.as_graph_def(), [], [])
    with tf.Graph().as_default() as graph:
        tf.nn.top_k(tf.placeholder(tf.float32, [3], name="x"), 2, name="y")
    assert from_graph_def(graph.as_graph_def(), [], []).outputs == ["y:0", "y:1"]


def test_other_required_placeholders_are_inputs():
    with tf.Graph().as_default() as graph:
        x, keep = (tf.placeholder(tf.float32, [], name=name) for name in ("x", "keep"))
        tf.multiply(tf.exp(x, name="h"), keep, name="y")
    graph_def = graph.as_graph_def()
    assert from_graph_def(graph_def, ["keep:0"], []).inputs == ["keep:0", "x:0"]
    assert from_graph_def(graph_def, ["h:0"], []).inputs == ["h:0", "keep:0"]
    with pytest.raises(KeyError, match="nope"):
        from_graph_def(graph_def, ["nope:0"], [])


def test_unfrozen_graph_is_refused():
    graph = tf.Graph()
    with graph.as_default():
        tf.identity(tf.Variable(1.0, name="v"), name="y")
    with pytest.raises(tf.errors.InvalidArgumentError, match="has variables, such as v"):
        from_graph_def(graph.as_graph_def(), [], ["y:0"])


def test_names_override_signature(files):
    model = str(files / "served")
    frozen = from_saved_model(model, "other", [], ["y:0"])
    assert (frozen.inputs, frozen.outputs) == (["x:0"], ["y:0"])
    frozen = from_saved_model(model, "serving_default", ["w/read:0"], ["y:0"])
    assert frozen.inputs == ["w/read:0", "x:0"]
    with pytest.raises(KeyError, match="none"):
        from_saved_model(model, "serving_default", ["none:0"], [])


def test_signature_keys_are_sorted(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = (tf.placeholder(tf.float32, [], name=name) for name in "ab")
        total = tf.add(a, b, name="total")
        session.run(tf.global_variables_initializer())
        inputs, outputs = {"z": a, "m": b}, {"two": total, "one": tf.negative(total, name="less")}
        tf.saved_model.simple_save(session, str(tmp_path / "served"), inputs, outputs)
    frozen = from_saved_model(str(tmp_path / "served"), "serving_default", [], [])
    assert (frozen.inputs, frozen.outputs) == (["b:0", "a:0"], ["less:0", "total:0"])


def test_checkpoint_requires_graph_with_variables(tmp_path):
    with tf.Graph().as_default():
        tf.placeholder(tf.float32, [], name="x")
        tf.train.export_meta_graph(str(tmp_path / "model.meta"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="model.meta has no variables: pass"):
        from_checkpoint(str(tmp_path / "model"), [], [])
    with pytest.raises(OSError, match="none.meta"):
        from_checkpoint(str(tmp_path / "none"), [], [])


@pytest.mark.parametrize("kind", ["PartitionedCall", "StatefulPartitionedCall", "If"])
def test_calls_are_inlined(tmp_path, kind):
    """Unless TensorFlow has no ops for the node: an If whose predicate is not a bool."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [], name="x")
        twice = Defun(tf.float32)(lambda x: x * 2.0)
        if kind == "If":
            words = {"cond": x, "input": [x], "then_branch": twice, "else_branch": twice}
        else:
            words = {"args": [x], "f": twice}
        (y,) = getattr(tf.raw_ops, kind)(Tout=[tf.float32], name="call", **words)
        tf.saved_model.simple_save(session, str(tmp_path / "served"), {"x": x}, {"y": y})
        whole = session.graph_def
    for frozen in (
        from_saved_model(str(tmp_path / "served"), "serving_default", [], []),
        from_graph_def(whole, ["x:0"], ["call:0"]),
    ):
        is_kept = kind in {node.op for node in frozen.graph_def.node}
        assert is_kept == bool(frozen.graph_def.library.function) == (kind == "If")
        assert frozen.inputs == ["x:0"] and value(frozen, 3.0) == 6.0


def test_defaulted_placeholder_is_input_of_last_resort():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [], name="x")
        rate = tf.placeholder_with_default(1.0, [], name="rate")
        with tf.control_dependencies([tf.placeholder(tf.float32, [], name="waited")]):
            tf.multiply(x, rate, name="y")
    graph_def = graph.as_graph_def()
    assert from_graph_def(graph_def, [], []).inputs == ["x:0", "rate:0", "waited:0"]
    assert from_graph_def(graph_def, ["x:0"], []).inputs == ["x:0", "waited:0"]
    assert from_graph_def(graph_def, ["rate:0"], ["y:0"]).inputs == ["rate:0", "x:0", "waited:0"]
    assert from_graph_def(graph_def, [], ["x:0"]).inputs == ["x:0"]


def test_random_feeds_match_inputs():
    graph = tf.Graph()
    with graph.as_default():
        tf.placeholder(tf.float32, [None, 3], name="x")
        tf.placeholder(tf.int64, [2], name="n")
        tf.placeholder(tf.string, [], name="s")
        tf.placeholder(tf.float32, [], name="keep_prob")
        tf.placeholder(tf.bool, [], name="training")
    feeds = random_feeds(graph, ["x:0", "n:0", "s:0", "keep_prob:0", "training:0"], {"n:0": 7})
    assert feeds["x:0"].shape == (2, 3) and feeds["x:0"].dtype == np.float32
    assert feeds["n:0"].tolist() == [7, 7] and feeds["s:0"] == "a"
    assert feeds["keep_prob:0"] == 1 and feeds["training:0"].tolist() is False
    assert set(random_feeds(graph, ["n:0"], {})["n:0"].tolist()) <= {0, 1}
    assert random_feeds(graph, ["keep_prob:0"], {"keep_prob:0": 0.5})["keep_prob:0"] == 0.5
