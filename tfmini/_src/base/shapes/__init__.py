"""Static shapes: tensor shapes as far as known before execution.

A `TensorShape` wraps a plain tuple of sizes in which None is an unknown size, or None for unknown
rank; the runtime works on that tuple (`shape._dims`) and wraps its own
with `TensorShape.from_dims`. Users see sizes as `Dimension` objects, created on access.
"""

from tfmini._src.base.shapes.dimension import Dimension, as_dimension, dimension_value
from tfmini._src.base.shapes.tensor_shape import (
    Dims,
    ShapeLike,
    TensorShape,
    as_shape,
    copy_dims,
    dimension_at_index,
    dims_allow,
    disable_v2_tensorshape,
    enable_v2_tensorshape,
    matrix,
    scalar,
    unknown_shape,
    vector,
)

__all__ = [
    "Dimension",
    "Dims",
    "ShapeLike",
    "TensorShape",
    "as_dimension",
    "as_shape",
    "dimension_at_index",
    "dimension_value",
    "dims_allow",
    "disable_v2_tensorshape",
    "enable_v2_tensorshape",
    "matrix",
    "copy_dims",
    "scalar",
    "unknown_shape",
    "vector",
]
