"""Multi-device iterators, and datasets prepared for distribution strategies."""

import numpy as np

from tests.conformance.samples import Sample
from tests.conformance.samples.datasets import ROWS, of, row, rows
from tfmini._src.graph.opdef import raw

KINDS = {"output_shapes": [(2,)]}


def of_two(tf):
    """The second row: the second device's first one."""
    kinds = {"output_types": [tf.float32], **KINDS}
    made = raw.MultiDeviceIterator(
        devices=["/cpu:0", "/cpu:1"], shared_name="", container="", **kinds
    )
    number = raw.MultiDeviceIteratorInit(rows(tf)._variant_tensor, made, np.int64(1))
    handle = raw.MultiDeviceIteratorToStringHandle(made)
    with tf.control_dependencies([number]):
        same = raw.MultiDeviceIteratorFromStringHandle(handle, **kinds)
    return [raw.MultiDeviceIteratorGetNextFromShard(same, np.int32(1), number, **kinds)[0]]


def batches(tf):
    return rows(tf).batch(2)


SAMPLES = [
    *(
        Sample(name, expect=ROWS[1], build=of_two)
        for name in (
            "MultiDeviceIterator",
            "MultiDeviceIteratorFromStringHandle",
            "MultiDeviceIteratorGetNextFromShard",
            "MultiDeviceIteratorInit",
            "MultiDeviceIteratorToStringHandle",
        )
    ),
    row("RebatchDataset", ROWS[1:2], of("RebatchDataset", batches, 2, shape=(None, 2)), 2),
    row("AutoShardDataset", ROWS[1], of("AutoShardDataset", rows, 1, 0), 2),
    row("AutoShardDataset", ROWS[1], of("AutoShardDataset", rows, 2, 1)),
]
