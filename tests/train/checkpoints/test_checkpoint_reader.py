"""Readers of old checkpoints."""

from pathlib import Path

import numpy as np

import tfmini as tf
from tfmini._src.ops.files import deferred_restore


def check(session, made, expected):
    for variable, value in zip(made, expected):
        np.testing.assert_array_equal(session.run(variable), value)


def test_old_checkpoint_is_readable(monkeypatch):
    monkeypatch.setattr(deferred_restore, "_MAX_DUPLICATED_BYTES", 0)
    path = str(Path(__file__).parents[2] / "golden" / "checkpoints" / "old")
    reader = tf.train.NewCheckpointReader(path)
    shapes = reader.get_variable_to_shape_map()
    kinds = reader.get_variable_to_dtype_map()
    names = [n for n in sorted(shapes) if kinds[n] != tf.string][:4]
    created = [
        tf.get_variable(n, shapes[n], kinds[n], initializer=tf.zeros_initializer()) for n in names
    ]
    saver = tf.train.Saver(created)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saver.restore(session, path)
        check(session, created, [reader.get_tensor(n) for n in names])
