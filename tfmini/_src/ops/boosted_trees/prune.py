"""Post-pruning: removes the splits of negative gain from the bottom of a finished tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.ops.boosted_trees.tree_ensemble import leaf_values, split_of


def prune(tree: Any, metadata: Any) -> None:
    """Replaces splits of negative gain by leaves if their children are leaves, and removes these children.

    The metadata of a pruned tree gives, for each original node, the node that replaces it and the change of its value.
    """
    nodes, count = tree.nodes, len(tree.nodes)
    parents: dict[int, tuple[int, list[np.float32]]] = {}
    for index in reversed(range(count)):  # children follow their parents
        node = nodes[index]
        if node.WhichOneof("node") == "leaf" or not node.metadata.gain < 0:
            continue
        children = split_of(node).left_id, split_of(node).right_id
        if all(nodes[child].WhichOneof("node") == "leaf" for child in children):
            node.leaf.CopyFrom(node.metadata.original_leaf)
            node.ClearField("metadata")
            for child in children:
                pairs = zip(leaf_values(node.leaf), leaf_values(nodes[child].leaf))
                parents[child] = index, [np.float32(ours) - np.float32(c) for ours, c in pairs]
    if not parents:
        return
    remaining_ids = [index for index in range(count) if index not in parents]
    new_ids = {index: new_id for new_id, index in enumerate(remaining_ids)}
    for index in range(count):
        update, end = metadata.post_pruned_nodes_meta.add(), index
        change = [np.float32(0)] * max(len(c) for _, c in parents.values())
        while end in parents:
            end, step = parents[end]
            change = [a + b for a, b in zip(change, step)]
        update.new_node_id = new_ids[end]
        update.logit_change.extend(change)
    remaining = [nodes[index] for index in remaining_ids]
    for node in remaining:
        if node.WhichOneof("node") != "leaf":
            split = split_of(node)
            split.left_id, split.right_id = new_ids[split.left_id], new_ids[split.right_id]
    copies = [type(node).FromString(node.SerializeToString()) for node in remaining]
    del nodes[:]
    nodes.extend(copies)
