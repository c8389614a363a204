"""divide_before_tile: gradients of means are divided before they are repeated."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered, with_and_without
from tfmini._src.compiler.passes import divide_before_tile


def check(monkeypatch, fetches, feeds):
    absent = {"divide_before_tile": lambda program: program}
    got, expected = with_and_without(divide_before_tile, monkeypatch, fetches, feeds, **absent)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_mean_gradient_divides_before_tile(monkeypatch, axis):
    x = tf.placeholder(tf.float32, [3, 5, 7])
    means = tf.reduce_mean(x, axis)
    (gradient,) = tf.gradients(means, x, tf.square(means))
    order = [kind for kind in kinds(lowered(gradient, feeds=[x])) if kind in ("RealDiv", "Tile")]
    assert order == ["RealDiv", "Tile"]
    fed = np.random.RandomState(0).randn(3, 5, 7).astype("f")
    check(monkeypatch, gradient, {x: fed})
    with tf.Session() as session:
        got = session.run(gradient, {x: fed})
    size = fed.shape[axis]
    expected = np.repeat(np.square(fed.astype("d").mean(axis, keepdims=True)) / size, size, axis)
    np.testing.assert_allclose(got, expected, 1e-5)


def test_shared_tile_is_not_moved(monkeypatch):
    x = tf.placeholder(tf.float32, [2, 3])
    tiled = tf.tile(x, [2, 2])
    divided = tiled / tf.constant(3.0)
    assert kinds(lowered(tiled, divided, feeds=[x])).count("Tile") == 1
    fed = np.arange(6, dtype="f").reshape(2, 3)
    check(monkeypatch, [tiled, divided], {x: fed})
    with tf.Session() as session:
        got = session.run([tiled, divided], {x: fed})
    np.testing.assert_array_equal(got, [np.tile(fed, (2, 2)), np.tile(fed, (2, 2)) / np.float32(3)])


def test_division_by_array_is_kept(monkeypatch):
    x, y = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [4, 6])
    check(
        monkeypatch, tf.tile(x, [2, 2]) / y, {x: np.ones((2, 3), "f"), y: np.full((4, 6), 7, "f")}
    )
