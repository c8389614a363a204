"""Convolution and its gradients against NumPy: ragged sizes, strides, padding, NaN, infinities, threads."""

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native import convolution as native
from tfmini._src.devices.host.native.convolution import Epilogue
from tfmini._src.devices.numpy.windows import convolution
from tfmini._src.devices.numpy.windows.axes import Axis

# Around the widths of vectors and tiles, and more than are processed at a time.
DEPTHS = (1, 3, 4, 7, 8, 9, 16, 17, 33)
FILTERS = (1, 2, 15, 16, 17, 31, 32, 33, 70)


def axis_of(rng, most):
    size, kernel = (int(n) for n in rng.integers(1, (most, 5)))
    stride, dilation = [(1, 1), (1, 1), (1, 2), (2, 1), (3, 1), (2, 2)][rng.integers(6)]
    reach = (kernel - 1) * dilation + 1
    before, behind = (int(n) for n in rng.integers(0, reach + 1, 2))
    count = (before + size + behind - reach) // stride + 1
    if count < 1:
        return axis_of(rng, most)
    return Axis(size, kernel, stride, dilation, before, behind, count)


def draw(seed):
    rng = np.random.default_rng(seed)
    rank = int(rng.choice([1, 2, 2, 3]))
    axes = [axis_of(rng, (60, 20, 8)[rank - 1]) for _ in range(rank)]
    batch, depth, filters = (int(rng.choice(n)) for n in ([1, 2, 5], DEPTHS, FILTERS))
    x = rng.standard_normal((batch, *(axis.size for axis in axes), depth)).astype("f")
    filter = rng.standard_normal((*(axis.kernel for axis in axes), depth, filters)).astype("f")
    shape = (batch, *(axis.count for axis in axes), filters)
    grad = rng.standard_normal(shape).astype("f")
    return axes, x, filter, grad


def three(axes, x, filter, grad):
    return [
        convolution.convolve(np, x, filter, *axes),
        convolution.input_gradient(np, filter, grad, *axes),
        convolution.filter_gradient(np, x, grad, *axes),
    ]


@pytest.fixture
def on_threads(monkeypatch):
    def use(threads):
        monkeypatch.setattr(native, "thread_count", lambda: threads)

    monkeypatch.setattr(native, "_MIN_PARALLEL_MULTIPLICATIONS", 1)
    monkeypatch.setattr(convolution, "convolution", lambda *given: None)  # oneDNN
    native._prepare_sizes.cache_clear()
    yield use
    native._prepare_sizes.cache_clear()


@pytest.mark.parametrize("seed", range(60))
def test_convolution_and_gradients_match_numpy(build, use_build, on_threads, seed):
    axes, x, filter, grad = draw(seed)
    on_threads(1)
    alone = three(axes, x, filter, grad)
    on_threads(3)
    together = three(axes, x, filter, grad)
    use_build("0")
    for actual, same, expected in zip(alone, together, three(axes, x, filter, grad)):
        np.testing.assert_array_equal(actual, same)
        assert actual.dtype == np.float32
        near = 2e-6 * np.sqrt(x.size + filter.size)
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=near)


def test_input_exceeds_one_block(build, use_build, on_threads):
    rng = np.random.default_rng(0)
    axis = Axis(40, 3, 1, 1, 1, 1, 40)
    x, grad = rng.random((2, 40, 40, 100)).astype("f"), rng.random((2, 40, 40, 40)).astype("f")
    filter = rng.random((3, 3, 100, 40)).astype("f")
    on_threads(1)
    alone = three([axis, axis], x, filter, grad)
    on_threads(5)
    together = three([axis, axis], x, filter, grad)
    use_build("0")
    wide = [array.astype("d") for array in (x, filter, grad)]
    for actual, same, exact in zip(alone, together, three([axis, axis], *wide)):
        np.testing.assert_array_equal(actual, same)
        np.testing.assert_allclose(actual, exact, rtol=3e-6)


# Rows and columns of the filter, batch, (size, padding before, padding behind) of both axes, depth, filters: sizes that
# Winograd's filtering takes, with half tiles, windows that lie outside in part, more tiles than it holds at a time.
FILTERED = [
    (3, 1, (13, 1, 1), (12, 1, 1), 16, 32),
    (3, 2, (9, 0, 0), (18, 0, 0), 48, 16),
    (3, 2, (31, 1, 1), (33, 0, 1), 64, 128),
    (5, 3, (8, 2, 2), (7, 3, 1), 48, 80),
    (5, 2, (21, 0, 0), (12, 2, 1), 112, 32),
]


