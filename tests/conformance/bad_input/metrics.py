"""Metrics: shapes that differ, weights that do not stretch, values out of range, what was not initialized."""


def free(tf, name, dtype="float32"):
    return tf.placeholder(dtype, name=name)


def initialized(tf, metric):
    """The update of a metric, after its variables were made."""
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


CASES = {
    "ranks_that_differ": lambda tf: tf.metrics.mean_squared_error(tf.ones([2]), tf.ones([2, 2])),
    "dtypes_that_differ": lambda tf: tf.metrics.mean_absolute_error(
        tf.ones([2], tf.int32), tf.ones([2])
    ),
    "weights_of_another_rank": lambda tf: tf.metrics.mean(tf.ones([2, 3, 4]), tf.ones([2])),
    "weights_of_counts_of_another_rank": lambda tf: tf.metrics.true_positives(
        tf.ones([2, 3]), tf.ones([2, 3]), tf.ones([3, 1, 1, 1])
    ),
    "labels_that_are_none": lambda tf: tf.metrics.precision(None, tf.ones([2])),
    "constant_predictions_above_one": lambda tf: tf.metrics.auc(
        tf.constant([1, 0]), tf.constant([2.0, 0.5])
    ),
    "unknown_curve": lambda tf: tf.metrics.auc(tf.constant([1]), tf.constant([0.5]), curve="DET"),
    "unknown_summation": lambda tf: tf.metrics.auc(
        tf.constant([1]), tf.constant([0.5]), summation_method="middle"
    ),
    "sensitivity_outside": lambda tf: tf.metrics.specificity_at_sensitivity(
        tf.constant([1]), tf.constant([0.5]), -0.5
    ),
    "thresholds_of_sensitivity_that_do_not_fit": lambda tf: tf.metrics.precision_at_thresholds(
        tf.ones([2]), tf.ones([3]), [0.5]
    ),
    "classes_of_unknown_rank": lambda tf: tf.metrics.mean_iou(
        free(tf, "labels", "int32"), tf.constant([0, 1]), 2
    ),
    "classes_of_other_shapes": lambda tf: tf.metrics.mean_iou(
        tf.constant([0, 1]), tf.constant([0, 1, 1]), 2
    ),
    "accuracies_of_other_shapes": lambda tf: tf.metrics.mean_per_class_accuracy(
        tf.constant([0, 1]), tf.constant([0, 1, 1]), 2
    ),
    "k_above_the_classes": lambda tf: tf.metrics.precision_at_k(
        tf.constant([[0]], tf.int64), tf.ones([1, 3]), 4
    ),
    "labels_of_a_rank_that_does_not_fit": lambda tf: tf.metrics.recall_at_k(
        tf.constant(0, tf.int64), tf.ones([2, 3]), 1
    ),
    "labels_of_int32_at_k": lambda tf: tf.metrics.recall_at_k(
        tf.constant([[0], [1]]), tf.ones([2, 3]), 1
    ),
    "vectors_without_a_dimension": lambda tf: tf.metrics.mean_cosine_distance(
        tf.ones([2]), tf.ones([2]), 1
    ),
    "unknown_shape_of_each": lambda tf: tf.metrics.mean_tensor(free(tf, "x")),
    "normalizer_of_another_shape": lambda tf: tf.metrics.mean_relative_error(
        tf.ones([2]), tf.ones([2]), tf.ones([3])
    ),
}
