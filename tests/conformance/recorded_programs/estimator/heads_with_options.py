"""Estimator heads with weights, thresholds, vocabularies, sums instead of means, custom losses and links."""

import numpy as np


def outcome(tf, head, columns, labels):
    """The names of metrics and predictions, and all values, in a separate graph, since table names are random."""
    with tf.Graph().as_default(), tf.Session() as session:
        logits = tf.constant(np.random.RandomState(columns).randn(3, columns).astype("f"))
        features, labels = {"w": tf.constant([[1.0], [2.0], [0.5]])}, tf.constant(labels)
        specs = [
            head.create_estimator_spec(features, "eval", logits, labels=labels),
            head.create_estimator_spec(
                features, "train", logits, labels=labels, train_op_fn=lambda loss: loss * 2.0
            ),
            head.create_estimator_spec(features, "infer", logits),
        ]
        metrics = sorted(specs[0].eval_metric_ops.items())
        predictions = sorted(specs[2].predictions.items())
        session.run([tf.local_variables_initializer(), tf.tables_initializer()])
        session.run([update for _, (_, update) in metrics])
        fetches = [specs[0].loss, specs[1].loss, specs[1].train_op]
        fetches += [value for _, (value, _) in metrics] + [value for _, value in predictions]
        return [str(key) for key, _ in metrics + predictions], session.run(fetches)


def build(tf):
    heads = tf.estimator
    total = "sum"
    many = [[1, 0, 1], [0, 0, 1], [1, 1, 1]]

    def distances(labels, logits):
        return tf.abs(tf.cast(labels, tf.float32) - logits)

    def apart(labels, logits):
        return tf.reduce_sum(distances(labels, logits), axis=1, keepdims=True)

    cases = {
        "binary": (lambda: heads.BinaryClassHead("w", [0.3, 0.7], ["n", "y"], total), 1, [["n"], ["y"], ["y"]]),
        "binary's own loss": (lambda: heads.BinaryClassHead(loss_fn=apart), 1, [[0], [1], [1]]),
        "classes": (lambda: heads.MultiClassHead(3, "w", ["a", "b", "c"], total), 3, [["a"], ["b"], ["c"]]),
        "classes' own loss": (lambda: heads.MultiClassHead(3, loss_fn=apart), 3, [[0], [1], [2]]),
        "labels": (
            lambda: heads.MultiLabelHead(3, "w", [0.2, 0.6], None, total, classes_for_class_based_metrics=[0, 2]),
            3,
            many,
        ),
        "labels' own loss": (lambda: heads.MultiLabelHead(3, loss_fn=apart), 3, many),
        "regression": (
            lambda: heads.RegressionHead(3, "w", total, inverse_link_fn=tf.exp), 3, np.float32(many) * 0.5
        ),
        "regression's own loss": (lambda: heads.RegressionHead(3, "w", loss_fn=distances), 3, np.float32(many)),
        "counts": (lambda: heads.PoissonRegressionHead(3, "w", total, compute_full_loss=False), 3, np.float32(many)),
        "counts in full": (lambda: heads.PoissonRegressionHead(3, compute_full_loss=True), 3, np.float32(many) * 4),
        "chances": (lambda: heads.LogisticRegressionHead("w", total), 1, np.float32([[0.2], [0.8], [1.0]])),
    }  # fmt: skip
    facts, found = {}, {}
    for name, (head, columns, labels) in cases.items():
        facts[name], found[name] = outcome(tf, head(), columns, labels)
    return {
        "facts": facts,
        "steps": [(name, lambda session, name=name: found[name]) for name in found],
    }
