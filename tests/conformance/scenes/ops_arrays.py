"""Arrays, segments, sorting and reductions: rare options, gradients of slices, errors."""

import numpy as np

X = np.arange(12.0, dtype="f").reshape(3, 4) - 5.5


def taken_apart(tf, stage):
    ph = tf.placeholder_with_default
    stage.each(
        {
            "split_unknown": lambda: tf.split(X, ph([1, 3], [None])),
            "sequences_same": lambda: tf.reverse_sequence(X, [1, 2, 3, 1], 1, batch_axis=1),
        }
    )
