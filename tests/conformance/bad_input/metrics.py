"""Metrics: mismatched shapes, weights that do not broadcast, values out of range, uninitialized variables."""


def free(tf, name, dtype="float32"):
    return tf.placeholder(dtype, name=name)


def initialized(tf, metric):
    """The update of a metric, after initializing its variables."""
    with tf.control_dependencies([v.initializer for v in tf.local_variables()]):
        return tf.identity(metric[1], name="done")


def predictions_above_one(tf):
    guesses = free(tf, "guesses")
    counts = tf.metrics.true_positives_at_thresholds(tf.constant([1, 0]), guesses, [0.5])
    return initialized(tf, counts), {guesses: [0.5, 1.5]}


def predictions_below_zero(tf):
    guesses = free(tf, "guesses")
    counts = tf.metrics.false_negatives_at_thresholds(tf.constant([1, 0]), guesses, [0.5])
    return initialized(tf, counts), {guesses: [0.5, -0.5]}


def k_that_is_zero(tf):
    labels = tf.constant([[0]], tf.int64)
    return tf.metrics.average_precision_at_k(labels, tf.ones([1, 3]), 0)


def predictions_without_a_last_dimension(tf):
    labels = tf.constant([0, 1], tf.int64)
    scores = tf.constant(1.0)
    return tf.metrics.average_precision_at_k(labels, scores, 1)
