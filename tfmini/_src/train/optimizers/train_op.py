"""The train op: the operation of a step of training, which a collection of the graph has."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor


def collected(train_op: Any) -> Any:
    """A train op, which is in the collection of them; there is none in eager mode."""
    if executing_eagerly():
        return train_op
    train_op = train_op.op if isinstance(train_op, Tensor) else train_op
    known = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
    if train_op not in known:
        known.append(train_op)
    return train_op
