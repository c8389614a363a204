"""symbolic_shapes: dimensions that only a run tells, followed through the values of shape vectors."""

import tfmini as tf
from tests.runtime.programs import lowered
from tfmini.runtime.analysis.symbolic_shapes import Symbols


def known_of(*fetches, feeds):
    """What is known of a program, and the slots of its fetches."""
    program = lowered(*fetches, feeds=feeds)
    known = Symbols(program)
    for node in program.nodes:
        known.add(node)
    return known, program.fetches


def test_joined_sizes_are_those_of_their_parts():
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.placeholder(tf.float32, [None])
    sizes = tf.concat([tf.shape(x), [4], tf.shape(y)], 0)
    known, (slot, filled) = known_of(sizes, tf.fill(sizes, 0.0), feeds=[x, y])
    assert known.vector(slot) == ((0, 0), 3, 4, (1, 0))  # the first axis of feed 0, and of feed 1
    assert known.dims(filled) == known.vector(slot)


def test_sizes_that_are_not_followed_make_the_joined_ones_unknown():
    x = tf.placeholder(tf.float32, [None, 3])
    given = tf.placeholder(tf.int32, [1])
    known, (slot,) = known_of(tf.concat([tf.shape(x), given], 0), feeds=[x, given])
    assert known.vector(slot) is None
