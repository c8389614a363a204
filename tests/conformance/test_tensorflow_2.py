"""TensorFlow 2 reads tfmini's files: checkpoints by `tf.train.load_checkpoint`, a SavedModel, records, events."""

import io
import os
import pickle
import subprocess

import numpy as np
import pytest

import tfmini as tf
from tests.conformance import checkpoint_exchange
from tests.support import goldens

CHECKPOINTS = """
import pickle, sys
import numpy as np
import tensorflow as tf
assert tf.__version__.startswith("2.")
found = {}
for prefix in sys.argv[2:]:
    reader = tf.train.load_checkpoint(prefix)
    kinds = reader.get_variable_to_dtype_map()
    listed = dict(tf.train.list_variables(prefix))
    for name, shape in reader.get_variable_to_shape_map().items():
        assert listed[name] == shape
        try:
            value = np.asarray(reader.get_tensor(name))
        except tf.errors.UnimplementedError:  # of version 1: float16 and partitioned variables
            continue
        content = value.tolist() if value.dtype == object else value.tobytes()
        found[prefix, name] = kinds[name].name, shape, content
with open(sys.argv[1], "wb") as file:
    pickle.dump(found, file)
"""
SERVED = """
import sys
import tensorflow as tf
served = tf.saved_model.load(sys.argv[1]).signatures["serving_default"]
assert served(x=tf.constant([1.0, 2.0]))["y"].numpy().tolist() == [3.0, 6.0]
assert [r.numpy() for r in tf.data.TFRecordDataset(sys.argv[2], "GZIP")] == [b"one", b"two"]
(event,) = [e for e in tf.compat.v1.train.summary_iterator(sys.argv[3]) if e.HasField("summary")]
assert event.step == 7 and event.summary.value[0].simple_value == 0.5
"""


def run(python, program, *arguments):
    command = [python, "-W", "ignore", "-c", program, *map(str, arguments)]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
    environment.pop("PYTHONPATH", None)
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)


def contents(prefix):
    """A checkpoint's tensors as read by TensorFlow, by name: dtype, shape, bytes or strings."""
    reader = tf.train.load_checkpoint(prefix)
    kinds = reader.get_variable_to_dtype_map()
    found = {}
    for name, shape in reader.get_variable_to_shape_map().items():
        if "version_1/" in prefix and name in ("half", "rows"):
            continue
        value = np.asarray(reader.get_tensor(name))
        content = value.tolist() if value.dtype == object else value.tobytes()
        found[prefix, name] = kinds[name].name, shape, content
    return found


@pytest.mark.reference
def test_checkpoints(tmp_path, second_reference):
    prefixes = []
    for model in checkpoint_exchange.MODELS:
        folder = tmp_path / model.__name__
        folder.mkdir()
        files = goldens.read_files(checkpoint_exchange.path_of_golden(model))
        want = checkpoint_exchange.load(io.BytesIO(files["values.npz"]))  # TensorFlow 1.15.5's
        got = checkpoint_exchange.write(tf, model, str(folder))
        assert model is checkpoint_exchange.slots or not checkpoint_exchange.differences(want, got)
        prefixes.append(str(folder / checkpoint_exchange.name_of(sorted(os.listdir(folder)))))
    run(second_reference, CHECKPOINTS, tmp_path / "found", *prefixes)
    with open(tmp_path / "found", "rb") as file:
        found = pickle.load(file)
    assert len({prefix for prefix, _ in found}) == len(checkpoint_exchange.MODELS) >= 12
    assert found == {key: value for prefix in prefixes for key, value in contents(prefix).items()}


@pytest.mark.reference
def test_saved_model_records_and_events(tmp_path, second_reference):
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.multiply(x, tf.Variable(3.0, name="slope"), name="y")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(tmp_path / "served"), {"x": x}, {"y": y})
    with tf.io.TFRecordWriter(str(tmp_path / "records"), "GZIP") as writer:
        writer.write(b"one")
        writer.write(b"two")
    with tf.summary.FileWriter(str(tmp_path / "log")) as writer:
        loss = tf.Summary.Value(tag="loss", simple_value=0.5)
        writer.add_summary(tf.Summary(value=[loss]), 7)
    (events,) = (tmp_path / "log").iterdir()
    run(second_reference, SERVED, tmp_path / "served", tmp_path / "records", events)
