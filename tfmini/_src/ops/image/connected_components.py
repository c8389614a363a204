"""Connected components of images: an op of `tf.contrib.image`."""

from __future__ import annotations

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import copy_input_shape

_PIXELS = (
    *(dtypes.int64, dtypes.int32, dtypes.uint16, dtypes.int16, dtypes.uint8, dtypes.int8),
    *(dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bool, dtypes.string),
)


@op(
    "ImageConnectedComponents",
    "image: dtype -> components: int64",
    through_host=True,
    infer=copy_input_shape(0),
    differentiable=False,
    dtype=_PIXELS,
)
def image_connected_components_op(xp, images):
    """Labels connected components: pixels get the number (from 1) of a pixel in their component; 0 stays 0.

    Numbers spread to neighbors along rows and columns; each pixel then adopts the number of the pixel that
    its own number identifies, until nothing changes.
    """
    if images.ndim != 3:
        invalid("Input images must have rank 3")
    labels = xp.arange(images.size).reshape(images.shape)
    same_below, same_right = images[:, 1:] == images[:, :-1], images[:, :, 1:] == images[:, :, :-1]
    while images.size:
        smaller = labels.copy()
        for connected, first, second in (
            (same_below, np.s_[:, :-1], np.s_[:, 1:]),
            (same_right, np.s_[:, :, :-1], np.s_[:, :, 1:]),
        ):
            smaller_label = xp.minimum(smaller[first], smaller[second])
            smaller[second] = xp.where(connected, smaller_label, smaller[second])
            smaller[first] = xp.where(
                connected, xp.minimum(smaller[first], smaller_label), smaller[first]
            )
        smaller = xp.take(smaller.reshape(-1), smaller)
        if (smaller == labels).all():
            break
        labels = smaller
    background = b"" if images.dtype == object else images.dtype.type(0)
    return xp.where(images == background, 0, labels + 1)
