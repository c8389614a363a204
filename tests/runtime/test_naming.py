"""The names in a plan's text, and the constants behind them."""

import numpy as np
import pytest

import tfmini as tf
from tests.gpus import fake_gpus
from tfmini.runtime.naming import Naming
from tfmini.runtime.program import Program


def test_small_constants_are_uploaded_once_for_each_gpu(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    x = np.arange(1000, dtype="f")
    large = np.arange(20, dtype="f")
    with fake_gpus(devices=2) as machine, tf.Graph().as_default():
        made = []
        fed = tf.placeholder(tf.float32, [1000])
        for number in (0, 1):
            with tf.device(f"/gpu:{number}"):
                for _ in range(5):
                    made.append(tf.reduce_sum(tf.reshape(fed, [50, 20]) * large) * 1.5)
                made.append(tf.reduce_sum(fed) * -0.0)
                made.append(tf.reduce_sum(fed) * 0.0)
        with tf.Session() as session:
            session._compile(made, [fed])
            # On each GPU 1.5, 0.0 and -0.0 once, and the larger array for each that reads it.
            assert machine.counters.copies["h2d"] == 2 * (3 + 5)
            got = session.run(made, {fed: x})
    want = (x.reshape(50, 20) * large).sum() * np.float32(1.5)
    for result in (got[:7], got[7:]):
        np.testing.assert_allclose(result[:5], want, rtol=1e-6)
        assert [str(v) for v in result[5:]] == ["-0.0", "0.0"]


def test_each_name_is_of_one_value():
    naming = Naming(Program([], [], (), ()), None)
    values = {}
    for number in range(60):
        stem = ("a", f"a_{number}", "a.b", f"a_{number + 2}")[number % 4]
        value = object()
        values[naming._name(stem, value)] = value
    assert len(values) == 60
    assert all(naming.names[name] is value for name, value in values.items())
    assert all(naming._name(name, value) == name for name, value in values.items())


@pytest.mark.parametrize("further", range(12))
def test_constants_whose_names_look_alike(further):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        made = []
        for number in range(40):
            stem = ("c", f"c_{number}", f"c_{number}_0d", f"c_{number + further}")[number % 4]
            made.append(x * tf.constant([float(number)] * (1 + number % 2), name=stem))
        with tf.Session() as session:
            for number, value in enumerate(session.run(made, {x: 1.0})):
                assert (value == number).all()
