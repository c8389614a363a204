"""Two replicas in eager mode, on CPUs and on emulated GPUs."""

import pytest

import tfmini as tf
from tfmini._src.session.eager.context import drop_context, reset_context


@pytest.fixture(params=["cpu", "gpu"])
def strategy(eager, quiet_logs, request):
    if request.param == "gpu":
        request.getfixturevalue("gpus")
    drop_context()
    reset_context(tf.ConfigProto(device_count={"CPU": 2}))
    yield tf.distribute.MirroredStrategy([f"/{request.param}:{number}" for number in range(2)])
    drop_context()


def copies(strategy, value):
    return [each.numpy().tolist() for each in strategy.experimental_local_results(value)]


def number():
    return tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)
