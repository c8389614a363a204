"""Graphs of exported objects."""

import os

import pytest

import tfmini as tf
from tests.saved_model.objects.conftest import FLOAT
from tfmini._src.variables.capturable_resource import TrackableAsset


def test_signature_arguments_are_named(tmp_path):
    root = tf.train.Checkpoint(v=tf.Variable(2.0))
    both = [tf.TensorSpec([None], tf.float32, "a"), tf.TensorSpec([None], tf.float32, "b")]
    root.sum = tf.function(lambda x, y: root.v * x + y, input_signature=both)
    root.twice = tf.function(lambda x: {"twice": 2.0 * x}, input_signature=[FLOAT])
    functions = {"sum": root.sum, "twice": root.twice.get_concrete_function()}
    tf.saved_model.save(root, str(tmp_path), functions)
    result = tf.saved_model.load_v2(str(tmp_path), tags="serve").signatures
    assert sorted(result) == ["sum", "twice"]
    created = result["sum"](a=tf.constant([1.0]), b=tf.constant([3.0]))
    assert created["output_0"].numpy() == [5.0]
    with pytest.raises(TypeError, match="Expected at most 0 positional arguments"):
        result["sum"](tf.constant([1.0]), tf.constant([3.0]))


def test_assets(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("alpha\nbeta\n")
    root = tf.train.Checkpoint()
    filled = tf.lookup.TextFileInitializer(str(words), tf.string, -2, tf.int64, -1)
    root.table = tf.lookup.StaticHashTable(filled, -1)
    root.file = TrackableAsset(str(words))
    root.find = tf.function(
        lambda keys: root.table.lookup(keys), input_signature=[tf.TensorSpec([None], tf.string)]
    )
    root.path = tf.function(lambda: root.file.asset_path, input_signature=[])
    tf.saved_model.save(root, str(tmp_path / "m"), root.find)
    words.unlink()
    os.rename(tmp_path / "m", tmp_path / "moved")
    loaded = tf.saved_model.load_v2(str(tmp_path / "moved"))
    assert loaded.find(tf.constant(["beta", "x"])).numpy().tolist() == [1, -1]
    assert loaded.path().numpy() == str(tmp_path / "moved" / "assets" / "words.txt").encode()
    with tf.Graph().as_default(), tf.Session() as session:
        result = tf.saved_model.loader.load(session, ["serve"], str(tmp_path / "moved"))
        signature = result.signature_def["serving_default"]
        feeds = {signature.inputs["keys"].name: ["beta"]}
        assert session.run(signature.outputs["output_0"].name, feeds) == [1]


def test_graph_mode_initializers_restore(loaded, tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        result = tf.saved_model.load_v2(str(tmp_path / "m"))
        y = result.scaled(tf.constant(2.0))
        session.run([result.v.initializer, result.rows[0].initializer])
        assert session.run(y) == 9.0
