"""Ops that grow an ensemble of decision trees by a layer, or change its bias."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.errors import invalid
from tfmini._src.base.logs import warning
from tfmini._src.graph.opdef import Attr
from tfmini._src.graph.shape_inference import checked_ranks, merge, with_rank
from tfmini._src.ops.boosted_trees.ensemble_ops import ensemble_op
from tfmini._src.ops.boosted_trees.prune import prune
from tfmini._src.ops.boosted_trees.split_ops import TOLERANCE, weights_and_gains
from tfmini._src.ops.boosted_trees.tree_ensemble import TreeEnsemble
from tfmini._src.ops.operands import first_number, shape_text

_COUNT = Attr("int", minimum=0)
_PRE_PRUNING, _POST_PRUNING = 1, 2
_MIN_BIAS_CHANGE = np.float32(0.01)
_LISTS = "left_node_contribs: num_features * float, right_node_contribs: num_features * float"
_NUMBERS = "max_depth: int32, learning_rate: float"


@dataclass(frozen=True, slots=True)
class _Split:
    gain: float
    feature: int
    dimension: int
    threshold: int
    changes: tuple[float, float]
    split_type: bytes


def _best_splits(
    features: Any, rate: Any, candidates: Sequence[Sequence[Any]]
) -> dict[int, _Split]:
    """Returns the split of the largest gain of each node, of the first feature among equals.

    Args:
      candidates: for each feature its dimensions, nodes, gains, thresholds, left and right weights, and split types.
    """
    best: dict[int, _Split] = {}
    for feature, (dimensions, nodes, gains, thresholds, left, right, types) in zip(
        features.tolist(), candidates
    ):
        columns = (dimensions, nodes, gains, thresholds, types)
        if any(np.shape(c) != (len(left),) for c in columns) or len(left) != len(right):
            invalid(f"The splits of feature {feature} differ in number, or have the wrong rank")
        values = (gains.tolist(), thresholds.tolist(), dimensions.tolist(), types.tolist())
        weights = ((rate * contribs[:, 0]).tolist() for contribs in (left, right))
        for node, gain, threshold, dimension, split_type, left_change, right_change in zip(
            nodes.tolist(), *values, *weights
        ):
            previous = best.get(node)
            if previous is not None and (
                feature >= previous.feature
                if abs(gain - previous.gain) < TOLERANCE
                else not gain - previous.gain >= TOLERANCE
            ):
                continue
            changes = left_change, right_change
            best[node] = _Split(gain, feature, dimension, threshold, changes, split_type)
    return best


def _grow(
    ensemble: TreeEnsemble, splits: dict[int, _Split], max_depth: int, pruning_mode: int
) -> None:
    """Adds a layer to the last tree, which is completed at the maximum depth."""
    message = ensemble.message
    growing = message.growing_metadata
    count = len(message.trees)
    growing.num_layers_attempted += 1
    if count == 0 or (
        (count == 1 or ensemble.metadata(count - 2).is_finalized)
        and len(message.trees[count - 1].nodes) == 1
    ):
        growing.num_trees_attempted += 1
    current = count - 1 if count else ensemble.add_tree()
    if not splits:
        warning("Not growing tree ensemble as no good splits were found.")
        return
    nodes, metadata = message.trees[current].nodes, ensemble.metadata(current)
    start = len(nodes)
    if not 0 <= min(splits) <= max(splits) < start:
        invalid(f"node_ids must be in [0, {start})")
    for node_id, split in sorted(splits.items()):
        if pruning_mode != _PRE_PRUNING or split.gain >= 0:
            _split_node(nodes, node_id, split)
    end = len(nodes)
    ensemble.changed(current)
    if end == start:
        return
    metadata.num_layers_grown += 1
    if metadata.num_layers_grown >= max_depth:
        start, end = 0, 1
        metadata.is_finalized = True
        if pruning_mode == _POST_PRUNING:
            prune(message.trees[current], metadata)
        ensemble.add_tree()
    growing.last_layer_node_start, growing.last_layer_node_end = start, end


def _split_node(nodes: Any, node_id: int, split: _Split) -> None:
    node, left_id = nodes[node_id], len(nodes)
    if node.WhichOneof("node") != "leaf":
        invalid(f"Node {node_id} is already split.")
    value = np.float32(node.leaf.scalar)
    if node_id or value:
        node.metadata.original_leaf.CopyFrom(node.leaf)
    node.metadata.gain = split.gain
    for change in split.changes:
        nodes.add().leaf.scalar = value + np.float32(change)
    ids = {"feature_id": split.feature, "dimension_id": split.dimension}
    ids |= {"left_id": left_id, "right_id": left_id + 1}
    if split.split_type == b"EQUALITY_DEFAULT_RIGHT":
        node.categorical_split.CopyFrom(proto.CategoricalSplit(value=split.threshold, **ids))
        return
    is_right = split.split_type == b"INEQUALITY_DEFAULT_RIGHT"
    direction = proto.DEFAULT_RIGHT if is_right else proto.DEFAULT_LEFT
    ids |= {"threshold": split.threshold, "default_direction": direction}
    node.bucketized_split.CopyFrom(proto.BucketizedSplit(**ids))


def _update(
    ensemble: TreeEnsemble, features: Any, candidates: Any, max_depth: Any, rate: Any, mode: Any
) -> tuple:
    for left, right in (candidate[4:6] for candidate in candidates):
        if not (np.ndim(left) == np.ndim(right) == 2 and left.shape[1] and right.shape[1]):
            invalid("left_node_contribs and right_node_contribs must be matrices")
    if features.shape != (len(candidates),):
        invalid(f"feature_ids must be [{len(candidates)}], got {shape_text(features.shape)}")
    splits = _best_splits(features, first_number(rate, "learning_rate"), candidates)
    with ensemble.lock:
        ensemble.stamp += 1
        _grow(ensemble, splits, int(first_number(max_depth, "max_depth")), mode)
    return ()


@ensemble_op(
    "BoostedTreesUpdateEnsemble",
    "tree_ensemble_handle: resource, feature_ids: int32, node_ids: num_features * int32, gains: num_features * float, "
    f"thresholds: num_features * int32, {_LISTS}, {_NUMBERS} ->",
    stateful=True,
    pruning_mode=_COUNT,
    num_features=_COUNT,
)
def update_ensemble_op(
    xp, ensemble, feature_ids, node_ids, gains, thresholds, left, right, max_depth, learning_rate, *, pruning_mode
):  # fmt: skip
    types = [np.full(np.shape(nodes), b"INEQUALITY_DEFAULT_LEFT", object) for nodes in node_ids]
    dimensions = [np.zeros_like(nodes) for nodes in node_ids]
    candidates = list(zip(dimensions, node_ids, gains, thresholds, left, right, types))
    return _update(ensemble, feature_ids, candidates, max_depth, learning_rate, pruning_mode)


@ensemble_op(
    "BoostedTreesUpdateEnsembleV2",
    "tree_ensemble_handle: resource, feature_ids: int32, dimension_ids: num_features * int32, "
    "node_ids: num_features * int32, gains: num_features * float, thresholds: num_features * int32, "
    f"{_LISTS}, split_types: num_features * string, {_NUMBERS}, pruning_mode: int32 ->",
    stateful=True,
    num_features=_COUNT,
)
def update_ensemble_v2_op(
    xp, ensemble, feature_ids, dimension_ids, node_ids, gains, thresholds, left, right, split_types, max_depth,
    learning_rate, pruning_mode,
):  # fmt: skip
    candidates = list(zip(dimension_ids, node_ids, gains, thresholds, left, right, split_types))
    mode = int(first_number(pruning_mode, "pruning_mode"))
    return _update(ensemble, feature_ids, candidates, max_depth, learning_rate, mode)


@update_ensemble_op.infer
@update_ensemble_v2_op.infer
def _(op):
    """Checks, for each feature, that its splits agree in number."""
    count = op.attrs["num_features"]
    dims = [tensor._dims for tensor in op.inputs[1:]]
    merge(with_rank(dims[0], 1), (count,))
    is_v2 = op.type == "BoostedTreesUpdateEnsembleV2"
    lists = [dims[1 + n * count : 1 + (n + 1) * count] for n in range(7 if is_v2 else 5)]
    for dimensions, nodes, gains, thresholds, left, right, *types in zip(
        *(lists if is_v2 else [[(None,)] * count, *lists])
    ):
        with_rank(dimensions, 1)
        (splits,) = with_rank(nodes, 1)
        for shape in (gains, thresholds):
            merge(with_rank(shape, 1), (splits,))
        for shape in (left, right):
            merge(with_rank(shape, 2), (splits, 1))
        for shape in types:
            merge(with_rank(shape, 1), (splits,))
    return []


@ensemble_op(
    "BoostedTreesCenterBias",
    "tree_ensemble_handle: resource, mean_gradients: float, mean_hessians: float, l1: float, l2: float -> "
    "continue_centering: bool",
    stateful=True,
)
def center_bias_op(xp, ensemble, mean_gradients, mean_hessians, l1, l2):
    means = np.array([first_number(x, "mean") for x in (mean_gradients, mean_hessians)])
    weights, _ = weights_and_gains(means, 1, first_number(l1, "l1"), first_number(l2, "l2"))
    with ensemble.lock:
        ensemble.stamp += 1
        if not ensemble.message.trees:
            ensemble.add_tree(weights[0])
            return np.bool_(True)
        leaf = ensemble.message.trees[0].nodes[0].leaf
        bias = np.float32(leaf.scalar)
        leaf.scalar = bias + weights[0]
        ensemble.changed(0)
        return np.abs(weights[0] / bias) > _MIN_BIAS_CHANGE


@center_bias_op.infer
def _(op):
    merge(*(with_rank(tensor._dims, 2) for tensor in op.inputs[1:3]))
    return checked_ranks(None, None, None, 0, 0, result=())(op)
