"""IndexedSlices as tensors: sums, warnings, refusals."""

import numpy as np
import pytest

import tfmini as tf


def test_rows_are_added_at_their_places():
    slices = tf.IndexedSlices(
        tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        tf.constant([2, 0, 2]),
        tf.constant([4, 2]),
    )
    dense = tf.convert_to_tensor(slices, name="dense")
    assert dense.name == "dense:0"
    with tf.Session() as session:
        got = session.run(dense)
    np.testing.assert_array_equal(got, [[3, 4], [0, 0], [6, 8], [0, 0]])


def test_warns_of_what_may_be_large():
    values, indices = tf.ones([1, 2]), tf.constant([0])
    with pytest.warns(UserWarning, match="to a dense Tensor with 200000000 elements. This may"):
        tf.convert_to_tensor(tf.IndexedSlices(values, indices, tf.constant([100_000_000, 2])))
    with pytest.warns(UserWarning, match="to a dense Tensor of unknown shape. This may consume"):
        tf.convert_to_tensor(tf.IndexedSlices(values, indices, tf.placeholder(tf.int32, [2])))


def test_refused():
    slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2]))
    with pytest.raises(ValueError, match="requested dtype int32 for IndexedSlices with dtype fl"):
        tf.convert_to_tensor(slices, tf.int32)
    shapeless = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]))
    with pytest.raises(
        ValueError, match="requested for IndexedSlices without dense_shape: Indexed"
    ):
        tf.convert_to_tensor(shapeless)
