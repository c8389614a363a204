"""tf.image: images resized, cut, turned, recoloured, decoded and encoded."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.array.patches import extract_image_patches, extract_patches
from tfmini.ops.image.bounding import (
    central_crop,
    crop_to_bounding_box,
    pad_to_bounding_box,
    resize_image_with_crop_or_pad,
)
from tfmini.ops.image.bounding import resize_image_with_crop_or_pad as resize_with_crop_or_pad
from tfmini.ops.image.cropping import crop_and_resize
from tfmini.ops.image.glimpses import extract_glimpse
from tfmini.ops.image.resize_functions import (
    ResizeMethod,
    resize_area,
    resize_bicubic,
    resize_bilinear,
    resize_image_with_pad,
    resize_images,
    resize_nearest_neighbor,
)
from tfmini.ops.image.resize_functions import resize_images as resize
from tfmini.ops.image.suppress_functions import (
    combined_non_max_suppression,
    non_max_suppression,
    non_max_suppression_overlaps,
    non_max_suppression_padded,
    non_max_suppression_with_scores,
)
from tfmini.ops.random.randoms import random_crop

__all__ = [
    "ResizeMethod",
    "central_crop",
    "combined_non_max_suppression",
    "crop_and_resize",
    "crop_to_bounding_box",
    "extract_glimpse",
    "extract_image_patches",
    "extract_patches",
    "non_max_suppression",
    "non_max_suppression_overlaps",
    "non_max_suppression_padded",
    "non_max_suppression_with_scores",
    "pad_to_bounding_box",
    "random_crop",
    "resize",
    "resize_area",
    "resize_bicubic",
    "resize_bilinear",
    "resize_image_with_crop_or_pad",
    "resize_image_with_pad",
    "resize_images",
    "resize_nearest_neighbor",
    "resize_with_crop_or_pad",
]
_namespace(globals())
