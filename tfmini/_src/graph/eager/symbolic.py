"""Symbolic tensors: tensors of Keras's graph, which eager code may compute with although they have no value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

from tfmini._src.graph.tensor import Tensor


class _SymbolicException(Exception):
    """Raised for a graph tensor that is passed to an eager op."""


def is_symbolic(value: Any) -> TypeGuard[Tensor]:
    """Whether a tensor belongs to the graph of `tf.keras.Input`; tensors of function graphs are not symbolic."""
    return value.__class__ is Tensor and getattr(value.graph, "name", None) == "keras_graph"


def refuse_symbolic(inputs: Sequence[object]) -> None:
    """Raises an error if the arguments of a function called in eager mode include symbolic tensors."""
    symbolic = [tensor for tensor in inputs if is_symbolic(tensor)]
    if symbolic:
        raise _SymbolicException(
            "Inputs to eager execution function cannot be Keras symbolic tensors, but found "
            f"{symbolic}"
        )
