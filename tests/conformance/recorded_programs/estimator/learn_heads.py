"""`contrib.learn` heads, alone and combined: multi-label, hinge losses, per-class metrics, further losses."""

import numpy as np

TOLERANCE = 1e-4  # some training steps
INPUTS = np.random.RandomState(0).randn(6, 3).astype("f")
WEIGHTS = np.array([1, 2, 0.5, 1, 1, 3], "f")


def build(tf):
    learn = tf.contrib.learn
    head_module = learn.head
    labels = {
        "many": np.array([[1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 0, 0]]),
        "two": np.array([0, 1, 1, 0, 1, 0])[:, None],
        "three": np.array([0, 1, 2, 2, 1, 0])[:, None],
    }

    def own(labels, logits, weights=1.0):
        return tf.losses.sigmoid_cross_entropy(labels, logits, weights)

    heads = {
        "many": learn.multi_label_head(3, metric_class_ids=[2]),
        "sparse": learn.multi_label_head(3, "many", "w", False, "named"),
        "own": learn.multi_label_head(3, loss_fn=own),
        "weighed": learn.binary_svm_head("two", "w", False, "margin"),
        "three": learn.multi_class_head(3, metric_class_ids=[1], weight_column_name="w"),
    }
    both = [
        learn.binary_svm_head("two", head_name="a"),
        learn.multi_label_head(3, "many", head_name="b"),
        head_module.loss_only_head(lambda: [tf.constant(2.0), tf.constant(0.5)], "c"),
    ]
    heads["merged"] = learn.multi_head(both, loss_weights=[1.0, 0.5, 2.0])
    facts, steps, made = {}, [], []
    step = tf.train.get_or_create_global_step()

    def trained(loss):
        return tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)

    train, evaluate, infer = learn.ModeKeys.TRAIN, learn.ModeKeys.EVAL, learn.ModeKeys.INFER
    modes = {
        "many": [evaluate, infer],
        "sparse": [train],
        "own": [train],
        "weighed": [train, evaluate],
        "three": [evaluate],
        "merged": [train, evaluate, infer],
    }
    for name, head in heads.items():
        for mode in modes[name]:
            with tf.variable_scope(name + "_" + mode):
                given = {key: tf.constant(value) for key, value in labels.items()}
                if name == "sparse":
                    places = np.argwhere(labels["many"])
                    given["many"] = tf.SparseTensor(places, places[:, 1].copy(), [6, 3])
                elif name in labels:
                    given = given[name]
                elif name == "own":
                    given = given["many"]
                features = {"x": tf.constant(INPUTS), "w": tf.constant(WEIGHTS)}
                options = {"logits_input": features["x"]}
                if name == "merged":
                    hidden = tf.layers.dense(features["x"], head.logits_dimension)
                    options = {"logits": hidden}
                found = head.create_model_fn_ops(
                    features, mode, None if mode == "infer" else given, trained, **options
                )
            facts[name + " " + mode] = [
                sorted(map(str, found.predictions or {})),
                sorted(found.eval_metric_ops or {}),
                sorted(map(str, found.output_alternatives or {})),
            ]
            made.append((name + " " + mode, found))
    assert learn.multi_head(both[:2]).logits_dimension == 4
    steps.append(("init", tf.global_variables_initializer()))
    steps.append(("local", tf.local_variables_initializer()))
    for label, found in made:
        if found.train_op is not None:
            steps.append((label, [found.loss, found.train_op]))
    steps.append(("weights", tf.trainable_variables()))
    for label, found in made:
        keys = sorted(found.eval_metric_ops or {})
        if label.endswith("eval"):
            steps.append((label, [found.eval_metric_ops[key][1] for key in keys]))
            steps.append((label + " loss", [found.loss] + list(found.predictions.values())))
        elif label.endswith("infer"):
            steps.append((label, list(found.predictions.values())))
    return {"steps": steps, "facts": facts}
