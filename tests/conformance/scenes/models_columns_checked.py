"""Feature columns: defaults of mixed types, mismatched sizes, unknown shapes."""

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
