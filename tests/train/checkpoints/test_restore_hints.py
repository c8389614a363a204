"""Hints about failures to restore a checkpoint."""

import pytest

import tfmini as tf
from tests.support.notes import read_hint


@pytest.fixture
def prefix(tmp_path):
    """A checkpoint with a variable `weights` of shape [3]."""
    with tf.Graph().as_default(), tf.Session() as session:
        session.run(tf.get_variable("weights", [3]).initializer)
        return tf.train.Saver().save(session, str(tmp_path / "model"))


def hint_of_restore(path, name, shape, error):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable(name, shape)
        with pytest.raises(error, match=".") as caught:
            tf.train.Saver().restore(session, path)
    return read_hint(caught.value)


def test_directory_hint_names_latest_checkpoint(prefix, tmp_path):
    hint = hint_of_restore(str(tmp_path), "weights", [3], tf.errors.DataLossError)
    assert hint == f"Hint: '{tmp_path}' is a directory; its latest checkpoint is '{prefix}'."


def test_missing_checkpoint_state_hint(tmp_path):
    path = tf.train.latest_checkpoint(str(tmp_path))
    assert "has no file 'checkpoint'" in hint_of_restore(path, "weights", [3], ValueError)


@pytest.mark.parametrize("end", ["meta", "data-00000-of-00001", "index"])
def test_checkpoint_file_hint_names_prefix(prefix, end):
    hint = hint_of_restore(f"{prefix}.{end}", "weights", [3], tf.errors.OpError)
    assert hint.endswith(f"is a file of a checkpoint; restore its prefix, '{prefix}'.")


def test_shape_mismatch_hint_names_variable(prefix):
    hint = hint_of_restore(prefix, "weights", [4], tf.errors.InvalidArgumentError)
    assert "'weights' has the shape [3] in the checkpoint" in hint


def test_hint_names_mismatched_variable_not_first(tmp_path):
    def saver(shape):
        of = [tf.get_variable("a", [2]), tf.get_variable("b", shape), tf.get_variable("c", [3])]
        return tf.train.Saver(), [variable.initializer for variable in of]

    with tf.Graph().as_default(), tf.Session() as session:
        writer, initializers = saver([4])
        session.run(initializers)
        path = writer.save(session, str(tmp_path / "model"))
    with tf.Graph().as_default(), tf.Session() as session:
        reader, _ = saver([5])
        with pytest.raises(tf.errors.InvalidArgumentError, match="shape") as caught:
            reader.restore(session, path)
    assert "'b' has the shape [4] in the checkpoint" in read_hint(caught.value)


def test_missing_variable_hint_suggests_similar_name(prefix):
    hint = hint_of_restore(prefix, "weigths", [3], tf.errors.NotFoundError)
    assert "the checkpoint has no 'weigths'. It has 'weights'." in hint


def test_unknown_cause_has_no_hint(tmp_path):
    assert hint_of_restore(str(tmp_path / "none"), "weights", [3], ValueError) == ""
