"""Replica threads: merges, errors."""

import pytest

import tfmini as tf


def mirrored():
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


def test_replica_error_is_raised():
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


def test_failed_merge_call_restores_context():
    def fail(strategy):
        raise KeyError("of the call")

    with pytest.raises(KeyError, match="of the call"):
        tf.distribute.get_replica_context().merge_call(fail)
    assert not tf.distribute.in_cross_replica_context()
