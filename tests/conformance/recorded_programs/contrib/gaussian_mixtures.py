"""Gaussian mixtures: full and diagonal covariances, subsets of parameters, several inputs; an Estimator."""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs

TOLERANCE = 1e-3  # steps that divide by small numbers
POINTS = np.random.RandomState(2).randn(30, 2).astype("f")
POINTS += np.repeat(np.array([[0, 0], [6, 0], [0, 6]], "f"), 10, 0)


def build(tf):
    factorization = tf.contrib.factorization
    points = tf.placeholder(tf.float32, [None, 2], "points")
    kinds = {"full": {}, "diag": {"covariance_type": "diag"}, "some": {"params": "w"}}
    steps, made = [], {}
    for kind, options in kinds.items():
        with tf.variable_scope(kind):
            inputs = [points[:13], points[13:]] if kind == "full" else points
            first = POINTS[[0, 10, 20]] if kind == "some" else "random"
            made[kind] = factorization.gmm(inputs, first, 3, 4, **options)
    steps.append(("init", tf.global_variables_initializer()))
    feeds = {points: POINTS}
    for kind, (loss, scores, assigned, train_op, init_op, are_set) in made.items():
        steps += [(kind + " set", init_op, feeds), (kind + " is set", are_set)]
        steps += [(kind + " step", train_op, feeds)] * 2
        # scores of inputs of different lengths cannot be stacked
        steps.append((kind, [loss, assigned] + ([scores] if kind != "full" else []), feeds))
    variables = [v for v in tf.global_variables() if "initialized" not in v.op.name]
    steps.append(("parameters", variables))
    with tempfile.TemporaryDirectory() as folder:
        graphs = Graphs(tf)
        config = tf.contrib.learn.RunConfig(tf_random_seed=2)
        mixture = factorization.GMM(3, folder, random_seed=3, config=config)

        def rows():
            return {"b": tf.constant(POINTS[:, 1:]), "a": tf.constant(POINTS[:, :1])}, None

        mixture.fit(input_fn=rows, steps=3, monitors=[graphs.hook])
        found = mixture.evaluate(input_fn=rows, steps=1, hooks=[graphs.hook])
        values = [mixture.weights(), mixture.clusters(), mixture.covariances()]
        values += [list(mixture.predict_assignments(input_fn=rows)), found["loss"], found["scores"]]
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    fed = [tf.placeholder(tf.float32) for _ in values]
    steps.append(("estimator", [tf.identity(t) for t in fed], dict(zip(fed, values))))
    facts = {"graphs": graphs.seen, "results": sorted(found)}
    facts["variables"] = [v.name for v in tf.global_variables()]
    return {"steps": steps, "facts": facts}
