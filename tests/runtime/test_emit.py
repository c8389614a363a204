"""What a plan's function hands out and lets go of."""

import numpy as np

import tfmini as tf


def test_a_predicate_of_unknown_shape_lives_until_its_merge():
    with tf.Graph().as_default(), tf.Session() as session:
        p = tf.placeholder(tf.bool)
        x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        result = tf.cond(tf.logical_not(p), lambda: x, lambda: y)
        assert session.run(result, {p: True, x: 1.0, y: 2.0}) == 2.0
        assert session.run(result, {p: False, x: 1.0, y: 2.0}) == 1.0


def test_equal_tensors_are_fetched_as_arrays_of_their_own():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [3])
        once = x * 2
        one, two, three = session.run([once, x * 2, tf.identity(once)], {x: np.ones(3)})
        one[0] = two[1] = 7.0
        assert (list(one), list(two), list(three)) == ([7, 2, 2], [2, 7, 2], [2, 2, 2])
