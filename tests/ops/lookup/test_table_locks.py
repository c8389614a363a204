"""A table is accessed by one step at a time."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.waiting import waits_for
from tfmini._src.ops.lookup.mutable_dense_hash_table import DenseTable
from tfmini._src.ops.lookup.table import Table

ATTRS = {
    **{"key_dtype": tf.int64, "value_dtype": tf.int64, "value_shape": ()},
    **{"initial_num_buckets": 4, "max_load_factor": 0.8},
}
KEYS, VALUES = np.array([3, 4]), np.array([30, 40])


@pytest.mark.parametrize("is_dense", [True, False])
def test_table_access_is_locked(is_dense):
    table = Table(tf.int64, tf.int64, (), True)
    if is_dense:
        table = DenseTable(ATTRS, np.int64(-1), np.int64(-2))
    table.insert(KEYS, VALUES)
    for call in (
        lambda: table.find(KEYS, np.int64(0)),
        table.export,
        lambda: table.insert(KEYS + 2, VALUES),
        lambda: table.remove(KEYS),
        lambda: table.insert(*map(np.array, table.export()), replaces_all=True),
    ):
        assert waits_for(table.lock, call)
    assert table.find(np.array([3, 5, 6]), np.int64(0)).tolist() == [0, 30, 40]
