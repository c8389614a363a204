"""Ops that are run at once: each is compiled once for what it is called with."""

import gc
import weakref

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager import execute
from tfmini._src.session.plan_cache import Recent

pytestmark = pytest.mark.usefixtures("eager")


def test_lists_of_other_lengths_are_another_call():
    """Six tensors each time: two features that are sparse, or one and three that are dense."""

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


def test_ops_with_other_attrs_replace_those_used_longest_ago(monkeypatch):
    monkeypatch.setattr(execute, "_compiled", Recent(8))
    monkeypatch.setattr(execute, "_calls", Recent(8))
    x = tf.constant([-1.0, 2.0])
    tf.nn.leaky_relu(x, alpha=0.5)
    (first,) = [weakref.ref(each.plan) for each in execute._compiled.values()]
    for number in range(20):
        assert tf.nn.leaky_relu(x, alpha=float(number)).numpy().tolist() == [-number, 2]
    gc.collect()
    assert first() is None
    assert tf.nn.leaky_relu(x, alpha=0.5).numpy().tolist() == [-0.5, 2]


@pytest.mark.parametrize("dtype", [None, tf.int32, tf.int64, tf.float32, tf.float64, tf.uint8])
def test_python_integers_become_numpys(dtype):
    for value in (0, 7, 200) if dtype is tf.uint8 else (-7, 0, 2**24 + 1, 2**31 - 1):
        expected = np.array(value, dtype.as_numpy_dtype if dtype else np.int32)
        found = tf.constant(value, dtype)
        assert found.dtype == expected.dtype and found.numpy() == expected
        assert type(found.numpy()) is type(expected[()])
