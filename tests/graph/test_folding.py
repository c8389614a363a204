"""Constant folding in shape functions: the shapes are those that TensorFlow 1.15.5 gives."""

import pytest

import tfmini as tf

raw = tf.raw_ops


def known():
    return tf.placeholder(tf.float32, [2, 3])


def part():
    return tf.placeholder(tf.float32, [None, 3])


def found():
    """Two elements, which only their computation tells."""
    return tf.unique([1, 2, 1])[0]


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (lambda: found(), [1, 2]),
        (lambda: tf.reshape(tf.where([True, False, True]), [-1]), [0, 2]),
        (lambda: tf.expand_dims(raw.Size(input=known()), 0), [6]),
        (lambda: tf.stack([raw.Size(input=known())]), [None]),
        (lambda: raw.Shape(input=known()) + 1, [3, 4]),
        (lambda: raw.Shape(input=part()) + 1, [None, None]),
        (lambda: raw.ShapeN(input=[known(), known()])[0], [2, 3]),
        (lambda: raw.ShapeN(input=[known(), known()])[0] + 1, [None, None]),
        (lambda: tf.shape(found()), [None]),
        (lambda: tf.shape(found()) + 1, [3]),
        (lambda: tf.concat([tf.shape(found()), [1]], 0), [None, 1]),
        (lambda: tf.concat([tf.shape(found()), [1]], 0) + 0, [2, 1]),
        (lambda: tf.shape(tf.boolean_mask([4, 5], [True, False])) * 2, [2]),
    ],
)
def test_reshape(shape, expected):
    with tf.Graph().as_default():
        result = tf.reshape(tf.placeholder(tf.float32), shape())
    assert result.shape.as_list() == expected


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: tf.range(raw.Size(input=known())), [None]),
        (lambda: tf.range(raw.Rank(input=part())), [None]),
        (lambda: tf.range(raw.Rank(input=part()) + 1), [3]),
        (lambda: tf.range(raw.Size(input=tf.constant([1, 2]))), [2]),
        (lambda: tf.range(raw.Size(input=found())), [2]),
        (lambda: tf.range(tf.shape(known())[0]), [2]),
        (lambda: tf.tile([1, 2], tf.shape(found())[:1]), [None]),
        (lambda: tf.fill(raw.Shape(input=known()), 1.0), [2, 3]),
        (lambda: tf.one_hot([1], raw.Size(input=known())), [1, None]),
    ],
)
def test_others(make, expected):
    with tf.Graph().as_default():
        assert make().shape.as_list() == expected


def test_a_shape_whose_value_another_rule_has_asked_for():
    with tf.Graph().as_default():
        shape = tf.shape(found())
        tf.reshape(tf.placeholder(tf.float32), shape + 1)
        assert tf.reshape(tf.placeholder(tf.float32), shape).shape.as_list() == [None]
