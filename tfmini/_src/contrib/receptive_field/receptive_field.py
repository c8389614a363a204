"""Receptive fields: size, stride and padding of a whole network, as if it were a single layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.contrib.receptive_field.graph_compute_order import NodeInfo, get_compute_order
from tfmini._src.contrib.receptive_field.parse_layer_parameters import Axis, layer_axes
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import Tensor


class ReceptiveField:
    """Region of an image that affects a feature; each attribute is an array of two numbers, for x and y.

    `size`: size of the field. `stride`: distance between the fields of adjacent features. `padding`: distance by which
    the first field starts before the image.
    """

    def __init__(self, size: Any, stride: Any, padding: Any):
        self.size = np.asarray(size)
        self.stride = np.asarray(stride)
        self.padding = np.asarray(padding)

    def compute_input_center_coordinates(self, y: Any, axis: Any = None) -> Any:
        """Returns the image coordinates of the center of each feature's receptive field.

        Args:
          y: feature coordinates, [..., axes].
          axis: the axes; by default both.

        Raises:
          ValueError: if the number of coordinates differs from the number of axes.
        """
        axis = list(range(self.size.size) if axis is None else axis)
        y = np.asarray(y)
        if y.shape[-1] != len(axis):
            raise ValueError(
                f"Dimensionality of the feature coordinates `y` ({y.shape[-1]}) does not match "
                f"dimensionality of `axis` ({len(axis)})"
            )
        return -self.padding[axis] + y * self.stride[axis] + (self.size[axis] - 1) / 2

    def compute_feature_coordinates(self, x: Any, axis: Any = None) -> Any:
        """Returns the coordinates of the features whose receptive fields are centered at image points.

        Args:
          x: image coordinates, [..., axes].
          axis: the axes; by default both.

        Raises:
          ValueError: if the number of coordinates differs from the number of axes.
        """
        axis = list(range(self.size.size) if axis is None else axis)
        x = np.asarray(x)
        if x.shape[-1] != len(axis):
            raise ValueError(
                f"Dimensionality of the input center coordinates `x` ({x.shape[-1]}) does not "
                f"match dimensionality of `axis` ({len(axis)})"
            )
        return (x + self.padding[axis] + (1 - self.size[axis]) / 2) / self.stride[axis]

    def __iter__(self) -> Iterator:
        """Yields size, stride and padding, x before y."""
        return iter(np.concatenate([self.size, self.stride, self.padding]))


@dataclass
class _Region:
    """Region of a node's output that affects one output feature, along one axis."""

    size: Any = 1
    stride: Any = 1
    padding: Any = 0

    def input_region(self, axis: Axis, has_padding: bool) -> _Region:
        """Returns the corresponding region of the node's input."""
        padding = axis.stride * self.padding + axis.padding if has_padding else None
        size = axis.stride * self.size + axis.kernel - axis.stride
        return _Region(size, axis.stride * self.stride, padding)

    @property
    def shift(self) -> float:
        return (self.size - 1) / 2 - self.padding


def compute_receptive_field_from_graph_def(
    graph_def: proto.GraphDef,
    input_node: str,
    output_node: str,
    stop_propagation: Sequence[str] | None = None,
    input_resolution: Sequence[int] | None = None,
) -> ReceptiveField:
    """Returns the receptive field in the input for a network's features.

    Args:
      graph_def: a GraphDef, or a graph.
      input_node: name of the image node, or its tensor.
      output_node: name of the feature node, or its tensor.
      stop_propagation: name prefixes of nodes at which to stop.
      input_resolution: (height, width) of the image, on which padding may depend; None if unknown.

    Returns:
      A `ReceptiveField` with `size`, `stride` and `padding` for x and y; iterable as these six numbers.

    Raises:
      ValueError: if a node is missing, has an unknown type, or has inputs with misaligned receptive fields.

    Example:
      x_size, y_size, x_stride, y_stride, x_padding, y_padding = (
          tf.contrib.receptive_field.compute_receptive_field_from_graph_def(graph, image, features))
    """
    graph_def = graph_def.as_graph_def() if isinstance(graph_def, Graph) else graph_def
    input_name = input_node.op.name if isinstance(input_node, Tensor) else input_node
    output_name = output_node.op.name if isinstance(output_node, Tensor) else output_node
    infos, nodes = get_compute_order(graph_def, input_name, input_resolution)
    field = _Field(nodes, list(stop_propagation or []))
    backwards = sorted(infos.values(), key=lambda info: -info.order)
    reached = False
    for info in backwards:
        if info.node.name == input_name:
            break
        reached = reached or info.node.name == output_name
        if info.node.name == output_name:
            field.seen[output_name] = _Region(), _Region()
        if info.node.name in field.seen:
            field.visit(info)
    if not reached:
        raise ValueError("Output node was not found")
    if input_name not in field.seen:
        raise ValueError("Input node was not found")
    both = field.seen[input_name]
    return ReceptiveField(
        *(
            tuple(getattr(axis, attribute) for axis in both)
            for attribute in ("size", "stride", "padding")
        )
    )


class _Field:
    """Computes the receptive fields of the output in each node, backward from the output."""

    def __init__(self, nodes: dict[str, Any], stops: list[str]):
        self.nodes, self.stops = nodes, stops
        self.seen: dict[str, tuple[_Region, _Region]] = {}
        self.known = True  # whether all paddings so far are known

    def visit(self, info: NodeInfo) -> None:
        """Propagates receptive fields from a node to its inputs."""
        axes = layer_axes(info.node, self.nodes, info.input_size)
        self.known = self.known and all(axis.padding is not None for axis in axes)
        x, y = (
            seen.input_region(axis, self.known)
            for seen, axis in zip(self.seen[info.node.name], axes)
        )
        for name in info.node.input:
            if name[0] == "^" or any(name.startswith(stop) for stop in self.stops):
                continue
            if name not in self.nodes:
                raise KeyError(name)
            if name in self.seen:
                old = self.seen[name]
                self._check(old, (x, y))
                new_x, new_y = (max(a, b, key=lambda s: s.size) for a, b in zip(old, (x, y)))
                self.seen[name] = new_x, new_y
            else:
                self.seen[name] = x, y

    def _check(self, old: tuple[_Region, _Region], new: tuple[_Region, _Region]) -> None:
        """Raises ValueError for two paths with misaligned receptive fields."""
        if not self.known:
            return
        directions = ("horizontal", "vertical")
        start = "Graph is not aligned since"
        end = "from different paths is different in"
        for a, b, direction in zip(old, new, directions):
            if a.stride != b.stride:
                raise ValueError(f"{start} effective stride {end} {direction} direction")
        for a, b, direction in zip(old, new, directions):
            if a.shift != b.shift:
                raise ValueError(f"{start} center shift {end} {direction} direction")
