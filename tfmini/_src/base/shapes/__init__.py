"""Static shapes: what is known of a tensor's shape before anything runs.

A `TensorShape` wraps a plain tuple of sizes in which None is a size not known, or None where not
even the rank is known; the runtime works on that tuple (`shape._dims`) and wraps one of its own
with `TensorShape.of`. Users meet the sizes as `Dimension` objects, made when asked for.
"""

from tfmini._src.base.shapes.dimension import Dimension, as_dimension, dimension_value
from tfmini._src.base.shapes.tensor_shape import (
    Dims,
    ShapeLike,
    TensorShape,
    as_shape,
    dimension_at_index,
    disable_v2_tensorshape,
    enable_v2_tensorshape,
    matrix,
    own_dims,
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
    "disable_v2_tensorshape",
    "enable_v2_tensorshape",
    "matrix",
    "own_dims",
    "scalar",
    "unknown_shape",
    "vector",
]
