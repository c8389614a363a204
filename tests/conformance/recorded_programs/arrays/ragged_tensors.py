"""Ragged tensors: all constructors, row partitions, shapes, dense and sparse conversions; fed, in conditions."""

import numpy as np


def build(tf):
    ragged = tf.ragged.constant([[3, 1, 4], [], [1, 5], [9]], name="ragged")
    deep = tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]], row_splits_dtype=tf.int32)
    fed = tf.ragged.placeholder(tf.float32, 1, [2], name="fed")
    values = tf.constant([1.0, 2, 3, 4, 5])
    rows = tf.placeholder(tf.int64, [None], name="rows")

    def parts(*tensors):
        """The components of ragged tensors."""
        return [
            part
            for tensor in tensors
            for part in (
                [tensor]
                if isinstance(tensor, tf.Tensor)
                else [tensor.flat_values, *tensor.nested_row_splits]
            )
        ]

    make = tf.RaggedTensor
    made = parts(
        ragged,
        deep,
        make.from_row_splits(values, [0, 2, 2, 5]),
        make.from_row_lengths(values, [2, 0, 3], name="by_lengths"),
        make.from_row_starts(values, [0, 2, 2], validate=False),
        make.from_row_limits(values, [2, 2, 5]),
        make.from_value_rowids(values, [0, 0, 2, 2, 2], nrows=4),
        make.from_value_rowids(values, rows),
        make.from_nested_row_splits([1, 2, 3], [[0, 1, 2], [0, 1, 3]]),
        make.from_nested_row_lengths([1, 2, 3], [[1, 1], [1, 2]], validate=False),
        make.from_nested_value_rowids([1, 2, 3], [[0, 1], [0, 1, 1]], [2, 2]),
        tf.ragged.range([2, 0, 3]),
        tf.ragged.range([0.0, 5], 3, [0.5, -1], row_splits_dtype=tf.int32),
        tf.ragged.constant([[[1, 2]], []], ragged_rank=1),
        tf.ragged.constant([["a"], []], dtype=tf.string),
    )
    told = parts(
        ragged.nrows(),
        ragged.row_starts(),
        ragged.row_limits(name="ends"),
        ragged.row_lengths(),
        deep.row_lengths(axis=2),
        ragged.value_rowids(),
        *deep.nested_value_rowids(),
        *deep.nested_row_lengths(),
        deep.bounding_shape(),
        deep.bounding_shape(axis=1, out_type=tf.int64),
        tf.ragged.row_splits_to_segment_ids([0, 2, 2, 5]),
        tf.ragged.segment_ids_to_row_splits([0, 0, 2], num_segments=4),
        deep.with_row_splits_dtype(tf.int64),
    )
    moved = parts(
        ragged.to_tensor(),
        deep.to_tensor(default_value=-1),
        make.from_tensor([[5, 7, 0], [0, 3, 0], [6, 0, 0]], padding=0),
        make.from_tensor([[5, 7, 0], [0, 3, 0]], lengths=[1, 5]),
        make.from_tensor([[[5, 7], [0, 3]]], ragged_rank=2, row_splits_dtype=tf.int32),
        make.from_tensor([[[5, 7], [0, 3]]], lengths=([2], [1, 2])),
        make.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["a", "b", "c"], [3, 2])),
    )
    sparse = [ragged.to_sparse(), deep.to_sparse()]
    chosen = tf.cond(tf.size(rows) > 2, lambda: ragged, lambda: ragged * 2)
    value = tf.ragged.constant_value([[[1, 2], [3, 4]], [], [[5, 6]]], np.float32, ragged_rank=1)
    feeds = {rows: [0, 0, 2, 2, 2]}
    return {
        "steps": [
            ("made", made, feeds),
            ("told", told, feeds),
            ("moved", moved, feeds),
            ("sparse", [list(tensor._to_components()) for tensor in sparse], feeds),
            (
                "fed",
                parts(fed * 2.0, tf.reduce_sum(fed, 1), chosen),
                {**feeds, fed.flat_values: value.flat_values, fed.row_splits: value.row_splits},
            ),
        ]
    }
