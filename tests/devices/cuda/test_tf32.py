"""The log line about TF32: once per process, at the first float32 product or convolution that could use it."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus

LINE = (
    "I tfmini] Products and convolutions of float32 are computed in full precision. TFMINI_TF32=1 lets tensor cores "
    "compute them in TF32: faster, with 10 bits of mantissa in place of 23. TFMINI_TF32=0 hides this line."
)


@pytest.fixture(autouse=True)
def environment(monkeypatch, gpu_environment):
    monkeypatch.delenv("TFMINI_TF32", raising=False)


def product(dtype):
    x = tf.placeholder(dtype, [2, 2])
    return tf.matmul(x, x), {x: np.ones((2, 2))}


def product_with_bias(dtype):
    y, feed = product(dtype)
    return tf.nn.relu(tf.nn.bias_add(y, tf.ones([2], dtype))), feed


def convolution(dtype):
    x = tf.placeholder(dtype, [1, 3, 3, 1])
    y = tf.nn.conv2d(x, tf.ones([2, 2, 1, 1], dtype), strides=1, padding="VALID")
    return y, {x: np.ones((1, 3, 3, 1))}


def logged_hints(capfd, *programs, **options):
    """The programs' log lines, except for the device's."""
    capfd.readouterr()
    with fake_gpus(devices=1, **options):
        for program, dtype in programs:
            with tf.Graph().as_default(), tf.device("/gpu:0"):
                y, feed = program(dtype)
                with tf.Session() as session:
                    for _ in range(2):
                        session.run(y, feed)
    lines = capfd.readouterr().err.splitlines()
    return [line.partition(": ")[2] for line in lines if "Created TensorFlow device" not in line]


@pytest.mark.parametrize("program", [product, product_with_bias, convolution])
def test_tf32_hint_is_logged_once(capfd, program):
    assert logged_hints(capfd, (program, tf.float32), (product, tf.float32)) == [LINE]


@pytest.mark.parametrize("dtype", [tf.float16, tf.float64])
@pytest.mark.parametrize("program", [product, product_with_bias, convolution])
def test_other_dtypes_log_no_hint(capfd, program, dtype):
    assert logged_hints(capfd, (program, dtype)) == []


@pytest.mark.parametrize("capability, count", [("75", 0), ("80", 1), ("120", 1)])
def test_only_tf32_capable_gpus_log_hint(capfd, capability, count):
    assert len(logged_hints(capfd, (product, tf.float32), compute_capability=capability)) == count


@pytest.mark.parametrize("asked", ["0", "1"])
def test_explicit_setting_suppresses_hint(capfd, monkeypatch, asked):
    monkeypatch.setenv("TFMINI_TF32", asked)
    assert logged_hints(capfd, (product, tf.float32), (convolution, tf.float32)) == []
