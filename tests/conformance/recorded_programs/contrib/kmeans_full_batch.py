"""Full-batch k-means: all initializations, both distances, several inputs, centers chosen batch by batch."""

import numpy as np

POINTS = np.random.RandomState(2).randn(30, 3).astype("f") + np.repeat(np.eye(3), 10, 0) * 4
POINTS = POINTS.astype("f")


def build(tf):
    factorization = tf.contrib.factorization
    points = tf.placeholder(tf.float32, [None, 3], "points")

    def chosen(inputs, missing):
        return inputs[0][: tf.minimum(missing, 2)]

    kinds = {
        "random": {"initial_clusters": factorization.RANDOM_INIT, "random_seed": 3},
        "plus": {"initial_clusters": "kmeans_plus_plus", "random_seed": 5},
        "plus_cosine": {"initial_clusters": "kmeans_plus_plus", "distance_metric": "cosine"},
        "chain": {"initial_clusters": "kmc2", "kmc2_chain_length": 20, "random_seed": 1},
        "given": {"initial_clusters": POINTS[[0, 10, 20]]},
        "function": {"initial_clusters": chosen},
    }
    steps, made = [], {}
    for kind, options in kinds.items():
        with tf.variable_scope(kind):
            inputs = [points[:13], points[13:]] if kind == "random" else points
            made[kind] = factorization.KMeans(inputs, 3, **options).training_graph()
    steps.append(("init", tf.global_variables_initializer()))
    feeds = {points: POINTS}
    for kind, graph in made.items():
        _, index, distance, are_chosen, init_op, train_op = graph
        for _ in range({"function": 2, "chain": 3}.get(kind, 1)):
            steps.append((f"{kind} choose", init_op, feeds))
        steps.append((f"{kind} chosen", are_chosen))
        steps += [(f"{kind} {i}", train_op, feeds) for i in range(3)]
        steps.append((f"{kind} found", [index, distance, graph[0]], feeds))
    centers = [v for v in tf.global_variables() if v.op.name.endswith("clusters")]
    steps.append(("centers", centers))
    return {"steps": steps, "facts": {"variables": [v.name for v in tf.global_variables()]}}
