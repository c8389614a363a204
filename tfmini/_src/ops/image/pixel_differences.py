"""Differences between neighboring pixels: gradients, Sobel edges, total variation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


@public
def total_variation(images: Any, name: str | None = None) -> Tensor:
    """Computes the total variation, the sum of absolute differences of neighboring pixels, a measure of noise.

    Args:
      images: [height, width, channels] or [batch, height, width, channels] tensor.

    Returns:
      A scalar, or [batch] tensor.

    Raises:
      ValueError: if the rank is not 3 or 4.
    """
    with name_scope(name, "total_variation"):
        ndims = images.get_shape().ndims
        axes: list[int] | None
        if ndims == 3:
            row_diff = images[1:, :, :] - images[:-1, :, :]
            column_diff = images[:, 1:, :] - images[:, :-1, :]
            axes = None
        elif ndims == 4:
            row_diff = images[:, 1:, :, :] - images[:, :-1, :, :]
            column_diff = images[:, :, 1:, :] - images[:, :, :-1, :]
            axes = [1, 2, 3]
        else:
            raise ValueError("'images' must be either 3 or 4-dimensional.")
        total = ops.reduce_sum(ops.abs(row_diff), axis=axes)
        return total + ops.reduce_sum(ops.abs(column_diff), axis=axes)


@public
def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """Computes image gradients: differences between adjacent rows and between adjacent columns.

    Args:
      image: [batch, height, width, channels] tensor.

    Returns:
      (dy, dx), of the same shape and dtype, with zeros in the last row and column.

    Raises:
      ValueError: if the rank is not 4.
    """
    if image.get_shape().ndims != 4:
        raise ValueError(
            "image_gradients expects a 4D tensor [batch_size, h, w, d], not %s.",
            image.get_shape(),
        )
    shape = ops.shape(image)
    batch, height, width, depth = ops.unstack(shape)
    dy = image[:, 1:, :, :] - image[:, :-1, :, :]
    dx = image[:, :, 1:, :] - image[:, :, :-1, :]
    last = ops.stack([batch, 1, width, depth])
    dy = ops.concat([dy, ops.zeros(last, image.dtype)], 1)
    dy = ops.reshape(dy, shape)
    last = ops.stack([batch, height, 1, depth])
    dx = ops.concat([dx, ops.zeros(last, image.dtype)], 2)
    return dy, ops.reshape(dx, shape)


def sobel_edges(image: Any) -> Tensor:
    """Computes Sobel edge maps of images.

    Args:
      image: float tensor [batch, height, width, channels].

    Returns:
      [batch, height, width, channels, 2] tensor: the vertical and the horizontal gradient.
    """
    static = image.get_shape()
    shape = ops.shape(image)
    filters = [
        [[-1, -2, -1], [0, 0, 0], [1, 2, 1]],
        [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]],
    ]
    kernels = np.expand_dims(np.transpose(np.asarray(filters), (1, 2, 0)), -2)
    kernel = ops.constant(kernels, dtype=image.dtype)
    kernel = ops.tile(kernel, [1, 1, shape[-1], 1], name="sobel_filters")
    padded = ops.pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    edges = ops.depthwise_conv2d(padded, kernel, [1, 1, 1, 1], "VALID")
    edges = ops.reshape(edges, shape=ops.concat([shape, [2]], 0))
    edges.set_shape(static.concatenate([2]))
    return edges
