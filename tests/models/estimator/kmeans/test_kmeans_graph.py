"""The training graph of k-means."""

import numpy as np

import tfmini as tf

RANDOM = np.random.RandomState(6)

POINTS = np.concatenate([RANDOM.randn(20, 2) + at for at in ([0, 8], [8, 0], [8, 8])]).astype("f")

POINTS = RANDOM.permutation(POINTS).astype("f")

STARTS = POINTS[:3]


def moved(centers, counts, points):
    """The centers after a batch: each is the mean of all points assigned to it."""
    index = ((points[:, None] - centers) ** 2).sum(-1).argmin(1)
    for k in range(len(centers)):
        mine = points[index == k]
        if len(mine):
            total = counts[k] + len(mine)
            centers[k] += (mine.sum(0) - len(mine) * centers[k]) / total
            counts[k] = total


def test_mini_batch_updates():
    points = tf.placeholder(tf.float32, [None, 2])
    graph = tf.contrib.factorization.KMeans(
        points, 3, initial_clusters=STARTS, use_mini_batch=True
    ).training_graph()
    centers, counts = STARTS.astype("d"), np.ones(3)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(graph[4], {points: POINTS})
        for i in range(6):
            batch = POINTS[10 * i : 10 * i + 10]
            session.run(graph[5], {points: batch})
            moved(centers, counts, batch)
        np.testing.assert_allclose(session.run("clusters:0"), centers, rtol=1e-5)


def test_delayed_center_updates():
    points = tf.placeholder(tf.float32, [None, 2])
    graph = tf.contrib.factorization.KMeans(
        points, 3, STARTS, use_mini_batch=True, mini_batch_steps_per_iteration=2
    ).training_graph()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(graph[4], {points: POINTS})
        used = []
        for _ in range(6):
            used.append(session.run("clusters:0").tolist())
            before = session.run("clusters_updated:0").tolist()
            session.run(graph[5], {points: POINTS})
            if session.run("clusters:0").tolist() != used[-1]:
                assert session.run("clusters:0").tolist() == before
        changes = [a != b for a, b in zip(used, used[1:])]
        assert changes == [False, False, True, False, True]


def batch():
    return tf.train.limit_epochs(tf.constant(POINTS), num_epochs=1)
