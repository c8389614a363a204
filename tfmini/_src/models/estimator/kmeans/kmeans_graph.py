"""The graph of k-means: the nearest center of each point, and the update of the centers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.graph.seeds import get_seed
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.models.estimator.kmeans.kmeans_init import (
    COSINE_DISTANCE,
    KMC2_INIT,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    SQUARED_EUCLIDEAN_DISTANCE,
    Centers,
    FirstCenters,
)
from tfmini._src.ops import ops, raw
from tfmini._src.variables.variable import Variable

CLUSTERS_VAR_NAME = "clusters"


class KMeans:
    """The graph of k-means clustering.

    With `use_mini_batch`, centers move towards batches of points, at a rate decreasing with each center's
    point count, and take effect after `mini_batch_steps_per_iteration` steps. Otherwise, each step reads all
    points and moves each center to the mean of its points.

    Args:
      inputs: float32 [points, dimensions], or a list of such tensors.
      num_clusters: number of clusters; ignored if `initial_clusters` is an array.
      initial_clusters: "random", "kmeans_plus_plus" or "kmc2"; or [clusters, dimensions] floats; or a function
        of the list of inputs and the number of missing centers that returns centers.
      distance_metric: "squared_euclidean" or "cosine".
      use_mini_batch: whether each step reads a subset of the points.
      mini_batch_steps_per_iteration: number of mini-batch steps per update of the centers.
      random_seed: seed of the initial centers.
      kmeans_plus_plus_num_retries: number of additional samples per initial center; the best is used. If
        negative, derived from the number of centers.
      kmc2_chain_length: number of candidate points per center for "kmc2".

    Raises:
      ValueError: for an unknown initialization or distance metric.

    Example:
      scores, index, distance, ready, init_op, train_op = KMeans(points, 3).training_graph()
      session.run(tf.global_variables_initializer())
      session.run(init_op)
      session.run(train_op)
    """

    def __init__(
        self,
        inputs: TensorLike,
        num_clusters: int | Tensor,
        initial_clusters: str | TensorLike = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1,
        random_seed: int | None = 0,
        kmeans_plus_plus_num_retries: int = 2,
        kmc2_chain_length: int = 200,
    ):
        check_ways(
            initial_clusters, distance_metric, (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT)
        )
        self._inputs = inputs if isinstance(inputs, list) else [inputs]
        self._num_clusters = num_clusters
        self._initial_clusters = initial_clusters
        self._is_cosine = distance_metric == COSINE_DISTANCE
        self._in_batches = use_mini_batch
        self._steps = int(mini_batch_steps_per_iteration)
        self._seed = self._op_seed(random_seed)
        self._retries, self._chain = kmeans_plus_plus_num_retries, kmc2_chain_length

    def _op_seed(self, seed: int | None) -> int | None:
        return seed

    def _empty_centers(self) -> Any:
        """Returns the empty initial value of the center variables."""
        return ops.constant([], dtype=dtypes.float32)

    def training_graph(self) -> tuple[Any, ...]:
        """Adds the training graph.

        Returns:
          (distances to all centers, [points, clusters]; index of the nearest center, int64 [points]; distance to
          that center, [points]; bool variable that is true once all centers are chosen; operation that chooses
          centers, to be run until then; training operation). The first three are lists with one tensor per input.
        """
        initial: Any = self._initial_clusters
        if isinstance(initial, str) or callable(initial):
            count = ops.convert_to_tensor(self._num_clusters)
        else:
            initial = ops.convert_to_tensor(initial)
            count = ops.shape(initial)[0]
        centers, countdown, totals = self._variables(count)
        first = FirstCenters(
            self._inputs, count, initial, self._is_cosine, self._seed, self._retries, self._chain
        )
        init_op = first.op(centers)
        inputs, used = self._inputs, centers.used
        if self._is_cosine:
            inputs = [_colocate(x, lambda x=x: ops.l2_normalize(x, dim=1)) for x in inputs]
            if not self._are_unit_vectors:
                used = ops.l2_normalize(used, dim=1)
        scores, distances, indices = self._nearest(inputs, used)
        if self._in_batches:
            with control_dependencies([self._synchronize(centers, countdown, totals)]):
                train_op = _move_centers(inputs, indices, centers.updated, totals)
        else:
            train_op = self._to_means(inputs, count, indices, centers.used)
        return scores, indices, distances, centers.are_chosen, init_op, train_op

    @property
    def _has_separate_centers(self) -> bool:
        """Whether the updated centers are separate from the centers in use."""
        return self._in_batches and self._steps > 1

    @property
    def _are_unit_vectors(self) -> bool:
        return self._is_cosine and (not self._in_batches or self._steps > 1)

    def _variables(self, count: Tensor) -> tuple[Centers, Any, Any]:
        """Returns the centers, the number of steps until the next synchronization, and each center's point count."""
        has_no_centers = self._empty_centers()
        used = Variable(has_no_centers, name=CLUSTERS_VAR_NAME, validate_shape=False)
        are_initialized = Variable(False, dtype=dtypes.bool, name="initialized")
        totals: Any = None
        if self._has_separate_centers:
            updated = Variable(has_no_centers, name="clusters_updated", validate_shape=False)
            countdown = Variable(self._steps, dtype=dtypes.int64, name="update_in_steps")
            totals = Variable(ops.zeros([count], dtype=dtypes.int64))
            return Centers(used, updated, are_initialized), countdown, totals
        if self._in_batches:
            totals = Variable(ops.ones([count], dtype=dtypes.int64))
        return Centers(used, used, are_initialized), None, totals

    def _nearest(self, inputs: list, centers: Any) -> tuple[tuple, tuple, tuple]:
        """Returns tuples with an item per input: all distances, distances and indices of the nearest centers."""
        scores = [_colocate(x, lambda x=x: self._distances(x, centers)) for x in inputs]
        if self._is_cosine and not self._are_unit_vectors:
            with colocate_with(centers, ignore_existing=True):
                centers = ops.l2_normalize(centers, dim=1)
        distances, indices = [], []
        for x in inputs:
            with colocate_with(x, ignore_existing=True):
                index, distance = raw.NearestNeighbors(x, centers, 1)
                if self._is_cosine:  # half the squared distance for unit vectors
                    distance *= 0.5
                distances.append(ops.squeeze(distance, [-1]))
                indices.append(ops.squeeze(index, [-1]))
        return tuple(scores), tuple(distances), tuple(indices)

    def _distances(self, x: Any, centers: Any) -> Tensor:
        if self._is_cosine:
            return 1 - ops.matmul(x, centers, transpose_b=True)
        return (
            ops.reduce_sum(ops.square(x), 1, keepdims=True)
            - 2 * ops.matmul(x, centers, transpose_b=True)
            + ops.transpose(ops.reduce_sum(ops.square(centers), 1, keepdims=True))
        )

    def _synchronize(self, centers: Centers, countdown: Any, totals: Any) -> Any:
        """Copies updated centers to the centers in use when due, and resets the counts."""
        if not self._has_separate_centers:
            return ops.no_op()

        def copy() -> Tensor:
            with control_dependencies([ops.assign(countdown, self._steps - 1)]):
                with colocate_with(centers.updated, ignore_existing=True):
                    new_centers = centers.updated
                    if self._is_cosine:
                        new_centers = ops.l2_normalize(new_centers, dim=1)
                with (
                    colocate_with(centers.used, ignore_existing=True),
                    control_dependencies([ops.assign(centers.used, new_centers)]),
                    colocate_with(None, ignore_existing=True),
                    control_dependencies([ops.assign(totals, ops.zeros_like(totals))]),
                ):
                    return ops.identity(countdown)

        with colocate_with(countdown, ignore_existing=True):
            return ops.cond(countdown <= 0, copy, lambda: ops.assign_sub(countdown, 1))

    def _to_means(self, inputs: list, count: Tensor, indices: Any, centers: Any) -> Tensor:
        """Moves each center to the mean of its points."""
        sums, counts = [], []
        small = ops.constant(1e-6, dtype=inputs[0].dtype)
        for x, index in zip(inputs, indices):
            with colocate_with(x, ignore_existing=True):
                sums.append(ops.unsorted_segment_sum(x, index, count))
                ones = ops.ones(ops.reshape(ops.shape(x)[0], [-1]))
                counts.append(ops.unsorted_segment_sum(ops.reshape(ones, [-1, 1]), index, count))
        with colocate_with(centers, ignore_existing=True):
            means = ops.add_n(sums) / (ops.cast(ops.add_n(counts), sums[0].dtype) + small)
            if self._are_unit_vectors:
                means = ops.l2_normalize(means, dim=1)
        return ops.assign(centers, means)


