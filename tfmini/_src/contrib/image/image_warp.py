"""Image warping by a dense flow or by moving control points."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.image.interpolate_spline import interpolate_spline
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _dimension_sizes(image: Any) -> list[Tensor]:
    return [ops.shape(image)[n] for n in range(4)]


def _pixels_around(queries: Tensor, size: Tensor, dtype: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the pixels before and after each point along one axis, and the weight of the latter."""
    max_index = ops.cast(size - 2, queries.dtype)
    zero = ops.constant(0.0, dtype=queries.dtype)
    lower = ops.minimum(ops.maximum(zero, ops.floor(queries)), max_index)
    first = ops.cast(lower, dtypes.int32)
    right_index = first + 1
    share = ops.cast(queries - lower, dtype)
    zero, one = ops.constant(0.0, dtype=dtype), ops.constant(1.0, dtype=dtype)
    share = ops.minimum(ops.maximum(zero, share), one)
    return first, right_index, ops.expand_dims(share, 2)


def _read_between(grid: Any, points: Any) -> Tensor:
    """Interpolates images bilinearly at points [batch, points, 2], (row, column); returns [batch, points, channels]."""
    with name_scope("interpolate_bilinear"):
        grid, points = ops.convert_to_tensor(grid), ops.convert_to_tensor(points)
        if len(grid.shape.as_list()) != 4:
            raise ValueError(f"Grid must be 4 dimensional. Received size: {grid.shape}")
        batch, height, width, channels = _dimension_sizes(grid)
        rank, two = len(points.shape), "Query points must be size 2 in dim 2."
        checks = [
            ops.assert_equal(rank, 3, message="Query points must be 3 dimensional."),
            ops.assert_equal(ops.shape(points)[2], 2, message=two),
        ]
        with control_dependencies(checks):
            count = ops.shape(points)[1]
        checks = [
            ops.assert_greater_equal(height, 2, message="Grid height must be at least 2."),
            ops.assert_greater_equal(width, 2, message="Grid width must be at least 2."),
        ]
        with control_dependencies(checks):
            positions = ops.unstack(points, axis=2)
        axis_bounds = []
        for axis, size in enumerate((height, width)):
            with name_scope(f"dim-{axis}"):
                axis_bounds.append(_pixels_around(positions[axis], size, grid.dtype))
        (top, bottom, row_fraction), (left, right, column_fraction) = axis_bounds
        # TensorFlow's message, including line breaks.
        text = f"The image size or batch size is sufficiently large\n{' ' * 23}that the linearized "
        text += f"addresses used by array_ops.gather\n{' ' * 23}may exceed the int32 limit."
        size = ops.cast(batch * height * width, dtype=dtypes.float32)
        max_index = np.iinfo(np.int32).max / 8
        with control_dependencies([ops.assert_less_equal(size, max_index, message=text)]):
            pixels = ops.reshape(grid, [batch * height * width, channels])
            offsets = ops.reshape(ops.range(batch) * height * width, [batch, 1])

        def read(rows: Tensor, columns: Tensor, name: str) -> Tensor:
            with name_scope(f"gather-{name}"):
                values = ops.gather(pixels, offsets + rows * width + columns)
                return ops.reshape(values, [batch, count, channels])

        top_left, top_right = read(top, left, "top_left"), read(top, right, "top_right")
        bottom_left = read(bottom, left, "bottom_left")
        bottom_right = read(bottom, right, "bottom_right")
        with name_scope("interpolate"):
            upper = column_fraction * (top_right - top_left) + top_left
            lower = column_fraction * (bottom_right - bottom_left) + bottom_left
            return row_fraction * (lower - upper) + upper


def dense_image_warp(image: TensorLike, flow: Any, name: str = "dense_image_warp") -> Tensor:
    """Warps images: the output pixel at (row, column) is the input at (row, column) - flow.

    Values between pixels are interpolated bilinearly; positions outside the image are clamped to its edges.

    Args:
      image: [batch, height, width, channels] floats, at least 2 x 2.
      flow: [batch, height, width, 2] floats: rows and columns.

    Returns:
      A tensor of the shape and dtype of `image`.

    Raises:
      ValueError: if `image` does not have four axes.

    Example:
      moved = tf.contrib.image.dense_image_warp(images, tf.ones([8, 28, 28, 2]))
    """
    with name_scope(name):
        batch, height, width, channels = _dimension_sizes(image)
        columns, rows = ops.meshgrid(ops.range(width), ops.range(height))
        grid = ops.cast(ops.stack([rows, columns], axis=2), flow.dtype)
        points = ops.expand_dims(grid, axis=0) - flow
        points = ops.reshape(points, [batch, height * width, 2])
        return ops.reshape(_read_between(image, points), [batch, height, width, channels])


def _repeat_for_batch(array: np.ndarray, batch: int) -> np.ndarray:
    return np.tile(array[None], [batch, *[1] * array.ndim])


def _grid(height: int, width: int, lines: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the rows and columns of evenly spaced points of an image, including its corners."""
    axis_points = np.linspace(0, height - 1, lines), np.linspace(0, width - 1, columns)
    rows, positions = np.meshgrid(*axis_points, indexing="ij")
    return rows, positions


def _edge(height: int, width: int, per_side: int) -> np.ndarray:
    """Returns the corners of an image, and `per_side` points along each edge, [points, 2]."""
    y, x = _grid(height, width, per_side + 2, per_side + 2)
    is_on_edge = (x == 0) | (x == width - 1) | (y == 0) | (y == height - 1)
    return np.stack([y[is_on_edge], x[is_on_edge]], axis=-1)


def sparse_image_warp(
    image: TensorLike,
    source_control_point_locations: Any,
    dest_control_point_locations: Any,
    interpolation_order: int = 2,
    regularization_weight: float = 0.0,
    num_boundary_points: int = 0,
    name: str = "sparse_image_warp",
) -> tuple[Tensor, Tensor]:
    """Warps images to move control points; a spline interpolates the flow of other pixels.

    Args:
      image: [batch, height, width, channels] floats, of static shape.
      source_control_point_locations: [batch, points, 2] floats: rows and columns of points.
      dest_control_point_locations: [batch, points, 2] floats: their targets.
      interpolation_order, regularization_weight: as in `interpolate_spline`.
      num_boundary_points: number of fixed points per side, counting its first corner only; 0 for none.

    Returns:
      (the warped images, the flow of each pixel [batch, height, width, 2]).

    Example:
      warped, flow = tf.contrib.image.sparse_image_warp(faces, eyes, targets, num_boundary_points=2)
    """
    image = ops.convert_to_tensor(image)
    source = ops.convert_to_tensor(source_control_point_locations)
    target = ops.convert_to_tensor(dest_control_point_locations)
    flows = target - source
    with name_scope(name):
        batch, height, width, _ = image.shape.as_list()
        grid = np.stack(_grid(height, width, height, width), -1).reshape([height * width, 2])
        positions = ops.constant(_repeat_for_batch(grid, batch), image.dtype)
        if num_boundary_points > 0:
            edge = _edge(height, width, num_boundary_points - 1)
            count, dtype = dimension_value(target.shape[0]), target.dtype
            fixed = ops.constant(_repeat_for_batch(edge, count), dtype=dtype)
            still = ops.constant(_repeat_for_batch(np.zeros([len(edge), 2]), count), dtype=dtype)
            target, flows = ops.concat([target, fixed], 1), ops.concat([flows, still], 1)
        moved = interpolate_spline(
            target, flows, positions, interpolation_order, regularization_weight
        )
        flow = ops.reshape(moved, [batch, height, width, 2])
        return dense_image_warp(image, flow), flow
