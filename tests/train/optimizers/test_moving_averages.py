"""Moving averages: shadow variables, their initial values, decay, names."""

import tfmini as tf
from tfmini._src.variables.assign_moving_average import (
    assign_moving_average,
    weighted_moving_average,
)


def test_averaging_functions():
    v = tf.Variable(4.0, name="v", trainable=False)
    move = assign_moving_average(v, tf.constant(8.0), 0.75, zero_debias=False)
    with tf.variable_scope("weighted"):
        weighted = weighted_moving_average(tf.constant([2.0, 4.0]), 0.5, tf.constant([1.0, 3.0]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(move) == 5.0
        for _ in range(2):
            assert session.run(weighted).tolist() == [2.0, 4.0]
