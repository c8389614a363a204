"""NumPy convolutions compared with loops over windows: in pieces, on threads, with few and many channels."""

import numpy as np
import pytest

from tests.devices.numpy.windows.loops import Nothing, axis_of, every, images, results, windows_of
from tests.support import cases
from tfmini._src.devices.numpy.windows import convolution, depthwise_conv, dilation
from tfmini._src.devices.numpy.windows.axes import Axis


@pytest.fixture(params=["whole", "pieces", "threads"])
def plain(request, monkeypatch):
    """NumPy only: all images at once, in small pieces, and on threads."""
    for module in (convolution, depthwise_conv):
        monkeypatch.setattr(module, "native", Nothing())
        monkeypatch.setattr(module, "thread_count", lambda: 3)
    monkeypatch.setattr(dilation, "dilation", Nothing())
    if request.param == "threads":
        monkeypatch.setattr(convolution, "_MIN_PARALLEL_MULTIPLICATIONS", 1)
        monkeypatch.setattr(depthwise_conv, "_MIN_PARALLEL_ELEMENTS", 1)
    if request.param != "whole":
        monkeypatch.setattr(convolution, "_CPU_BYTES", 600)
        monkeypatch.setattr(depthwise_conv, "_BLOCK", 16)


def draws(dimensions=2, dilated=True):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        yield rng, [axis_of(rng, dilated) for _ in range(dimensions)]


def convolved(x, filter, axes):
    shape = (len(x), *(axis.count for axis in axes), filter.shape[-1])
    result = np.zeros(shape)
    for window, positions in windows_of(axes):
        for position, at in positions:
            result[every(window)] += x[every(at)] @ filter[position]
    return result


@cases.in_one_test
@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("depth, filters", [(1, 1), (2, 3), (17, 2), (3, 20)])
def test_convolution_and_gradients(plain, dimensions, depth, filters):
    for rng, axes in draws(dimensions):
        x = images(rng, axes, depth, count=3)
        grad = results(rng, axes, filters, count=3)
        shape = (*(axis.kernel for axis in axes), depth, filters)
        filter = rng.integers(-4, 5, shape).astype(float)
        result = convolution.convolve(np, x, filter, *axes)
        np.testing.assert_allclose(result, convolved(x, filter, axes))
        of_filter, of_input = np.zeros(shape), np.zeros(x.shape)
        for window, positions in windows_of(axes):
            for position, at in positions:
                of_filter[position] += x[every(at)].T @ grad[every(window)]
                of_input[every(at)] += grad[every(window)] @ filter[position].T
        np.testing.assert_allclose(convolution.filter_gradient(np, x, grad, *axes), of_filter)
        np.testing.assert_allclose(convolution.input_gradient(np, filter, grad, *axes), of_input)


@pytest.mark.parametrize("multiples", [1, 3])
def test_depthwise_convolution(plain, multiples):
    for rng, axes in draws():
        x, grad = images(rng, axes, 4, count=3), results(rng, axes, 4 * multiples, count=3)
        shape = (*(axis.kernel for axis in axes), 4, multiples)
        filter = rng.integers(-4, 5, shape).astype(float)
        grads = grad.reshape(*grad.shape[:3], 4, multiples)
        expected, of_input, of_filter = np.zeros(grads.shape), np.zeros(x.shape), np.zeros(shape)
        for window, positions in windows_of(axes):
            for position, at in positions:
                expected[every(window)] += x[every(at)][..., None] * filter[position]
                of_input[every(at)] += (grads[every(window)] * filter[position]).sum(-1)
                of_filter[position] += (x[every(at)][..., None] * grads[every(window)]).sum(0)
        actual = depthwise_conv.convolve_depthwise(np, x, filter, *axes)
        np.testing.assert_allclose(actual, expected.reshape(grad.shape))
        np.testing.assert_allclose(depthwise_conv.input_gradient(np, filter, grad, *axes), of_input)
        np.testing.assert_allclose(depthwise_conv.filter_gradient(np, x, grad, *axes), of_filter)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8])
def test_dilation_and_gradients(plain, dtype):
    for rng, axes in draws():
        x = np.abs(images(rng, axes, 2)).astype(dtype)
        shape = (*(axis.kernel for axis in axes), 2)
        filter = rng.integers(0, 5, shape).astype(dtype)
        grad = results(rng, axes, 2)
        result = dilation.dilate(np, x, filter, *axes)
        of_input = dilation.input_gradient(np, x, filter, grad, *axes)
        of_filter = dilation.filter_gradient(np, x, filter, grad, *axes)
        assert result.dtype == dtype
        kind = np.iinfo if x.dtype.kind in "iu" else np.finfo
        wanted_input, wanted_filter = np.zeros(x.shape), np.zeros(shape)
        lost = False
        for window, positions in windows_of(axes):
            if not positions:
                assert (result[every(window)] == kind(dtype).min).all()
                lost = True
                continue
            sums = np.array([x[every(at)] + filter[position] for position, at in positions])
            np.testing.assert_array_equal(result[every(window)], sums.max(0))
            chosen = sums.argmax(0)
            if (sums.max(0) == kind(dtype).min).any():  # nothing exceeds the minimum
                lost = True
            for i, (position, at) in enumerate(positions):
                share = np.where(chosen == i, grad[every(window)], 0)
                wanted_input[every(at)] += share
                wanted_filter[position] += share.sum(0)
        if not lost:
            np.testing.assert_allclose(of_input, wanted_input)
            np.testing.assert_allclose(of_filter, wanted_filter)


def test_nan_windows_select_first_element(plain):
    """As in TensorFlow: nothing exceeds the lowest number, and the gradient goes to the window's first element."""
    rows = columns = Axis(3, 2, 1, 1, 1, 0, 3)
    x, filter = np.full((1, 3, 3, 1), np.nan), np.zeros((2, 2, 1))
    grad = np.arange(1.0, 10.0).reshape(1, 3, 3, 1)
    result = dilation.dilate(np, x, filter, rows, columns)
    assert (result == np.finfo(float).min).all()
    of_input = dilation.input_gradient(np, x, filter, grad, rows, columns)
    assert of_input[0, ..., 0].tolist() == [[12.0, 9.0, 0.0], [15.0, 9.0, 0.0], [0.0, 0.0, 0.0]]
    of_filter = dilation.filter_gradient(np, x, filter, grad, rows, columns)
    assert of_filter[..., 0].tolist() == [[45.0, 0.0], [0.0, 0.0]]


def test_empty_batch(plain):
    for rng, axes in draws():
        kernel = [axis.kernel for axis in axes]
        x, grad = images(rng, axes, 2, count=0), results(rng, axes, 3, count=0)
        filter = np.ones((*kernel, 2, 3))
        assert convolution.convolve(np, x, filter, *axes).shape == grad.shape
        assert convolution.input_gradient(np, filter, grad, *axes).shape == x.shape
        of_filter = convolution.filter_gradient(np, x, grad, *axes)
        assert of_filter.shape == filter.shape and not of_filter.any()
        flat = images(rng, axes, 0)
        result = convolution.convolve(np, flat, np.ones((*kernel, 0, 3)), *axes)
        assert result.shape[-1] == 3 and not result.any()
        assert depthwise_conv.filter_gradient(
            np, x, results(rng, axes, 2, count=0), *axes
        ).shape == (
            *kernel,
            *(2, 1),
        )
