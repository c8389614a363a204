"""Clustering loss of embeddings: compares the best wrong clustering with the label clustering."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.losses.metric_learning import clustering_scores
from tfmini._src.contrib.losses.metric_learning.distance_losses import (
    row_distances,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.functions.py_func import py_func
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar

_REFINEMENTS = 5


def _score(labels: Tensor, predictions: Tensor, margin_type: str) -> Tensor:
    """Returns the agreement of two clusterings of rows: a float32 scalar, at most 1."""
    if margin_type not in _SCORES:
        raise ValueError(f"Unrecognized margin_type: {margin_type}")
    return ops.squeeze(_SCORES[margin_type](labels, predictions))


def _python_score(function: Any, name: str, min_score: float | None = None) -> Any:
    def score(labels: Tensor, predictions: Tensor) -> Tensor:
        score_value = py_func(function, [labels, predictions], [dtypes.float64], name=name)
        score_value = ops.cast(score_value, dtypes.float32)
        return score_value if min_score is None else ops.maximum(min_score, score_value)

    return score


def _all_equal(labels: Tensor, predictions: Tensor) -> Tensor:
    agreements = ops.reduce_sum(ops.cast(ops.equal(labels, predictions), dtypes.int32))
    return ops.cast(ops.equal(agreements, ops.shape(labels)[0]), dtypes.float32)


_SCORES = {
    "nmi": _python_score(clustering_scores.normalized_mutual_information, "nmi"),
    "ami": _python_score(clustering_scores.adjusted_mutual_information, "ami", min_score=0.0),
    "ari": _python_score(clustering_scores.adjusted_rand_index, "ari", min_score=0.0),
    "vmeasure": _python_score(clustering_scores.v_measure, "vmeasure", min_score=0.0),
    "const": _all_equal,
}


def _nearest(distances: Tensor, centers: Tensor) -> Tensor:
    """Returns the index of the center nearest to each row, int64 [batch]; centers are nearest to themselves."""
    nearest_index = ops.argmin(ops.gather(distances, centers), dimension=0)
    count = ops.shape(distances)[0]
    one_hot = ops.one_hot(centers, count, True, False, axis=-1, dtype=dtypes.bool)
    is_center = ops.reduce_any(one_hot, axis=0)
    one, zero = ops.constant(1, dtype=dtypes.int64), ops.constant(0, dtype=dtypes.int64)
    one_hot = ops.one_hot(centers, count, one, zero, axis=0, dtype=dtypes.int64)
    indices = ops.cast(ops.range(ops.shape(centers)[0]), dtypes.int64)
    assignments = ops.reduce_sum(ops.transpose(ops.multiply(one_hot, indices)), axis=0)
    return ops.where(is_center, assignments, nearest_index)


def _energy(distances: Tensor, centers: Tensor) -> Tensor:
    """Returns the negative sum of the distances of all rows to their nearest centers."""
    return -1.0 * ops.reduce_sum(ops.reduce_min(ops.gather(distances, centers), axis=0))


def _replace_element(vector: Tensor, index: Any, value: Any) -> Tensor:
    value = ops.squeeze(value)
    prefix = ops.slice(vector, [0], [index])
    suffix = ops.slice(vector, [index + 1], [-1])
    return ops.concat([prefix, [value], suffix], 0)


def _margins(count: Tensor, start: Any, predictions_of: Any, labels: Any, margin_type: str) -> Any:
    """Returns the margin of each candidate, [count]: 1 minus the agreement of its clustering with the labels."""

    def body(index: Tensor, margins: Tensor) -> tuple[Tensor, Tensor]:
        score = _score(labels, predictions_of(index), margin_type)
        zeros_before, zeros_after = ops.zeros([index]), ops.zeros([count - 1 - index])
        return index + 1, margins + ops.concat([zeros_before, [1.0 - score], zeros_after], 0)

    return ops.while_loop(lambda index, _: index < count, body, start)[1]


class _Search:
    """Searches for the centers that maximize clustering score plus weighted margin."""

    def __init__(self, distances: Tensor, labels: Tensor, multiplier: Any, margin_type: str):
        self.distances, self.labels = distances, labels
        self.multiplier, self.margin_type = multiplier, margin_type

    def add_centers_greedily(self, rows: Tensor) -> Tensor:
        """Adds centers greedily, one per distinct label."""

        def body(index: Tensor, centers: Tensor) -> tuple[Tensor, Tensor]:
            candidates = ops.setdiff1d(rows, centers)[0]
            centers = ops.concat([centers, [self._best_addition(centers, candidates)]], 0)
            return index + 1, centers

        count = ops.size(ops.unique(self.labels)[0])
        centers = ops.constant(0, dtype=dtypes.int32, shape=[0])
        first = ops.constant(0)
        _, centers = ops.while_loop(
            lambda index, _: index < count,
            body,
            [first, centers],
            shape_invariants=[first.get_shape(), TensorShape([None])],
        )
        return centers

    def _best_addition(self, centers: Tensor, candidate_ids: Tensor) -> Tensor:
        count = ops.shape(candidate_ids)[0]
        center_distances = ops.gather(self.distances, centers)
        candidates = ops.gather(self.distances, candidate_ids)
        center_distances = ops.tile(center_distances, [1, count])
        both = ops.concat([center_distances, ops.reshape(candidates, [1, -1])], 0)
        nearest_distances = ops.reduce_min(both, axis=0, keepdims=True)
        energies = -1.0 * ops.reduce_sum(ops.reshape(nearest_distances, [count, -1]), axis=1)
        start = ops.zeros([count])

        def predictions(index: Tensor) -> Tensor:
            with_one = ops.concat([centers, [candidate_ids[index]]], 0)
            return _nearest(self.distances, with_one)

        margins = _margins(
            count, [ops.constant(0), start], predictions, self.labels, self.margin_type
        )
        scores = ops.add(energies, self.multiplier * margins)
        return candidate_ids[ops.cast(ops.argmax(scores, axis=0), dtypes.int32)]

    def refine_centers(self, centers: Tensor) -> Tensor:
        """Swaps centers for better members of their clusters, over a few rounds."""
        for _ in range(_REFINEMENTS):
            centers = self._exchange_centers(centers, _nearest(self.distances, centers))
        return centers

    def _exchange_centers(self, centers: Tensor, predictions: Tensor) -> Tensor:
        def body(index: Tensor, centers: Tensor) -> tuple[Tensor, Tensor]:
            number_of_each = ops.cast(predictions, dtypes.int64)
            members = ops.where(ops.equal(number_of_each, ops.cast(index, dtypes.int64)))
            centers = self._with_best_member(centers, members, index)
            return index + 1, centers

        count = ops.size(ops.unique(self.labels)[0])
        start = [ops.constant(0), centers]
        return ops.while_loop(lambda index, _: index < count, body, start)[1]

    def _with_best_member(self, centers: Tensor, members: Tensor, center: Tensor) -> Tensor:
        member_distances = _member_distances(self.distances, members)
        energies = -1.0 * ops.reduce_sum(ops.squeeze(member_distances, [1, 2]), axis=0)
        first, count = ops.constant(0), ops.size(members)

        def predictions(index: Tensor) -> Tensor:
            candidate = ops.cast(members[index], dtypes.int32)
            return _nearest(self.distances, _replace_element(centers, center, candidate))

        start = [first, ops.zeros([count])]
        margins = _margins(count, start, predictions, self.labels, self.margin_type)
        scores = ops.add(energies, self.multiplier * margins)
        best = ops.cast(ops.argmax(scores, axis=0), dtypes.int32)
        return _replace_element(centers, center, ops.cast(members[best], dtypes.int32))


def _member_distances(distances: Tensor, members: Tensor) -> Tensor:
    """Returns the pairwise distances of the member rows, [count, 1, 1, count]; `members` is [count, 1]."""
    return ops.transpose(ops.gather(ops.transpose(ops.gather(distances, members)), members))


def _label_score(distances: Tensor, labels: Tensor) -> Tensor:
    """Returns the negative sum of the distances of all rows to the best center of their label."""
    classes = ops.unique(labels)[0]
    count = ops.size(classes)

    def body(index: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
        members = ops.where(ops.equal(labels, classes[index]))
        sums = ops.reduce_sum(_member_distances(distances, members), axis=0)
        label_loss = -1.0 * ops.reduce_min(sums)
        return index + 1, score + label_loss

    start = [ops.constant(0), ops.constant(0.0, dtype=dtypes.float32)]
    return ops.while_loop(lambda index, _: index < count, body, start)[1]


def cluster_loss(
    labels: TensorLike,
    embeddings: Tensor,
    margin_multiplier: float,
    enable_pam_finetuning: bool = True,
    margin_type: str = "nmi",
    print_losses: bool = False,
) -> Tensor:
    """Returns the excess score of the best wrong clustering over the label clustering, at least 0.

    The score is the negative sum of distances to cluster centers, plus the margin, 1 minus the agreement with the
    labels. Centers are found greedily, then swapped for better ones.

    Args:
      labels: [batch, 1], int64 class indices.
      embeddings: a float32 tensor [batch, width]; rows should have length 1.
      margin_multiplier: weight of the margin.
      enable_pam_finetuning: whether to swap centers.
      margin_type: measure of agreement: "nmi" or "ami" (normalized and adjusted mutual information), "ari"
        (adjusted Rand index), "vmeasure", "const" (1 for the same numbers, else 0).
      print_losses: whether to print the loss at each evaluation.

    Returns:
      A float32 scalar, whose parts are also written as summaries.

    Raises:
      ValueError: for an unknown margin type.

    H. Song et al., "Deep metric learning via facility location", CVPR 2017.
    """
    distances = row_distances(embeddings)
    labels = ops.squeeze(labels)
    rows = ops.range(ops.shape(embeddings)[0])
    search = _Search(distances, labels, margin_multiplier, margin_type)
    centers = search.add_centers_greedily(rows)
    predicted_energy = _energy(distances, centers)
    if enable_pam_finetuning:
        centers = search.refine_centers(centers)
        predicted_energy = _energy(distances, centers)
    nearest_score = _score(labels, _nearest(distances, centers), margin_type)
    right = _label_score(distances, labels)
    loss = ops.maximum(
        predicted_energy + margin_multiplier * (1.0 - nearest_score) - right,
        0.0,
        name="clustering_loss",
    )
    loss.set_shape([])
    if print_losses:
        loss = ops.Print(loss, ["clustering_loss: ", loss, ops.shape(loss)])
    scalar("losses/score_pred", predicted_energy)
    scalar("losses/" + margin_type, nearest_score)
    scalar("losses/score_gt", right)
    return loss
