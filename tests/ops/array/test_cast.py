"""Casts that add no node, casts of composite values, and saturating casts."""

import numpy as np
import pytest

import tfmini as tf


def test_slices_and_sparse_tensors_keep_their_type():
    slices = tf.cast(tf.IndexedSlices(tf.constant([1.5]), tf.constant([0])), tf.int32)
    assert isinstance(slices, tf.IndexedSlices) and slices.dtype == tf.int32
    sparse = tf.cast(tf.SparseTensor([[0]], [1.5], [2]), tf.int64)
    assert isinstance(sparse, tf.SparseTensor) and sparse.dtype == tf.int64


def test_saturate_cast_clips_only_where_required(graph):
    x = tf.constant([-5, 300], tf.int32)
    clipped = tf.saturate_cast(x, tf.uint8)
    kinds = [op.type for op in graph.get_operations()]
    assert "Maximum" in kinds and "Minimum" in kinds
    wider = tf.saturate_cast(x, tf.int64)
    assert [op.type for op in graph.get_operations()].count("Maximum") == 1
    with tf.Session() as session:
        assert session.run([clipped, wider])[0].tolist() == [0, 255]


@pytest.mark.parametrize("kind", ["f", "d", "e"])
def test_truncation_drops_low_bits(kind):
    values = np.array([1 / 3, -2.718281828, 1e-3], kind)
    if kind == "e":
        cast = tf.raw_ops.Cast(x=values, DstT=tf.bfloat16, Truncate=True)
        bits = values.astype("f")
    else:
        cast = tf.raw_ops.Cast(x=values, DstT=tf.bfloat16, Truncate=True)
        bits = values.astype("f") if kind == "f" else values.astype("d")
    with tf.Session() as session:
        actual = session.run(tf.cast(cast, tf.float64))
    assert (np.abs(actual) <= np.abs(bits.astype("d"))).all()
    np.testing.assert_allclose(actual, bits.astype("d"), rtol=2**-7)
