"""k-means Estimators: `tf.contrib.factorization.KMeansClustering` and `tf.estimator.experimental.KMeans`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_output import PredictOutput
from tfmini._src.models.estimator.kmeans.kmeans_graph import (
    CLUSTERS_VAR_NAME,
    KMeans,
    SeededKMeans,
    check_ways,
)
from tfmini._src.models.estimator.kmeans.kmeans_init import (
    COSINE_DISTANCE,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    SQUARED_EUCLIDEAN_DISTANCE,
)
from tfmini._src.models.feature_column.input_layer import input_layer
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.ops import ops
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.session_run_hook import SessionRunArgs, SessionRunHook

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor, TensorLike
    from tfmini._src.models.estimator.run_config import RunConfig


class ChooseCenters(SessionRunHook):
    """Hook with which the chief chooses the initial centers while the workers wait."""

    def __init__(self, init_op: Any, are_initialized: Any, is_chief: bool):
        self._init_op, self._are_chosen, self._is_chief = init_op, are_initialized, is_chief

    def after_create_session(self, session: Any, coord: Any) -> None:
        while not session.run(self._are_chosen):
            if self._is_chief:
                session.run(self._init_op)
            else:
                time.sleep(1)


class _StopWhereLossStays(SessionRunHook):
    """Stops training when the relative change of the loss falls below a tolerance."""

    def __init__(self, loss: Any, tolerance: float):
        self._loss, self._tolerance = loss, tolerance
        self._before: Any = None

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        loss = run_values.results
        if self._before:
            change = abs(loss - self._before) / (1 + abs(self._before))
            if change < self._tolerance:
                run_context.request_stop()
        self._before = loss


def _concatenated_features(features: Any, feature_columns: Any) -> Any:
    """Returns the points of an input function, [points, dimensions]; concatenates dict features by name."""
    if not isinstance(features, dict):
        return features
    if feature_columns:
        return input_layer(features, feature_columns)
    names = sorted(features)
    with colocate_with(features[names[0]]):
        return ops.concat([features[name] for name in names], axis=1)


class KMeansClustering(Estimator):
    """k-means over the points of an input function without labels.

    Args:
      num_clusters: number of clusters.
      model_dir: checkpoint directory.
      initial_clusters: RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, [clusters, dimensions] floats, or a function of the
        list of inputs and the number of missing centers that returns centers.
      distance_metric: SQUARED_EUCLIDEAN_DISTANCE or COSINE_DISTANCE.
      random_seed: seed of the initial centers.
      use_mini_batch: whether each step reads a subset of the points rather than all.
      mini_batch_steps_per_iteration: number of mini-batch steps per update of the centers.
      kmeans_plus_plus_num_retries: number of additional samples per initial center; the best is used.
      relative_tolerance: relative change of the loss below which training stops; None for no limit.
      config: a RunConfig.
      feature_columns: dense columns that convert a dict of features to points; by default, features are
        concatenated.

    Raises:
      ValueError: for an unknown initialization or distance metric.

    Example:
      clusters = tf.contrib.factorization.KMeansClustering(3, use_mini_batch=False)
      clusters.train(lambda: tf.train.limit_epochs(tf.constant(points), num_epochs=1))
      clusters.cluster_centers()
    """

    SQUARED_EUCLIDEAN_DISTANCE = SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = COSINE_DISTANCE
    RANDOM_INIT = RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT = KMEANS_PLUS_PLUS_INIT
    SCORE = "score"
    CLUSTER_INDEX = "cluster_index"
    ALL_DISTANCES = "all_distances"
    CLUSTER_CENTERS_VAR_NAME = CLUSTERS_VAR_NAME

    _graph_class = KMeans

    def __init__(
        self,
        num_clusters: int | Tensor,
        model_dir: str | None = None,
        initial_clusters: str | TensorLike = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        random_seed: int | None = 0,
        use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None,
        config: RunConfig | None = None,
        feature_columns: Sequence[Any] | None = None,
    ):
        check_ways(initial_clusters, distance_metric, (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT))
        self._distance_metric = distance_metric
        graph_class = self._graph_class

        def model_fn(features: Any, mode: Any, config: Any) -> EstimatorSpec:
            graph = graph_class(
                _concatenated_features(features, feature_columns),
                num_clusters,
                initial_clusters,
                distance_metric,
                use_mini_batch,
                mini_batch_steps_per_iteration,
                random_seed,
                kmeans_plus_plus_num_retries,
            )
            return _spec(graph, mode, config, relative_tolerance)

        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)

    def _predict(self, input_fn: Any, key: str) -> Iterator[Any]:
        for result in self.predict(input_fn=input_fn, predict_keys=[key]):
            yield result[key]

    def predict_cluster_index(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields the index of the nearest center of each point."""
        yield from self._predict(input_fn, self.CLUSTER_INDEX)

    def score(self, input_fn: Callable[..., Any]) -> Any:
        """Returns the sum of the first batch's distances to the nearest centers, float32."""
        return self.evaluate(input_fn=input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields each point's distances to all centers, float32 [clusters]; Euclidean distances are squared."""
        yield from self._predict(input_fn, self.ALL_DISTANCES)

    def cluster_centers(self) -> np.ndarray:
        """Returns the centers in the latest checkpoint, float32 [clusters, dimensions]."""
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)


class SeededKMeansClustering(KMeansClustering):
    """`tf.contrib.factorization.KMeansClustering` with the config's seed and unsquared distances.

    Example:
      clusters = tf.estimator.experimental.KMeans(3, seed=1)
    """

    _graph_class = SeededKMeans

    @arguments_of(KMeansClustering, "random_seed")
    def __init__(self, distance_metric: str, seed: int | None = None, **options: Any):
        super().__init__(distance_metric=distance_metric, random_seed=seed, **options)

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields each point's distances to all centers, float32 [clusters]."""
        for distances in super().transform(input_fn):
            is_squared = self._distance_metric == SQUARED_EUCLIDEAN_DISTANCE
            yield np.sqrt(distances) if is_squared else distances


def _spec(graph: KMeans, mode: Any, config: Any, tolerance: float | None) -> EstimatorSpec:
    distances, indices, losses, are_initialized, init_op, train_op = graph.training_graph()
    loss = ops.reduce_sum(losses)
    scalar("loss/raw", loss)
    step_update = ops.assign_add(get_global_step(), 1)
    train_op = ops.with_dependencies([train_op, step_update], loss)
    hooks: list = [ChooseCenters(init_op, are_initialized, config.is_chief)]
    if tolerance is not None:
        hooks.append(_StopWhereLossStays(loss, tolerance))
    predictions = {
        KMeansClustering.ALL_DISTANCES: distances[0],
        KMeansClustering.CLUSTER_INDEX: indices[0],
    }
    outputs = {name: PredictOutput(value) for name, value in predictions.items()}
    outputs[DEFAULT_SERVING_SIGNATURE_DEF_KEY] = PredictOutput(indices[0])
    return EstimatorSpec(
        mode=mode,
        predictions=predictions,
        loss=loss,
        train_op=train_op,
        eval_metric_ops={KMeansClustering.SCORE: mean(loss)},
        training_hooks=hooks,
        export_outputs=outputs,
    )
