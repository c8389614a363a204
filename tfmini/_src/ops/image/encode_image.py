"""Public image encoders: `tf.image.encode_png` and `encode_jpeg`."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.opdef import raw
from tfmini._src.graph.tensor import Tensor


def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Tensor:
    """An image as a PNG file.

    Args:
      image: [height, width, 1 to 4] uint8 or uint16 tensor: grey, grey and alpha, RGB, RGBA.
      compression: from 0 to 9 how hard zlib tries, -1 for its own choice.
      name: the name of the node.

    Returns:
      A scalar string; its pixels are those of TensorFlow's file, its bytes need not be.

    Raises:
      InvalidArgumentError (when run): other channels, another compression.
    """
    return raw.EncodePng(image, compression=compression, name=name)


def encode_jpeg(
    image: Any,
    format: str = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: Any = "",
    name: str | None = None,
) -> Tensor:
    """An image as a JPEG file.

    Args:
      image: [height, width, 1 or 3] uint8 tensor.
      format: "grayscale" or "rgb", which the channels must fit; "" for what they are.
      quality: from 0 to 100.
      progressive: whether the file shows the whole picture coarsely first.
      optimize_size: whether the file is made smaller, for more time.
      chroma_downsampling: whether colours have half the resolution.
      density_unit: "in" or "cm".
      x_density, y_density: pixels in the unit, for who prints it.
      xmp_metadata: a string that is put into the file.
      name: the name of the node.

    Returns:
      A scalar string.

    Raises:
      InvalidArgumentError (when run): other channels, another quality.
    """
    return raw.EncodeJpeg(
        image,
        format=format,
        quality=quality,
        progressive=progressive,
        optimize_size=optimize_size,
        chroma_downsampling=chroma_downsampling,
        density_unit=density_unit,
        x_density=x_density,
        y_density=y_density,
        xmp_metadata=xmp_metadata,
        name=name,
    )
