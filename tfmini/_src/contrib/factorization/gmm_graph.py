"""Gaussian mixtures as a graph: cluster likelihoods of points, and expectation-maximization steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable

FULL_COVARIANCE = "full"
DIAG_COVARIANCE = "diag"
_EPSILON = np.finfo(float).eps
_MIN_VARIANCE = 1e-3


class GmmAlgorithm:
    """The graph of a Gaussian mixture.

    Args:
      data: a list of tensors, float32 [points, dimensions].
      num_classes: number of clusters.
      initial_means: float32 [clusters, dimensions]; by default random points.
      params: the parameters updated by a step, as letters: "w" weights, "m" means, "c" covariances.
      covariance_type: "full", or "diag" for variances only.
      random_seed: seed of the random choice of points.

    Raises:
      Exception: for an unknown covariance type.

    Example:
      mixture = tf.contrib.factorization.GmmAlgorithm([points], 3)
      session.run(tf.global_variables_initializer())
      session.run(mixture.init_ops())
      session.run(mixture.training_ops())
    """

    CLUSTERS_WEIGHT = "alphas"
    CLUSTERS_VARIABLE = "clusters"
    CLUSTERS_COVS_VARIABLE = "clusters_covs"

    def __init__(
        self,
        data: list[Any],
        num_classes: int,
        initial_means: TensorLike | None = None,
        params: str = "wmc",
        covariance_type: str = FULL_COVARIANCE,
        random_seed: int | None = 0,
    ):
        if covariance_type not in (DIAG_COVARIANCE, FULL_COVARIANCE):
            raise Exception(f"programmer error: Invalid covariance type: {covariance_type}")
        self._params, self._count = params, num_classes
        self._is_full = covariance_type == FULL_COVARIANCE
        self._dimensions = ops.shape(data[0])[1]
        ones = ops.ones(ops.stack([self._dimensions]))
        self._least = ops.diag(ones) * _MIN_VARIANCE
        self._create_variables()
        self._init_ops = self._first_values(data, initial_means, random_seed)
        self._define_graph(data)

    def _create_variables(self) -> None:
        empty = ops.constant([], dtype=dtypes.float32)
        self._means = Variable(empty, name=self.CLUSTERS_VARIABLE, validate_shape=False)
        self._covs: Any = Variable(empty, name=self.CLUSTERS_COVS_VARIABLE, validate_shape=False)
        equal = ops.tile([1.0 / self._count], [self._count])
        self._alpha = Variable(equal, name=self.CLUSTERS_WEIGHT, validate_shape=False)
        self._are_chosen = Variable(False, dtype=dtypes.bool, name="initialized")

    def _first_values(self, data: list, value: Any, seed: int | None) -> list:
        means = value if value is not None else _draw_points(data, self._count, seed)
        means = ops.expand_dims(means, 1)  # [clusters, 1, dimensions]
        cov = _covariance(data[0], self._is_full) + self._least
        if self._is_full:
            covs = ops.tile(ops.expand_dims(cov, 0), [self._count, 1, 1])
        else:
            covs = ops.tile(ops.expand_dims(ops.diag_part(cov), 0), [self._count, 1])
        with colocate_with(self._are_chosen):
            initialized = ops.with_dependencies([means, covs], ops.identity(self._are_chosen))
        return [
            self._set(self._means, means, initialized),
            self._set(self._covs, covs, initialized),
        ]

    def _set(self, parameter: Variable, value: Tensor, are_initialized: Tensor) -> Any:
        """Returns an operation that initializes a parameter unless all parameters are initialized."""
        with colocate_with(parameter):
            assign_op = ops.assign(parameter, value, validate_shape=False)
            assign_op = ops.with_dependencies([assign_op], ops.assign(self._are_chosen, True))
            return ops.cond(are_initialized, ops.no_op, lambda: assign_op).op

    def init_ops(self) -> Any:
        """Returns an operation that initializes the parameters, if uninitialized."""
        return ops.group(*self._init_ops)

    def training_ops(self) -> Any:
        """Returns the training step operation."""
        return ops.group(*self._train_ops)

    def is_initialized(self) -> Variable:
        """Returns a bool variable that indicates whether the parameters are initialized."""
        return self._are_chosen

    def alphas(self) -> Any:
        """Returns the variable of the weights, float32 [clusters]."""
        return self._alpha

    def clusters(self) -> Variable:
        """Returns the variable of the means, float32 [clusters, 1, dimensions]."""
        return self._means

    def covariances(self) -> Variable:
        """Returns the covariance variable, [clusters, dimensions, dimensions]; variances are [clusters, dimensions]."""
        return self._covs

    def assignments(self) -> list[Any]:
        """Returns the most likely cluster of each point, int64 [points], per data tensor."""
        return [ops.argmax(weights, 1) for weights in self._weights]

    def scores(self) -> Tensor:
        """Returns the log-likelihood of each point, float32 [points, 1]."""
        return self._scores

    def log_likelihood_op(self) -> Tensor:
        """Returns the log-likelihood of all points, a float32 scalar."""
        return self._log_likelihood

    def _define_graph(self, data: list) -> None:
        # [points, clusters]: probability that a point belongs to a cluster.
        self._weights: list = []
        priors, counts, sums, squares = [], [], [], []
        for points in data:
            point_count = ops.shape(points)[0]
            points = ops.expand_dims(points, 0)
            log_densities = self._full(points) if self._is_full else self._diagonal(points)
            log_densities += ops.log(self._alpha)
            priors.append(ops.reduce_logsumexp(log_densities, axis=1, keepdims=True))
            weights = ops.exp(ops.expand_dims(log_densities, 0) - priors[-1])
            self._weights.append(ops.reshape(weights, ops.stack([point_count, self._count])))
            count, total, square = self._partial(points, self._weights[-1])
            counts.append(count)
            sums.append(total)
            squares.append(square)
        self._train_ops = self._maximize(counts, sums, squares)
        self._log_likelihood = ops.reduce_logsumexp([ops.reduce_logsumexp(p) for p in priors])
        logs = [prior + ops.log(weights) for prior, weights in zip(priors, self._weights)]
        scores = ops.reduce_logsumexp(logs, axis=2, keepdims=True)
        self._scores = ops.squeeze(scores, axis=0)

    def _full(self, points: Tensor) -> Tensor:
        """Returns the log density of each cluster at each point, [points, clusters], from covariances."""
        distance = points - self._means
        cholesky = ops.cholesky(self._covs + self._least)
        log_det = 2.0 * ops.reduce_sum(ops.log(ops.matrix_diag_part(cholesky)), 1)
        distance = ops.transpose(distance, perm=[0, 2, 1])
        scaled = ops.square(ops.matrix_triangular_solve(cholesky, distance, lower=True))
        scaled = ops.transpose(ops.reduce_sum(scaled, 1))
        constant = ops.cast(self._dimensions, dtypes.float32) * ops.log(2 * np.pi)
        return -0.5 * (scaled + constant + log_det)

    def _diagonal(self, points: Tensor) -> Tensor:
        """Returns the log density of each cluster at each point, [points, clusters], from variances."""
        log_det = ops.reduce_sum(ops.log(self._covs + _MIN_VARIANCE), 1, keepdims=True)
        squares = ops.squared_difference(points, self._means)
        inverse = ops.expand_dims(1.0 / (self._covs + _MIN_VARIANCE), 2)
        scaled = ops.matmul(squares, inverse)
        scaled = ops.transpose(ops.squeeze(scaled, [2]))
        constant = ops.cast(self._dimensions, dtypes.float32) * ops.log(2.0 * np.pi)
        return -0.5 * (constant + ops.transpose(log_det) + scaled)

    def _partial(self, points: Tensor, weights: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Returns the sums of weights, weighted points and weighted outer products per cluster."""
        count = ops.reduce_sum(weights, 0, keepdims=True)
        flat = ops.squeeze(points, [0])
        total = ops.expand_dims(ops.matmul(weights, flat, transpose_a=True), 1)
        copies = ops.concat([points for _ in range(self._count)], 0)
        transposed_copies = ops.transpose(copies, perm=[0, 2, 1])
        weighted = [
            ops.expand_dims(transposed_copies[k, :, :] * weights[:, k], 0)
            for k in range(self._count)
        ]
        return count, total, ops.matmul(ops.concat(weighted, 0), copies)

    def _maximize(self, counts: list, sums: list, squares: list) -> list:
        """Returns the operations that update weights and covariances, the latter after the means."""
        with control_dependencies(self._weights):
            count = ops.squeeze(ops.add_n(counts), axis=[0])
            weighed: Any = ops.no_op() if "w" not in self._params else None
            if weighed is None:
                mean_count = count / len(counts)
                all_points = ops.cast(ops.reduce_sum(mean_count), dtypes.float32)
                weighed = self._alpha.assign(mean_count / (all_points + _EPSILON))
            train_ops = [weighed]
            count = ops.reshape(count, [self._count, 1, 1])
            update_op: Any = ops.no_op() if "m" not in self._params else None
            if update_op is None:
                update_op = self._means.assign(ops.div(ops.add_n(sums), count + _EPSILON))
            with control_dependencies([update_op]):
                covs = self._new_covariances(ops.add_n(squares) / (count + _EPSILON))
                if "c" in self._params:
                    with control_dependencies([update_op, covs]):
                        train_ops.append(ops.assign(self._covs, covs, validate_shape=False))
        return train_ops

    def _new_covariances(self, squares: Tensor) -> Tensor:
        covs = []
        for k in range(self._count):
            mean = self._means.value()[k, :, :]
            square = ops.matmul(mean, mean, transpose_a=True)
            cov = squares[k, :, :] - square + self._least
            covs.append(ops.expand_dims(cov if self._is_full else ops.diag_part(cov), 0))
        return ops.concat(covs, 0)


