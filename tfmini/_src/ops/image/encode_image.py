"""Public image encoders: `tf.image.encode_png` and `encode_jpeg`."""

from __future__ import annotations

from tfmini._src.graph.opdef import raw
from tfmini._src.graph.tensor import Tensor, TensorLike


def encode_png(image: TensorLike, compression: int = -1, name: str | None = None) -> Tensor:
    """Encodes an image as PNG.

    Args:
      image: uint8 or uint16 tensor [height, width, 1 to 4]: gray, gray and alpha, RGB, or RGBA.
      compression: the zlib level from 0 to 9; -1 for the default.

    Returns:
      A scalar string; its pixels match the pixels of TensorFlow's file, although its bytes may differ.

    Raises:
      InvalidArgumentError (when run): for an unsupported number of channels or compression level.
    """
    return raw.EncodePng(image, compression=compression, name=name)


def encode_jpeg(
    image: TensorLike,
    format: str = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: str = "",
    name: str | None = None,
) -> Tensor:
    """Encodes an image as JPEG.

    Args:
      image: [height, width, 1 or 3] uint8 tensor.
      format: "grayscale" or "rgb", which must match the channels; "" to infer it.
      quality: the JPEG quality, from 0 to 100.
      progressive: whether to write a progressive JPEG.
      optimize_size: whether to reduce the file size at the cost of time.
      chroma_downsampling: whether to halve the chroma resolution.
      density_unit: "in" or "cm".
      x_density, y_density: the resolution in pixels per unit.
      xmp_metadata: the XMP metadata to embed.

    Returns:
      A scalar string.

    Raises:
      InvalidArgumentError (when run): for an unsupported number of channels or quality.
    """
    return raw.EncodeJpeg(**locals())
