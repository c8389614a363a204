"""Input shapes of models as tuples."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes import Dimension, TensorShape


def shapes_as_tuples(shapes: Any) -> Any:
    """Converts a shape to a tuple of ints and None, preserving lists, tuples and dicts of shapes."""
    if isinstance(shapes, TensorShape):
        return tuple(shapes.as_list())
    if isinstance(shapes, dict):
        return {key: shapes_as_tuples(value) for key, value in shapes.items()}
    if is_shape(shapes):
        return tuple(getattr(size, "value", size) for size in shapes)
    return [shapes_as_tuples(shape) for shape in shapes]


def shape_list(shapes: Any) -> list[Any]:
    """Flattens a structure of shapes to a list of tuples; dicts are flattened in key order."""
    tuples = shapes_as_tuples(shapes)
    if isinstance(tuples, tuple):
        return [tuples]
    child_shapes = [tuples[key] for key in sorted(tuples)] if isinstance(tuples, dict) else tuples
    return [shape for child_shape in child_shapes for shape in shape_list(child_shape)]


def is_shape(value: Any) -> bool:
    """Whether a list or tuple is a single shape rather than several."""
    return all(size is None or isinstance(size, (int, Dimension)) for size in value)


def input_shape_and_dtype(layer: Any) -> tuple:
    """Returns the batch input shape and dtype passed to a layer, or to a model's first layer."""
    while getattr(layer, "_is_graph_network", False) or type(layer).__name__ == "Sequential":
        if not layer.layers:
            raise ValueError("An empty Model cannot be used as a Layer.")
        layer = layer.layers[0]
    if hasattr(layer, "_batch_input_shape"):
        return layer._batch_input_shape, layer.dtype
    return None, None


def static_batch_size(layer: Any) -> int | None:
    """Returns the static batch size passed to a layer; None if it is unknown."""
    shape, _ = input_shape_and_dtype(layer)
    return None if shape is None else getattr(shape[0], "value", shape[0])
