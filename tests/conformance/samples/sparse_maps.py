"""Sparse tensors stored under handles."""

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

PLACES = np.array([[0, 1], [2, 0], [2, 3]])
VALUES = np.array([1, 2, 3], "f")
SHAPE = np.array([3, 4])


def taken(tf):
    add = raw.AddManySparseToTensorsMap(PLACES, VALUES, SHAPE, shared_name="m")
    return [raw.TakeManySparseFromTensorsMap(add, dtype=tf.float32, shared_name="m")]


SAMPLES = [
    Sample("AddSparseToTensorsMap", [PLACES, VALUES, SHAPE], expect=np.int64(0)),
    # The row without elements comes last.
    Sample(
        "AddManySparseToTensorsMap",
        [PLACES, VALUES, SHAPE],
        expect=np.array([0, 2, 1]),
        static=False,
    ),
    Sample("TakeManySparseFromTensorsMap", expect=(PLACES, VALUES, SHAPE), build=taken),
]
