"""oneDNN's convolutions equal numpy's."""

import concurrent.futures
import ctypes

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples.convolutions import SAMPLES
from tests.devices.host.onednn.conftest import interrupted_by, needs_library
from tfmini._src.devices.host.onednn import convolution as onednn, library, reordered_filters
from tfmini._src.devices.numpy.windows import convolution
from tfmini._src.devices.numpy.windows.axes import Axis


@pytest.fixture
def low_thresholds(undecided, monkeypatch):
    """Lowers the thresholds, so that the library computes small and thin images too."""
    for name in ("_MIN_MULTIPLICATIONS", "_MIN_FORWARD_DEPTH", "_MIN_GRADIENT_DEPTH"):
        monkeypatch.setattr(onednn, name, 0)
    onednn._prepared.cache_clear()


def axis(size, kernel, stride, dilation, same):
    extent = (kernel - 1) * dilation + 1
    if not same:
        return Axis(size, kernel, stride, dilation, 0, 0, (size - extent) // stride + 1)
    count = -(-size // stride)
    missing = max((count - 1) * stride + extent - size, 0)
    return Axis(size, kernel, stride, dilation, missing // 2, missing - missing // 2, count)


def all_three(x, filter, grad, axes):
    return (
        convolution.convolve(np, x, filter, *axes),
        convolution.input_gradient(np, filter, grad, *axes),
        convolution.filter_gradient(np, x, grad, *axes),
    )


@needs_library
@pytest.mark.parametrize("seed", range(8))
def test_convolution_matches_numpy(low_thresholds, monkeypatch, seed):
    random = np.random.RandomState(seed)
    for _ in range(5):
        kernel, stride, dilation = (random.randint(1, most, 2) for most in (6, 4, 3))
        sizes = [random.randint((k - 1) * d + 1, 16) for k, d in zip(kernel, dilation)]
        same = bool(random.randint(2))
        axes = [axis(*map(int, each), same) for each in zip(sizes, kernel, stride, dilation)]
        depth, filters = (int(random.choice([1, 3, 8, 17, 32])) for _ in range(2))
        x = random.randn(2, *sizes, depth).astype("f")
        filter = random.randn(*kernel, depth, filters).astype("f")
        grad = random.randn(2, *(one.count for one in axes), filters).astype("f")
        assert onednn.convolution(x, filter, None, axes, (2, depth, filters)) is not None
        actual = all_three(x, filter, grad, axes)
        with monkeypatch.context() as patch:
            patch.setattr(library._state, "library", None)
            expected = all_three(x, filter, grad, axes)
        for one, other in zip(actual, expected):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4 * np.abs(other).max())


@needs_library
@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_recorded_samples(low_thresholds, sample):
    expected = sample.expect(*sample.inputs) if callable(sample.expect) else sample.expect
    definition = getattr(tf.raw_ops, sample.op)
    names = {
        "Conv2D": ("input", "filter"),
        "Conv2DBackpropInput": ("input_sizes", "filter", "out_backprop"),
        "Conv2DBackpropFilter": ("input", "filter_sizes", "out_backprop"),
    }[sample.op]
    with tf.Session() as session:
        actual = session.run(definition(**dict(zip(names, sample.inputs)), **sample.attrs))
    close = sample.tolerance or 1e-5
    largest = np.abs(expected.astype("d")).max(initial=1)
    np.testing.assert_allclose(actual, expected, rtol=close, atol=close * largest)


@needs_library
@pytest.mark.parametrize("kept", [0, 170_000, 1 << 25])
def test_primitives_are_shared_and_filters_rereordered(low_thresholds, monkeypatch, kept):
    monkeypatch.setattr(reordered_filters, "_CACHE_BYTES", kept)
    monkeypatch.setattr(reordered_filters, "_MIN_UNUSED_LOOKUPS", 0)
    monkeypatch.setattr(reordered_filters, "_cache", reordered_filters._Cache())
    random = np.random.RandomState(0)
    axes = [axis(9, 5, 1, 1, True)] * 2
    x, grad = random.randn(4, 9, 9, 17).astype("f"), random.randn(4, 9, 9, 33).astype("f")
    filter = random.randn(5, 5, 17, 33).astype("f")
    expected = all_three(x, filter, grad, axes)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        for change in (0, 0, 0, 1, 0):  # in an element beyond the first ones
            filter[-1, -1, -1, -1] += change
            if change:
                expected = all_three(x, filter.copy(), grad, axes)
            actual = pool.submit(all_three, x, filter, grad, axes).result()
            for one, other in zip(actual, expected):
                np.testing.assert_array_equal(one, other)
    assert (len(reordered_filters._cache.filters) > 0) == (kept > 0)


@needs_library
def test_thread_count_is_restored_before_new_descriptions(low_thresholds, monkeypatch):
    result = library.library()
    monkeypatch.setattr(library, "thread_count", lambda: 3)
    threads, chosen = [], result.threads
    monkeypatch.setattr(result, "threads", lambda count: (threads.append(count), chosen(count)))
    result.describe_primitive("batch_normalization_forward", *normalization(result), max_threads=1)
    window = axis(8, 3, 1, 1, True)
    onednn._Convolution(result, (window, window), 2, 4, 4)
    assert threads == [1, 3]


def normalization(found):
    images = found.description((2, 4, 8, 8), library.CHANNELS_LAST)
    return library.FORWARD, images, images, ctypes.c_float(0.001), 0


@needs_library
@pytest.mark.parametrize("what", range(3))
def test_primitives_run_concurrently(low_thresholds, monkeypatch, what):
    monkeypatch.setattr(onednn, "thread_count", lambda: 1)
    axes = [axis(4, 2, 2, 1, True)] * 2
    x, filter, grad = (
        np.ones([1, 4, 4, 2], "f"),
        np.ones([2, 2, 2, 3], "f"),
        np.ones([1, 2, 2, 3], "f"),
    )
    primitives = onednn.convolution(x, filter, None, axes, (1, 2, 3))
    call = [
        lambda scale: primitives.forward(scale * x, filter),
        lambda scale: primitives.input_gradient(filter, scale * grad),
        lambda scale: primitives.filter_gradient(scale * x, grad),
    ][what]
    first, others = interrupted_by(
        monkeypatch, lambda: call(np.float32(1)), lambda: call(np.float32(10))
    )
    expected = [
        np.full([1, 2, 2, 3], 8, "f"),
        np.full([1, 4, 4, 2], 3, "f"),
        np.full([2, 2, 2, 3], 4, "f"),
    ][what]
    np.testing.assert_array_equal(first, expected)
    assert others
    for other in others:
        np.testing.assert_array_equal(other, 10 * expected)
