"""oneDNN's pooling, batch normalization and products equal numpy's."""

import numpy as np
import pytest

import tfmini as tf
from tests.devices.host.onednn.conftest import interrupted_by, needs_library
from tests.devices.host.onednn.test_convolution import axis
from tfmini._src.devices.host.onednn import batch_normalization, library, matmul, pooling
from tfmini._src.devices.numpy import blas
from tfmini._src.devices.numpy.windows import pooling as windows


@pytest.fixture
def low_thresholds(undecided, monkeypatch):
    """Lowers the thresholds, so that the library computes small arrays too."""
    monkeypatch.setattr(matmul, "_MIN_MULTIPLICATIONS", 0)
    monkeypatch.setattr(matmul, "_MIN_SIDE", 1)
    for module in (batch_normalization, pooling):
        monkeypatch.setattr(module, "_MIN_ELEMENTS", 0)
    for module in (batch_normalization, pooling, matmul):
        module._prepared.cache_clear()


def both(monkeypatch, compute):
    """The library's result, and numpy's."""
    result = compute()
    with monkeypatch.context() as patch:
        patch.setattr(library._state, "library", None)
        return result, compute()


def assert_same(found, expected):
    for one, other in zip(found, expected):
        assert one.dtype == other.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4 * np.abs(other).max(initial=1))


@needs_library
@pytest.mark.parametrize("seed", range(4))
def test_pooling_matches_numpy(low_thresholds, monkeypatch, seed):
    random = np.random.RandomState(seed)
    for _ in range(5):
        kernel, stride = (random.randint(1, most, 2) for most in (5, 4))
        sizes = [random.randint(k, 12) for k in kernel]
        same = bool(random.randint(2))
        axes = [axis(*map(int, each), 1, same) for each in zip(sizes, kernel, stride)]
        depth = int(random.choice([1, 3, 16, 17]))
        x = random.randint(-3, 3, [2, *sizes, depth]).astype("f")  # with many equal elements
        grad = random.randn(2, *(one.count for one in axes), depth).astype("f")
        assert pooling.max_gradient(x, grad, axes) is not None

        def all_four(x=x, grad=grad, axes=axes):
            return (
                windows.max_pooled(np, x, *axes),
                windows.max_gradient(np, x, grad, *axes),
                windows.average_pooled(np, x, *axes),
                windows.average_gradient(np, grad, *axes),
            )

        assert_same(*both(monkeypatch, all_four))


@needs_library
@pytest.mark.parametrize("odd", [np.nan, -np.inf])
def test_nonfinite_input_falls_back_to_numpy(low_thresholds, odd):
    x = np.ones([1, 4, 4, 2], "f")
    x[0, 1, 1, 0] = odd
    axes = [axis(4, 2, 2, 1, True)] * 2
    assert pooling.max_pooled(x, axes) is None
    assert pooling.max_gradient(x, x[:, :2, :2].copy(), axes) is None


@needs_library
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("channels", [3, 16])
def test_batch_normalization_matches_tensorflow_op(low_thresholds, monkeypatch, training, channels):
    random = np.random.RandomState(channels)
    x = random.randn(3, 5, 4, channels).astype("f") + 2
    vectors = [random.rand(channels).astype("f") + 0.5 for _ in range(4)]
    inputs = vectors[2:] if not training else [None, None]
    y, mean, variance = tf.nn.fused_batch_norm(
        tf.constant(x), *map(tf.constant, vectors[:2]), *inputs, is_training=training
    )
    weights = tf.constant(random.randn(*x.shape).astype("f"))
    grads = tf.gradients(y * weights, list(y.op.inputs[:3]))
    fetches = [y, *([mean, variance] if training else []), *grads]
    assert batch_normalization.normalization(0.1, not training, x) is not None
    with tf.Session() as session:
        assert_same(*both(monkeypatch, lambda: session.run(fetches)))


@needs_library
@pytest.mark.parametrize("turned", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_matmul_matches_numpy(low_thresholds, monkeypatch, turned):
    random = np.random.RandomState(0)
    for rows, inner, columns in ((1, 5, 7), (33, 20, 65), (16, 1, 3)):
        a, b = random.randn(rows, inner).astype("f"), random.randn(inner, columns).astype("f")
        if turned[0]:
            a = np.ascontiguousarray(a.T).T
        if turned[1]:
            b = np.ascontiguousarray(b.T).T
        assert matmul.product(a, b) is not None
        assert_same(*both(monkeypatch, lambda a=a, b=b: [blas.product(a, b)]))
        assert matmul.product(a.astype("d"), b.astype("d")) is None


@needs_library
@pytest.mark.parametrize("what", range(7))
def test_primitives_run_concurrently(low_thresholds, monkeypatch, what):
    x, axes = np.arange(32, dtype="f").reshape(1, 4, 4, 2), [axis(4, 2, 2, 1, True)] * 2
    quarter, one, zero = x[:, :2, :2].copy(), np.ones(2, "f"), np.zeros(2, "f")
    normalize = batch_normalization.normalization(0.0, True, x)
    call = [
        lambda scale: pooling.max_pooled(scale * x, axes),
        lambda scale: pooling.max_gradient(x, scale * quarter, axes),
        lambda scale: pooling.average_pooled(scale * x, axes),
        lambda scale: pooling.average_gradient(scale * quarter, axes),
        lambda scale: normalize.forward(scale * x, one, zero, zero, one),
        lambda scale: normalize.backward(x, scale * x, one, zero, one)[0],
        lambda scale: matmul.product(scale * x[0, 0], np.ones([2, 3], "f")),
    ][what]
    expected = call(np.float32(1))  # the tests above compare it with numpy's
    first, others = interrupted_by(
        monkeypatch, lambda: call(np.float32(1)), lambda: call(np.float32(2))
    )
    np.testing.assert_array_equal(first, expected)
    assert others
    for other in others:
        np.testing.assert_array_equal(other, 2 * expected)
