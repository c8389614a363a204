"""Strategies and contexts: what programs are told where they stand, and the errors of wrong places."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus

TWO = tf.ConfigProto(device_count={"CPU": 2})


def mirrored():
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


def test_the_default_strategy_has_one_replica_and_is_none():
    strategy = tf.distribute.get_strategy()
    assert not tf.distribute.has_strategy()
    assert not tf.distribute.in_cross_replica_context()
    assert strategy.num_replicas_in_sync == 1
    context = tf.distribute.get_replica_context()
    assert context.replica_id_in_sync_group == 0

    def merge(given, value):
        assert given is strategy
        assert tf.distribute.in_cross_replica_context()
        return value + 1

    assert context.merge_call(merge, args=(2,)) == 3
    assert strategy.reduce("sum", 5) == 5
    with tf.Graph().as_default(), strategy.scope():
        assert strategy.extended.variable_created_in_scope(tf.Variable(1.0, use_resource=True))


def test_contexts_inside_of_a_strategy():
    seen = []
    with tf.Graph().as_default():
        strategy = mirrored()
        with strategy.scope():
            assert tf.distribute.get_strategy() is strategy
            assert tf.distribute.in_cross_replica_context()
            assert tf.distribute.get_replica_context() is None

            def replica():
                context = tf.distribute.get_replica_context()
                seen.append((context.num_replicas_in_sync, context.devices))
                return tf.no_op(name="one").name

            names = strategy.experimental_run_v2(replica)
        assert strategy.unwrap(names) == ("one", "replica_1/one")
    assert seen == [(2, (f"/replica:0/task:0/device:CPU:{n}",)) for n in range(2)]
    assert not tf.distribute.has_strategy()


def test_values_of_replicas_are_reduced():
    with tf.Graph().as_default(), tf.Session(config=TWO) as session:
        strategy = mirrored()

        def replica():
            number = tf.distribute.get_replica_context().replica_id_in_sync_group
            return tf.range(3) + number

        with strategy.scope():
            values = strategy.experimental_run_v2(replica)
            found = [
                strategy.reduce(tf.distribute.ReduceOp.SUM, values),
                strategy.reduce("mean", values),
                strategy.reduce(tf.distribute.ReduceOp.SUM, values, axis=0),
            ]
            with pytest.raises(ValueError, match="A non-DistributedValues value 3 cannot be"):
                strategy.reduce(tf.distribute.ReduceOp.MEAN, values, axis=0)  # as TensorFlow does
        total, mean, everything = session.run(found)
    np.testing.assert_array_equal(total, [1, 3, 5])
    np.testing.assert_array_equal(mean, [0.5, 1.5, 2.5])
    assert everything == 9


def test_wrong_places_are_refused():
    with tf.Graph().as_default():
        strategy, other = mirrored(), tf.distribute.OneDeviceStrategy("/cpu:0")
        with strategy.scope():
            with pytest.raises(RuntimeError, match="Mixing different tf.distribute.Strategy"):
                other.scope().__enter__()
            with pytest.raises(RuntimeError, match="Use `_distributed_apply"):
                v = tf.get_variable("v", [])
                tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.ones([]), v)])

            def replica():
                with pytest.raises(RuntimeError, match="Method requires being in cross-replica"):
                    strategy.reduce("sum", 1)
                v.assign(1.0)

            with pytest.raises(ValueError, match="You must specify an aggregation method"):
                strategy.experimental_run_v2(replica)
            with pytest.raises(ValueError, match="`NONE` variable synchronization mode"):
                tf.Variable(1.0, name="x", synchronization=tf.VariableSynchronization.NONE)
        with pytest.raises(AssertionError, match="No duplicates allowed"):
            tf.distribute.MirroredStrategy(["/cpu:0", "/device:CPU:0"])
        with pytest.raises(ValueError, match="MultiWorkerMirroredStrategy"):
            tf.distribute.MirroredStrategy(["/job:worker/task:0", "/job:worker/task:1"])


def test_an_error_in_a_replica_comes_to_the_caller():
    with tf.Graph().as_default():
        strategy = mirrored()
        calls = []

        def replica():
            calls.append(1)
            if len(calls) == 2:
                raise KeyError("mine")
            tf.distribute.get_replica_context().merge_call(lambda strategy: None)

        with strategy.scope(), pytest.raises(KeyError, match="mine"):
            strategy.experimental_run_v2(replica)

        def uneven():
            context = tf.distribute.get_replica_context()
            if strategy.extended.worker_devices[0] in context.devices:
                context.merge_call(lambda strategy: None)

        with pytest.raises(RuntimeError, match="a different number of"):
            strategy.experimental_run_v2(uneven)


def test_a_strategy_for_the_rest_of_the_program():
    with tf.Graph().as_default():
        strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        tf.distribute.experimental_set_strategy(strategy)
        assert tf.distribute.get_strategy() is strategy
        tf.distribute.experimental_set_strategy(None)
        assert not tf.distribute.has_strategy()


def test_arrays_are_a_dataset_in_variables():
    with tf.Graph().as_default(), tf.Session(config=TWO) as session:
        strategy = mirrored()
        rows = {"x": np.arange(8.0).reshape(4, 2), "y": np.arange(4)}
        with strategy.scope():
            dataset = strategy.experimental_make_numpy_dataset(rows, session=session)
            iterator = strategy.experimental_distribute_dataset(
                dataset.batch(4)
            ).make_initializable_iterator()
            element = iterator.get_next()
            session.run(iterator.initialize())
            parts = session.run([part for v in (element["x"], element["y"]) for part in v.values])
    np.testing.assert_array_equal(np.concatenate(parts[:2]), rows["x"])
    np.testing.assert_array_equal(np.concatenate(parts[2:]), rows["y"])


def test_steps_in_a_loop_of_the_graph():
    with tf.Graph().as_default(), tf.Session(config=TWO) as session:
        strategy = mirrored()
        iterator = strategy.make_dataset_iterator(tf.data.Dataset.range(40).batch(4))

        def step(context, inputs):
            total = strategy.experimental_run_v2(tf.reduce_sum, args=(inputs,))
            context.set_last_step_output("total", total, tf.distribute.ReduceOp.SUM)
            return strategy.group(total)

        with strategy.scope():
            context = strategy.extended.experimental_run_steps_on_iterator(
                step, iterator, 3, {"total": tf.constant(0, tf.int64)}
            )
            session.run(iterator.initialize())
            _, total = session.run([context.run_op, context.last_step_outputs["total"]])
    assert total == 8 + 9 + 10 + 11


@pytest.mark.full
def test_gradients_of_gpus_are_summed():
    reduction = tf.distribute.HierarchicalCopyAllReduce(num_packs=0)
    with tf.Graph().as_default(), fake_gpus(devices=2):
        strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"], reduction)
        with strategy.scope():
            w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
            b = tf.get_variable("b", [], initializer=tf.zeros_initializer())

            def train():
                number = tf.distribute.get_replica_context().replica_id_in_sync_group
                loss = tf.reduce_sum(w * tf.cast(number + 1, tf.float32)) + b
                return tf.train.GradientDescentOptimizer(0.5).minimize(loss)

            done = strategy.group(strategy.experimental_run_v2(train))
            start = tf.global_variables_initializer()
        with tf.Session() as session:
            session.run(start)
            session.run(done)
            copies = session.run([v.value() for v in (*w.values, *b.values)])
    for copy, expected in zip(copies, [-0.5, -0.5, -1.0, -1.0]):
        np.testing.assert_allclose(copy, np.full(np.shape(copy), expected))


def test_a_scope_that_fails_is_left():
    with pytest.raises(KeyError, match="of the block"), mirrored().scope():
        raise KeyError("of the block")
    assert not tf.distribute.has_strategy()


def test_a_merge_that_fails_is_left():
    def fail(strategy):
        raise KeyError("of the call")

    with pytest.raises(KeyError, match="of the call"):
        tf.distribute.get_replica_context().merge_call(fail)
    assert not tf.distribute.in_cross_replica_context()
