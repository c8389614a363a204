"""tf.contrib.sparsemax: probabilities, their loss, gradients."""

import numpy as np


def build(tf):
    steps = []
    values = np.random.RandomState(3).normal(0, 1.5, (4, 5))
    for dtype in (np.float32, np.float64):
        with tf.name_scope(dtype.__name__):
            logits = tf.constant(values.astype(dtype), name="given")
            probabilities = tf.contrib.sparsemax.sparsemax(logits)
            labels = tf.one_hot([1, 0, 4, 2], 5, dtype=dtype)
            loss = tf.contrib.sparsemax.sparsemax_loss(logits, probabilities, labels)
            steps.append((dtype.__name__, [probabilities, loss, *tf.gradients(loss, logits)]))
    loose = tf.placeholder_with_default(
        np.array([[np.nan, 1, 2], [np.inf, 0, 1], [-np.inf, 0, 0.5]], np.float32),
        None,
        name="loose",
    )
    made = tf.contrib.sparsemax.sparsemax(loose, name="named")
    labels = np.eye(3, dtype=np.float32)
    steps.append(("odd", [made, tf.contrib.sparsemax.sparsemax_loss(loose, made, labels)]))
    return {"steps": steps}
