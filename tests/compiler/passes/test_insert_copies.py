"""Steps that pass values back and forth between the host and GPUs."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("gpus")


@pytest.mark.parametrize("size", [3, 50_000])
def test_host_nodes_copy_gpu_results(size):
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/gpu:0"):
        doubled = x + x
    with tf.device("/cpu:0"):
        result = tf.tanh(doubled * 0.5 + 1.0) - doubled
    fed = np.linspace(-1, 1, size, dtype="f")
    with tf.Session() as session:
        got = session.run(result, {x: fed})
    np.testing.assert_allclose(got, np.tanh(fed + 1) - 2 * fed, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("size", [3, 50_000])
def test_fetched_value_is_fed_again(gpus, size):
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/gpu:0"):
        v = tf.Variable(tf.zeros([size]))
        doubled, kept = x + x, v.assign(x)
    with tf.Session() as session:
        fetched = session.run(doubled, {x: np.ones(size)})
        session.run(kept.op, {x: fetched})
        fetched[:] = -1  # the copy to the GPU may still be in progress
        part = session.run(doubled, {x: np.ones(size)})[:2]
        session.run(doubled.op, {x: part})
        part[:] = -1
        assert (session.run(v) == 2).all()


def test_round_trip_through_host(gpus):
    with tf.device("/gpu:0"):
        x = tf.random_uniform([16], seed=1)
    passed = tf.py_func(lambda value: value, [x], tf.float32)
    with tf.device("/gpu:1"):
        y = passed + 1.0
    with tf.Session() as session:
        for _ in range(3):
            there, back = session.run([x, y])
            assert (there + 1 == back).all()


def test_predicate_of_host_and_gpu_values_stays_on_gpu(gpus):
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [4])
    predicate = tf.logical_and(n > 1, tf.reduce_all(x > 0.0))
    result = tf.cast(predicate, tf.float32) * x
    with tf.Session() as session:
        assert session.run(result, {n: 3, x: np.ones(4)}).tolist() == [1.0] * 4
    assert gpus.counters.copies["d2h"] == 1
