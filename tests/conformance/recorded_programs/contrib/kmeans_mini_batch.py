"""Mini-batch k-means: centers updated every step or every third; initial centers."""

import numpy as np

POINTS = np.random.RandomState(4).randn(24, 2).astype("f") + np.repeat(np.eye(2), 12, 0) * 5
POINTS = np.random.RandomState(5).permutation(POINTS).astype("f")


def build(tf):
    factorization = tf.contrib.factorization
    points = tf.placeholder(tf.float32, [None, 2], "points")
    kinds = {"each": {}, "third": {"mini_batch_steps_per_iteration": 3}}
    kinds["cosine"] = {"distance_metric": factorization.COSINE_DISTANCE}
    kinds["third_cosine"] = {**kinds["third"], **kinds["cosine"]}
    made = {}
    for kind, options in kinds.items():
        with tf.variable_scope(kind):
            made[kind] = factorization.KMeans(
                points, 4, use_mini_batch=True, **options
            ).training_graph()
    steps = [("init", tf.global_variables_initializer())]
    for kind, (_, index, _, are_chosen, init_op, train_op) in made.items():
        steps += [
            (f"{kind} choose {i}", init_op, {points: POINTS[3 * i : 3 * i + 3]}) for i in (0, 1)
        ]
        steps.append((f"{kind} chosen", are_chosen))
        for i in range(5):
            batch = POINTS[4 * i : 4 * i + 6]
            steps += [
                (f"{kind} {i}", train_op, {points: batch}),
                (f"{kind} at {i}", index, {points: batch}),
            ]
    # In TensorFlow 1.15.5 a step may count its points before or after reading their earlier number, so centers differ
    # between runs: tests/models/estimator/kmeans/test_kmeans_clustering.py tests them.
    totals = [v for v in tf.global_variables() if "clusters" not in v.op.name]
    steps.append(("totals", totals))
    return {"steps": steps, "facts": {"variables": [v.name for v in tf.global_variables()]}}
