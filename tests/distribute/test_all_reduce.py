"""All-reduce over device groups, with packed tensors: hand-computed sums."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.distribute.all_reduce import NcclAllReduce, best_for
from tfmini._src.distribute.cross_device_ops import ReductionToOneDevice


def values(index):
    return tf.reshape(tf.range(6.0), [2, 3]) * index, tf.ones([5]) * index


@pytest.mark.parametrize("packs", [0, 1, 2, 3])
@pytest.mark.parametrize("devices", [2, 4])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_packed_all_reduce_preserves_shapes_and_sums(packs, devices, known):
    config = tf.ConfigProto(device_count={"CPU": devices})
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        strategy = tf.distribute.MirroredStrategy(
            [f"/cpu:{i}" for i in range(devices)],
            tf.distribute.HierarchicalCopyAllReduce(num_packs=packs),
        )

        def reduced(strategy, table, row):
            pairs = [(table, table), (row, row)]
            return strategy.extended.batch_reduce_to(tf.distribute.ReduceOp.SUM, pairs)

        def replica():
            context = tf.distribute.get_replica_context()
            parts = values(tf.cast(context.replica_id_in_sync_group + 1, tf.float32))
            if not known:
                parts = [tf.placeholder_with_default(part, None) for part in parts]
            return context.merge_call(reduced, args=tuple(parts))

        with strategy.scope():
            totals = strategy.experimental_run_v2(replica)
        actual = session.run([strategy.experimental_local_results(total) for total in totals])
    factor = sum(range(1, devices + 1))
    for copies, expected in zip(actual, (np.arange(6.0).reshape(2, 3), np.ones(5))):
        assert len(copies) == devices
        for copy in copies:
            np.testing.assert_array_equal(copy, expected * factor)


def test_sums_alternate_between_devices():
    """Tensor i is summed on device i, and on the device half of all further."""
    config = tf.ConfigProto(device_count={"CPU": 4})
    with tf.Graph().as_default() as graph, tf.Session(config=config):
        strategy = tf.distribute.MirroredStrategy(
            [f"/cpu:{i}" for i in range(4)],
            tf.distribute.HierarchicalCopyAllReduce(num_packs=0),
        )

        def reduced(strategy, *parts):
            return strategy.extended.batch_reduce_to(
                tf.distribute.ReduceOp.SUM, [(part, part) for part in parts]
            )

        with strategy.scope():
            strategy.experimental_run_v2(
                lambda: tf.distribute.get_replica_context().merge_call(
                    reduced, args=tuple(tf.ones([2]) for _ in range(4))
                )
            )
        sums = [op for op in graph.get_operations() if op.type == "AddN"]
        positions = [int(op.device[-1]) for op in sums]
    assert positions == [0, 2, 0, 1, 3, 1, 2, 0, 2, 3, 1, 3]


def test_best_reduction_for_devices():
    with fake_gpus(devices=2):
        assert isinstance(best_for(["/gpu:0", "/gpu:1"]), NcclAllReduce)
        assert isinstance(best_for(["/gpu:0", "/cpu:0"]), ReductionToOneDevice)
        assert isinstance(best_for(["/gpu:0", "/gpu:7"]), ReductionToOneDevice)
    assert isinstance(best_for(["/cpu:0"]), ReductionToOneDevice)
