"""Convolutions by cuDNN on the emulator, compared with explicit sums in all layouts, dtypes and groups."""

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples.convolutions import convolution, for_filter, for_input
from tests.support.fake_cupy.cudnn import Library
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.graph.opdef import raw

pytestmark = pytest.mark.usefixtures("gpu_environment")

RANDOM = np.random.RandomState(4)
CLOSE = {"float16": 2e-2, "float32": 1e-4, "float64": 1e-10}


def images(*shape, dtype="float32"):
    return RANDOM.randn(*shape).astype(dtype)


def run(build, **options):
    """The values of the tensors returned by `build()`, and the emulator's launch counts."""
    with fake_gpus(devices=1, **options) as machine, tf.Graph().as_default(), tf.device("/gpu:0"):
        fetches = build()
        with tf.Session() as session:
            feed = dict(tf.get_collection("given"))
            return session.run(fetches, feed), machine.counters.launch_names


def fed(value):
    """A placeholder fed by `run`, which cannot be constant-folded."""
    result = tf.placeholder(value.dtype, value.shape)
    result.graph.add_to_collection("given", (result, value))
    return result


def first(x):
    """Channels first."""
    return np.moveaxis(x, -1, 1)


def by_cudnn(launches):
    names = ("Forward", "BackwardData", "BackwardFilter")
    return all(launches[f"cudnnConvolution{name}"] for name in names)


