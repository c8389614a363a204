"""Products in kernels: by the GPU's own cuBLAS handle, which can be captured; half precision without copies."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.capturing import (
    compare,
    gpus_with_graphs,  # noqa: F401
    session_on_gpu,
)
from tests.support import fake_cupy
from tfmini._src.devices.cuda import device, products

pytestmark = pytest.mark.usefixtures("gpus_with_graphs")
MODES = []


class Library(fake_cupy.cublas.Library):
    """Records the requested math modes."""

    def cublasSetMathMode(self, handle, mode):
        MODES.append(mode.value)
        return super().cublasSetMathMode(handle, mode)


def lenet():
    """The loss of a training step of two convolutions, a pooling and a dense layer."""
    random = np.random.RandomState(0)
    x = tf.placeholder(tf.float32, [4, 10, 10, 1])
    filters = [
        tf.Variable((random.randn(*shape) / 5).astype("f"))
        for shape in ((3, 3, 1, 8), (3, 3, 8, 16), (400, 3))
    ]
    h = tf.nn.relu(tf.nn.conv2d(x, filters[0], 1, "SAME"))
    h = tf.nn.max_pool2d(h, 2, 2, "SAME")
    h = tf.nn.relu(tf.nn.conv2d(h, filters[1], 1, "SAME"))
    logits = tf.matmul(tf.reshape(h, [4, 400]), filters[2])
    labels = tf.constant([0, 1, 2, 0])
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    return x, loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def trained(session, x, loss, step):
    session.run(tf.global_variables_initializer())
    feed = np.random.RandomState(1).randn(8, 4, 10, 10, 1).astype("f")
    return [session.run([loss, step], {x: part})[0] for part in feed]


def test_convolutions_are_captured(monkeypatch):
    """cupy_backends/cuda/libs/cublas.pyx, setStream: CuPy's own products reject captures."""
    compare(monkeypatch, lambda session: trained(session, *lenet()), replays=4)


def test_lstm_block_cells_are_captured(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [3, 4])
        cell = tf.contrib.rnn.LSTMBlockCell(5)
        state = cell.zero_state(3, tf.float32)
        for _ in range(3):
            y, state = cell(x, state)
        session.run(tf.global_variables_initializer())
        values = np.random.RandomState(0).randn(8, 3, 4).astype("f")
        return [session.run(y, {x: value}) for value in values]

    compare(monkeypatch, program, replays=4)


@pytest.mark.parametrize("leading", [(), (5,)])
def test_float16_matmul_is_one_launch(leading):
    random = np.random.RandomState(0)
    a, b = (random.randn(*leading, *shape).astype("e") for shape in ((4, 3), (4, 6)))
    with session_on_gpu() as (session, machine):
        x, y = tf.placeholder(tf.float16, a.shape), tf.placeholder(tf.float16, b.shape)
        product = tf.matmul(x, y, transpose_a=True)
        session.run(product, {x: a, y: b})
        machine.counters.reset()
        got = session.run(product, {x: a, y: b})
        name = "cublasGemmStridedBatchedEx" if leading else "cublasGemmEx"
        assert machine.counters.launch_names == {name: 1}
    expected = np.swapaxes(a, -1, -2).astype("f") @ b.astype("f")
    np.testing.assert_array_equal(got, expected.astype("e"))


def test_emulator_opens_no_real_cublas(monkeypatch):
    def opened(major):
        raise AssertionError("the real one")

    monkeypatch.setattr(products, "open_cublas", opened)
    monkeypatch.setattr(device, "open_cudnn", opened)
    with session_on_gpu() as (session, machine):
        product = tf.matmul(tf.random_uniform([2, 3]), tf.ones([3, 2]))
        assert session.run(product).shape == (2, 2)
        assert any(name.startswith("cublas") for name in machine.counters.launch_names)


@pytest.mark.parametrize("asked, modes", [("", [16]), ("0", [16]), ("1", [16 | 3])])
def test_tf32_is_opt_in(monkeypatch, asked, modes):
    """3 is CUBLAS_TF32_TENSOR_OP_MATH, off by default as in TensorFlow 1.15; 16 is
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION, without which float16 products may accumulate in float16.
    """
    monkeypatch.setenv("TFMINI_TF32", asked)
    MODES.clear()
    with session_on_gpu(cublas=Library) as (session, _):
        session.run(tf.matmul(tf.random_uniform([2, 2]), tf.ones([2, 2])))
    assert modes == MODES


class Refusing(fake_cupy.cublas.Library):
    """A library that fails to create handles, as if it were newer than the driver."""

    def cublasCreate_v2(self, handle):
        return fake_cupy.cublas.NOT_INITIALIZED


def test_cublas_handle_failure_falls_back_to_cupy(caplog):
    a, b = np.arange(6, dtype="f").reshape(2, 3), np.ones((3, 4), "f")
    with session_on_gpu(cublas=Refusing) as (session, _):
        x, y = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [3, 4])
        product = tf.matmul(x, y)
        for _ in range(2):
            np.testing.assert_array_equal(session.run(product, {x: a, y: b}), a @ b)
    messages = [r.getMessage() for r in caplog.records if "using CuPy" in r.getMessage()]
    text = "using CuPy for matrix products: cublasCreate_v2: not initialized (1)"
    assert messages == [f"GPU:0: {text}"]
