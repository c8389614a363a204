"""tf.metrics of one rate at another's: sensitivity at specificity and back, precision at recall, all counts."""

import numpy as np


def build(tf):
    metrics = tf.metrics
    labels = tf.placeholder(tf.bool, [None], name="labels")
    scores = tf.placeholder(tf.float32, [None], name="scores")
    weights = tf.placeholder(tf.float32, [None], name="weights")
    made = [
        metrics.sensitivity_at_specificity(labels, scores, 0.6, num_thresholds=10),
        metrics.sensitivity_at_specificity(labels, scores, 0.3, weights, 10, name="weighted"),
        metrics.specificity_at_sensitivity(labels, scores, 0.6, num_thresholds=10),
        metrics.specificity_at_sensitivity(labels, scores, 0.3, weights, 10, "kept", "updated"),
        metrics.auc(labels, scores, weights, num_thresholds=10, curve="PR"),
        metrics.auc(labels, scores, num_thresholds=10, summation_method="minoring"),
        metrics.true_positives_at_thresholds(labels, scores, [0.2, 0.8], weights),
        metrics.false_negatives_at_thresholds(labels, scores, [0.2, 0.8]),
        tf.contrib.metrics.precision_at_recall(labels, scores, 0.7, num_thresholds=10),
        tf.contrib.metrics.recall_at_precision(labels, scores, 0.4, num_thresholds=10),
    ]
    values, updates = zip(*made)
    rng = np.random.RandomState(6)
    steps = []
    for i, size in enumerate((2, 8)):
        feed = {labels: rng.rand(size) > 0.5, scores: rng.rand(size).round(2)}
        feed[weights] = rng.rand(size).round(1)
        steps += [(f"update {i}", updates, feed), (f"values {i}", values)]
    return {"steps": [("initialize", tf.local_variables_initializer()), *steps]}
