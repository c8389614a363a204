"""RadialConstraint: kernels whose weights depend only on the distance from the centre."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.functions.map_scan_fold import map_fn
from tfmini._src.nn.layers.constraints import KNOWN, Constraint
from tfmini._src.ops import ops


class RadialConstraint(Constraint):
    """Makes a kernel [rows, columns, channels, filters] constant on each ring around its centre.

    A ring gets the weight of the kernel's diagonal that lies on it.

    Raises:
      ValueError: when it is called with weights of another rank.
    """

    def __call__(self, w: Any) -> Any:
        shape = w.shape
        if shape.ndims != 4:
            raise ValueError(f"The weight tensor must be of rank 4, but is of shape: {shape}")
        rows, columns, channels, filters = shape.as_list()
        flat = ops.reshape(w, (rows, columns, channels * filters))
        flat = ops.stack(ops.unstack(flat, axis=-1), axis=0)
        made = map_fn(_rings, flat)
        made = ops.stack(ops.unstack(made, axis=0), axis=-1)
        return ops.reshape(made, (rows, columns, channels, filters))


def _rings(kernel: Any) -> Any:
    """One kernel [rows, columns], built outwards from its centre."""
    one_around = ops.constant([[1, 1], [1, 1]], dtype=dtypes.int32)
    size = ops.shape(kernel)[0]
    start = ops.cast(size / 2, dtypes.int32)

    def middle() -> Any:
        return kernel[start - 1 : start, start - 1 : start]

    first = ops.cond(
        ops.cast(ops.floormod(size, 2), dtypes.bool),
        middle,
        lambda: middle() + ops.zeros((2, 2), dtype=kernel.dtype),
    )
    index = ops.cond(
        ops.cast(ops.floormod(size, 2), dtypes.bool),
        lambda: ops.constant(0, dtype=dtypes.int32),
        lambda: ops.constant(1, dtype=dtypes.int32),
    )

    def grow(i: Any, inner: Any) -> tuple:
        value = kernel[start + i, start + i]
        return i + 1, ops.pad(inner, one_around, constant_values=value)

    return ops.while_loop(
        lambda i, *_: ops.less(i, start),
        grow,
        [index, first],
        shape_invariants=[index.shape, TensorShape([None, None])],
    )[1]


KNOWN.update(RadialConstraint=RadialConstraint, radial_constraint=RadialConstraint)
