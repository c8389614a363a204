"""Partitions that RaggedTensorToTensor rejects."""


def partitions(tf, stage):
    def made(kinds, partitions, shape=(2, 3), values=(1, 2, 3), default=0):
        return lambda: tf.raw_ops.RaggedTensorToTensor(
            shape=shape,
            values=values,
            default_value=default,
            row_partition_tensors=partitions,
            row_partition_types=kinds,
        )

    splits, first, ids = "ROW_SPLITS", "FIRST_DIM_SIZE", "VALUE_ROWIDS"
    stage.each(
        {
            "splits": made([splits], [[0, 2, 3]]),
            "ids": made([first, ids], [2, [0, 0, 1]]),
            "no_kinds": made([], [[0, 2, 3]]),
            "more_kinds": made([splits, splits], [[0, 2, 3]]),
            "fewer_kinds": made([splits], [[0, 2, 3], [0, 2, 3]]),
            "unknown_kind": made(["X"], [[0, 2, 3]]),
            "lengths": made(["ROW_LENGTHS"], [[2, 1]]),
            "size_alone": made([first], [2]),
            "size_before_splits": made([first, splits], [2, [0, 2, 3]]),
            "size_behind": made([splits, first], [[0, 2, 3], 2]),
            "ids_first": made([ids], [[0, 0, 1]]),
            "size_is_a_vector": made([first, ids], [[2], [0, 0, 1]]),
            "ids_are_a_matrix": made([first, ids], [2, [[0, 0, 1]]]),
            "splits_are_a_number": made([splits], [0]),
            "shape_is_a_matrix": made([splits], [[0, 2, 3]], shape=[[2, 3]]),
            "default_is_a_matrix": made([splits], [[0, 2, 3]], default=[[0]]),
        },
        graph=False,
    )
