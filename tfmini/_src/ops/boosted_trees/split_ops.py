"""Ops that find the best split of each node of a layer from sums of gradients and hessians (Chen and Guestrin, 2016).

The weight of a leaf minimizes g w + (h + l2) w²/2 + l1 |w| for the sums g of the gradients and h of the hessians of its
examples. The gain of a split is the sum of the gains of its leaves, less the gain of the node.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import checked_ranks, merge, with_rank
from tfmini._src.ops.operands import first_number, shape_text
from tfmini._src.ops.string.string_elements import vector

TOLERANCE = 1e-15  # gains that differ by less are equal
_LOWEST = np.finfo(np.float32).min
_LEFT, _RIGHT = b"INEQUALITY_DEFAULT_LEFT", b"INEQUALITY_DEFAULT_RIGHT"
_POSITIVE = Attr("int", minimum=1)
_PENALTIES = "l1: float, l2: float, tree_complexity: float, min_node_weight: float"
_SPLITS = (
    "node_ids: int32, gains: float, feature_dimensions: int32, thresholds: int32, left_node_contribs: float, "
    "right_node_contribs: float, split_with_default_directions: string"
)


def weights_and_gains(sums: Any, logits: int, l1: Any, l2: Any) -> tuple[Any, Any]:
    """Returns the weights [..., logits] and gains [...] of leaves.

    Args:
      sums: for each leaf the gradients, and the hessians: one per logit, or a whole matrix.
    """
    gradients, hessians = sums[..., :logits], sums[..., logits:]
    if logits == 1:
        return _scalar_weights_and_gains(gradients, hessians, l1, l2)
    if hessians.shape[-1] == logits:
        regularized = hessians + l2
        weights = -(np.float32(1) / regularized) * gradients
        for place in zip(*np.nonzero((regularized == 0).any(-1))):
            weights[place] = -_solve(np.diag(regularized[place]), gradients[place])
    else:
        matrices = hessians.reshape(*hessians.shape[:-1], logits, logits).swapaxes(-1, -2)
        regularized = matrices + l2 * np.identity(logits, np.float32)
        flat = zip(regularized.reshape(-1, logits, logits), gradients.reshape(-1, logits))
        weights = -np.array([_solve(*pair) for pair in flat], np.float32).reshape(gradients.shape)
    return weights, np.sum(-gradients * weights, -1, dtype=np.float32)


def _scalar_weights_and_gains(gradients: Any, hessians: Any, l1: Any, l2: Any) -> tuple[Any, Any]:
    if l1 > 0:
        shrunk = np.where(gradients > l1, gradients - l1, gradients + l1)
        gradients = np.where(np.abs(gradients) > l1, shrunk, np.float32(0))
    regularized = hessians + l2
    is_used = (regularized > TOLERANCE) & (gradients != 0) if l1 > 0 else regularized > TOLERANCE
    weights = np.where(is_used, -gradients / regularized, np.float32(0))
    return weights, np.where(is_used, -gradients * weights, np.float32(0))[..., 0]


def _solve(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(matrix, vector, rcond=None)[0]


def _first_best(gains: np.ndarray) -> np.ndarray:
    """Returns for each row the candidate that remains after replacing the best one by each larger one in order."""
    gains = np.where(np.isnan(gains), _LOWEST, gains)
    best = gains.argmax(1)
    highest = gains.max(1, keepdims=True)
    is_close = (highest - gains < TOLERANCE) | (gains == highest)
    for row in np.flatnonzero(is_close.argmax(1) != best):
        best[row] = 0
        for candidate in range(gains.shape[1]):
            if gains[row, candidate] - gains[row, best[row]] >= TOLERANCE:
                best[row] = candidate
    return best


def _layer_range(node_id_range: Any, count: int) -> tuple[int, int]:
    if node_id_range.shape != (2,):
        invalid(f"node_id_range must be of shape [2], got {shape_text(node_id_range.shape)}")
    first, end = node_id_range.tolist()
    if first < 0 or end > count:
        invalid(f"node_id_range [{first}, {end}) is out of range for {count} nodes")
    return first, max(first, end)


@op(
    "BoostedTreesCalculateBestGainsPerFeature",
    f"node_id_range: int32, stats_summary_list: num_features * float, {_PENALTIES} -> "
    "node_ids_list: num_features * int32, gains_list: num_features * float, thresholds_list: num_features * int32, "
    "left_node_contribs_list: num_features * float, right_node_contribs_list: num_features * float",
    max_splits=_POSITIVE,
    num_features=_POSITIVE,
)
def calculate_best_gains_per_feature_op(
    xp, node_id_range, summaries, l1, l2, tree_complexity, min_node_weight
):
    shape = summaries[0].shape
    for summary in summaries:
        if summary.shape != shape or summary.ndim != 3 or shape[1] < 1 or shape[2] != 2:
            invalid(
                f"stats_summary_list must be [max_splits, buckets, 2], got {shape_text(summary.shape)}"
            )
    l1, l2, tree_complexity, min_node_weight = _penalties(l1, l2, tree_complexity, min_node_weight)
    first, end = _layer_range(node_id_range, shape[0])
    layer = np.array([summary[first:end] for summary in summaries], np.float32)
    left = layer.cumsum(2)  # [features, nodes, buckets, 2]
    total = left[:, :, -1:]
    left_weights, left_gains = weights_and_gains(left, 1, l1, l2)
    right_weights, right_gains = weights_and_gains(total - left, 1, l1, l2)
    parent_gains = weights_and_gains(total, 1, l1, l2)[1]
    gains = left_gains + right_gains
    features, nodes, buckets = gains.shape
    best = _first_best(gains.reshape(-1, buckets)).reshape(features, nodes, 1)
    chosen_gains = np.take_along_axis(gains, best, 2) - parent_gains - tree_complexity
    chosen = [
        np.arange(first, end, dtype=np.int32)[None, :].repeat(features, 0),
        chosen_gains[:, :, 0],
        best[:, :, 0].astype(np.int32),
        *(np.take_along_axis(w[..., 0], best, 2) for w in (left_weights, right_weights)),
    ]
    is_heavy = total[:, :, 0, 1] >= min_node_weight
    if is_heavy.all():
        return tuple(itertools.chain(*chosen))
    return tuple(row[heavy] for output in chosen for row, heavy in zip(output, is_heavy))


@calculate_best_gains_per_feature_op.infer
def _(op):
    count = op.attrs["num_features"]
    merge(with_rank(op.inputs[0]._dims, 1), (2,))
    dims = with_rank(op.inputs[1]._dims, 3)
    merge(dims, (op.attrs["max_splits"], None, 2))
    for tensor in op.inputs[2 : count + 1]:
        merge(dims, with_rank(tensor._dims, 3))
    for tensor in op.inputs[count + 1 : count + 4]:
        with_rank(tensor._dims, 0)
    return [(None,)] * (3 * count) + [(None, 1)] * (2 * count)


def _penalties(*penalties: Any) -> list[np.float32]:
    names = ("l1", "l2", "tree_complexity", "min_node_weight")
    return [np.float32(first_number(p, name)) for p, name in zip(penalties, names)]


@op(
    "BoostedTreesCalculateBestFeatureSplit",
    f"node_id_range: int32, stats_summary: float, {_PENALTIES} -> {_SPLITS}",
    logits_dimension=_POSITIVE,
    split_type=Attr("string", "inequality", allowed=("inequality", "equality")),
)
def calculate_best_feature_split_op(
    xp, node_id_range, summary, l1, l2, tree_complexity, min_node_weight, *, logits_dimension, split_type,
):  # fmt: skip
    """Splits by a feature of several dimensions; missing values are in the last bucket."""
    l1, l2, tree_complexity, min_node_weight = _penalties(l1, l2, tree_complexity, min_node_weight)
    if summary.ndim != 4 or summary.shape[1] < 1 or summary.shape[2] < 2:
        invalid(f"stats_summary must be of rank 4, got {shape_text(summary.shape)}")
    hessians = summary.shape[3] - logits_dimension
    if hessians not in (logits_dimension, logits_dimension**2):
        invalid(f"stats_summary has {summary.shape[3]} sums for {logits_dimension} logits")
    first, end = _layer_range(node_id_range, summary.shape[0])
    layer = summary[first:end]  # [nodes, dimensions, buckets, sums]
    node_total = layer[:, 0].sum(1, dtype=np.float32)
    if split_type == "equality":
        total = node_total[:, None, None, None]
        left = layer[:, :, :-1, None]
        directions = [b"EQUALITY_DEFAULT_RIGHT"]
    else:
        sums = layer.cumsum(2)
        total, left = sums[:, :, -1:], sums[:, :, :-1]
        left = np.stack([left + layer[:, :, -1:], left], 3)
        directions = [_LEFT, _RIGHT]
        total = total[:, :, :, None]
    left_weights, left_gains = weights_and_gains(left, logits_dimension, l1, l2)
    right_weights, right_gains = weights_and_gains(total - left, logits_dimension, l1, l2)
    parent_gains = weights_and_gains(node_total, logits_dimension, l1, l2)[1]
    gains = left_gains + right_gains
    nodes = np.arange(len(gains))
    best = _first_best(gains.reshape(len(gains), gains[0].size if len(gains) else 1))
    dimension, bucket, direction = np.unravel_index(best, gains.shape[1:])
    best_splits = nodes, dimension, bucket, direction
    norms = np.sqrt((node_total[:, logits_dimension:] ** 2).sum(1))
    is_kept = (norms >= min_node_weight) & (gains[best_splits] > _LOWEST)
    return (
        np.arange(first, end, dtype=np.int32)[is_kept],
        (gains[best_splits] - parent_gains - tree_complexity)[is_kept],
        dimension.astype(np.int32)[is_kept],
        bucket.astype(np.int32)[is_kept],
        left_weights[best_splits][is_kept],
        right_weights[best_splits][is_kept],
        vector(directions[index] for index in direction[is_kept].tolist()),
    )


@calculate_best_feature_split_op.infer
def _(op):
    merge(with_rank(op.inputs[0]._dims, 1), (2,))
    checked_ranks(None, 4, 0, 0, 0, 0, result=[])(op)
    contribs = (None, op.attrs["logits_dimension"])
    return [*[(None,)] * 4, contribs, contribs, (None,)]


@op(
    "BoostedTreesSparseCalculateBestFeatureSplit",
    "node_id_range: int32, stats_summary_indices: int32, stats_summary_values: float, stats_summary_shape: int32, "
    f"{_PENALTIES} -> {_SPLITS}",
    logits_dimension=_POSITIVE,
    split_type=Attr("string", "inequality", allowed=("inequality",)),
)
def sparse_calculate_best_feature_split_op(
    xp, node_id_range, indices, values, shape, l1, l2, tree_complexity, min_node_weight
):
    """Splits by a sparse feature, whose absent buckets have no candidates; uses one gradient and hessian per bucket."""
    l1, l2, tree_complexity, min_node_weight = _penalties(l1, l2, tree_complexity, min_node_weight)
    if shape.shape != (4,) or shape[3] < 2 or (*values.shape, 4) != indices.shape:
        invalid(f"Got stats_summary_indices {shape_text(indices.shape)} for shape {shape.tolist()}")
    if indices.size and (indices.min() < 0 or (indices >= shape).any()):
        invalid(f"stats_summary_indices must be in the shape {shape.tolist()}")
    splits = []
    nodes, starts = np.unique(indices[:, 0], return_index=True)
    for node, rows in zip(nodes.tolist(), np.split(np.arange(len(indices)), starts[1:])):
        dimensions, places = np.unique(indices[rows, 1], return_inverse=True)
        _, _, buckets, sums = indices[rows].T
        stats = np.zeros((len(dimensions), *shape[2:].tolist()), np.float32)
        stats[places.ravel(), buckets, sums] = values[rows]
        is_present = np.zeros(stats.shape[:2], bool)
        is_present[places.ravel(), buckets] = True
        split = _sparse_split(stats[..., :2], is_present, l1, l2, min_node_weight)
        if split is not None:
            gain, dimension, *others = split
            splits.append((node, gain, dimensions[dimension], *others))
    columns = list(zip(*splits)) or [()] * 7
    types = [np.int32, np.float32, np.int32, np.int32, np.float32, np.float32]
    node_ids, gains, *chosen, left, right = (np.array(c, t) for c, t in zip(columns, types))
    contribs = left[:, None], right[:, None]
    return node_ids, gains - tree_complexity, *chosen, *contribs, vector(columns[6])


def _sparse_split(stats: Any, is_present: Any, l1: Any, l2: Any, min_node_weight: Any) -> Any:
    """Returns the gain, dimension, bucket, weights and direction of the best split of a node, if any."""
    total = stats[0].cumsum(0)[-1]
    if total[1] < min_node_weight:
        return None
    left = stats[:, :-1].cumsum(1)
    default = stats[:, -1:]
    pairs = [(left, total - left), (left + default, total - default - left)]
    sides = [[weights_and_gains(side, 1, l1, l2) for side in pair] for pair in pairs]
    gains = np.stack([left[1] + right[1] for left, right in sides], -1)
    gains = np.where(is_present[:, :-1, None], gains, _LOWEST)
    best = _first_best(gains.reshape(1, -1))[0]
    dimension, bucket, direction = np.unravel_index(best, gains.shape)
    gain = gains[dimension, bucket, direction]
    if gain == _LOWEST:
        return None
    parent_gain = weights_and_gains(total, 1, l1, l2)[1]
    weights = [leaf[0][dimension, bucket, 0] for leaf in sides[direction]]
    return gain - parent_gain, dimension, bucket, *weights, (_RIGHT, _LEFT)[direction]


@sparse_calculate_best_feature_split_op.infer
def _(op):
    merge(with_rank(op.inputs[0]._dims, 1), (2,))
    checked_ranks(None, 2, 1, 1, 0, 0, 0, 0, result=[])(op)
    return [*[(None,)] * 4, (None, 1), (None, 1), (None,)]
