"""Symbolic tensors: tensors of Keras's graph, which eager code may compute with although they have no value."""

from __future__ import annotations

from typing import Any, TypeGuard

from tfmini._src.graph.tensor import Tensor


def is_symbolic(value: Any) -> TypeGuard[Tensor]:
    """Whether a tensor belongs to the graph of `tf.keras.Input`; tensors of function graphs are not symbolic."""
    return value.__class__ is Tensor and getattr(value.graph, "name", None) == "keras_graph"
