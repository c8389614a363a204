"""Initial k-means centers, chosen from the points all at once or in batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw

SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean"
COSINE_DISTANCE = "cosine"

RANDOM_INIT = "random"
KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus"
KMC2_INIT = "kmc2"


@dataclass(frozen=True)
class Centers:
    """Center variables: the ones in use, the updated ones (possibly the same), and whether all centers are chosen."""

    used: Any
    updated: Any
    are_chosen: Any

    def assign(self, values: Tensor) -> Tensor:
        """Assigns both center variables."""
        assign_op = ops.assign(self.used, values, validate_shape=False)
        if self.updated is not self.used:
            assign_op = ops.assign(self.updated, assign_op, validate_shape=False)
        return assign_op


class FirstCenters:
    """Chooses the initial centers.

    Args:
      inputs: tensors of points.
      count: number of centers, an integer tensor.
      initial: "random", "kmeans_plus_plus", "kmc2", a tensor of centers, or a function of the inputs and the
        number of missing centers.
      is_cosine: whether to normalize centers to unit length.
      seed: random seed.
      retries: number of additional samples for "kmeans_plus_plus".
      chain: number of candidate points per center for "kmc2".
    """

    def __init__(
        self,
        inputs: list,
        count: Tensor,
        initial: Any,
        is_cosine: bool,
        seed: Any,
        retries: int,
        chain: int,
    ):
        self._inputs, self._count, self._initial = inputs, count, initial
        self._is_cosine, self._seed, self._retries, self._chain = is_cosine, seed, retries, chain

    def op(self, centers: Centers) -> Any:
        """Returns the operation that chooses more centers, and sets `are_chosen` once complete."""
        self._center_count = ops.shape(centers.used)[0]
        self._missing_count = self._count - self._center_count
        self._points = ops.add_n([ops.shape(x)[0] for x in self._inputs])
        return ops.cond(
            ops.equal(self._missing_count, 0),
            lambda: ops.assert_equal(centers.are_chosen, True),
            lambda: self._choose(centers),
        )

    def _choose(self, centers: Centers) -> Any:
        with control_dependencies([ops.assert_positive(self._missing_count)]):
            if isinstance(self._initial, str) and self._initial == KMC2_INIT:
                missing = self._add_by_chains(centers)
            else:
                missing = self._add(centers)
            return ops.cond(
                ops.equal(missing, 0), lambda: ops.assign(centers.are_chosen, True), ops.no_op
            )

    def _scale(self, values: Any) -> Any:
        return ops.l2_normalize(values, dim=1) if self._is_cosine else values

    def _add(self, centers: Centers) -> Tensor:
        """Adds some centers; returns the number still missing."""
        new = self._scale(self._choose_points())
        joined = ops.cond(
            ops.equal(self._center_count, 0),
            lambda: new,
            lambda: ops.concat([centers.used, new], 0),
        )
        return self._count - ops.shape(centers.assign(joined))[0]

    def _choose_points(self) -> Any:
        initial = self._initial
        if isinstance(initial, str):
            if initial == RANDOM_INIT:  # takes all points if there are too few
                return ops.cond(
                    self._points <= self._missing_count,
                    lambda: ops.concat(self._inputs, 0),
                    self._sample_evenly,
                )
            with control_dependencies(
                [ops.assert_greater_equal(self._points, self._missing_count)]
            ):
                return self._kmeans_plus_plus()
        if callable(initial):
            return initial(self._inputs, self._missing_count)
        with control_dependencies([ops.assert_equal(self._missing_count, ops.shape(initial)[0])]):
            return initial

    def _sample_evenly(self) -> Tensor:
        indices = ops.random_uniform(
            ops.reshape(self._missing_count, [-1]),
            minval=0,
            maxval=ops.cast(self._points, dtypes.int64),
            seed=self._seed,
            dtype=dtypes.int64,
        )
        return ops.embedding_lookup(self._inputs, indices, partition_strategy="div")

    def _kmeans_plus_plus(self) -> Tensor:
        points = self._scale(self._inputs[0])
        missing = ops.cast(self._missing_count, dtypes.int64)
        return raw.KmeansPlusPlusInitialization(points, missing, self._seed, self._retries)

    def _add_by_chains(self, centers: Centers) -> Tensor:
        """Adds one center per `chain` points, at least one; returns the number still missing."""
        points = self._inputs[0]
        chains = ops.cast(ops.shape(points)[0] / self._chain, dtype=dtypes.int32)
        count = ops.maximum(ops.minimum(self._missing_count, chains), 1)

        def first() -> Any:
            return self._scale(ops.reshape(points[0], [1, -1]))

        def step(i: Any, _: Any) -> tuple:
            def one_more() -> Tensor:
                start = i * self._chain
                subset = points[start : start + self._chain]
                _, distances = raw.NearestNeighbors(subset, centers.used, 1)
                index = raw.KMC2ChainInitialization(ops.squeeze(distances), self._seed)
                new = self._scale(ops.reshape(subset[index], [1, -1]))
                return ops.concat([centers.used, new], 0)

            new_center = ops.cond(ops.equal(self._center_count, 0), first, one_more)
            assign_op = centers.assign(new_center)
            return i + 1, self._count - ops.shape(assign_op)[0]

        _, missing = ops.while_loop(lambda i, _: ops.less(i, count), step, [0, 0])
        return missing
