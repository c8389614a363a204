"""Subnormal numbers: flushed to zero in a run, as in TensorFlow 1.15.5 on a CPU, and unaffected after it."""

import sys

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.host import denormals
from tfmini._src.devices.host.denormals import FLUSHES

pytestmark = pytest.mark.skipif(not FLUSHES, reason="this processor is not told to flush")

SMALL = np.full(3, 1e-39, "f")


def keeps_denormals():
    return (SMALL * np.float32(0.5) > 0).all()


@pytest.mark.parametrize(
    "function", [lambda x: x * 2.0, tf.sqrt, tf.tanh, tf.reduce_sum, tf.square]
)
def test_ops_flush_denormal_inputs(session, function):
    x = tf.placeholder(tf.float32, [3])
    assert not np.any(session.run(function(x), {x: SMALL}))
    assert keeps_denormals()


def test_denormal_results_are_flushed(session):
    x = tf.placeholder(tf.float64, [1])
    assert session.run(x * 1e-100, {x: [1e-250]}) == [0.0]
    assert session.run(tf.exp(tf.cast(x, tf.float32)), {x: [-95.0]}) == [0.0]


def test_reshape_preserves_denormals(session):
    x = tf.placeholder(tf.float32, [3])
    assert session.run(tf.reshape(x, [3, 1]), {x: SMALL}).ravel().tolist() == SMALL.tolist()


@pytest.mark.parametrize("beta, end", [(0.5, 1.1754944e-38), (0.9, 1.0829365e-37)])
def test_decayed_moments_flush_like_tensorflow(session, beta, end):
    v, grad = tf.Variable([1.0]), tf.placeholder(tf.float32, [1])
    optimizer = tf.train.AdamOptimizer(beta1=beta, beta2=beta)
    train = optimizer.apply_gradients([(grad, v)])
    session.run(tf.global_variables_initializer())
    session.run(train, {grad: [1.0]})
    for _ in range(1200):
        session.run(train, {grad: [0.0]})
    for name in ("m", "v"):
        assert session.run(optimizer.get_slot(v, name)) == np.array([end], "f")


def test_all_threads_flush(session):
    x = tf.placeholder(tf.float32, [1 << 20])
    assert not session.run(tf.exp(x), {x: np.full(1 << 20, -95.0)}).any()


def test_failed_run_restores_mode(session):
    def fail(x):
        assert not (x * np.float32(0.5)).any()
        raise ValueError("no")

    called = tf.py_func(fail, [SMALL], tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="no"):
        session.run(called)
    assert keeps_denormals()


def test_nested_block_enables_denormals():
    tiny = np.full(1, 1e-39, np.float32)
    with denormals.flush_denormals():
        with denormals.enable_denormals():
            assert (tiny * np.float32(0.5))[0] > 0
        assert (tiny * np.float32(0.5))[0] == 0
    assert (tiny * np.float32(0.5))[0] > 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="another C library")
def test_missing_native_library_uses_libc():
    flush, restore = denormals._c_functions()
    before = flush(1)
    assert not keeps_denormals()
    within = flush(0)
    assert keeps_denormals()
    restore(within)
    assert not keeps_denormals()
    restore(before)
    assert keeps_denormals()
