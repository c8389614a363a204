"""`contrib.learn`'s KMeansClustering, stopped when its loss stops decreasing, and LogisticRegressor."""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs

TOLERANCE = 1e-4  # some training steps
POINTS = np.random.RandomState(2).randn(30, 2).astype("f")
POINTS += np.repeat(np.array([[0, 0], [6, 0], [0, 6]], "f"), 10, 0)


def build(tf):
    learn = tf.contrib.learn
    values, facts, graphs = [], {}, Graphs(tf)

    def rows():
        return {"b": tf.constant(POINTS[:, 1:]), "a": tf.constant(POINTS[:, :1])}, None

    def model(features, labels, mode):
        odds = tf.sigmoid(tf.layers.dense(features, 1, name="odds"))
        loss = train = None
        if mode != learn.ModeKeys.INFER:
            loss = tf.losses.log_loss(labels, odds)
        if mode == learn.ModeKeys.TRAIN:
            step = tf.train.get_global_step()
            train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, step)
        return odds, loss, train

    def labelled():
        return tf.constant(POINTS), {"y": tf.constant((POINTS[:, :1] > 3).astype("f"))}

    with tempfile.TemporaryDirectory() as folder:
        config = learn.RunConfig(tf_random_seed=2)
        clusters = learn.KMeansClustering(
            3,
            folder + "/clusters",
            random_seed=3,
            use_mini_batch=False,
            relative_tolerance=1e-3,
            config=config,
        )
        clusters.fit(input_fn=rows, steps=20, monitors=[graphs.hook])
        facts["steps"] = int(clusters.get_variable_value("global_step"))
        found = clusters.evaluate(input_fn=rows, steps=1, hooks=[graphs.hook])
        values += [clusters.clusters(), found["scores"]]
        values += [list(clusters.predict_cluster_idx(input_fn=rows))]
        values += [clusters.transform(input_fn=rows)]
        facts["results"] = sorted(found)
        regressor = learn.LogisticRegressor(
            model,
            [0.25],
            folder + "/odds",
            config,
            lambda x, y: (x, y["y"] if y is not None else None),
        )
        regressor.fit(input_fn=labelled, steps=5, monitors=[graphs.hook])
        measured = regressor.evaluate(input_fn=labelled, steps=1, hooks=[graphs.hook])
        facts["measured"] = sorted(measured)
        values += [[measured[key] for key in sorted(measured)]]
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    facts["graphs"] = graphs.seen
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"steps": [step], "facts": facts}
