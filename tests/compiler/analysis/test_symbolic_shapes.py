"""symbolic_shapes: dimensions known only at run time, tracked through the values of shape vectors."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import lowered
from tfmini._src.compiler.analysis.symbolic_shapes import Symbols


def known_of(*fetches, feeds):
    """The known shapes of a program, and the slots of its fetches."""
    program = lowered(*fetches, feeds=feeds)
    known = Symbols(program)
    for node in program.nodes:
        known.add(node)
    return known, program.fetches


def test_concatenated_sizes_are_tracked():
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.placeholder(tf.float32, [None])
    sizes = tf.concat([tf.shape(x), [4], tf.shape(y)], 0)
    known, (slot, filled) = known_of(sizes, tf.fill(sizes, 0.0), feeds=[x, y])
    assert known.vector(slot) == ((0, 0), 3, 4, (1, 0))  # the first axis of feed 0, and of feed 1
    assert known.dims(filled) == known.vector(slot)


def test_untracked_size_makes_concat_unknown():
    x = tf.placeholder(tf.float32, [None, 3])
    inputs = tf.placeholder(tf.int32, [1])
    fetches = tf.concat([tf.shape(x), inputs], 0), tf.stack([tf.size(x)])
    known, (slot, product) = known_of(*fetches, feeds=[x, inputs])
    assert known.vector(slot) is known.vector(product) is None


@pytest.mark.parametrize("keep, expected", [(False, ((0, 0), 4)), (True, ((0, 0), 1, 4))])
def test_reduced_axes(keep, expected):
    x = tf.placeholder(tf.float32, [None, 3, 4])
    known, (slot,) = known_of(tf.reduce_sum(x, 1, keep), feeds=[x])
    assert known.dims(slot) == expected


@pytest.mark.parametrize("dtype", [tf.bool, tf.uint8, tf.float32])
def test_narrowing_casts_lose_symbolic_sizes(dtype):
    """Otherwise the ones would seem to have the shape of x, and their gradient would not be summed."""
    x = tf.placeholder(tf.float32, [None, 3])
    sizes = tf.cast(tf.cast(tf.shape(x), dtype), tf.int32)
    known, (slot, wide) = known_of(sizes, tf.cast(tf.shape(x), tf.int64), feeds=[x])
    assert known.vector(slot) is None
    assert known.vector(wide) == ((0, 0), 3)
    if dtype is tf.bool:
        ones = tf.ones(sizes)
        with tf.Session() as session:
            got = session.run(tf.gradients(ones * x, ones), {x: np.full((2, 3), 5.0)})
        np.testing.assert_array_equal(got, [[[30.0]]])


@pytest.mark.parametrize("part", [slice(1), slice(1, None), 1])
def test_slices_with_dynamic_bounds_are_unknown(part):
    x = tf.placeholder(tf.float32, [None, None, 3])
    y = tf.placeholder(tf.float32, [None])
    one = tf.shape(y)[0]
    sizes = tf.shape(x)
    if isinstance(part, int):
        taken = sizes[one]
    elif part.stop:
        taken = sizes[:one]
    else:
        taken = sizes[one:]
    reshaped = tf.reshape(x, tf.concat([tf.reshape(taken, [-1]), [-1]], 0))
    with tf.Session() as session:
        got = session.run([taken, reshaped], {x: np.ones((2, 4, 3)), y: [0.0]})
    expected = np.array([2, 4, 3])[part]
    np.testing.assert_array_equal(got[0], expected)
    assert got[1].shape[:-1] == tuple(np.atleast_1d(expected))


@pytest.mark.parametrize("part", [slice(None, None, 2), slice(2, 0, -1)], ids=str)
def test_strided_slices_are_unknown(part):
    """Otherwise a reshape to them would seem redundant."""
    x = tf.placeholder(tf.float32, [None, None, None])
    taken = tf.shape(x)[part]
    known, (slot,) = known_of(taken, feeds=[x])
    assert known.vector(slot) is None
    reshaped = tf.reshape(x, tf.concat([taken, [-1]], 0))
    expected = np.array([2, 4, 3])[part].tolist()
    with tf.Session() as session:
        sizes, actual = session.run([taken, reshaped], {x: np.ones((2, 4, 3))})
    assert sizes.tolist() == expected == list(actual.shape[:-1])
