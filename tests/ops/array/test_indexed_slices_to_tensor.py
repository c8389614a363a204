"""IndexedSlices as tensors: sums, warnings, errors."""

import pytest

import tfmini as tf


def test_large_dense_conversion_warns():
    values, indices = tf.ones([1, 2]), tf.constant([0])
    with pytest.warns(UserWarning, match="to a dense Tensor with 200000000 elements. This may"):
        tf.convert_to_tensor(tf.IndexedSlices(values, indices, tf.constant([100_000_000, 2])))
    with pytest.warns(UserWarning, match="to a dense Tensor of unknown shape. This may consume"):
        tf.convert_to_tensor(tf.IndexedSlices(values, indices, tf.placeholder(tf.int32, [2])))
