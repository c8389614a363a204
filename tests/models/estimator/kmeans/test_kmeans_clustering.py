"""k-means: centers against the formulas, the Estimator, and errors."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw

RANDOM = np.random.RandomState(6)

POINTS = np.concatenate([RANDOM.randn(20, 2) + at for at in ([0, 8], [8, 0], [8, 8])]).astype("f")

POINTS = RANDOM.permutation(POINTS).astype("f")

STARTS = POINTS[:3]


def batch():
    return tf.train.limit_epochs(tf.constant(POINTS), num_epochs=1)


@pytest.mark.filterwarnings("ignore")
def test_estimator_finds_clusters(tmp_path):
    config = tf.estimator.RunConfig(str(tmp_path), tf_random_seed=2)
    clusters = tf.contrib.factorization.KMeansClustering(
        3,
        initial_clusters=tf.contrib.factorization.KMEANS_PLUS_PLUS_INIT,
        use_mini_batch=False,
        config=config,
    )
    for step in (
        1,
        3,
        5,
    ):  # the steps counted by TensorFlow: choosing the initial centers consumes the entire input
        clusters.train(batch)
        assert clusters.get_variable_value("global_step") == step
    for _ in range(4):
        clusters.train(batch)
    centers = clusters.cluster_centers()
    assert sorted(centers.round().tolist()) == [[0, 8], [8, 0], [8, 8]]
    distances = ((POINTS[:, None] - centers) ** 2).sum(-1)
    assert list(clusters.predict_cluster_index(batch)) == distances.argmin(1).tolist()
    np.testing.assert_allclose(clusters.score(batch), distances.min(1).sum(), rtol=1e-4)
    np.testing.assert_allclose(list(clusters.transform(batch)), distances, rtol=1e-3, atol=1e-3)


@pytest.mark.filterwarnings("ignore")
def test_relative_tolerance_stops_training(tmp_path):
    clusters = tf.estimator.experimental.KMeans(
        3,
        str(tmp_path),
        initial_clusters=STARTS,
        seed=1,
        use_mini_batch=False,
        relative_tolerance=1e-3,
    )

    def points():
        return {"x": tf.constant(POINTS[:, :1]), "y": tf.constant(POINTS[:, 1:])}

    clusters.train(points, max_steps=200)
    assert clusters.get_variable_value("global_step") < 50
    centers = clusters.cluster_centers()
    result = list(clusters.transform(batch))
    expected = np.sqrt(((POINTS[:, None] - centers) ** 2).sum(-1))
    np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-3)


def test_unknown_options_are_refused():
    for options in ({"initial_clusters": "best"}, {"distance_metric": "manhattan"}):
        with pytest.raises(ValueError, match="Unsupported"):
            tf.contrib.factorization.KMeans(STARTS, 2, **options)
    with pytest.raises(ValueError, match="Unsupported initialization algorithm 'kmc2'"):
        tf.contrib.factorization.KMeansClustering(2, initial_clusters="kmc2")


@pytest.mark.parametrize(
    ("op", "args", "said"),
    [
        ("KmeansPlusPlusInitialization", (POINTS, 61, 0, 2), "61 vs 60."),
    ],
)
def test_invalid_arguments(op, args, said):
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=said):
        session.run(getattr(raw, op)(*args))
