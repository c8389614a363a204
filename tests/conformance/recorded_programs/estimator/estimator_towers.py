"""A model function replicated over two devices: graphs of all modes, updates, summed metrics, predictions, errors."""

import numpy as np

from tests.support.models.estimator_runs import row


def build(tf):
    values, ones, replicate = [], tf.ones_initializer(), tf.contrib.estimator.replicate_model_fn
    facts, devices = {"refused": []}, ["/device:CPU:0", "/device:CPU:1"]

    def model(features, labels, mode):
        table = tf.get_variable("table", [3, 4], initializer=ones)
        hidden = tf.layers.dense(features["x"], 4, kernel_initializer=ones, name="h")
        hidden += tf.nn.embedding_lookup(table, features["ids"])
        y = tf.layers.dense(hidden, 1, kernel_initializer=ones, name="y")
        if mode == "infer":
            outputs = {"y": tf.estimator.export.RegressionOutput(y)}
            return tf.estimator.EstimatorSpec(mode, {"y": y}, export_outputs=outputs)
        loss = tf.losses.mean_squared_error(labels, y)
        metrics = {"mae": tf.metrics.mean_absolute_error(labels, y)}
        optimizer = tf.contrib.estimator.TowerOptimizer(
            lambda: tf.train.MomentumOptimizer(0.1, 0.9)
        )
        return tf.estimator.EstimatorSpec(mode, None, loss, optimizer.minimize(loss), metrics)

    def unwrapped(features, labels, mode):
        return tf.estimator.EstimatorSpec(mode, loss=features[0], train_op=tf.no_op())

    for reduction in ("weighted_sum", "weighted_mean"):
        for mode in ("train", "eval", "infer"):
            with tf.Graph().as_default() as graph:
                x = np.arange(8, dtype="f").reshape(4, 2) / 8
                given = {"x": tf.constant(x), "ids": tf.constant([0, 2, 1, 2])}
                spec = replicate(model, reduction, devices)(given, tf.zeros([4, 1]), mode)
                metric, update = spec.eval_metric_ops.get("mae", (spec.predictions, {}))
                fetches = [graph.get_tensor_by_name("table:0"), metric]
                facts[f"{reduction}, {mode}"] = [row(node) for node in graph.as_graph_def().node]
                with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
                    session.run(tf.global_variables_initializer())
                    session.run(tf.local_variables_initializer())
                    session.run(spec.train_op if mode == "train" else update)
                    values += session.run(fetches[:1] if mode == "train" else fetches[1:])
    for count, reduction in ((4, "weighted_sum"), (3, "weighted_sum"), (4, "none")):
        with tf.Graph().as_default():
            try:
                replicate(unwrapped, reduction, devices)(np.zeros(count, "f"), None, "train")
            except ValueError as error:
                facts["refused"].append(str(error))
    values = [value["y"] if isinstance(value, dict) else value for value in values]
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(tensor) for tensor in fed], dict(zip(fed, values)))
    return {"facts": facts, "steps": [step]}
