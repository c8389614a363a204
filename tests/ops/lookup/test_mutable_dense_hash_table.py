"""Dense hash tables with and without the native library, against a dict."""

import numpy as np
import pytest

import tfmini as tf
from tests.ops.lookup.test_table import KEYS
from tfmini._src.devices.host.native import library
from tfmini._src.ops.lookup.buckets import TupleBuckets
from tfmini._src.ops.lookup.mutable_dense_hash_table import DenseTable


@pytest.fixture(params=[True, False], ids=["native", "dict"])
def is_native(request, monkeypatch):
    if not request.param:
        monkeypatch.setattr(library, "library", lambda: None)
    library.function.cache_clear()
    yield request.param
    library.function.cache_clear()


@pytest.mark.parametrize("key_dtype", [tf.int64, tf.int32, tf.string])
def test_contents_match_dict(is_native, key_dtype):
    keys = KEYS[key_dtype]
    empty, deleted = (key if key_dtype is tf.string else np.array(key) for key in keys[:2])
    attrs = {"key_dtype": key_dtype, "value_dtype": tf.float32, "value_shape": (2,)}
    attrs |= {"initial_num_buckets": 4, "max_load_factor": 0.8}
    table, expected = DenseTable(attrs, empty, deleted), {}
    assert isinstance(table._buckets, TupleBuckets) == (not is_native or key_dtype is tf.string)
    rng = np.random.RandomState(0)
    default = np.array([-1, -2], np.float32)
    for count in (1, 30, 400):
        inputs, values = rng.choice(keys[2:], count), rng.rand(count, 2).astype(np.float32)
        table.insert(inputs, values)
        expected.update(zip(inputs.tolist(), values.tolist()))
        removed = rng.choice(keys[2:], 30)
        table.remove(removed)
        for key in removed.tolist():
            expected.pop(key, None)
        asked = rng.choice(keys[2:], 50)
        result = [expected.get(key, default.tolist()) for key in asked.tolist()]
        assert table.find(asked, default).tolist() == result
        assert table.size() == len(expected)
    values = np.zeros((3, 2), np.float32)
    for reserved, name in enumerate(("empty_key", "deleted_key")):
        for call, *inputs in (
            (table.insert, keys[[4, reserved, 5]], values),
            (table.find, keys[[4, reserved]], default),
            (table.remove, keys[[7, reserved, 8]]),
        ):
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"the {name} as a table key"):
                call(*inputs)
    expected[keys[4]] = [0, 0]  # entries before a reserved key are inserted
    expected.pop(keys[7], None)
    held = [array.tolist() for array in table.export()]
    rest = {key: value for [key], value in zip(*held) if key not in keys[:2].tolist()}
    assert rest == expected
