"""Contexts inside and outside of strategies, and errors in wrong ones."""

import pytest

import tfmini as tf


def mirrored():
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


def test_default_strategy():
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


def test_strategy_scope_contexts():
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


def test_invalid_contexts():
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


def test_failed_scope_restores_context():
    with pytest.raises(KeyError, match="of the block"), mirrored().scope():
        raise KeyError("of the block")
    assert not tf.distribute.has_strategy()