PADS = [0, 0, 2, 1, 0, 1, 0, 0]
CASES = {
    "inside": ([1, 1, 1, 1], "VALID", ()),
    "uneven zeros": ([1, 2, 2, 1], "SAME", ()),
    "explicit": ([1, 2, 1, 1], "EXPLICIT", PADS),
}


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("channels_first", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_values(case, channels_first, dtype):
    strides, padding, pads = CASES[case]
    x, w = images(2, 6, 5, 3, dtype=dtype), images(3, 2, 3, 4, dtype=dtype)
    want = convolution(x, w, strides, padding=padding, pads=pads)
    grad = images(*want.shape, dtype=dtype)
    turn = first if channels_first else np.asarray
    attrs = {"strides": strides, "padding": padding, "explicit_paddings": list(pads)}
    if channels_first:
        move = [0, 3, 1, 2]
        attrs["strides"] = [strides[n] for n in move]
        attrs["explicit_paddings"] = [p for n in move for p in pads[2 * n : 2 * n + 2]]
        attrs["data_format"] = "NCHW"

    def build():
        inputs, kernel, backwards = fed(turn(x)), fed(w), fed(turn(grad))
        return [
            raw.Conv2D(inputs, kernel, **attrs),
            raw.Conv2DBackpropInput(inputs.shape.as_list(), kernel, backwards, **attrs),
            raw.Conv2DBackpropFilter(inputs, w.shape, backwards, **attrs),
        ]

    actual, launches = run(build)
    assert by_cudnn(launches)
    close = {"rtol": CLOSE[dtype], "atol": 10 * CLOSE[dtype]}
    expected = [
        turn(want),
        turn(for_input(x.shape, w, grad, strides, padding, pads)),
        for_filter(x, w.shape, grad, strides, padding, pads),
    ]
    for got, value in zip(actual, expected):
        assert got.dtype == dtype
        np.testing.assert_allclose(got, value, **close)


def all_of(x, w, **attrs):
    y = tf.nn.conv2d(x, w, **attrs)
    return [y, *tf.gradients(y, [x, w], 2.0 * y)]


def test_dilated_windows_and_groups():
    """Same as matrix products of windows."""
    values = images(2, 9, 8, 6), images(3, 2, 2, 9)

    def build():
        x, w = map(fed, values)
        return all_of(x, w, strides=1, padding="SAME", dilations=[1, 2, 3, 1])

    actual, launches = run(build)
    assert by_cudnn(launches)
    want, launches = run(build, cudnn=lambda: None)
    assert not any(name.startswith("cudnn") for name in launches)
    for got, value in zip(actual, want):
        np.testing.assert_allclose(got, value, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_depthwise_convolution(data_format):
    x, w = images(2, 6, 5, 3), images(3, 3, 3, 2)
    strides = [1, 2, 2, 1]
    expected = [
        convolution(x[..., n : n + 1], w[:, :, n : n + 1], strides, padding="SAME")
        for n in range(3)
    ]
    grads = [2 * part for part in expected]

    def build():
        turned, steps = (x, strides) if data_format == "NHWC" else (first(x), [1, 1, 2, 2])
        inputs = fed(turned), fed(w)
        y = tf.nn.depthwise_conv2d_native(*inputs, steps, "SAME", data_format)
        return [y, *tf.gradients(y, inputs, 2.0 * y)]

    (y, of_x, of_w), launches = run(build)
    assert by_cudnn(launches)
    turn = first if data_format == "NCHW" else np.asarray
    close = {"rtol": 1e-4, "atol": 1e-4}
    np.testing.assert_allclose(y, turn(np.concatenate(expected, -1)), **close)
    for n, grad in enumerate(grads):
        one, kernel = x[..., n : n + 1], w[:, :, n : n + 1]
        part = for_input(one.shape, kernel, grad, strides, "SAME")
        np.testing.assert_allclose(
            of_x[:, n : n + 1] if data_format == "NCHW" else of_x[..., n : n + 1],
            turn(part),
            **close,
        )
        part = for_filter(one, kernel.shape, grad, strides, "SAME")
        np.testing.assert_allclose(of_w[:, :, n : n + 1], part, **close)


@pytest.mark.parametrize("data_format", ["NDHWC", "NCDHW"])
def test_conv3d(data_format):
    """Same as matrix products of windows."""
    x, w = images(2, 4, 5, 3, 2), images(2, 3, 2, 2, 3)
    turned = x if data_format == "NDHWC" else first(x)
    steps = [1, 2, 1, 1, 1] if data_format == "NDHWC" else [1, 1, 2, 1, 1]

    def build():
        inputs = fed(turned), fed(w)
        y = tf.nn.conv3d(*inputs, strides=steps, padding="SAME", data_format=data_format)
        return [y, *tf.gradients(y, inputs, 2.0 * y)]

    actual, launches = run(build)
    assert by_cudnn(launches)
    want, _ = run(build, cudnn=lambda: None)
    for got, value in zip(actual, want):
        np.testing.assert_allclose(got, value, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("shape", [(0, 4, 4, 2), (1, 4, 4, 0), (1, 0, 4, 2)])
def test_empty_input(shape):
    """Left to a fallback that returns 0 for empty sums."""

    def build():
        x, w = fed(np.zeros(shape, "f")), fed(np.ones([1, 1, shape[3], 3], "f"))
        return raw.Conv2D(x, w, [1, 1, 1, 1], "SAME")

    y, launches = run(build)
    assert y.shape == (*shape[:3], 3) and not y.any()
    assert not any(name.startswith("cudnn") for name in launches)


def ones(**attrs):
    x, w = fed(np.ones([1, 4, 4, 2], "f")), fed(np.ones([2, 2, 2, 3], "f"))
    return raw.Conv2D(x, w, [1, 1, 1, 1], "VALID", **attrs)


def test_node_attribute_disables_cudnn():
    y, launches = run(lambda: ones(use_cudnn_on_gpu=False))
    assert (y == 8).all()
    assert not launches["cudnnConvolutionForward"]


def test_environment_variable_disables_cudnn(monkeypatch):
    monkeypatch.setenv("TFMINI_CUDNN", "0")
    y, launches = run(ones)
    assert (y == 8).all()
    assert not launches["cudnnConvolutionForward"]


def test_old_cudnn_version_is_rejected(caplog):
    y, _ = run(ones, cudnn=lambda: Library(7605))
    assert (y == 8).all()
    assert "GPU:0: convolutions run without cuDNN: cuDNN 7.6.5 is older" in caplog.text