@pytest.mark.parametrize("taps, batch, rows, columns, depth, filters", FILTERED)
def test_winograd_filtering(
    build, use_build, on_threads, taps, batch, rows, columns, depth, filters
):
    rng = np.random.default_rng(filters)
    axes = [
        Axis(n, taps, 1, 1, low, high, n + low + high - taps + 1)
        for n, low, high in (rows, columns)
    ]
    x = rng.standard_normal((batch, rows[0], columns[0], depth)).astype("f")
    filter = rng.standard_normal((taps, taps, depth, filters)).astype("f")
    grad = rng.standard_normal((batch, *(axis.count for axis in axes), filters)).astype("f")
    bias = rng.standard_normal(filters).astype("f")
    epilogues = Epilogue(bias, rectifies=True), Epilogue(features=x)
    x[0, :6], grad[0, :, :5] = 0, 0
    ruined = x.copy()
    ruined[-1, -1, -1, 0] = np.nan
    on_threads(1)
    alone = three(axes, x, filter, grad)
    on_threads(3)
    together = three(axes, x, filter, grad)
    rectified = native.convolve(x, filter, axes, epilogues[0])
    kept = native.input_gradient(filter, grad, axes, epilogues[1])
    has_nan = np.isnan(native.convolve(ruined, filter, axes))
    use_build("0")
    np.testing.assert_array_equal(
        has_nan, np.isnan(convolution.convolve(np, ruined, filter, *axes))
    )
    wide = three(axes, *(array.astype("d") for array in (x, filter, grad)))
    for actual, same, exact in zip(alone, together, wide):
        np.testing.assert_array_equal(actual, same)
        np.testing.assert_allclose(actual, exact, rtol=0, atol=6e-6 * np.nanmax(abs(exact)))
    np.testing.assert_array_equal(rectified, np.maximum(alone[0] + bias, 0))
    np.testing.assert_array_equal(kept, alone[1] * (x > 0))
    # Exactly zero inside the window.
    np.testing.assert_array_equal(alone[0] == 0, wide[0] == 0)
    np.testing.assert_array_equal(alone[1] == 0, wide[1] == 0)


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("depth", [256, 512])
def test_strides_that_alias_cache_lines(build, on_threads, depth, stride):
    rng = np.random.default_rng(depth)
    axes = [Axis(5, 3, stride, 1, 1, 1, 5 if stride == 1 else 3)] * 2
    x = rng.random((2, 5, 5, depth)).astype("f")
    filter = rng.random((3, 3, depth, 19)).astype("f")
    on_threads(2)
    result = native.convolve(x, filter, axes)
    padded = np.pad(x.astype("d"), ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
    exact = np.einsum("nyxcij,ijcf->nyxf", windows[:, ::stride, ::stride], filter.astype("d"))
    np.testing.assert_allclose(result, exact, rtol=3e-6)


@np.errstate(all="ignore")
@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_nonfinite_values_propagate_like_numpy(build, use_build, on_threads, special):
    on_threads(3)
    for seed in range(20):
        axes, x, filter, grad = draw(seed)
        rng = np.random.default_rng(seed)
        for array in (x, grad):
            array[rng.random(array.shape) < 0.01] = special
        ruined = np.where(rng.random(filter.shape) < 0.01, np.float32(special), filter)
        use_build(build)
        result = [*three(axes, x, filter, grad), convolution.convolve(np, x, ruined, *axes)]
        use_build("0")
        expected = [*three(axes, x, filter, grad), convolution.convolve(np, x, ruined, *axes)]
        for actual, wanted_one in zip(result, expected):
            np.testing.assert_array_equal(np.isfinite(actual), np.isfinite(wanted_one))


@pytest.mark.parametrize("filters", [1, 5, 15, 16, 17, 33])
def test_fused_bias_and_relu(build, on_threads, filters):
    rng = np.random.default_rng(1)
    axes = (Axis(9, 3, 2, 1, 1, 1, 5),) * 2
    x, bias = rng.standard_normal((2, 9, 9, 137)).astype("f"), rng.standard_normal(filters)
    filter, bias = rng.standard_normal((3, 3, 137, filters)).astype("f"), bias.astype("f")
    on_threads(3)
    plain = native.convolve(x, filter, axes)
    np.testing.assert_array_equal(native.convolve(x, filter, axes, Epilogue(bias)), plain + bias)
    result = native.convolve(x, filter, axes, Epilogue(bias, rectifies=True))
    np.testing.assert_array_equal(result, np.maximum(plain + bias, 0))
    assert native.convolve(x, filter, axes, Epilogue(np.ones(filters + 1, "f"))) is None
    assert native.convolve(x, filter, axes, Epilogue(bias[:, None])) is None
    x[0, 0, 0, 0] = np.nan
    assert np.isnan(native.convolve(x, filter, axes, Epilogue(bias, True))[0, 0, 0]).all()


@cases.in_one_test
@np.errstate(all="ignore")
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("depth", [1, 3, 4, 15, 16, 17, 33])
def test_fused_input_gradient_epilogue(build, on_threads, depth, stride):
    rng = np.random.default_rng(depth)
    count = -(-9 // stride)
    axes = (Axis(9, 2, stride, 1, 0, 2, count),) * 2  # some elements are in no window
    filter = rng.standard_normal((2, 2, depth, 70)).astype("f")
    grad = rng.standard_normal((2, count, count, 70)).astype("f")
    features = rng.standard_normal((2, 9, 9, depth)).astype("f")
    features[rng.random(features.shape) < 0.1] = np.nan
    grad[0, 0, 0, 0], features[0, 0, 0] = np.inf, -1
    bias = rng.standard_normal(depth).astype("f")
    on_threads(3)
    plain = native.input_gradient(filter, grad, axes)
    kept = native.input_gradient(filter, grad, axes, Epilogue(features=features))
    np.testing.assert_array_equal(kept, plain * (features > 0))
    added = native.input_gradient(filter, grad, axes, Epilogue(bias, rectifies=True))
    np.testing.assert_array_equal(added, np.maximum(plain + bias, 0))
    assert native.input_gradient(filter, grad, axes, Epilogue(features=features[1:])) is None
