"""Explanations of predictions: the contribution of each feature (Palczewska et al., 2013), and importances by gain."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import proto


def feature_importances(serialized: bytes, names: Sequence[str], normalize: bool) -> Any:
    """Returns the gain by each column of a serialized ensemble, as an OrderedDict, the largest first.

    Raises:
      ValueError: if the ensemble has a split of an unknown kind.
      AssertionError: if normalized importances are negative, or all are 0.
    """
    ensemble = proto.TreeEnsemble.FromString(serialized)
    importances = np.zeros(len(names))
    for tree, weight in zip(ensemble.trees, ensemble.tree_weights):
        of_tree = np.zeros(len(names))
        for node in tree.nodes:
            kind = node.WhichOneof("node")
            if kind == "bucketized_split":
                of_tree[node.bucketized_split.feature_id] += node.metadata.gain
            elif kind == "leaf":
                assert node.metadata.gain == 0
            else:
                raise ValueError(f"Unexpected split type {kind}")
        importances += of_tree * weight
    if normalize:
        assert np.all(importances >= 0), "feature_importances must be non-negative."
        total = np.sum(importances)
        assert total > 0, "Trees are all empty or contain only a root node."
        importances /= total
    return _by_column(names, importances)


def contributions(serialized: bytes, names: Sequence[str], is_classification: bool) -> Any:
    """Returns the bias, and the change of the prediction by the splits of each column, the largest first.

    Args:
      serialized: the DebugOutput of an example.
    """
    path = proto.DebugOutput.FromString(serialized)
    predictions = np.array(path.logits_path)
    if is_classification:
        predictions = 1 / (1 + np.exp(-predictions))
    changes = predictions[1:] - predictions[:-1]
    ids = np.array(path.feature_ids, np.int64)
    sums = np.bincount(ids, weights=changes, minlength=len(names))
    return predictions[0], _by_column(names, sums)


def _by_column(names: Iterable[str], values: Iterable[Any]) -> OrderedDict[str, Any]:
    sums: dict[str, Any] = {}
    for name, value in zip(names, values):
        sums[name] = sums.get(name, 0) + value
    return OrderedDict(sorted(sums.items(), key=lambda item: abs(item[1]), reverse=True))
