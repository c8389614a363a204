"""The resource of an ensemble of decision trees: a TreeEnsemble message, and arrays of its nodes for predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.errors import invalid
from tfmini._src.graph.op_traits.handle_kinds import TREE_ENSEMBLE
from tfmini._src.ops.boosted_trees.created_resource import CreatedResource
from tfmini._src.ops.string.string_elements import scalar_string

_TREE_WEIGHT = 1.0  # the learning rate is applied to the leaves instead


@dataclass(frozen=True)
class TreeNodes:
    """The nodes of a tree as arrays.

    feature: the feature that a split tests, -1 for a leaf.
    threshold: the largest bucket of the left child, or its only bucket for an equality split.
    children: [2, nodes], the right and left child of each split; a leaf is its own child.
    values: [nodes, logits], of a split the value that it had as a leaf.
    """

    feature: np.ndarray
    threshold: np.ndarray
    is_equality: np.ndarray
    children: np.ndarray
    values: np.ndarray
    weight: np.float32

    def next(self, nodes: np.ndarray, buckets: np.ndarray, examples: np.ndarray) -> np.ndarray:
        """Returns the children to which the examples go; `buckets` is [features, batch]."""
        values = buckets[self.feature[nodes], examples]
        goes_left = values <= self.threshold[nodes]
        if self.is_equality.any():
            is_equal = values == self.threshold[nodes]
            goes_left = np.where(self.is_equality[nodes], is_equal, goes_left)
        return self.children[goes_left.view(np.int8), nodes]

    def leaves(self, nodes: np.ndarray, buckets: np.ndarray, examples: np.ndarray) -> np.ndarray:
        """Returns the leaf that each example reaches from its node."""
        while (self.feature[nodes] >= 0).any():
            nodes = self.next(nodes, buckets, examples)
        return nodes


class TreeEnsemble(CreatedResource):
    """The trees grown so far, of which the last one is growing.

    stamp: the number of changes, counted from the initial stamp.
    """

    resource_kind = TREE_ENSEMBLE

    def load(self, stamp: Any, serialized: Any) -> None:
        """Replaces the trees by the trees of a serialized TreeEnsemble."""
        try:
            message = proto.TreeEnsemble.FromString(scalar_string(serialized))
        except proto.DecodeError:
            invalid("Unable to parse tree ensemble proto.")
        count, weight_count = len(message.trees), len(message.tree_weights)
        if count > weight_count:
            invalid(f"A tree ensemble of {count} trees has {weight_count} weights.")
        with self.lock:
            self.message = message
            self.stamp = int(stamp)
            self._nodes: dict[int, tuple[int, TreeNodes]] = {}

    def nodes(self, tree: int, logits_dimension: int) -> TreeNodes:
        """Returns the nodes of a tree; the caller holds the lock."""
        cached = self._nodes.get(tree)
        if cached is None or cached[0] != logits_dimension:
            nodes = _node_arrays(self.message, tree, logits_dimension)
            cached = self._nodes[tree] = logits_dimension, nodes
        return cached[1]

    def metadata(self, tree: int) -> Any:
        """Returns the metadata of a tree, which ensembles that only predict may lack."""
        if tree >= len(self.message.tree_metadata):
            invalid(f"Tree {tree} has no metadata.")
        return self.message.tree_metadata[tree]

    def changed(self, tree: int) -> None:
        """Forgets the arrays of a tree whose nodes have changed."""
        self._nodes.pop(tree, None)

    def add_tree(self, value: float = 0.0) -> int:
        """Adds a tree of one leaf; returns its index."""
        self.message.trees.add().nodes.add().leaf.scalar = value
        self.message.tree_weights.append(_TREE_WEIGHT)
        self.message.tree_metadata.add()
        return len(self.message.trees) - 1


def split_of(node: Any) -> Any:
    """Returns the split of a node that is not a leaf."""
    return getattr(node, node.WhichOneof("node"))


def leaf_values(leaf: Any) -> Any:
    """Returns the values of a leaf: of its vector, or its only one."""
    return leaf.vector.value if leaf.HasField("vector") else (leaf.scalar,)


def _node_arrays(message: Any, tree: int, logits_dimension: int) -> TreeNodes:
    nodes = message.trees[tree].nodes
    count = len(nodes)
    if not count:
        invalid(f"Tree {tree} has no nodes.")
    feature, threshold = np.full(count, -1, np.int32), np.zeros(count, np.int32)
    is_equality = np.zeros(count, bool)
    children = np.tile(np.arange(count), (2, 1))
    values = np.zeros((count, logits_dimension), np.float32)
    for index, node in enumerate(nodes):
        kind = node.WhichOneof("node")
        if kind not in ("leaf", "bucketized_split", "categorical_split"):
            invalid(f"Node {index} of tree {tree} is of unsupported kind {kind}.")
        contributions = leaf_values(node.leaf if kind == "leaf" else node.metadata.original_leaf)
        contributions = contributions[:logits_dimension]
        values[index, : len(contributions)] = contributions
        if kind != "leaf":
            split = getattr(node, kind)
            is_equality[index] = kind == "categorical_split"
            feature[index] = split.feature_id
            threshold[index] = split.value if is_equality[index] else split.threshold
            ids = split.right_id, split.left_id
            if min(ids) <= index or max(ids) >= count or split.feature_id < 0:
                invalid(f"Node {index} of tree {tree} is invalid: {split}")
            children[:, index] = ids
    weight = np.float32(message.tree_weights[tree])
    return TreeNodes(feature, threshold, is_equality, children, values, weight)