def _covariance(points: Tensor, is_full: bool) -> Tensor:
    """Returns the covariance matrix of all points, or their variances, [1, dimensions]."""
    point_count = ops.cast(ops.shape(points)[0], dtypes.float32)
    points -= ops.reduce_mean(points, 0, keepdims=True)
    if is_full:
        return ops.matmul(points, points, transpose_a=True) / (point_count - 1)
    return ops.reduce_sum(ops.square(points), 0, keepdims=True) / (point_count - 1)


def _draw_points(data: list, count: int, seed: int | None) -> Tensor:
    point_count = ops.add_n([ops.shape(points)[0] for points in data])
    with control_dependencies([ops.assert_less_equal(count, point_count)]):
        indices = ops.random_uniform(
            [count],
            minval=0,
            maxval=ops.cast(point_count, dtypes.int64),
            seed=seed,
            dtype=dtypes.int64,
        )
    indices %= ops.cast(point_count, dtypes.int64)
    return ops.embedding_lookup(data, indices, partition_strategy="div")


def gmm(
    inp: TensorLike,
    initial_clusters: str | TensorLike,
    num_clusters: int,
    random_seed: int | None,
    covariance_type: str = FULL_COVARIANCE,
    params: str = "wmc",
) -> tuple[Any, ...]:
    """Returns the graph of a Gaussian mixture.

    Args:
      inp: float32 [points, dimensions], or a list of such tensors.
      initial_clusters: "random" (a tensor has the same effect), or an array of initial means [clusters, dimensions].
      num_clusters: number of clusters.
      random_seed: seed of the random choice of points.
      covariance_type: "full", or "diag" for variances only.
      params: the parameters updated by a step, as letters: "w" weights, "m" means, "c" covariances.

    Returns:
      The total log-likelihood, the log-likelihood of each point, a nested list of each point's most likely cluster, the
      training op, the initialization op, and whether the parameters are initialized.

    Raises:
      Exception: for an unknown covariance type.

    Example: `loss, scores, [[clusters]], step, init, ready = tf.contrib.factorization.gmm(points, "random", 3, 0)`.
    """
    means = None
    is_random = isinstance(initial_clusters, str) and initial_clusters == "random"
    if not is_random and not isinstance(initial_clusters, Tensor):
        means = ops.constant(initial_clusters, dtype=dtypes.float32)
    data = inp if isinstance(inp, list) else [inp]
    gmm_algorithm = GmmAlgorithm(data, num_clusters, means, params, covariance_type, random_seed)
    assignments = gmm_algorithm.assignments()
    return (
        gmm_algorithm.log_likelihood_op(),
        gmm_algorithm.scores(),
        [assignments],
        gmm_algorithm.training_ops(),
        gmm_algorithm.init_ops(),
        gmm_algorithm.is_initialized(),
    )
