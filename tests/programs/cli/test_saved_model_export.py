"""`export --saved-model` of a checkpoint, a frozen graph and a Keras file: their results here and in TensorFlow 2."""

import os
import subprocess

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.programs.cli import main

X = np.array([[1.0, -2.0], [0.5, 3.0]], "f")
KERNEL = np.array([[1.0, 2.0, 3.0], [-1.0, 0.0, 1.0]], "f")
WANT = np.maximum(X @ KERNEL, 0.0)
WORDS = ["one", "two"]


def checkpoint(directory):
    """A training graph with resource variables, slots and a table."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    kernel = tf.get_variable("kernel", initializer=tf.constant(KERNEL), use_resource=True)
    y = tf.nn.relu(x @ kernel, name="y")
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(y))
    table = tf.contrib.lookup.index_table_from_tensor(tf.constant(WORDS))
    tf.identity(table.lookup(tf.placeholder(tf.string, [None], name="words")), name="ids")
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return tf.train.Saver().save(session, str(directory / "model"))


def frozen(directory):
    x = tf.placeholder(tf.float32, [None, 2], name="in/x")
    tf.nn.relu(x @ tf.constant(KERNEL), name="out/y")
    tf.train.write_graph(tf.get_default_graph(), str(directory), "frozen.pb", as_text=False)
    return str(directory / "frozen.pb")


def keras(directory):
    """With dropout and normalization, which are the identity in a new model's inference."""
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Dense(3, activation="relu", use_bias=False, input_shape=(2,), name="first"),
            layers.Dropout(0.5),
            layers.BatchNormalization(epsilon=0.0),
        ]
    )
    model.layers[0].set_weights([KERNEL])
    model.save(str(directory / "model.h5"))
    return str(directory / "model.h5")


# The construction of each, the options, the names of its input and output.
SOURCES = {
    "checkpoint": (checkpoint, ["--outputs", "y,ids"], "x", "y"),
    "frozen": (frozen, [], "in_x", "out_y"),
    "keras": (keras, [], "first_input", "batch_normalization_batchnorm_add_1"),
}


def exported(name, tmp_path):
    make, options, *keys = SOURCES[name]
    with tf.Graph().as_default():
        source = make(tmp_path)
    tf.keras.backend.clear_session()
    directory = str(tmp_path / "served")
    assert main(["export", "--saved-model", directory, *options, source]) == 0
    return directory, *keys


@pytest.mark.parametrize("name", SOURCES)
def test_exported_model_predicts_the_same(name, tmp_path, capsys):
    directory, collected, actual = exported(name, tmp_path)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith(f"inputs: {collected} (") or f", {collected} (" in printed[0]
    assert printed[-1] == f"{directory}: a SavedModel"
    predict = tf.contrib.predictor.from_saved_model(directory)
    feeds = {collected: X, **({"words": ["two", "?"]} if name == "checkpoint" else {})}
    result = predict(feeds)
    np.testing.assert_allclose(result[actual], WANT, 1e-6)
    if name == "checkpoint":
        assert result["ids"].tolist() == [1, -1]


SERVED = """
import sys
import numpy as np
import tensorflow as tf
assert tf.__version__.startswith("2.")
served = tf.saved_model.load(sys.argv[1]).signatures["serving_default"]
feeds = {sys.argv[2]: tf.constant([[1.0, -2.0], [0.5, 3.0]])}
if "words" in served.structured_input_signature[1]:
    feeds["words"] = tf.constant(["two", "?"])
found = served(**feeds)
assert "words" not in feeds or found["ids"].numpy().tolist() == [1, -1]
print(found[sys.argv[3]].numpy().tolist())
"""


@pytest.mark.reference
@pytest.mark.parametrize("name", SOURCES)
def test_tensorflow_2_serves_exported_model(name, tmp_path, second_reference):
    arguments = exported(name, tmp_path)
    variables = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
    variables.pop("PYTHONPATH", None)
    command = [str(second_reference), "-W", "ignore", "-c", SERVED, *arguments]
    done = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(np.array(eval(done.stdout)), WANT, 1e-6)


def test_existing_directories_and_invalid_outputs_are_refused(tmp_path, capsys):
    checkpoint(tmp_path)
    fixed = ["export", "--saved-model", str(tmp_path / "c"), "--outputs", "kernel"]
    assert main([*fixed, str(tmp_path / "model")]) == 1
    assert "kernel:0: the outputs depend on no placeholder" in capsys.readouterr().err
    directory, *_ = exported("frozen", tmp_path)
    assert main(["export", "--saved-model", directory, str(tmp_path / "frozen.pb")]) == 1
    assert "Export directory already exists, and isn't empty" in capsys.readouterr().err


def test_unsupported_sources_are_named(tmp_path, capsys):
    np.savez(tmp_path / "a.npz", a=1)
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.INFO)
    assert main(["export", "--saved-model", str(tmp_path / "b"), str(tmp_path / "a.npz")]) == 1
    text = "is not a checkpoint, frozen graph or Keras model; its kind is: npz"
    assert text in capsys.readouterr().err and not (tmp_path / "b").exists()
    assert tf.logging.get_verbosity() == tf.logging.INFO
    tf.logging.set_verbosity(level)
