"""simplejpeg, loaded at the first JPEG file: libjpeg-turbo, which TensorFlow also uses, with all of its options."""

from __future__ import annotations

import functools
import types

import numpy as np

_BLOCK = 8  # rows and columns of a block


@functools.cache
def _library() -> types.ModuleType | None:
    """Returns the simplejpeg module; None if it is not installed."""
    try:
        import simplejpeg  # type: ignore  # noqa: PLC0415
    except ModuleNotFoundError:
        return None
    return simplejpeg


def decode(
    data: bytes, size: tuple[int, int, int], ratio: int, fast: bool, smooth: bool
) -> np.ndarray | None:
    """Decodes an image to bytes [rows, columns, channels], as TensorFlow does; None if simplejpeg cannot.

    Args:
      size: (rows, columns, channels) of the full image; 1 or 3 channels.
      ratio: 1, 2, 4 or 8: downscaling factor.
      fast: whether to use the fast inverse transform.
      smooth: whether to interpolate chroma.
    """
    library, (rows, columns, channels) = _library(), size
    # In one block, several scales give the same size, and simplejpeg chooses by size.
    if library is None or ratio > 1 and max(rows, columns) < _BLOCK:
        return None
    scale = {}
    if ratio > 1:
        scale = {
            "min_height": -(-rows // ratio),
            "min_width": -(-columns // ratio),
            "min_factor": ratio,
        }
    try:
        return library.decode_jpeg(
            data, "GRAY" if channels == 1 else "RGB", fastdct=fast, fastupsample=not smooth, **scale
        )
    except ValueError:  # truncated or corrupt
        return None
