"""ImageProjectiveTransformV2 with a `fill_mode` other than CONSTANT, and V3 with a `fill_value`.

Points outside an image are reflected ([dcba|abcd|dcba]), wrapped ([abcd|abcd|abcd]) or moved to its edge
([aaaa|abcd|dddd]).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.ops import ops
from tfmini._src.ops.image import projective_transform as transforms_of_images
from tfmini._src.ops.operands import shape_text

_F = np.float32
_V3_TYPES = (
    *(dtypes.uint8, dtypes.int32, dtypes.int64),
    *(dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64),
)


def _reflect(xp: Any, coordinate: Any, length: int) -> Any:
    period = _F(2 * length)
    low_value = coordinate + period * xp.trunc(-coordinate / period)
    low_value = xp.where(low_value < -length, low_value + period, -low_value - 1)
    above = coordinate - period * xp.trunc(coordinate / period)
    above = xp.where(above >= length, period - above - 1, above)
    return xp.where(coordinate < 0, low_value, xp.where(coordinate > length - 1, above, coordinate))


def _wrap_coordinate(xp: Any, coordinate: Any, length: int) -> Any:
    last = _F(length - 1)
    low_value = coordinate + length * (xp.trunc(-coordinate / last) + 1)
    above = coordinate - length * xp.trunc(coordinate / last)
    return xp.where(coordinate < 0, low_value, xp.where(coordinate > last, above, coordinate))


def _nearest(xp: Any, coordinate: Any, length: int) -> Any:
    return coordinate


_FILL_MODES = {"REFLECT": _reflect, "WRAP": _wrap_coordinate, "NEAREST": _nearest}


def _map_inside(xp: Any, coordinate: Any, length: int, mode: str) -> Any:
    """Maps coordinates outside an image of this length to the positions whose contents they repeat."""
    if mode == "CONSTANT":
        return coordinate
    if length <= 1:
        return xp.zeros_like(coordinate)
    return xp.clip(_FILL_MODES[mode](xp, coordinate, length), _F(0), _F(length - 1)).astype("f")


def _transform(
    xp: Any, images: Any, transforms: Any, size: Any, fill: Any, interpolation: str, mode: str
) -> Any:
    if mode not in ("CONSTANT", *_FILL_MODES):
        invalid(f"Invalid mode {mode}. Supported types: REFLECT, WRAP, CONSTANT, NEAREST")
    if fill.ndim:
        invalid(f"fill_value must be a scalar{shape_text(fill.shape)}")

    def remap(coordinate: Any, length: int) -> Any:
        return _map_inside(xp, coordinate, length, mode)

    return transforms_of_images.transform(
        xp, images, transforms, size, interpolation, remap, images.dtype.type(fill)
    )


@op(
    "_ImageProjectiveTransformV2Filling",
    "images: dtype, transforms: float, output_shape: int32 -> transformed_images: dtype",
    static_inputs=("output_shape",),
    **transforms_of_images.ATTRS,
    fill_mode=Attr("string"),
)
def transform_v2_op(xp, images, transforms, output_shape, *, interpolation, fill_mode):
    fill = np.float32(0)
    return _transform(xp, images, transforms, output_shape, fill, interpolation, fill_mode)


@op(
    "ImageProjectiveTransformV3",
    "images: dtype, transforms: float, output_shape: int32, fill_value: float -> transformed_images: dtype",
    static_inputs=("output_shape", "fill_value"),
    dtype=_V3_TYPES,
    interpolation=Attr("string"),
    fill_mode=Attr("string", "CONSTANT"),
)
def transform_v3_op(xp, images, transforms, output_shape, fill_value, *, interpolation, fill_mode):
    return _transform(xp, images, transforms, output_shape, fill_value, interpolation, fill_mode)


def _gradient(op: Any, grad: Any) -> Any:
    """Returns the gradient transformed by the inverse transforms, zero outside, as in TensorFlow 2."""
    images, transforms = op.inputs[:2]
    image_grad = raw.ImageProjectiveTransformV3(
        images=grad,
        transforms=transforms_of_images.inverse_transforms(transforms),
        output_shape=ops.shape(images)[1:3],
        fill_value=0.0,
        interpolation=op.attrs["interpolation"],
        fill_mode=op.attrs["fill_mode"],
    )
    return image_grad, *[None] * (len(op.inputs) - 1)


for _op in (transform_v2_op, transform_v3_op):
    _op.shape_rule = transforms_of_images.image_projective_transform_v2_op.shape_rule
    _op.gradient(_gradient)
