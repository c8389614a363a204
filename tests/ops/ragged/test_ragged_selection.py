"""boolean_mask of ragged rows, against hand-computed values."""

import pytest

import tfmini as tf

ROWS = [[1, 2, 3], [4, 5, 6]]


def test_dense_rows_with_ragged_mask():
    with tf.Graph().as_default(), tf.Session() as session:
        mask = tf.ragged.constant([[True, False, True], [False, False, True]])
        selected = tf.ragged.boolean_mask(tf.constant(ROWS), mask)
        assert session.run(selected).to_list() == [[1, 3], [6]]
        same = tf.ragged.boolean_mask(tf.ragged.constant(ROWS), mask)
        assert session.run(same).to_list() == [[1, 3], [6]]
        shorter = tf.ragged.constant([[True, False, True], [False, False]])
        with pytest.raises(ValueError, match=r"^Shapes \(6,\) and \(5,\) are incompatible$"):
            tf.ragged.boolean_mask(tf.constant(ROWS), shorter)


def test_ragged_rows_with_dense_mask_keep_row_split_dtype(session):
    rows = tf.RaggedTensor.from_row_splits(
        [1, 2, 3, 4], tf.constant([0, 2, 4], tf.int32), validate=False
    )
    selected = tf.ragged.boolean_mask(rows, tf.constant([[True, False], [False, True]]))
    assert selected.row_splits.dtype is tf.int32
    assert session.run(selected).to_list() == [[1], [4]]
