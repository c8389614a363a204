"""Registers the train op in the graph's TRAIN_OP collection."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor


def add_train_op(train_op: Any) -> Any:
    """Adds a train op to the TRAIN_OP collection and returns it; in eager mode, only returns it."""
    if executing_eagerly():
        return train_op
    train_op = train_op.op if isinstance(train_op, Tensor) else train_op
    train_ops = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
    if train_op not in train_ops:
        train_ops.append(train_op)
    return train_op
