"""Large checkpoint tensors as memory-mapped pages."""

import mmap

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.formats import data_file

VALUES = {
    "large": np.arange(1 << 15, dtype=np.float32).reshape(4, -1),
    "small": np.float32([1, 2]),
    "words": np.array([b"a", b"bc"], object),
    "zlast": np.arange(1 << 16, dtype=np.int32),  # after the strings, not at a multiple of 4
}


@pytest.fixture
def prefix(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        for name, value in VALUES.items():
            tf.Variable(value, name=name)
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, str(tmp_path / "model"))


@pytest.fixture
def restored(prefix, monkeypatch):
    monkeypatch.setattr(data_file, "_maps", True)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.train.import_meta_graph(f"{prefix}.meta").restore(session, prefix)
        yield graph, session


def bases(session):
    return {
        cell.name: type(cell.array.base)
        for cell in session._resources._named.values()
        if getattr(cell, "array", None) is not None
    }


def test_large_tensors_are_mapped(restored):
    _, session = restored
    for name, value in VALUES.items():
        assert session.run(f"{name}:0").tolist() == value.tolist()
    assert [name for name, base in bases(session).items() if base is mmap.mmap] == ["large"]


def test_assignments_do_not_reach_file(restored, prefix):
    graph, session = restored
    with graph.as_default():
        added = tf.assign_add(graph.get_tensor_by_name("large:0"), np.ones_like(VALUES["large"]))
    session.run(added)
    np.testing.assert_array_equal(session.run("large:0"), VALUES["large"] + 1)
    stored = tf.train.load_checkpoint(prefix).get_tensor("large")
    np.testing.assert_array_equal(stored, VALUES["large"])


def test_damage_is_detected(prefix, monkeypatch):
    path = f"{prefix}.data-00000-of-00001"
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(b"\xff")
    monkeypatch.setattr(data_file, "_maps", True)
    with tf.Graph().as_default(), tf.Session() as session:
        saver = tf.train.import_meta_graph(f"{prefix}.meta")
        with pytest.raises(tf.errors.DataLossError, match="Checksum does not match"):
            saver.restore(session, prefix)
