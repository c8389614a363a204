"""Depthwise convolution and its gradients against NumPy: strides, padding, NaN, infinities, threads."""

import numpy as np
import pytest

from tests.devices.host.native.drawn_axes import axis_of
from tfmini._src.devices.host.native import depthwise_conv as native
from tfmini._src.devices.numpy.windows import depthwise_conv
from tfmini._src.devices.numpy.windows.axes import Axis


def draws():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        axes = axis_of(rng, 3), axis_of(rng, 3)
        dtype = rng.choice([np.float32, np.float64])
        batch, depth, multiples = (int(rng.choice(n)) for n in ([1, 3], [1, 3, 16, 75], [1, 1, 2]))
        x = rng.standard_normal((batch, *(axis.size for axis in axes), depth)).astype(dtype)
        filter = rng.standard_normal((*(axis.kernel for axis in axes), depth, multiples))
        shape = (batch, *(axis.count for axis in axes), depth * multiples)
        grad = rng.standard_normal(shape).astype(dtype)
        for array in (x, grad)[seed % 3 :]:
            array[rng.random(array.shape) < 0.03] = rng.choice([np.nan, np.inf, -0.0, 1e-40])
        yield axes, x, filter.astype(dtype), grad


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
def test_convolution_and_gradients_match_numpy(build, use_build, monkeypatch, threads):
    monkeypatch.setattr(native, "thread_count", lambda: threads)
    monkeypatch.setattr(native, "_MIN_PARALLEL_PRODUCTS", 1)
    found = []
    for name in (build, "0"):
        use_build(name)
        results = []
        for axes, x, filter, grad in draws():
            results.append(depthwise_conv.convolve_depthwise(np, x, filter, *axes))
            results.append(depthwise_conv.input_gradient(np, filter, grad, *axes))
            results.append(depthwise_conv.filter_gradient(np, x, grad, *axes))
        found.append(results)
    for actual, expected in zip(*found):
        assert actual.dtype == expected.dtype
        near = 1e-5 if actual.dtype == np.float32 else 1e-13
        np.testing.assert_allclose(actual, expected, rtol=near, atol=20 * near)


def test_results_are_bitwise_equal_to_numpy(build, use_build):
    rng = np.random.default_rng(0)
    axis = Axis(9, 3, 2, 1, 1, 1, 5)
    x, filter = rng.random((2, 9, 9, 37)).astype("f"), rng.random((3, 3, 37, 1)).astype("f")
    grad = rng.random((2, 5, 5, 37)).astype("f")
    results = []
    for name in (build, "0"):
        use_build(name)
        forward = depthwise_conv.convolve_depthwise(np, x, filter, axis, axis)
        results.append((forward, depthwise_conv.input_gradient(np, filter, grad, axis, axis)))
    for actual, expected in zip(*results):
        np.testing.assert_array_equal(actual, expected)


def test_unsupported_inputs_fall_back_to_numpy(build, use_build):
    axes = (Axis(6, 2, 2, 1, 0, 0, 3),) * 2
    x, filter = np.ones((2, 6, 6, 4), "f"), np.ones((2, 2, 4, 1), "f")
    assert native.convolve_depthwise(x, filter, *axes).shape == (2, 3, 3, 4)
    assert native.convolve_depthwise(x[..., ::2], filter[:, :, ::2], *axes) is None
    assert native.convolve_depthwise(x.astype("d"), filter, *axes) is None
    assert native.convolve_depthwise(x[:0], filter, *axes) is None
    assert native.input_gradient(filter, np.ones((0, 3, 3, 4), "f"), *axes) is None
    assert native.filter_gradient(x, np.ones((2, 3, 3, 4)), *axes) is None
    use_build("0")
    assert native.convolve_depthwise(x, filter, *axes) is None
