"""Random ops as graph nodes: their streams, and when these advance."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.numpy import random_distributions
from tfmini._src.devices.numpy.philox import Words
from tfmini._src.ops.random.op_stream import OpStream


def test_sessions_restart_streams():
    x = tf.random_uniform([3], seed=1)
    with tf.Session() as first, tf.Session() as second:
        runs = [first.run(x), first.run(x), second.run(x), second.run(x)]
    np.testing.assert_array_equal(runs[0], runs[2])
    np.testing.assert_array_equal(runs[1], runs[3])
    assert not np.array_equal(runs[0], runs[1])


def test_equal_seeds_draw_equal_but_independent_streams():
    x, y = tf.random_normal([2], seed=5), tf.random_normal([2], seed=5)
    with tf.Session() as session:
        first = session.run(x)
        second = session.run(x)
        np.testing.assert_array_equal(session.run(y), first)
        both = session.run([x, y])
    np.testing.assert_array_equal(both[1], second)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: tf.random_uniform([4]),
        lambda: tf.random_shuffle(tf.range(50)),
        lambda: tf.multinomial([[0.0] * 50], 8),
        lambda: tf.random_gamma([4], 2.0),
        lambda: tf.random_poisson(100.0, [4]),
    ],
)
def test_unseeded_sessions_differ(draw):
    x = draw()
    assert x.op.graph.seed is None
    with tf.Session() as first, tf.Session() as second:
        assert not np.array_equal(first.run(x), second.run(x))


def test_threads_draw_disjoint_numbers():
    stream, starts = OpStream(1, 2), []

    def work():
        for _ in range(500):
            starts.append(stream.reserve(7).offset)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(starts) == list(range(0, 7 * len(starts), 7))


def test_shuffle_keeps_rows_whole():
    rows = np.arange(60).reshape(20, 3)
    with tf.Session() as session:
        shuffled = session.run(tf.random_shuffle(rows, seed=3))
        assert session.run(tf.random_shuffle([b"one"], seed=3)).tolist() == [b"one"]
        assert session.run(tf.random_shuffle(2.0, seed=3)) == 2.0
        words = session.run(tf.random_shuffle([b"a", b"b", b"c"], seed=1))
    np.testing.assert_array_equal(shuffled[np.argsort(shuffled[:, 0])], rows)
    assert sorted(words) == [b"a", b"b", b"c"]


def test_shuffle_does_not_alias_its_input():
    variable = tf.Variable([[1.0, 2.0]])
    shuffled = tf.random_shuffle(variable, seed=1)
    with tf.Session() as session:
        session.run(variable.initializer)
        session.run(shuffled)[0, 0] = 99
        assert session.run(variable).tolist() == [[1.0, 2.0]]


def test_crops_are_contiguous():
    image = np.arange(7 * 5).reshape(7, 5)
    crop = tf.random_crop(image, [3, 5], seed=2)
    with tf.Session() as session:
        for _ in range(20):
            result = session.run(crop)
            top = int(result[0, 0]) // 5
            np.testing.assert_array_equal(result, image[top : top + 3])


def test_empty_shapes_draw_nothing():
    empty = tf.random_uniform([0, 3], seed=1)
    with tf.Session() as session:
        assert session.run(empty).shape == (0, 3)
        assert session.run(tf.random_gamma([2], np.zeros((0, 2), "f"))).shape == (2, 0, 2)
        assert session.run(tf.multinomial(np.zeros((0, 3), "f"), 2)).shape == (0, 2)


def test_draws_do_not_depend_on_block_size(monkeypatch):
    drawn = tf.random_normal([300_000], seed=1)
    with tf.Session() as session:
        whole = session.run(drawn)
    monkeypatch.setattr(random_distributions, "_BLOCKS", 64)
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(drawn), whole)


def test_normals_of_smallest_uniform_numbers():
    """Box-Muller: sqrt(-2 log u), with u no less than 1e-7, at a quarter of a turn."""
    parts = np.array([0, 1 << 26, 1 << 40, 1 << 51], np.uint64)  # of 2 ** 52: u
    quarter = np.full(4, 1 << 50, np.uint64)
    units = np.concatenate([parts, quarter])
    words = Words(units >> np.uint64(32), units & np.uint64(0xFFFFFFFF))
    normals = np.zeros([4, 2])
    random_distributions.normal_doubles(np, words, [], normals)
    expected = np.sqrt(-2 * np.log([1e-7, 1e-7, 2.0**-12, 0.5]))
    np.testing.assert_allclose(normals, np.stack([expected, 0 * expected], 1), atol=1e-15)
