"""Eager ops: each is compiled once per kind of call."""

import gc
import weakref

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager import execute
from tfmini._src.session.plan_cache import LRUCache

pytestmark = pytest.mark.usefixtures("eager")


def test_call_cache_distinguishes_list_lengths():
    """Six tensors each time: two sparse features, or one sparse and three dense ones."""

    def crossed(count, dense):
        options = {"hashed_output": False, "num_buckets": 0, "hash_key": 1}
        return tf.raw_ops.SparseCross(
            indices=[tf.constant([[0, 0]], tf.int64)] * count,
            values=[tf.constant([7], tf.int64)] * count,
            shapes=[tf.constant([1, 1], tf.int64)] * count,
            dense_inputs=[tf.constant([[5]], tf.int64)] * dense,
            out_type=tf.string,
            internal_type=tf.string,
            **options,
        ).output_values.numpy()

    assert crossed(2, 0).tolist() == [b"7_X_7"]
    assert crossed(1, 3).tolist() == [b"7_X_5_X_5_X_5"]


def test_least_recently_used_ops_are_evicted(monkeypatch):
    monkeypatch.setattr(execute, "_compiled_ops", LRUCache(8))
    monkeypatch.setattr(execute, "_op_by_call", LRUCache(8))
    x = tf.constant([-1.0, 2.0])
    tf.nn.leaky_relu(x, alpha=0.5)
    (first,) = [weakref.ref(each.plan) for each in execute._compiled_ops.values()]
    for i in range(20):
        assert tf.nn.leaky_relu(x, alpha=float(i)).numpy().tolist() == [-i, 2]
    gc.collect()
    assert first() is None
    assert tf.nn.leaky_relu(x, alpha=0.5).numpy().tolist() == [-0.5, 2]


@pytest.mark.parametrize("dtype", [None, tf.int32, tf.int64, tf.float32, tf.float64, tf.uint8])
def test_python_integers_convert_to_numpy_dtypes(dtype):
    for value in (0, 7, 200) if dtype is tf.uint8 else (-7, 0, 2**24 + 1, 2**31 - 1):
        expected = np.array(value, dtype.as_numpy_dtype if dtype else np.int32)
        actual = tf.constant(value, dtype)
        assert actual.dtype == expected.dtype and actual.numpy() == expected
        assert type(actual.numpy()) is type(expected[()])


def test_integers_and_lists_are_converted_once(monkeypatch):
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    def results():
        return [
            tf.reduce_sum(x, 0),
            tf.reduce_sum(x, 1),
            tf.reduce_sum(x),
            tf.reshape(x, [3, 2]),
            tf.reshape(x, [-1]),
            tf.concat([x, x + 1], 1),
            tf.concat([x], 0),
            tf.stack([x, x]),
            *tf.split(x, [1, 2], 1),
            tf.expand_dims(tf.argmax(x, 1), 0),
        ]

    numbers = np.array([[1, 2, 3], [4, 5, 6]], "f")
    expected = [
        [5, 7, 9],
        [6, 15],
        21,
        [[1, 2], [3, 4], [5, 6]],
        [1, 2, 3, 4, 5, 6],
        np.concatenate([numbers, numbers + 1], 1),
        numbers,
        [numbers, numbers],
        numbers[:, :1],
        numbers[:, 1:],
        [[2, 2]],
    ]
    results()
    monkeypatch.setattr(execute, "_bind_and_run", None)  # each call is cached
    for result, value in zip(results(), expected, strict=True):
        np.testing.assert_array_equal(result.numpy(), value)


def test_converted_lists_are_not_aliased():
    variable = tf.Variable([0, 0])
    for _ in range(3):
        tf.raw_ops.AssignVariableOp(resource=variable.handle, value=[1, 2])
        tf.raw_ops.AssignAddVariableOp(resource=variable.handle, value=[1, 2])
        execute.raw.AssignVariableOp(variable.handle, [1, 2])
        execute.raw.AssignAddVariableOp(variable.handle, [1, 2])
        np.testing.assert_array_equal(variable.numpy(), [2, 4])
        result = execute.raw.Identity([3, 4])
        if result.numpy().flags.writeable:
            result.numpy()[:] = 0
        np.testing.assert_array_equal(execute.raw.Identity([3, 4]).numpy(), [3, 4])
    mixed = [tf.constant(1), 2]
    for _ in range(2):
        np.testing.assert_array_equal(execute.raw.Pack(mixed).numpy(), [1, 2])
        mixed[0] = tf.constant(1)
    np.testing.assert_array_equal(execute.raw.Pack([True, False]).numpy(), [True, False])
    np.testing.assert_array_equal(execute.raw.Pack([1, 0]).numpy(), [1, 0])
