"""Decoding of PNG, JPEG, GIF and BMP images to integers or floats: `tf.image.decode_image` of TensorFlow 2."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.ops.image.decode_image_ops import (
    decode_bmp_op,
    decode_gif_op,
    decode_jpeg_op,
    decode_png_op,
)
from tfmini._src.ops.string.string_elements import scalar_string


@op(
    "DecodeImage",
    "contents: string -> image: dtype",
    channels=0,
    dtype=Attr("type", dtypes.uint8, allowed=(dtypes.uint8, dtypes.uint16, dtypes.float32)),
    expand_animations=True,
)
def decode_image_op(xp, contents, *, channels, dtype, expand_animations):
    data = scalar_string(contents)
    is_16_bit = dtype is not dtypes.uint8
    if data.startswith(b"\x89PNG"):
        image = decode_png_op.kernel(
            xp, contents, channels=channels, dtype=dtypes.uint16 if is_16_bit else dtypes.uint8
        )
    elif data.startswith(b"GIF8"):
        if channels not in (0, 3):
            invalid("channels must be 0 or 3 for GIFs")
        image = decode_gif_op.kernel(xp, contents)
        image = image if expand_animations else image[0]
    elif data.startswith(b"BM"):
        image = decode_bmp_op.kernel(xp, contents, channels=channels)
    else:
        settings = {"ratio": 1, "fancy_upscaling": True, "try_recover_truncated": False}
        image = decode_jpeg_op.kernel(
            xp, contents, channels=channels, dct_method="INTEGER_FAST", **settings
        )
    if dtype is dtypes.float32:
        return image.astype("f") / np.float32(np.iinfo(image.dtype).max)
    return image.astype(dtype.as_numpy_dtype) * (
        256 if is_16_bit and image.dtype == np.uint8 else 1
    )


@decode_image_op.check_attrs
def _(attrs: dict[str, Any], on_gpu: bool) -> None:
    if attrs["channels"] not in (0, 1, 3, 4):
        invalid(f"`channels` must be 0, 1, 3 or 4 but got {attrs['channels']}")


@decode_image_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[0]._dims, 0)
    if op.attrs["expand_animations"]:
        return None
    return (None, None, op.attrs["channels"] or None)
