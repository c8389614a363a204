"""Tensors of Keras' graph: what eager code may compute with though they have no value."""

from __future__ import annotations

from typing import Any, TypeGuard

from tfmini._src.graph.tensor import Tensor


def is_symbolic(value: Any) -> TypeGuard[Tensor]:
    """Whether it is a tensor of the graph of `tf.keras.Input`; those of functions are not meant for eager code."""
    return value.__class__ is Tensor and getattr(value.graph, "name", None) == "keras_graph"
