"""Dilation and its gradients against NumPy: strides, rates, padding, ties, NaN, infinities, threads."""

import numpy as np
import pytest

from tests.devices.host.native.drawn_axes import axis_of
from tfmini._src.devices.host.native import dilation as dilations
from tfmini._src.devices.numpy.windows import dilation as morphology
from tfmini._src.devices.numpy.windows.axes import Axis


def draws():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        axes = axis_of(rng, 4), axis_of(rng, 4)
        dtype = rng.choice([np.float32, np.float64])
        batch, depth = int(rng.integers(1, 5)), int(rng.choice([1, 3, 16, 37]))
        x = rng.integers(-3, 4, (batch, *(axis.size for axis in axes), depth)).astype(dtype)
        x[rng.random(x.shape) < 0.2] = rng.choice([np.nan, np.inf, -np.inf, -0.0, 1e-40])
        filter = rng.integers(-2, 3, (*(axis.kernel for axis in axes), depth)).astype(dtype)
        grad = rng.standard_normal((batch, *(axis.count for axis in axes), depth)).astype(dtype)
        yield axes, x, filter, grad


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
def test_dilation_and_gradients_match_numpy(build, use_build, monkeypatch, threads):
    monkeypatch.setattr(dilations, "thread_count", lambda: threads)
    monkeypatch.setattr(dilations, "_MIN_PARALLEL_SUMS", 1)
    found = []
    for name in (build, "0"):
        use_build(name)
        results = []
        for axes, x, filter, grad in draws():
            results.append(morphology.dilate(np, x, filter, *axes))
            results.append(morphology.input_gradient(np, x, filter, grad, *axes))
            results.append(morphology.filter_gradient(np, x, filter, grad, *axes))
        found.append(results)
    for position, (actual, expected) in enumerate(zip(*found)):
        assert actual.dtype == expected.dtype
        near = {"rtol": 0, "atol": 0 if position % 3 == 0 else 2e-5}
        np.testing.assert_allclose(actual, expected, **near)


def test_unsupported_inputs_fall_back_to_numpy(build, use_build):
    axes = (Axis(6, 2, 2, 1, 0, 0, 3),) * 2
    x, filter = np.ones((2, 6, 6, 4), "f"), np.ones((2, 2, 4), "f")
    assert dilations.dilate(x, filter, *axes).shape == (2, 3, 3, 4)
    assert dilations.dilate(x[..., ::2], filter[..., ::2], *axes) is None
    assert dilations.dilate(x.astype(np.float16), filter.astype(np.float16), *axes) is None
    assert dilations.dilate(x.astype(int), filter.astype(int), *axes) is None
    assert dilations.dilate(x[:0], filter, *axes) is None
    assert dilations.input_gradient(x, filter, np.ones((2, 3, 3, 4)), *axes) is None
    assert dilations.filter_gradient(x, filter, np.ones((0, 3, 3, 4), "f"), *axes) is None
    use_build("0")
    assert dilations.dilate(x, filter, *axes) is None


def test_erosion_reverses_filter(build):
    axes = Axis(9, 3, 1, 1, 0, 0, 7), Axis(8, 3, 1, 1, 0, 0, 6)
    x, filter = np.random.randn(2, 9, 8, 5).astype("f"), np.random.randn(3, 3, 5).astype("f")
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))
    expected = (windows + np.moveaxis(filter[::-1, ::-1], 2, 0)[:, ::1]).max((4, 5))
    assert (dilations.dilate(x, filter[::-1, ::-1], *axes) == expected).all()
