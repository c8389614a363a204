"""CTC losses and gradients, compared with sums over all paths, and with NumPy for longer examples."""

from itertools import groupby, product

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native.sequences import ctc_loss as native_ctc_loss
from tfmini._src.ops.nn.ctc import ctc_loss


def over_all_paths(logits, target, merge):
    """The loss of an example [time, classes], by enumerating all paths."""
    likely = np.exp(logits - np.log(np.exp(logits).sum(1, keepdims=True)))
    total, blank = 0.0, logits.shape[1] - 1
    for path in product(range(logits.shape[1]), repeat=len(logits)):
        read = [label for label, _ in groupby(path)] if merge else path
        if [label for label in read if label != blank] == target:
            total += np.prod(likely[range(len(logits)), path])
    with np.errstate(divide="ignore"):
        return -np.log(total)


@cases.in_one_test
@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("target", [[0], [0, 1], [1, 1], [0, 1, 0], [0, 0, 0], [1, 0, 1, 0, 1], []])
def test_loss_sums_over_all_alignments(build, merge, target):
    logits = np.random.RandomState(1).randn(5, 1, 3)
    loss, gradient = native_ctc_loss.losses(logits, [target], np.array([5]), merge)
    np.testing.assert_allclose(loss[0], over_all_paths(logits[:, 0], target, merge), rtol=1e-12)
    if not np.isfinite(loss[0]):
        return
    for position in np.ndindex(5, 1, 3):
        near = []
        for step in (1e-5, -1e-5):
            moved = logits.copy()
            moved[position] += step
            near.append(native_ctc_loss.losses(moved, [target], np.array([5]), merge)[0][0])
        np.testing.assert_allclose(
            gradient[position], (near[0] - near[1]) / 2e-5, rtol=1e-5, atol=1e-9
        )


@pytest.mark.parametrize("dtype, rtol", [(np.float32, 2e-4), (np.float64, 1e-10)])
@pytest.mark.parametrize("merge", [True, False])
def test_batches_match_numpy(build, monkeypatch, dtype, rtol, merge):
    monkeypatch.setattr(native_ctc_loss, "_MIN_PARALLEL_STATES", 100)
    rng = np.random.RandomState(2)
    for time, batch, classes in ((1, 1, 2), (7, 3, 2), (30, 5, 17), (64, 9, 33), (100, 4, 300)):
        logits = (rng.randn(time, batch, classes) * 3).astype(dtype)
        lengths = rng.randint(1, time + 1, batch)
        targets = [
            rng.randint(0, classes - 1, rng.randint(1, n // 2 + 2)).tolist() for n in lengths
        ]
        loss, gradient = native_ctc_loss.losses(logits, targets, lengths, merge)
        with np.errstate(all="ignore"):
            expected = ctc_loss._loss_and_gradient(logits, targets, lengths, merge)
        np.testing.assert_allclose(loss, expected[0], rtol=rtol)
        np.testing.assert_allclose(gradient, expected[1], rtol=rtol, atol=rtol)


def test_zero_length_example_has_zero_loss(build):
    logits = np.ones((3, 2, 4), "f")
    loss, gradient = native_ctc_loss.losses(logits, [[0], [1]], np.array([0, 2]), True)
    assert loss[0] == 0 and not gradient[:, 0].any() and not gradient[2].any()
    assert loss[1] > 0 and gradient[:2, 1].any()


def test_lengths_are_clipped_to_time_steps(build):
    logits = np.ones((3, 1, 4), "f")
    actual = native_ctc_loss.losses(logits, [[0]], np.array([2**31]), True)
    expected = native_ctc_loss.losses(logits, [[0]], np.array([3]), True)
    np.testing.assert_array_equal(actual[1], expected[1])


def test_nan_logits_give_nan_loss(build):
    logits = np.zeros((3, 2, 4), "f")
    logits[1, 0, 2] = np.nan
    loss, gradient = native_ctc_loss.losses(logits, [[0], [0]], np.array([3, 3]), True)
    assert np.isnan(loss).tolist() == [True, False]
    assert np.isnan(gradient[:, 0]).any() and not np.isnan(gradient[:, 1]).any()


def test_unsupported_inputs_fall_back_to_numpy(build, use_build):
    logits = np.zeros((4, 2, 4))
    inputs = [[0], [0]], np.array([2, 2]), True
    assert native_ctc_loss.losses(logits.astype("e"), *inputs) is None
    assert native_ctc_loss.losses(logits[::2], *inputs) is None
    use_build("0")
    assert native_ctc_loss.losses(logits, *inputs) is None
