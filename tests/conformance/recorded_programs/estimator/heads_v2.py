"""The newer classification and regression heads, by method: predictions, losses, metrics, a training step."""

import numpy as np

from tests.support.models.estimator_runs import in_order_of_names
from tests.support.programs.table_names import in_order


def build(tf):
    with in_order():
        return _build(tf)


def _build(tf):
    tf.train.get_or_create_global_step()
    random = np.random.RandomState(0)
    of, x = tf.estimator, tf.constant(random.randn(6, 2).astype("f"), name="x")
    features = {"x": x, "w": tf.constant([[1.0], [2.0], [0.5], [1.0], [3.0], [1.0]])}
    words, ids = ["no", "yes", "maybe"], np.array([[0], [1], [1], [0], [1], [0]])
    cases = {
        "two": (of.BinaryClassHead("w", [0.3], name="two"), ids),
        "named": (of.BinaryClassHead(label_vocabulary=words[:2]), np.array(words)[ids]),
        "three": (of.MultiClassHead(3, "w", loss_reduction="sum"), ids + [[1], [0]] * 3),
        "words": (of.MultiClassHead(3, label_vocabulary=words, name="words"), np.array(words)[ids]),
        "numbers": (of.RegressionHead(2, "w", name="n"), random.rand(6, 2).astype("f")),
        "counts": (of.PoissonRegressionHead(), ids.astype("f") * 3),
        "chance": (of.LogisticRegressionHead(name="chance"), ids * 0.5),
        "labels": (
            of.MultiLabelHead(3, thresholds=[0.5], classes_for_class_based_metrics=[1]),
            np.concatenate([ids, 1 - ids, ids], 1),
        ),
    }
    fetches, facts = [], {}
    for name, (head, labels) in cases.items():
        with tf.variable_scope(name):
            size = head.logits_dimension
            weights = tf.get_variable(
                "v", initializer=np.ones([2, size], "f") * 0.3, use_resource=True
            )
            logits, labels = tf.matmul(x, weights), tf.constant(labels)
            others = [tf.reduce_sum(weights**2), tf.constant(0.5)] if "n" in name else None
            optimizer = tf.keras.optimizers.SGD(0.1)
            train = head.create_estimator_spec(
                features,
                "train",
                logits,
                labels,
                optimizer,
                [weights],
                update_ops=[tf.no_op()],
                regularization_losses=others,
            )
            evaluate = head.create_estimator_spec(
                features, "eval", logits, labels, regularization_losses=others
            )
            asked = head.create_estimator_spec(features, "infer", logits)
        measured = evaluate.eval_metric_ops
        facts[name] = [sorted(measured), sorted(asked.export_outputs), sorted(asked.predictions)]
        facts[name] += [str(head.name), head.logits_dimension, head.loss_reduction]
        for key in sorted(asked.predictions):
            if asked.predictions[key].dtype != tf.string:
                fetches.append(asked.predictions[key])
        fetches += [evaluate.loss, train.loss]
        facts[name].append(train.train_op.name)
    in_order_of_names(tf)
    start = [tf.global_variables_initializer(), tf.tables_initializer()]
    return {"facts": facts, "steps": [("init", start), ("values", fetches)]}
