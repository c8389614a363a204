"""Ops that predict with an ensemble of decision trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr
from tfmini._src.graph.shape_inference import Dims, merge, with_rank
from tfmini._src.ops.boosted_trees.ensemble_ops import ensemble_op
from tfmini._src.ops.boosted_trees.tree_ensemble import TreeEnsemble
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.string.string_elements import vector

_FEATURES = "bucketized_features: num_bucketized_features * int32"
_ATTRS: dict[str, Any] = {
    "num_bucketized_features": Attr("int", minimum=1),
    "logits_dimension": Attr("int"),
}


def _batch_size(op: Any, first: int) -> int | None:
    """Returns the static length of the vectors from an input on."""
    dims: Dims = (None,)
    for tensor in op.inputs[first:]:
        dims = merge(dims, with_rank(tensor._dims, 1))
    return with_rank(dims, 1)[0]


def _batch(features: Sequence[np.ndarray], logits_dimension: int) -> np.ndarray:
    """Returns the buckets [features, batch]."""
    if logits_dimension < 0:
        invalid(f"Shape [{len(features[0])},{logits_dimension}] is not valid")
    for feature in features:
        if feature.ndim != 1 or feature.shape != features[0].shape:
            invalid(
                "bucketized_features must be vectors of equal length, got shapes "
                f"{shape_text(features[0].shape)} and {shape_text(feature.shape)}"
            )
    return np.stack(features)


def _checked_nodes(ensemble: TreeEnsemble, tree: int, buckets: np.ndarray, logits: int) -> Any:
    nodes = ensemble.nodes(tree, logits)
    if nodes.feature.max(initial=-1) >= len(buckets):
        invalid(f"Tree {tree} splits by feature {nodes.feature.max()}, got {len(buckets)} features")
    return nodes


@ensemble_op(
    "BoostedTreesPredict",
    f"tree_ensemble_handle: resource, {_FEATURES} -> logits: float",
    stateful=True,
    **_ATTRS,
)
def predict_op(xp, ensemble, features, *, logits_dimension):
    buckets = _batch(features, logits_dimension)
    examples = np.arange(buckets.shape[1])
    logits = np.zeros((len(examples), logits_dimension), np.float32)
    with ensemble.lock:
        for tree in range(len(ensemble.message.trees)):
            nodes = _checked_nodes(ensemble, tree, buckets, logits_dimension)
            leaves = nodes.leaves(np.zeros_like(examples), buckets, examples)
            logits += nodes.weight * nodes.values[leaves]
    return logits


@predict_op.infer
def _(op):
    return (_batch_size(op, 1), op.attrs["logits_dimension"])


@ensemble_op(
    "BoostedTreesTrainingPredict",
    f"tree_ensemble_handle: resource, cached_tree_ids: int32, cached_node_ids: int32, {_FEATURES} -> "
    "partial_logits: float, tree_ids: int32, node_ids: int32",
    stateful=True,
    **_ATTRS,
)
def training_predict_op(xp, ensemble, tree_ids, node_ids, features, *, logits_dimension):
    buckets = _batch(features, logits_dimension)
    for name, ids in (("cached_tree_ids", tree_ids), ("cached_node_ids", node_ids)):
        if ids.shape != buckets.shape[1:]:
            invalid(f"{name} must be {shape_text(buckets.shape[1:])}, got {shape_text(ids.shape)}")
    logits = np.zeros((len(tree_ids), logits_dimension), np.float32)
    with ensemble.lock:
        last = len(ensemble.message.trees) - 1
        if last < 0:
            return logits, tree_ids, np.zeros_like(node_ids)
        if tree_ids.size and not 0 <= tree_ids.min() <= tree_ids.max() <= last:
            invalid(f"cached_tree_ids must be in [0, {last}]")
        ends = np.zeros_like(node_ids)
        for tree in range(tree_ids.min(initial=last), last + 1):
            nodes = _checked_nodes(ensemble, tree, buckets, logits_dimension)
            examples = np.flatnonzero(tree_ids <= tree)
            cached = np.where(tree_ids[examples] == tree, node_ids[examples], -1)
            starts, changes = _corrected(ensemble, tree, cached, logits_dimension)
            changes -= np.where(cached[:, None] >= 0, nodes.values[starts], np.float32(0))
            ends[examples] = nodes.leaves(starts, buckets, examples)
            logits[examples] += nodes.weight * (changes + nodes.values[ends[examples]])
    return logits, np.full_like(tree_ids, last), ends


@training_predict_op.infer
def _(op):
    batch = _batch_size(op, 1)
    return [(batch, op.attrs["logits_dimension"]), (batch,), (batch,)]


def _corrected(
    ensemble: TreeEnsemble, tree: int, cached: np.ndarray, logits_dimension: int
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the nodes that replace cached nodes (-1: none) after pruning, and the changes of their values."""
    changes = np.zeros((len(cached), logits_dimension), np.float32)
    starts = np.maximum(cached, 0)
    metadata = ensemble.metadata(tree)
    updates = metadata.post_pruned_nodes_meta
    count = len(updates) or len(ensemble.message.trees[tree].nodes)
    if starts.max(initial=0) >= count:
        invalid(f"cached_node_ids must be less than {count} for tree {tree}")
    if metadata.is_finalized and updates:
        table = np.zeros((count, logits_dimension), np.float32)
        for row, update in zip(table, updates):
            row[: len(update.logit_change)] = update.logit_change[:logits_dimension]
        is_cached = cached >= 0
        changes[is_cached] = table[starts[is_cached]]
        ids = np.array([update.new_node_id for update in updates])
        starts = np.where(is_cached, ids[starts], 0)
    return starts, changes


@ensemble_op(
    "BoostedTreesExampleDebugOutputs",
    f"tree_ensemble_handle: resource, {_FEATURES} -> examples_debug_outputs_serialized: string",
    stateful=True,
    **_ATTRS,
)
def example_debug_outputs_op(xp, ensemble, features, *, logits_dimension):
    """Returns the features of the splits on the path of each example, and the logits after each."""
    if logits_dimension != 1:
        invalid("Currently only one dimensional outputs are supported.")
    buckets = _batch(features, logits_dimension)
    examples = np.arange(buckets.shape[1])
    with ensemble.lock:
        trees = range(len(ensemble.message.trees))
        tree_nodes = [_checked_nodes(ensemble, tree, buckets, 1) for tree in trees]
    if not tree_nodes:
        invalid("The tree ensemble is empty.")
    bias = tree_nodes[0].weight * tree_nodes[0].values[0, 0]
    outputs = [proto.DebugOutput(logits_path=[bias]) for _ in examples]
    sums, latest = np.zeros(len(examples), np.float32), np.full(len(examples), bias)
    for tree, nodes in enumerate(tree_nodes):
        positions = np.zeros_like(examples)
        while True:
            moving = np.flatnonzero(nodes.feature[positions] >= 0)
            if not moving.size:
                break
            tested = nodes.feature[positions[moving]]
            positions[moving] = nodes.next(positions[moving], buckets, moving)
            latest[moving] = nodes.weight * nodes.values[positions[moving], 0]
            logits = (latest + sums)[moving].tolist()
            for example, feature, logit in zip(moving.tolist(), tested.tolist(), logits):
                outputs[example].feature_ids.append(feature)
                outputs[example].logits_path.append(logit)
        counts = (positions > 0) | (tree == 0)
        sums = np.where(counts, sums + latest, sums)
    return vector(output.SerializeToString() for output in outputs)


@example_debug_outputs_op.infer
def _(op):
    return (_batch_size(op, 1),)
