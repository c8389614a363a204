"""Moving averages under a strategy, outside of its replicas: all copies are updated."""

import pytest

import tfmini as tf
from tfmini._src.variables.assign_moving_average import assign_moving_average


@pytest.mark.parametrize("copies", [1, 2])
def test_all_copies_are_updated(copies):
    config = tf.ConfigProto(device_count={"CPU": copies})
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        positions = [f"/cpu:{index}" for index in range(copies)]
        strategy = tf.distribute.MirroredStrategy(positions)
        if copies == 1:
            strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        with strategy.scope():
            variable = tf.Variable(1.0)
            moved = assign_moving_average(variable, 3.0, 0.75, zero_debias=False)
        session.run(tf.global_variables_initializer())
        session.run(strategy.experimental_local_results(moved))
        values = session.run(strategy.experimental_local_results(variable))
    assert values == (1.5,) * copies


@pytest.mark.parametrize(("trainable", "watched"), [(False, []), (True, ["v:0"])])
def test_tape_watches_trainable_assigned_variable(trainable, watched):
    """Not its value after the write, as in TensorFlow 1.15.5."""
    v = tf.get_variable("v", [2], use_resource=True, trainable=trainable)
    for use in (lambda: v.assign_sub([1.0, 1.0]), lambda: v.assign([1.0, 1.0]) + 1.0):
        with tf.GradientTape() as tape:
            use()
        assert [each.name for each in tape.watched_variables()] == watched
