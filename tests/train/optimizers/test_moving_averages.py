"""moving_averages: shadows, their start, their decay, their names."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.variables.assign_moving_average import (
    assign_moving_average,
    weighted_moving_average,
)


def test_of_variables():
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(4.0, name="w", use_resource=True)
    ema = tf.train.ExponentialMovingAverage(0.75)
    maintain = ema.apply([v, w])
    change = tf.group(v.assign([5.0, 6.0]), w.assign(0.0))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        averages = [ema.average(v), ema.average(w)]
        assert [np.ravel(a).tolist() for a in session.run(averages)] == [[1.0, 2.0], [4.0]]
        session.run(change)
        session.run(maintain)
        assert [np.ravel(a).tolist() for a in session.run(averages)] == [[2.0, 3.0], [3.0]]
    assert averages[0].name == "v/ExponentialMovingAverage:0"
    assert tf.moving_average_variables() == [v, w]
    assert not set(averages) & set(tf.trainable_variables())


def test_of_tensors():
    x = tf.placeholder(tf.float32, [], name="x")
    plain = tf.train.ExponentialMovingAverage(0.75)
    debiased = tf.train.ExponentialMovingAverage(0.75, zero_debias=True)
    steps = tf.group(plain.apply([x]), debiased.apply([x]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value, biased, unbiased in ((4.0, 1.0, 4.0), (8.0, 2.75, 2.75 / (1 - 0.75**2))):
            session.run(steps, {x: value})
            assert session.run(plain.average(x)) == pytest.approx(biased)
            assert session.run(debiased.average(x)) == pytest.approx(unbiased)


def test_the_number_of_updates_speeds_the_start():
    v, updates = tf.Variable(0.0), tf.placeholder(tf.int32, [])
    ema = tf.train.ExponentialMovingAverage(0.9, num_updates=updates)
    maintain = ema.apply([v])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(v.assign(1.0))
        session.run(maintain, {updates: 0})
        assert session.run(ema.average(v)) == pytest.approx(0.9)
        session.run(maintain, {updates: 1000})
        assert session.run(ema.average(v)) == pytest.approx(0.91)


def test_names():
    v, w = tf.Variable(0.0, name="v"), tf.Variable(0.0, name="w")
    ema = tf.train.ExponentialMovingAverage(0.9, name="Mean")
    ema.apply([v])
    assert ema.name == "Mean" and ema.average(w) is None
    assert ema.average_name(v) == "v/Mean" and ema.average_name(w) == "w/Mean"
    assert ema.variables_to_restore() == {"v/Mean": v, "w/Mean": w}
    assert ema.variables_to_restore([v]) == {"v/Mean": v, "w": w}


def test_the_functions_alone():
    v = tf.Variable(4.0, name="v", trainable=False)
    move = assign_moving_average(v, tf.constant(8.0), 0.75, zero_debias=False)
    with tf.variable_scope("weighted"):
        weighted = weighted_moving_average(tf.constant([2.0, 4.0]), 0.5, tf.constant([1.0, 3.0]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(move) == 5.0
        for _ in range(2):
            assert session.run(weighted).tolist() == [2.0, 4.0]
