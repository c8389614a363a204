"""`tf.contrib.learn.KMeansClustering`: k-means as a `tf.contrib.learn` Estimator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.model_fn import ModelFnOps
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.models.estimator.kmeans import kmeans_clustering
from tfmini._src.models.estimator.kmeans.kmeans_graph import KMeans
from tfmini._src.models.estimator.kmeans.kmeans_init import (
    COSINE_DISTANCE,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    SQUARED_EUCLIDEAN_DISTANCE,
)
from tfmini._src.ops import ops
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.session_run_hook import SessionRunArgs, SessionRunHook

_ADVICE = (
    "Please use tf.contrib.factorization.KMeansClustering instead of tf.contrib.learn.KMeansClustering. It has a "
    "similar interface, but uses the tf.estimator.Estimator API instead of tf.contrib.learn.Estimator."
)


class _StopOnConvergence(SessionRunHook):
    """Stops training once the relative change of the loss is small."""

    def __init__(self, loss: Any, tolerance: float):
        self._loss, self._tolerance = loss, tolerance
        self._before: Any = None

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        loss, previous_loss = run_values.results, self._before
        if (
            previous_loss is not None
            and abs(loss - previous_loss) / (1 + abs(previous_loss)) < self._tolerance
        ):
            run_context.request_stop()
        self._before = loss


def _concatenated_features(features: Any) -> Any:
    if not isinstance(features, dict):
        return features
    names = sorted(features)
    with colocate_with(features[names[0]]):
        return ops.concat([features[name] for name in names], 1)


def _model_fn(features: Any, labels: Any, mode: Any, params: dict, config: Any) -> ModelFnOps:
    assert labels is None, labels
    tolerance = params["relative_tolerance"]
    graph = KMeans(
        _concatenated_features(features),
        params["num_clusters"],
        initial_clusters=params["training_initial_clusters"],
        distance_metric=params["distance_metric"],
        use_mini_batch=params["use_mini_batch"],
        mini_batch_steps_per_iteration=params["mini_batch_steps_per_iteration"],
        random_seed=params["random_seed"],
        kmeans_plus_plus_num_retries=params["kmeans_plus_plus_num_retries"],
    )
    distances, indices, losses, are_initialized, init_op, train_op = graph.training_graph()
    step_update = ops.assign_add(get_global_step(), 1)
    loss = ops.reduce_sum(losses, name=KMeansClustering.LOSS_OP_NAME)
    scalar("loss/raw", loss)
    train_op = ops.with_dependencies([train_op, step_update], loss)
    hooks: list = [kmeans_clustering.ChooseCenters(init_op, are_initialized, config.is_chief)]
    if tolerance is not None:
        hooks.append(_StopOnConvergence(loss, tolerance))
    return ModelFnOps(
        mode=mode,
        predictions={
            KMeansClustering.ALL_SCORES: distances[0],
            KMeansClustering.CLUSTER_IDX: indices[0],
        },
        eval_metric_ops={KMeansClustering.SCORES: loss},
        loss=loss,
        train_op=train_op,
        training_hooks=hooks,
    )


class KMeansClustering(Estimator):
    """k-means Estimator; its input functions return (points, None).

    Args:
      num_clusters, model_dir, distance_metric, random_seed, mini_batch_steps_per_iteration, relative_tolerance: as in
        `tf.estimator.experimental.KMeans`.
      initial_clusters: RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, [clusters, dimensions] floats, or a function of the list of
        inputs and the number of missing centers that returns centers.
      use_mini_batch: whether the input function returns mini-batches; if False, it returns all points in each step.
      kmeans_plus_plus_num_retries: number of additional samples for each initial center, of which the best is used.
      config: a `tf.contrib.learn` RunConfig.

    Raises:
      ValueError: on fitting, for an unknown initialization method or distance.

    Example: `tf.contrib.learn.KMeansClustering(3).fit(input_fn=input_fn, steps=10).clusters()`.
    """

    SQUARED_EUCLIDEAN_DISTANCE = SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = COSINE_DISTANCE
    RANDOM_INIT = RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT = KMEANS_PLUS_PLUS_INIT
    SCORES = "scores"
    CLUSTER_IDX = "cluster_idx"
    CLUSTERS = "clusters"
    ALL_SCORES = "all_scores"
    LOSS_OP_NAME = "kmeans_loss"

    @deprecated(None, _ADVICE)
    @arguments_of(kmeans_clustering.KMeansClustering, "feature_columns")
    def __init__(self, model_dir: str, config: Any, **params: Any):
        params["training_initial_clusters"] = params.pop("initial_clusters")
        super().__init__(model_fn=_model_fn, params=params, model_dir=model_dir, config=config)

    @deprecated(None, _ADVICE)
    def predict_cluster_idx(self, input_fn: Callable[..., Any] | None = None) -> Iterator[Any]:
        """Yields the index of the nearest center for each point."""
        for result in self.predict(input_fn=input_fn, outputs=[self.CLUSTER_IDX]):
            yield result[self.CLUSTER_IDX]

    @deprecated(None, _ADVICE)
    def score(self, input_fn: Callable[..., Any] | None = None, steps: int | None = None) -> Any:
        """Returns the sum of the last batch's distances to the nearest centers; takes the arguments of `evaluate`."""
        return np.sum(self.evaluate(input_fn=input_fn, steps=steps)[self.SCORES])

    @deprecated(None, _ADVICE)
    def transform(
        self, input_fn: Callable[..., Any] | None = None, as_iterable: bool = False
    ) -> Any:
        """Returns the distances to all centers, squared if Euclidean.

        Args:
          input_fn: as in `predict`.
          as_iterable: whether to return an iterator of dicts instead of an array for the first batch.
        """
        key = self.ALL_SCORES
        distances = self.predict(input_fn=input_fn, outputs=[key], as_iterable=as_iterable)
        return distances if as_iterable else distances[key]

    @deprecated(None, _ADVICE)
    def clusters(self) -> np.ndarray:
        """Returns the centers in the latest checkpoint, float32 [clusters, dimensions]."""
        return self.get_variable_value(self.CLUSTERS)
