"""Losses and metrics with every reduction, custom collections, weights: nodes, collections, values."""

import numpy as np


def build(tf):
    losses, metrics = tf.losses, tf.metrics
    random = np.random.RandomState(2)
    x = tf.constant(random.randn(4, 3).astype("f"))
    y = tf.constant(random.randn(4, 3).astype("f"))
    ones = tf.constant(random.randint(0, 2, [4, 3]).astype("f"))
    classes = tf.constant([2, 0, 1, 1])
    weights = tf.constant([[0.5], [0.0], [2.0], [1.0]])
    flat = tf.constant([0.5, 0.0, 2.0, 1.0])
    made = {}
    for reduction in losses.Reduction.all():
        given = {"reduction": reduction, "loss_collection": "mine"}
        by_row = dict(given, weights=weights)
        made[reduction] = [
            losses.absolute_difference(x, y, **by_row),
            losses.compute_weighted_loss(x, weights, **given),
            losses.cosine_distance(x, y, axis=1, **by_row),
            losses.hinge_loss(ones, x, **by_row),
            losses.huber_loss(x, y, delta=0.5, **by_row),
            losses.log_loss(ones, tf.sigmoid(x), epsilon=1e-3, **by_row),
            losses.mean_squared_error(x, y, **by_row),
            losses.sigmoid_cross_entropy(ones, x, label_smoothing=0.25, **by_row),
            losses.softmax_cross_entropy(
                tf.nn.softmax(y), x, label_smoothing=0.125, weights=flat, **given
            ),
            losses.sparse_softmax_cross_entropy(classes, x, weights=flat, **given),
        ]
    made["pairs"] = [
        losses.mean_pairwise_squared_error(x, y, weights, loss_collection="mine"),
        losses.mean_pairwise_squared_error(x, y, loss_collection=None),
    ]
    losses.add_loss(x[0, 0], "mine")
    losses.add_loss(x[0, 1])
    made["totals"] = [
        losses.get_total_loss(add_regularization_losses=False),
        tf.add_n(losses.get_losses(loss_collection="mine")[-2:]),
    ]
    collected = {"metrics_collections": ["a", "b"], "updates_collections": "c"}
    labels, guesses = ones, tf.cast(x > 0, tf.float32)
    odds, at = tf.sigmoid(x), [0.25, 0.75]
    found = [
        metrics.accuracy(labels, guesses, weights, **collected),
        metrics.auc(labels, odds, weights, 7, curve="PR", **collected),
        metrics.auc(labels, odds, weights, 7, summation_method="minoring"),
        metrics.false_negatives(labels, guesses, weights, **collected),
        metrics.false_negatives_at_thresholds(labels, odds, at, weights, **collected),
        metrics.false_positives(labels, guesses, weights, **collected),
        metrics.false_positives_at_thresholds(labels, odds, at, weights, **collected),
        metrics.mean(x, weights, **collected),
        metrics.mean_absolute_error(x, y, weights, **collected),
        metrics.mean_cosine_distance(
            tf.nn.l2_normalize(x, 1), tf.nn.l2_normalize(y, 1), 1, weights, **collected
        ),
        metrics.mean_iou(classes, tf.argmax(x, 1), 3, flat, **collected),
        metrics.mean_per_class_accuracy(classes, tf.argmax(x, 1), 3, flat, **collected),
        metrics.mean_relative_error(x, y, tf.abs(y) + 1.0, weights, **collected),
        metrics.mean_squared_error(x, y, weights, **collected),
        metrics.mean_tensor(x, tf.broadcast_to(weights, [4, 3]), **collected),
        metrics.percentage_below(x, 0.1, weights, **collected),
        metrics.precision(labels, guesses, weights, **collected),
        metrics.precision_at_k(tf.to_int64(classes), x, 2, 1, flat, **collected),
        metrics.average_precision_at_k(tf.to_int64(classes), x, 2, flat, **collected),
        metrics.precision_at_thresholds(labels, odds, at, weights, **collected),
        metrics.precision_at_top_k(
            tf.to_int64(classes)[:, None], tf.nn.top_k(x, 2)[1], 2, 1, flat, **collected
        ),
        metrics.recall(labels, guesses, weights, **collected),
        metrics.recall_at_k(tf.to_int64(classes), x, 2, 1, flat, **collected),
        metrics.recall_at_thresholds(labels, odds, at, weights, **collected),
        metrics.recall_at_top_k(
            tf.to_int64(classes)[:, None], tf.nn.top_k(x, 2)[1], 2, 1, flat, **collected
        ),
        metrics.root_mean_squared_error(x, y, weights, **collected),
        metrics.sensitivity_at_specificity(
            labels,
            odds,
            0.4,
            weights,
            9,
            metrics_collections=collected["metrics_collections"],
            updates_collections=collected["updates_collections"],
        ),
        metrics.specificity_at_sensitivity(
            labels,
            odds,
            0.4,
            weights,
            9,
            metrics_collections=collected["metrics_collections"],
            updates_collections=collected["updates_collections"],
        ),
        metrics.true_negatives(labels, guesses, weights, **collected),
        metrics.true_negatives_at_thresholds(labels, odds, at, weights, **collected),
        metrics.true_positives(labels, guesses, weights, **collected),
        metrics.true_positives_at_thresholds(labels, odds, at, weights, **collected),
    ]
    values, updates = zip(*found)
    for key in (tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES):
        tf.get_collection_ref(key).sort(key=lambda variable: variable.name)
    fetched = [list(each) for _, each in sorted(made.items())]
    return {
        "facts": {"keys": sorted(made)},
        "steps": [
            ("losses", fetched),
            ("start", tf.local_variables_initializer()),
            ("once", list(updates)),
            ("twice", list(updates)),
            ("values", list(values)),
        ],
    }
