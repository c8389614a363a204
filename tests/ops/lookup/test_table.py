"""Lookup tables with and without the native library, against a dict."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.host.native import library
from tfmini._src.ops.lookup.key_index import DictIndex
from tfmini._src.ops.lookup.table import Table

WORDS = np.array([b"key %d" % n for n in range(200)], object)

KEYS = {
    tf.int32: np.arange(-100, 100, dtype=np.int32),
    tf.int64: np.arange(200) << 40,
    tf.string: WORDS,
    tf.float32: np.arange(200, dtype=np.float32) / 8,
}

VALUES = [
    (tf.float32, (), np.float32(-1)),
    (tf.string, (), b"default"),
    (tf.int64, (3,), np.array([-1, -2, -3])),
]


@pytest.fixture(params=[True, False], ids=["native", "dict"])
def is_native(request, monkeypatch):
    if not request.param:
        monkeypatch.setattr(library, "library", lambda: None)
    library.function.cache_clear()
    yield request.param
    library.function.cache_clear()


@pytest.mark.parametrize("key_dtype", list(KEYS), ids=str)
@pytest.mark.parametrize("value_dtype, shape, default", VALUES)
def test_contents_match_dict(is_native, key_dtype, value_dtype, shape, default):
    table, expected = Table(key_dtype, value_dtype, shape, True), {}
    assert isinstance(table._index, DictIndex) == (not is_native or key_dtype is tf.float32)
    rng = np.random.RandomState(0)
    keys = KEYS[key_dtype]
    kind = object if value_dtype is tf.string else value_dtype.as_numpy_dtype

    def stored():
        asked = rng.choice(keys, (4, 5))
        plain = default if isinstance(default, bytes) else default.tolist()
        result = [[expected.get(key, plain) for key in row] for row in asked.tolist()]
        assert table.find(asked, default).tolist() == result
        assert table.size() == len(expected)
        held = [array.tolist() for array in table.export()]
        assert list(map(len, held)) == [len(expected)] * 2
        assert dict(zip(*held)) == expected

    stored()
    for count in (1, 30, 400, 7):
        chosen_keys = rng.choice(keys, (count, 2))
        values = rng.choice(WORDS if kind is object else np.arange(50), (count, 2, *shape))
        values = values.astype(kind)
        table.insert(chosen_keys, values)  # the last value of a repeated key
        expected.update(zip(chosen_keys.ravel().tolist(), values.reshape(-1, *shape).tolist()))
        stored()
        removed = rng.choice(keys, 30)
        table.remove(removed)
        for key in removed.tolist():
            expected.pop(key, None)
        stored()
    scalar = keys[3] if key_dtype is tf.string else keys[3:4].reshape(())
    table.insert(scalar, values[0, 0] if shape or kind is object else values[0, :1].reshape(()))
    result = table.find(scalar, default)
    assert (result == values[0, 0]) if kind is object else result.tolist() == values[0, 0].tolist()
    table.insert(keys[:2], values[:2, 0], replaces_all=True)
    expected = dict(zip(keys[:2].tolist(), values[:2, 0].tolist()))
    stored()
