"""Feeds: feedable tensors, their keys, and value conversion."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.notes import read_hint
from tfmini._src.session.feeds import feed_pairs


def refused(session, kind, fetch, feed):
    with pytest.raises(kind) as caught:
        session.run(fetch, feed)
    return str(caught.value)


def test_any_tensor_can_be_fed(session):
    v = tf.Variable([1.0, 2.0])
    r = tf.Variable([1.0, 2.0], use_resource=True)
    c = tf.constant([1.0, 2.0])
    parts = tf.split(c, 2)
    session.run(tf.global_variables_initializer())
    for key in (v, c, v + 1.0):
        assert session.run([key * 2.0], {key: [5.0, 6.0]})[0].tolist() == [10.0, 12.0]
    assert session.run(v).tolist() == [1.0, 2.0]
    assert session.run([r, r.value() * 2.0], {r: [5.0, 6.0]})[0].tolist() == [5.0, 6.0]
    assert session.run(parts[0] + parts[1], {parts[1]: [0.0]}).tolist() == [1.0]


@pytest.mark.parametrize(
    "dtype, value, expected",
    [
        (tf.int32, [1.7, 2.2], [1, 2]),
        (tf.int32, 1.5, 1),
        (tf.float32, [1, 2], [1.0, 2.0]),
        (tf.float32, np.array([1, 2], ">f8"), [1.0, 2.0]),
        (tf.bool, [0, 2], [False, True]),
        (tf.float32, np.float64(0.5), 0.5),
        (tf.float16, True, 1.0),
        (tf.complex64, [1, 2j], [1, 2j]),
    ],
)
def test_feeds_are_converted_to_tensor_dtype(session, dtype, value, expected):
    x = tf.placeholder(dtype)
    got = session.run(tf.identity(x), {x: value})
    assert np.asarray(got).dtype == dtype.as_numpy_dtype and np.asarray(got).tolist() == expected


@pytest.mark.parametrize(
    "dtype, value, expected",
    [
        (tf.int8, [300], [44]),
        (tf.uint8, [-1, 256], [255, 0]),
        (tf.int32, [2**40 + 5], [5]),
        (tf.int32, [[2**31, -(2**31) - 1]], [[-(2**31), 2**31 - 1]]),
        (tf.uint16, (70_000, 1), [4464, 1]),
        (tf.uint32, [-1], [2**32 - 1]),
        (tf.uint64, [2**64 - 1], [2**64 - 1]),
        (tf.uint8, np.array([300, -1]), [44, 255]),
        (tf.int8, np.array([200], np.uint8), [-56]),
        (tf.int32, np.int64(2**40), 0),
    ],
)
def test_integers_in_lists_and_arrays_wrap(session, dtype, value, expected):
    actual = np.asarray(session.run(tf.identity(x := tf.placeholder(dtype)), {x: value}))
    assert actual.dtype == dtype.as_numpy_dtype and actual.tolist() == expected


@pytest.mark.parametrize(
    "dtype, value",
    [(tf.int64, [2**63]), (tf.int64, [2**64]), (tf.int32, [2**63]), (tf.int8, [2**63])],
)
def test_integers_beyond_c_long_are_rejected(session, dtype, value):
    x = tf.placeholder(dtype)
    message = refused(session, OverflowError, tf.identity(x), {x: value})
    assert message == "Python int too large to convert to C long"


def test_misaligned_arrays_are_copied(graph, session):
    x = tf.placeholder(tf.float32)
    for offset in range(4):
        value = np.zeros(4 * 5, np.uint8)[offset : offset + 16].view(np.float32)
        value[:] = [1, 2, 3, 4]
        ((_, array),) = feed_pairs(graph, {x: value}, session._resources)
        assert array.flags.aligned and array.tolist() == [1, 2, 3, 4]
        assert np.shares_memory(array, value) == (offset == 0)
        assert session.run(x * 2.0, {x: value}).tolist() == [2, 4, 6, 8]


def test_invalid_keys_and_values_are_rejected(session, graph):
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.Graph().as_default():
        other = tf.placeholder(tf.float32, [], name="other")
    closed = tf.placeholder(tf.float32, [], name="closed")
    graph.prevent_feeding(closed)
    assert "is not an element of this graph" in refused(session, TypeError, x, {other: 1})
    assert refused(session, ValueError, x, {closed: 1}) == f"Tensor {closed} may not be fed."
    message = refused(session, TypeError, x, {x: tf.constant(1.0)})
    assert message.startswith("The value of a feed cannot be a tf.Tensor object. Acceptable feed ")


def test_ragged_feed_hint(session):
    x = tf.placeholder(tf.float32, [None, None], name="x")
    with pytest.raises(ValueError, match="inhomogeneous") as caught:
        session.run(x, {x: [[1.0, 2.0], [3.0]]})
    assert "fed to 'x:0' has rows of different lengths" in read_hint(caught.value)
