"""join_pads: gradients of slices that cover an array become their concatenation."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered, with_and_without
from tfmini._src.compiler.passes import join_pads


def check(monkeypatch, fetch, feeds):
    got, expected = with_and_without(
        join_pads, monkeypatch, fetch, feeds, join_pads=lambda program: program
    )
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("axis", [0, 1])
def test_slice_gradients_are_concatenated(monkeypatch, axis):
    x = tf.placeholder(tf.float32, [5, 7])
    cuts = [0, 2, 3, x.shape[axis].value]
    begins = [[first, 0] if axis == 0 else [0, first] for first in cuts[:-1]]
    sizes = [
        [last - first, 7] if axis == 0 else [5, last - first]
        for first, last in zip(cuts[:-1], cuts[1:])
    ]
    slices = [tf.slice(x, begin, size) for begin, size in zip(begins, sizes)]
    loss = sum(n * tf.reduce_sum(tf.sin(each)) for n, each in enumerate(slices[::-1], 1))
    (gradient,) = tf.gradients(loss, x)
    ops = kinds(lowered(gradient, feeds=[x]))
    assert "Pad" not in ops and "AddN" not in ops and "ConcatV2" in ops
    check(monkeypatch, gradient, {x: np.random.RandomState(0).randn(5, 7).astype("f")})


def padded(first, second, paddings, others=()):
    pads = [tf.pad(each, where) for each, where in zip((first, second), paddings)]
    return tf.add_n([*pads, *others])


@pytest.mark.parametrize(
    ("paddings", "rows"),
    [
        ([[[0, 3], [0, 0]], [[2, 1], [0, 0]]], 5),  # one trailing row of zeros
        ([[[0, 2], [0, 0]], [[1, 1], [0, 0]]], 4),  # overlapping
        ([[[0, 2], [0, 0]], [[0, 2], [0, 0]]], 4),
        ([[[1, 1], [0, 0]], [[1, 1], [0, 0]]], 4),
        ([[[0, 2], [0, 0]], [[0, 0], [0, 0]]], 4),
    ],
)
def test_overlapping_or_gapped_pads_are_kept(monkeypatch, paddings, rows):
    first = tf.placeholder(tf.float64, [2, 3])
    second = tf.placeholder(tf.float64, [rows - sum(paddings[1][0]), 3])
    total = padded(first, second, paddings)
    assert "AddN" in kinds(lowered(total, feeds=[first, second]))
    feeds = {each: np.random.RandomState(0).randn(*each.shape) for each in (first, second)}
    check(monkeypatch, total, feeds)


def test_shared_or_dynamic_pads_are_kept(monkeypatch):
    first, second = (tf.placeholder(tf.float64, [2, 3]) for _ in range(2))
    paddings = [[[0, 2], [0, 0]], [[2, 0], [0, 0]]]
    feeds = {each: np.random.RandomState(0).randn(2, 3) for each in (first, second)}
    pads = [tf.pad(each, where) for each, where in zip((first, second), paddings)]
    total = tf.add_n(pads)
    assert "AddN" not in kinds(lowered(total, feeds=[first, second]))
    check(monkeypatch, total, feeds)
    assert "AddN" in kinds(lowered(total, pads[0], feeds=[first, second]))
    check(monkeypatch, [total, pads[0]], feeds)
    with_another = tf.add_n([*pads, tf.ones([4, 3], tf.float64)])
    assert "AddN" in kinds(lowered(with_another, feeds=[first, second]))
    diagonal = padded(first, second, [[[0, 2], [0, 3]], [[2, 0], [3, 0]]])
    assert "AddN" in kinds(lowered(diagonal, feeds=[first, second]))
    check(monkeypatch, diagonal, feeds)
    open_rows = tf.placeholder(tf.float64, [None, 3])
    total = padded(open_rows, second, paddings)
    assert "AddN" in kinds(lowered(total, feeds=[open_rows, second]))
