"""Mirrored variables and values; texts are TensorFlow 1.15.5's."""

import threading

import numpy as np
import pytest

import tfmini as tf

TWO = tf.ConfigProto(device_count={"CPU": 2})


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session(config=TWO) as session:
        yield session


@pytest.fixture
def strategy(session):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    with strategy.scope():
        yield strategy


def read_later(aggregation):
    return tf.Variable(
        3.0, synchronization=tf.VariableSynchronization.ON_READ, aggregation=aggregation
    )


def test_initial_value_comes_from_first_copy(strategy):
    start = tf.constant([1.0, 2.0])
    assert tf.Variable(start).initial_value is start


def test_sum_variable_supports_only_assign(session, strategy):
    variable = read_later(tf.VariableAggregation.SUM)
    for method in ("assign_add", "assign_sub"):
        text = (
            f"^SyncOnReadVariable does not support `{method}` in cross-replica context when "
            "aggregation is set to `tf.VariableAggregation.SUM`.$"
        )
        with pytest.raises(ValueError, match=text):
            getattr(variable, method)(1.0)
    assigned = variable.assign(8.0)
    session.run(variable.initializer)
    session.run(assigned)
    assert session.run(list(variable.values)) == [4.0, 4.0]
    assert session.run(tf.identity(variable)) == 8.0


def test_mean_variable_can_be_updated(session, strategy):
    variable = read_later(tf.VariableAggregation.MEAN)
    added = variable.assign_add(2.0)
    session.run(variable.initializer)
    session.run(added)
    assert session.run(list(variable.values)) == [5.0, 5.0]


def test_replica_reads_device_of_its_copy(strategy):
    variable = tf.Variable(1.0)
    devices = strategy.experimental_run_v2(lambda: tf.constant(variable.device))
    result = [
        tf.get_static_value(one).item() for one in strategy.experimental_local_results(devices)
    ]
    assert result == [value.device.encode() for value in variable.values]
    assert variable.device.encode() == result[0] != result[1]


def test_failed_replica_stops_others(strategy):
    stopped, replicas = [], []

    def replica():
        context = tf.distribute.get_replica_context()
        replicas.append(threading.current_thread())
        if len(replicas) == 2:
            raise KeyError("second")
        try:
            context.merge_call(lambda strategy: None)
        finally:
            stopped.append(context.replica_id_in_sync_group)

    with pytest.raises(KeyError, match="second"):
        strategy.experimental_run_v2(replica)
    assert len(stopped) == 1 and not any(thread.is_alive() for thread in replicas)


def test_mirrored_value_operators(session, strategy):
    numbers = strategy.experimental_run_v2(
        lambda: tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)
    )
    five = strategy.extended.reduce_to(tf.distribute.ReduceOp.SUM, numbers, numbers) + 4.0
    mirrored = strategy.extended.reduce_to(tf.distribute.ReduceOp.SUM, numbers, numbers)
    result = session.run(
        [five, mirrored + 1.0, 3.0 - mirrored, -mirrored, mirrored / 2.0, 4.0**mirrored]
        + [mirrored < 2.0, abs(mirrored), mirrored % 2.0, mirrored >= 2.0]
    )
    np.testing.assert_array_equal(result, [5, 2, 2, -1, 0.5, 4, True, 1, 1, False])


def test_variable_is_initialized_if_all_copies_are(session):
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 3})) as session:
        strategy = tf.distribute.MirroredStrategy([f"/cpu:{n}" for n in range(3)])
        with strategy.scope():
            variable = tf.Variable(1.0)
        is_initialized = variable.is_initialized()
        for index in (0, 2, 1):
            assert not session.run(is_initialized)
            session.run(variable.values[index].initializer)
        assert session.run(is_initialized)
