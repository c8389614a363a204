"""oneDNN's convolutions equal numpy's; who is without the library is told so once."""

import importlib.metadata
import logging

import numpy as np
import pytest

import tfmini as tf
from tests.samples.convolutions import SAMPLES
from tfmini.backend import onednn
from tfmini.backend.windows import convolving
from tfmini.backend.windows.axes import Axis

try:
    importlib.metadata.version("onednn-cpu-gomp")
    INSTALLED = True
except importlib.metadata.PackageNotFoundError:
    INSTALLED = False
needs_library = pytest.mark.skipif(not INSTALLED, reason="the extra onednn is not installed")


@pytest.fixture
def undecided(monkeypatch):
    """As in a process that has not asked for the library yet."""
    monkeypatch.setattr(onednn, "_state", onednn._State())
    monkeypatch.delenv("TFMINI_ONEDNN", raising=False)


@pytest.fixture
def for_all(undecided, monkeypatch):
    """The library computes small and thin images too."""
    for name in ("_LARGE", "_THIN", "_SHALLOW"):
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
        convolving.convolved(np, x, filter, *axes),
        convolving.input_gradient(np, filter, grad, *axes),
        convolving.filter_gradient(np, x, grad, *axes),
    )


@needs_library
@pytest.mark.parametrize("seed", range(8))
def test_equals_numpy(for_all, monkeypatch, seed):
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
        found = all_three(x, filter, grad, axes)
        with monkeypatch.context() as patch:
            patch.setattr(onednn._state, "library", None)
            expected = all_three(x, filter, grad, axes)
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4 * np.abs(other).max())


@needs_library
@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_samples(for_all, sample):
    expected = sample.expect(*sample.inputs) if callable(sample.expect) else sample.expect
    definition = getattr(tf.raw_ops, sample.op)
    names = {
        "Conv2D": ("input", "filter"),
        "Conv2DBackpropInput": ("input_sizes", "filter", "out_backprop"),
        "Conv2DBackpropFilter": ("input", "filter_sizes", "out_backprop"),
    }[sample.op]
    with tf.Session() as session:
        found = session.run(definition(**dict(zip(names, sample.inputs)), **sample.attrs))
    close = sample.tolerance or 1e-5
    largest = np.abs(expected.astype("d")).max(initial=1)
    np.testing.assert_allclose(found, expected, rtol=close, atol=close * largest)


def test_without_it_one_line_says_so(undecided, monkeypatch, caplog):
    monkeypatch.setattr(onednn, "_found", lambda: None)
    monkeypatch.setattr(onednn, "_LARGE", 0)
    x, w = np.ones([1, 5, 5, 4], "f"), np.ones([3, 3, 4, 2], "f")
    y = tf.nn.conv2d(x, w, 1, "VALID")
    logger = logging.getLogger("tensorflow")
    monkeypatch.setattr(logger, "propagate", True)
    with caplog.at_level(logging.INFO, logger="tensorflow"), tf.Session() as session:
        for _ in range(2):
            np.testing.assert_array_equal(session.run(y), np.full([1, 3, 3, 2], 36, "f"))
    lines = [record.getMessage() for record in caplog.records if "onednn" in record.getMessage()]
    assert len(lines) == 1


def test_can_be_turned_off(undecided, monkeypatch):
    monkeypatch.setenv("TFMINI_ONEDNN", "0")
    assert onednn._found() is None


def test_a_library_that_does_not_load_leaves_all_to_numpy(undecided, monkeypatch, tmp_path):
    path = tmp_path / "libdnnl.so.3"
    path.write_bytes(b"not a library")
    monkeypatch.setattr(onednn, "_found", lambda: str(path))
    assert onednn.library() is None


def test_a_forked_process_leaves_all_to_numpy():
    state = onednn._State()
    state.forget()
    assert state.decided and state.library is None
