"""Columns: defaults of mixed kinds, sizes that differ from one another, shapes that are not known."""

import importlib

import numpy as np


def defaults(tf, stage):
    of = tf.feature_column
    for dtype in (tf.int32, tf.float32, tf.int64, tf.float64):
        for shape, value in (
            ((2,), [1, 2]),
            ((2,), [1, 2.5]),
            ((2,), [1.5, 2]),
            ((2,), [1.5, 2.5]),
            ((2,), (1, 2)),
            ((2,), np.array([1, 2])),
            ((2,), np.array([1.5, 2.0], np.float32)),
            ((2,), [1, "a"]),
            ((2,), ["a", "b"]),
            ((2,), [True, 1]),
            ((2,), [1, 2, 3]),
            ((2,), [[1, 2]]),
            ((2,), 3),
            ((2,), 3.5),
            ((2,), np.float32(3.5)),
            ((2,), np.int64(3)),
            ((2, 1), [[1], [2]]),
            ((2, 1), [[1], [2.5]]),
            ((2, 3), 4),
            ((1,), [None]),
            ((1,), "a"),
        ):
            stage.attempt(
                lambda: of.numeric_column("x", shape, value, dtype).default_value  # noqa: B023
            )


def context_of_steps(tf, stage):
    path = "tensorflow.python.feature_column.sequence_feature_column"
    if tf.__name__ != "tensorflow":
        path = "tfmini._src.models.feature_column.sequence_input_layer"
    join = importlib.import_module(path).concatenate_context_input
    context = np.arange(6, dtype=np.float32).reshape(2, 3) + 50
    steps = np.arange(2 * 4 * 5, dtype=np.float32).reshape(2, 4, 5)
    stage.each(
        {
            "other rows": lambda: join(tf.constant(context[:1]), tf.constant(steps)),
            "ranks": lambda: join(tf.constant(context[0]), tf.constant(steps)),
            "ranks too": lambda: join(tf.constant(context), tf.constant(steps[0])),
            "dtypes": lambda: join(tf.constant(context, tf.float64), tf.constant(steps)),
            "dtypes too": lambda: join(tf.constant(context), tf.constant(steps, tf.int32)),
        }
    )


def sequences_of_unequal_sizes(tf, stage):
    of, older = tf.feature_column, tf.contrib.feature_column
    words = ([[0, 0], [0, 1], [1, 0], [3, 2]], ["a", "b", "c", "z"], [4, 3])
    numbers = ([[0, 0], [0, 1], [3, 4]], [1.0, 2.0, 7.0], [4, 6])
    kinds = of.sequence_categorical_column_with_vocabulary_list("w", ["a", "b", "c"])

    def layer(*columns, **options):
        return older.sequence_input_layer(
            {"w": tf.SparseTensor(*words), "n": tf.SparseTensor(*numbers)}, columns, **options
        )

    stage.each(
        {
            "both": lambda: layer(
                of.indicator_column(kinds), older.sequence_numeric_column("n", (2,))
            )
        },
        graph="sum",
    )
    stage.attempts(
        lambda: older.sequence_numeric_column("n", 0),
        lambda: older.sequence_numeric_column("n", (2, 0)),
        lambda: older.sequence_numeric_column("n", 1.5),
        lambda: older.sequence_numeric_column("n", dtype=tf.string),
    )
