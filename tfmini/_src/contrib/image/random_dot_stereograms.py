"""Random dot stereograms, which encode depth for two eyes."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw


def single_image_random_dot_stereograms(
    depth_values: Any,
    hidden_surface_removal: bool | None = None,
    convergence_dots_size: int | None = None,
    dots_per_inch: int | None = None,
    eye_separation: float | None = None,
    mu: float | None = None,
    normalize: bool | None = None,
    normalize_max: float | None = None,
    normalize_min: float | None = None,
    border_level: float | None = None,
    number_colors: int | None = None,
    output_image_shape: Any = None,
    output_data_window: Any = None,
) -> Tensor:
    """Returns an autostereogram: an image of random dots with a hidden depth map.

    As in TensorFlow, dots are drawn by the C library's `rand`, unseeded.

    Args:
      depth_values: [rows, columns], float32, float64, int32 or int64; larger is nearer. With more dimensions, its first
        rows * columns values are used.
      hidden_surface_removal: whether to drop points visible to one eye only, True by default.
      convergence_dots_size: size of two black convergence squares at the bottom; 0 for none.
      dots_per_inch: resolution of the display device, by default 72.
      eye_separation: inches between the eyes, by default 2.5.
      mu: depth of field, a fraction of the viewing distance, by default 0.3333.
      normalize: whether to scale depths to [0, 1], the default, instead of clipping them.
      normalize_max, normalize_min: depths mapped to 1 and 0, by default -100 and 100; computed if the maximum is
        smaller.
      border_level: depth around the window, 0 (far, the default) to 1 (near).
      number_colors: 2 for black and white, 256 (the default) for gray, more for colors.
      output_image_shape: [width, height, channels] of the image, by default [1024, 768, 1].
      output_data_window: [width, height] of the region that shows the depths, by default [1022, 757].

    Returns:
      A uint8 tensor [height, width, channels], for `tf.image.encode_png`.

    Raises:
      InvalidArgumentError (at run time): if depths have fewer than two dimensions.

    Example:
      picture = tf.contrib.image.single_image_random_dot_stereograms([[1, 2, 1], [1, 3, 1]])
    """
    values = {
        "hidden_surface_removal": hidden_surface_removal,
        "convergence_dots_size": convergence_dots_size,
        "dots_per_inch": dots_per_inch,
        "eye_separation": eye_separation,
        "mu": mu,
        "normalize": normalize,
        "normalize_max": normalize_max,
        "normalize_min": normalize_min,
        "border_level": border_level,
        "number_colors": number_colors,
        "output_image_shape": output_image_shape,
        "output_data_window": output_data_window,
    }
    attrs = {name: value for name, value in values.items() if value is not None}
    return raw.SingleImageRandomDotStereograms(depth_values, **attrs)
