"""Branches whose results are not of one shape: what is known of the chosen one."""

import pytest

import tfmini as tf


@pytest.mark.parametrize(
    "shapes, wanted",
    [
        ([[2], [3]], [None]),
        ([[2, 3], [2, 4]], [2, None]),
        ([[5], [5]], [5]),
        ([[2], [2, 2]], None),
    ],
)
def test_the_shape_of_either(shapes, wanted):
    with tf.Graph().as_default(), tf.Session() as session:

        @tf.function
        def chosen(which):
            return tf.cond(which, lambda: tf.zeros(shapes[0]), lambda: tf.zeros(shapes[1]))

        which = tf.placeholder(tf.bool, [])
        found = chosen(which)
        assert (found.shape.as_list() if found.shape.ndims is not None else None) == wanted
        for value, shape in zip((True, False), shapes):
            assert list(session.run(found, {which: value}).shape) == shape


def test_one_branch():
    with tf.Graph().as_default(), tf.Session() as session:
        chosen = tf.function(lambda n: tf.switch_case(n, [lambda: tf.zeros([2])]))
        found = chosen(tf.constant(0))
        assert found.shape.as_list() == [2]
        assert session.run(found).tolist() == [0, 0]
