"""Moving averages under a strategy, outside of its replicas: all copies move."""

import pytest

import tfmini as tf
from tfmini._src.variables.assign_moving_average import assign_moving_average


@pytest.mark.parametrize("copies", [1, 2])
def test_all_copies_move(copies):
    config = tf.ConfigProto(device_count={"CPU": copies})
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        places = [f"/cpu:{number}" for number in range(copies)]
        strategy = tf.distribute.MirroredStrategy(places)
        if copies == 1:
            strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        with strategy.scope():
            variable = tf.Variable(1.0)
            moved = assign_moving_average(variable, 3.0, 0.75, zero_debias=False)
        session.run(tf.global_variables_initializer())
        session.run(strategy.experimental_local_results(moved))
        values = session.run(strategy.experimental_local_results(variable))
    assert values == (1.5,) * copies
