"""Pooling of matrices to one element per block, and the inverse."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def pool_blocks(x: Tensor, block: list[Any], function: str, name: str, uses_steps: bool) -> Tensor:
    """Pools each block of a matrix by mean or maximum; `uses_steps` pools rows and columns separately."""
    if uses_steps:
        return _pool_in_steps(x, block, function, name)
    rows, columns = x.get_shape()
    x = ops.reshape(x, [1, rows, columns, 1])
    x = ops.pool(
        x, window_shape=block, pooling_type=function, strides=block, padding="SAME", name=name
    )
    return ops.squeeze(x, axis=[0, 3])


def _pool_in_steps(x: Tensor, block: list[Any], function: str, name: str) -> Tensor:
    rows, columns = x.get_shape()
    with name_scope(name, "factorized_pool"):
        y = ops.reshape(x, [1, 1, rows, columns], name=x.op.name + "_aligned")
        y = _pool_columns(y, block[0], function)
        y = _pool_columns(ops.transpose(y, perm=[0, 1, 3, 2]), block[1], function)
    return ops.squeeze(ops.transpose(y, perm=[0, 1, 3, 2]), axis=[0, 1])


def _pool_columns(x: Tensor, side: Any, function: str) -> Tensor:
    return ops.pool(
        x, window_shape=[1, side], pooling_type=function, strides=[1, side], padding="SAME"
    )


def expand_blocks(x: Tensor, block: list[Any]) -> Tensor:
    """Repeats each element of a matrix over a block."""
    height, width = (int(side) for side in block)
    y = _repeat_rows(x, height) if height > 1 else x
    return ops.transpose(_repeat_rows(ops.transpose(y), width)) if width > 1 else y


def _repeat_rows(x: Tensor, times: int) -> Tensor:
    rows, columns = x.shape.as_list()
    positions = np.arange(rows)[None, :] * times + np.arange(times)[:, None]
    indices = ops.constant(positions.reshape(-1, 1).astype(np.int32))
    return ops.scatter_nd(indices, ops.tile(x, [times, 1]), [rows * times, columns])
