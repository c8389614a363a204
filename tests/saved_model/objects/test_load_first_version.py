"""`tf.saved_model.load_v2` of SavedModels with a graph but without objects."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.functions.defun import Defun
from tfmini._src.session.eager.enable import graph_mode
from tfmini._src.variables.lifted_values import UnliftableError


def saved(directory, inputs, outputs, first=None):
    """Saves the default graph after initializing its variables."""
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), *([] if first is None else [first])])
        tf.saved_model.simple_save(session, directory, inputs, outputs, legacy_init_op=first)


@pytest.fixture
def directory(tmp_path):
    return str(tmp_path / "m")


@pytest.mark.parametrize("use_resource", [True, False])
def test_variables_and_local_initializers(directory, use_resource):
    with graph_mode(), tf.Graph().as_default():
        x = tf.placeholder(tf.float32, name="x")
        v = tf.Variable(3.0, name="v", use_resource=use_resource)
        local = tf.Variable(
            1.0,
            collections=[tf.GraphKeys.LOCAL_VARIABLES],
            trainable=False,
            use_resource=True,
        )
        saved(directory, {"x": x}, {"y": x * v * local}, local.initializer)
    loaded = tf.saved_model.load_v2(directory)
    serve = loaded.signatures["serving_default"]
    assert serve(tf.constant(2.0))["y"].numpy() == 6.0
    assert serve(x=tf.constant(3.0))["y"].numpy() == 9.0
    assert len(loaded.variables) == 1 + use_resource
    if use_resource:
        assert [each.trainable for each in loaded.variables] == [True, False]
        loaded.variables[0].assign(4.0)
        with tf.GradientTape() as tape:
            y = serve(x=tf.constant(2.0))["y"]
        assert y.numpy() == 8.0
        assert tape.gradient(y, loaded.variables[0]).numpy() == 2.0


def test_table_file_is_loaded_and_saved_again(directory, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("alpha\nbeta\ngamma\n")
    with graph_mode(), tf.Graph().as_default():
        table = tf.contrib.lookup.index_table_from_file(str(words))
        keys = tf.placeholder(tf.string, [None])
        saved(directory, {"keys": keys}, {"ids": table.lookup(keys)}, table.initializer)
    words.unlink()
    loaded = tf.saved_model.load_v2(directory)
    path = str(tmp_path / "again")
    tf.saved_model.save(loaded, path, signatures=loaded.signatures)
    for result in (loaded, tf.saved_model.load_v2(path)):
        ids = result.signatures["serving_default"](keys=tf.constant(["gamma", "alpha", "x"]))["ids"]
        assert ids.numpy().tolist() == [2, 0, -1]


def test_loops_and_conditionals(directory):
    with graph_mode(), tf.Graph().as_default():
        n = tf.placeholder(tf.int32, [])

        def total(limit):
            return tf.while_loop(
                lambda i, result: i <= limit, lambda i, result: (i + 1, result + i), [0, 0]
            )[1]

        nested = tf.while_loop(
            lambda i, result: i <= n, lambda i, result: (i + 1, result + total(i)), [0, 0]
        )[1]
        chosen = tf.cond(n > 4, lambda: 1.0, lambda: tf.zeros([]))
        saved(directory, {"n": n}, {"nested": nested, "chosen": chosen})
    serve = tf.saved_model.load_v2(directory).signatures["serving_default"]
    result = [{k: v.numpy() for k, v in serve(tf.constant(n)).items()} for n in (4, 5)]
    assert result == [{"nested": 20, "chosen": 0.0}, {"nested": 35, "chosen": 1.0}]


def test_sparse_results_and_library_functions(directory):
    @Defun(tf.int64)
    def inner(x):
        return x + 1

    @Defun(tf.int64)
    def outer(x):
        return inner(x) + 1

    with graph_mode(), tf.Graph().as_default():
        x = tf.placeholder(tf.int64, [1])
        sparse = tf.SparseTensor([[0]], outer(x), [1])
        saved(directory, {"x": x}, {"y": sparse})
    serve = tf.saved_model.load_v2(directory).signatures["serving_default"]
    assert serve(tf.constant([42], tf.int64))["y"].values.numpy().tolist() == [44]


def test_pruned_subgraphs(directory):
    with graph_mode(), tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.add(x, 1.0, name="y")
        saved(directory, {"x": x}, {"y": y})
    loaded = tf.saved_model.load_v2(directory, tags=["serve"])
    assert loaded.prune("y:0", "y:0")(tf.constant(5.0)).numpy() == 5.0
    assert loaded.prune("x:0", "y:0")(x=tf.constant(5.0)).numpy() == 6.0
    with pytest.raises(RuntimeError, match="could not be found in SavedModel"):
        tf.saved_model.load_v2(directory, tags=["train"])


def test_missing_signature_input_is_named(directory):
    with graph_mode(), tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        z = tf.placeholder(tf.float32, [], name="z")
        saved(directory, {"z": z}, {"y": x * 2.0})
    with pytest.raises(
        UnliftableError, match=r"signature needs an input .*\n\nUnable to lift tensor .*'mul:0'"
    ):
        tf.saved_model.load_v2(directory)


def test_graph_mode_initializers_restore(directory):
    with graph_mode(), tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        saved(directory, {"x": x}, {"y": x * tf.Variable(3.0, use_resource=True)})
    with graph_mode(), tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.saved_model.load_v2(directory)
        y = loaded.signatures["serving_default"](tf.constant(2.0))["y"]
        assert tf.global_variables() == loaded.variables
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run([y, *loaded.variables]), [6.0, 3.0])
