"""Image ops: resizing, cropping, boxes, color, flips, decoding and encoding, and functions composed of them."""

from tfmini._src.ops.image import rgb_to_hsv_grad  # noqa: F401  registers a gradient defined in a separate file