class SeededKMeans(KMeans):
    """The graph of `tf.estimator.experimental.KMeans`, by default with the graph's seed."""

    def _op_seed(self, seed: int | None) -> int | None:
        return get_seed(seed)[0]

    def _empty_centers(self) -> Any:
        return ops.placeholder_with_default([], shape=None)


def check_ways(initial_clusters: Any, distance_metric: str, methods: tuple) -> None:
    """Raises ValueError for an unknown initialization method or distance metric."""
    if isinstance(initial_clusters, str) and initial_clusters not in methods:
        raise ValueError(f"Unsupported initialization algorithm '{initial_clusters}'")
    if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
        raise ValueError(f"Unsupported distance metric '{distance_metric}'")


def _colocate(x: Any, build: Any) -> Tensor:
    with colocate_with(x, ignore_existing=True):
        return build()


def _move_centers(inputs: list, indices: Any, centers: Any, totals: Any) -> Any:
    """Moves each center towards its batch points: x += (sum - k x) / (n + k) for k new points after n old."""
    updates: list = []
    for x, index in zip(inputs, indices):
        with colocate_with(x, ignore_existing=True):
            present, positions = ops.unique(ops.reshape(index, [-1]))
            count = ops.size(present)
            with colocate_with(totals, ignore_existing=True):
                previous_totals = ops.gather(totals, present)
            with colocate_with(centers, ignore_existing=True):
                old = ops.gather(centers, present)
            ones = ops.ones_like(positions, dtype=totals.dtype)
            new = ops.unsorted_segment_sum(ones, positions, count)
            change = ops.unsorted_segment_sum(x, positions, count)
            rows = ops.reshape(count, [1])
            axes = ops.ones(ops.reshape(ops.rank(x) - 1, [1]), dtype=dtypes.int32)
            column = ops.concat([rows, axes], 0)
            change -= ops.cast(ops.reshape(new, column), x.dtype) * old
            rate = ops.reciprocal(ops.cast(previous_totals + new, x.dtype))
            change *= ops.reshape(rate, column)
        update_op = ops.scatter_add(totals, present, new)
        updates += [update_op, ops.scatter_add(centers, present, change)]
    return ops.group(*updates)
