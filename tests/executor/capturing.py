"""Helpers for CUDA graph tests: programs on an emulated GPU, run with and without graphs."""

import contextlib

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.capture import partition

X = np.random.RandomState(0).randn(64, 6).astype("f")
Y = np.random.RandomState(1).randint(0, 3, 64)


@pytest.fixture
def gpus_with_graphs(monkeypatch):
    """A segment of one launch is recorded."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("TFMINI_CUDA_GRAPHS", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    monkeypatch.setattr(partition, "_MIN_LAUNCHES", 1)


@contextlib.contextmanager
def session_on_gpu(**options):
    """A session on an emulated GPU, in a new graph."""
    with fake_gpus(**{"devices": 1, **options}) as machine, tf.Graph().as_default():
        tf.set_random_seed(7)
        with tf.Session() as session:
            yield session, machine


def graphs(machine):
    """The number of launched graphs."""
    return machine.counters.launch_names["graph"]


def compare(monkeypatch, program, replays=1, **options):
    """Runs `program(session)`, which returns arrays, with and without graphs; the results must be bit-identical."""
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    with session_on_gpu(**options) as (session, machine):
        want = program(session)
        assert not graphs(machine)
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "1")
    with session_on_gpu(**options) as (session, machine):
        got = program(session)
        count = graphs(machine)
    assert len(got) == len(want)
    for i, (a, b) in enumerate(zip(got, want)):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes(), i
    assert count >= replays
    return want


def dense(x, size, name="dense"):
    """A layer without activation."""
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        w = tf.get_variable("kernel", [x.shape[1], size])
        return tf.nn.bias_add(tf.matmul(x, w), tf.get_variable("bias", [size]))


def network(rate=None):
    """A small classifier, whose loss depends on `x` [batch, 6] and `y` [batch]."""
    x = tf.placeholder(tf.float32, [None, 6], name="x")
    y = tf.placeholder(tf.int64, [None], name="y")
    w = tf.get_variable("w", [6, 40])
    b = tf.get_variable("b", [40], initializer=tf.zeros_initializer())
    h = tf.nn.relu(tf.matmul(x, w) + b)
    if rate is not None:
        h = tf.nn.dropout(h, rate=rate)
    logits = dense(h, 3)
    return x, y, mean_entropy(logits, y)


def mean_entropy(logits, labels):
    entropies = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(entropies)


def trained(session, x, y, loss, step, sizes=(16,) * 8):
    """The losses of one step per batch size, and the final variables."""
    session.run(tf.global_variables_initializer())
    results = []
    for i, size in enumerate(sizes):
        start = i * 5 % (len(X) - size)
        feed = {x: X[start : start + size], y: Y[start : start + size]}
        results.append(session.run([loss, step], feed)[0])
    return results + session.run(tf.global_variables())


OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "adam": lambda: tf.train.AdamOptimizer(0.01),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.01),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1),
}
