"""tf.train.warm_start and init_from_checkpoint."""

import os

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.train.checkpoints.init_from_checkpoint import init_from_checkpoint


def initialized(session):
    session.run(tf.global_variables_initializer())
    return session


def test_object_checkpoint_restored_by_name():
    """The golden file was saved by `tf.train.Checkpoint(first=..., other=...)`."""
    golden = os.path.join(
        os.path.dirname(__file__), os.pardir, os.pardir, "golden", "checkpoints", "objects"
    )
    a = tf.get_variable("scope/a", [3], tf.float64)
    b = tf.get_variable("b", [2], tf.int32, use_resource=True)
    saver = tf.train.Saver()
    with tf.Session() as session:
        for _ in range(2):
            saver.restore(session, golden)
            assert session.run(a).tolist() == [0, 1, 2] and session.run(b).tolist() == [5, 6]
    c = tf.get_variable("c", [2])
    for variables, said in (
        ([a, c], "Existing variables not in the checkpoint: c\n"),
        ([c], "0 var"),
    ):
        with tf.Session() as session, pytest.raises(tf.errors.NotFoundError, match=said):
            tf.train.Saver(variables).restore(session, golden)
    with tf.Session() as session:
        tf.train.warm_start(golden, [a, b])
        assert initialized(session).run(b).tolist() == [5, 6]
    with pytest.raises(ValueError, match="The following variables were missing: {'c'}"):
        tf.train.warm_start(golden, [c])


def test_init_from_checkpoint(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("old"):
            tf.get_variable("a", initializer=[1.0, 2.0])
            tf.get_variable("b", initializer=np.arange(8.0).reshape(4, 2))
        path = tf.train.Saver().save(initialized(session), str(tmp_path / "model"))
    with tf.variable_scope("new"):
        a = tf.get_variable("a", [2], use_resource=True)
        b = tf.get_variable("b", [4, 2], tf.float64, partitioner=tf.fixed_size_partitioner(3))
    other = tf.get_variable("other", [2])
    init_from_checkpoint(path, {"old/": "new/"})
    tf.contrib.framework.init_from_checkpoint(str(tmp_path), {"old/a": other})
    with tf.Session() as session:
        initialized(session)
        assert session.run([a, other])[0].tolist() == session.run(other).tolist() == [1, 2]
        assert (np.concatenate(session.run(list(b))).ravel() == np.arange(8)).all()


def test_warm_start(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("old", initializer=[1.0, 2.0])
        tf.get_variable("same", initializer=[3.0])
        path = tf.train.Saver().save(initialized(session), str(tmp_path / "model"))
    renamed = tf.get_variable("renamed", [2])
    same = tf.get_variable("same", [1])
    fresh = tf.get_variable("fresh", initializer=[7.0])
    names = {"renamed": "old"}
    tf.train.warm_start(path, ["renamed", "same"], var_name_to_prev_var_name=names)
    with tf.Session() as session:
        initialized(session)
        assert [v.tolist() for v in session.run([renamed, same, fresh])] == [[1, 2], [3], [7]]
    with pytest.raises(ValueError, match="that were not used: {'none'}"):
        tf.train.warm_start(path, [same], var_name_to_prev_var_name={"none": "old"})
    words = tf.train.VocabInfo("new.txt", 2, 0, "old.txt")
    with pytest.raises(ValueError, match="var_name_to_vocab_info that were not used: {'none'}"):
        tf.train.warm_start(path, [same], var_name_to_vocab_info={"none": words})
