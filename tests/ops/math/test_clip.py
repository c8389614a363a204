"""Clipping by value and by norm."""

import numpy as np
import pytest

import tfmini as tf


def run(*fetches):
    with tf.Session() as session:
        return session.run(list(fetches))


def test_by_value():
    clipped = tf.clip_by_value([-2.0, 0.5, 3.0], -1.0, 1.0, name="clipped")
    assert clipped.name == "clipped:0"
    assert run(clipped)[0].tolist() == [-1, 0.5, 1]


def test_slices_stay_slices():
    slices = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([7]), tf.constant([9, 2]))
    by_value = tf.clip_by_value(slices, 0.0, 3.5)
    by_norm = tf.clip_by_norm(slices, 1.0)
    (by_global,), norm = tf.clip_by_global_norm([slices], 1.0)
    for clipped in (by_value, by_norm, by_global):
        assert isinstance(clipped, tf.IndexedSlices)
        assert clipped.indices is slices.indices and clipped.dense_shape is slices.dense_shape
    values = run(by_value.values, by_norm.values, by_global.values, norm)
    np.testing.assert_allclose(values[0], [[3, 3.5]])
    np.testing.assert_allclose(values[1], [[0.6, 0.8]], rtol=1e-6)
    np.testing.assert_allclose(values[2], [[0.6, 0.8]], rtol=1e-6)
    assert values[3] == 5


def test_a_small_norm_is_left_alone_and_zero_has_a_gradient():
    x = tf.constant([0.0, 0.0])
    clipped = tf.clip_by_norm(x, 2.0)
    values = run(clipped, tf.gradients(clipped, x)[0], tf.clip_by_norm([0.3, 0.4], 2.0))
    assert values[0].tolist() == [0, 0]
    assert values[1].tolist() == [1, 1]
    np.testing.assert_allclose(values[2], [0.3, 0.4], rtol=1e-6)


def test_global_norm_of_several_and_none():
    clipped, norm = tf.clip_by_global_norm([tf.constant([3.0]), None, tf.constant([[4.0]])], 2.5)
    assert clipped[1] is None
    values = run(clipped[0], clipped[2], norm)
    assert [v.item() for v in values] == pytest.approx([1.5, 2.0, 5.0])


def test_an_infinite_norm_makes_all_nan():
    clipped, norm = tf.clip_by_global_norm([tf.constant([np.inf]), tf.constant([1.0])], 1.0)
    values = run(*clipped, norm)
    assert np.isnan(values[0]).all() and np.isnan(values[1]).all() and np.isinf(values[2])


def test_average_norm():
    clipped = tf.clip_by_average_norm([3.0, 4.0], 0.5)
    np.testing.assert_allclose(run(clipped)[0], [0.6, 0.8], rtol=1e-6)


def test_a_norm_of_doubles_is_a_double():
    (norm,) = run(tf.global_norm([tf.constant([3.0], tf.float64), tf.constant([4.0], tf.float64)]))
    assert norm == 5.0 and norm.dtype == np.float64
