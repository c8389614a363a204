"""Restoring initialized variables: peak memory of the largest; damaged files have no effect."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.compiler.program import debug
from tfmini._src.ops.files import deferred_restore

COUNT, SIZE = 6, 1 << 18  # 1 MB each


def variables(kind):
    if kind == "parts":
        whole = tf.get_variable(
            "w",
            [COUNT, SIZE],
            initializer=tf.zeros_initializer(),
            partitioner=tf.fixed_size_partitioner(COUNT),
        )
        return list(whole)
    return [
        tf.get_variable(
            f"v{i}", [SIZE], initializer=tf.zeros_initializer(), use_resource=kind == "resource"
        )
        for i in range(COUNT)
    ]


def values(made):
    return [np.full(v.shape.as_list(), i + 1.0, np.float32) for i, v in enumerate(made)]


def saved(session, saver, made, prefix):
    for variable, value in zip(made, values(made)):
        variable.load(value, session)
    saver.save(session, prefix, write_meta_graph=False)
    for variable in made:
        variable.load(np.full(variable.shape.as_list(), -1.0, np.float32), session)


def check(session, made, expected):
    for variable, value in zip(made, expected):
        np.testing.assert_array_equal(session.run(variable), value)


@pytest.mark.parametrize("kind", ["reference", "resource", "parts", "reshape", "sharded"])
def test_restore_buffers_one_tensor(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(deferred_restore, "_MAX_DUPLICATED_BYTES", 4 * SIZE)
    created = variables(kind)
    saver = tf.train.Saver(reshape=kind == "reshape", sharded=kind == "sharded")
    tracemalloc.start()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saved(session, saver, created, str(tmp_path / "model"))
        saver.restore(session, str(tmp_path / "model"))  # the plan is compiled
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        saver.restore(session, str(tmp_path / "model"))
        grown = tracemalloc.get_traced_memory()[1] - before
        tracemalloc.stop()
        check(session, created, values(created))
    if "alias" not in debug.FLAGS:  # it references the values of a step
        assert grown < 4 * SIZE + (1 << 18)


@pytest.mark.parametrize("little", [0, 1 << 30])
@pytest.mark.parametrize("kind", ["reference", "resource", "parts"])
def test_damaged_checkpoint_has_no_effect(tmp_path, monkeypatch, kind, little):
    monkeypatch.setattr(deferred_restore, "_MAX_DUPLICATED_BYTES", little)
    created = variables(kind)
    saver = tf.train.Saver()
    prefix = str(tmp_path / "model")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saved(session, saver, created, prefix)
        path = Path(prefix + ".data-00000-of-00001")
        with path.open("r+b") as file:
            file.seek(4 * SIZE * (COUNT - 1) + 1000)
            file.write(b"damage")
        with pytest.raises(
            tf.errors.DataLossError,
            match=r"(?s)Checksum does not match.*restore_all|node save/RestoreV2",
        ):
            saver.restore(session, prefix)
        check(session, created, [np.float32(-1)] * COUNT)


def test_shape_mismatch_names_the_assignment(tmp_path, monkeypatch):
    monkeypatch.setattr(deferred_restore, "_MAX_DUPLICATED_BYTES", 0)
    prefix = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        for name, shape in (("a", [2]), ("b", [3])):
            tf.get_variable(name, shape, initializer=tf.zeros_initializer())
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, prefix)
    tf.get_variable("a", [2], initializer=tf.ones_initializer())
    b = tf.get_variable("b", [4], initializer=tf.ones_initializer())
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="lhs shape= .4. rhs shape= .3."):
            saver.restore(session, prefix)
        assert session.run(b).tolist() == [1, 1, 1, 1]
