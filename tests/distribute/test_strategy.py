"""Strategies and contexts: context queries of programs, and errors in wrong contexts."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.distribute import numpy_inputs

TWO = tf.ConfigProto(device_count={"CPU": 2})


def mirrored():
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


def test_numpy_dataset_from_variables(monkeypatch):
    monkeypatch.setattr(numpy_inputs, "_CHUNK_BYTES", 24)
    with tf.Graph().as_default(), tf.Session(config=TWO) as session:
        strategy = mirrored()
        rows = {"x": np.arange(8.0).reshape(4, 2), "y": np.arange(4)}
        with strategy.scope():
            dataset = strategy.experimental_make_numpy_dataset(rows, session=session)
            iterator = strategy.experimental_distribute_dataset(
                dataset.batch(4)
            ).make_initializable_iterator()
            element = iterator.get_next()
            session.run(iterator.initialize())
            parts = session.run([part for v in (element["x"], element["y"]) for part in v.values])
    np.testing.assert_array_equal(np.concatenate(parts[:2]), rows["x"])
    np.testing.assert_array_equal(np.concatenate(parts[2:]), rows["y"])


@pytest.mark.full
def test_gpu_gradients_are_summed():
    reduction = tf.distribute.HierarchicalCopyAllReduce(num_packs=0)
    with tf.Graph().as_default(), fake_gpus(devices=2):
        strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"], reduction)
        with strategy.scope():
            w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
            b = tf.get_variable("b", [], initializer=tf.zeros_initializer())

            def train():
                number = tf.distribute.get_replica_context().replica_id_in_sync_group
                loss = tf.reduce_sum(w * tf.cast(number + 1, tf.float32)) + b
                return tf.train.GradientDescentOptimizer(0.5).minimize(loss)

            done = strategy.group(strategy.experimental_run_v2(train))
            start = tf.global_variables_initializer()
        with tf.Session() as session:
            session.run(start)
            session.run(done)
            copies = session.run([v.value() for v in (*w.values, *b.values)])
    for copy, expected in zip(copies, [-0.5, -0.5, -1.0, -1.0]):
        np.testing.assert_allclose(copy, np.full(np.shape(copy), expected))
