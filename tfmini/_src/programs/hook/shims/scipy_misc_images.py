"""Image functions of `scipy.misc`, using Pillow: `imread`, `imresize`, `imsave`, `toimage` and others."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.package import DISTRIBUTION

try:
    from PIL import Image
except ImportError as error:
    raise ImportError(
        f"scipy.misc's image functions require Pillow: pip install '{DISTRIBUTION}[images]'"
    ) from error

_FILTERS = {
    "nearest": Image.Resampling.NEAREST,
    "lanczos": Image.Resampling.LANCZOS,
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "cubic": Image.Resampling.BICUBIC,
}


def imread(name: Any, flatten: bool = False, mode: str | None = None) -> np.ndarray:
    """Reads an image: [height, width] or [height, width, channels], uint8; with `flatten`, grayscale float32."""
    with Image.open(name) as image:
        return fromimage(image, flatten, mode)


def fromimage(im: Image.Image, flatten: bool = False, mode: str | None = None) -> np.ndarray:
    """Returns the array of a Pillow image, converted to `mode` first if given; palettes become colors."""
    if mode is not None:
        im = im.convert(mode)
    elif im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    if flatten:
        im = im.convert("F")
    elif im.mode == "1":
        im = im.convert("L")  # bool arrays are not valid images
    return np.array(im)


def bytescale(
    data: np.ndarray, cmin: Any = None, cmax: Any = None, high: int = 255, low: int = 0
) -> np.ndarray:
    """Scales values from [`cmin`, `cmax`], by default minimum and maximum, to uint8 from `low` to `high`."""
    if data.dtype == np.uint8:
        return data
    if not 0 <= low <= high <= 255:
        raise ValueError("`low` and `high` should be in 0..255, `high` no less than `low`.")
    cmin = data.min() if cmin is None else cmin
    cmax = data.max() if cmax is None else cmax
    if cmax < cmin:
        raise ValueError("`cmax` should be larger than `cmin`.")
    scale = float(high - low) / ((cmax - cmin) or 1)
    return (((data - cmin) * scale + low).clip(low, high) + 0.5).astype(np.uint8)


def toimage(
    arr: Any,
    high: int = 255,
    low: int = 0,
    cmin: Any = None,
    cmax: Any = None,
    pal: Any = None,
    mode: str | None = None,
    channel_axis: int | None = None,
) -> Image.Image:
    """Returns a Pillow image of an array; values that are not bytes are scaled to the full range."""
    data = np.asarray(arr)
    if np.iscomplexobj(data):
        raise ValueError("Cannot convert a complex-valued array.")
    if data.ndim == 2:
        return _gray(data, (high, low, cmin, cmax), pal, mode)
    if data.ndim != 3 or not {3, 4} & set(data.shape):
        raise ValueError("'arr' does not have a suitable array shape for any mode.")
    if channel_axis is None:
        channel_axis = data.shape.index(3 if 3 in data.shape else 4)
    channels = data.shape[channel_axis]
    if channels not in (3, 4):
        raise ValueError("Channel axis dimension is not valid.")
    scaled = bytescale(data, cmin, cmax, high, low)
    return Image.fromarray(np.ascontiguousarray(np.moveaxis(scaled, channel_axis, -1))).convert(
        mode or ("RGB" if channels == 3 else "RGBA")
    )


def _gray(data: np.ndarray, bounds: tuple, pal: Any, mode: str | None) -> Image.Image:
    high, low, cmin, cmax = bounds
    if mode == "F":
        return Image.fromarray(data.astype(np.float32))
    if mode == "1":
        return Image.fromarray(((data > high) * np.uint8(255)).astype(np.uint8)).convert("1")
    if mode == "I":
        cmin = data.min() if cmin is None else cmin
        cmax = data.max() if cmax is None else cmax
        spread = (data * 1.0 - cmin) * (high - low) / (cmax - cmin) + low
        return Image.fromarray(spread.astype(np.int32))
    if mode not in (None, "L", "P"):
        raise ValueError(f"cannot convert a two-dimensional array to an image of mode {mode!r}")
    image = Image.fromarray(bytescale(data, cmin, cmax, high, low))
    if pal is not None:
        image.putpalette(np.asarray(pal, np.uint8).tobytes())
    elif mode == "P":
        image.putpalette(np.repeat(np.arange(256, dtype=np.uint8), 3).tobytes())
    return image


def imsave(name: Any, arr: Any, format: str | None = None) -> None:
    """Writes an array as an image; the name determines the format unless `format` is given."""
    data = np.asarray(arr)
    toimage(data, channel_axis=2 if data.ndim == 3 else None).save(name, format)


def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: str | None = None) -> np.ndarray:
    """Resizes an image: by percent if `size` is an int, by a factor if a float, else to (height, width)."""
    image = toimage(arr, mode=mode)
    if isinstance(size, (int, np.integer)):
        size = size / 100.0
    if isinstance(size, (float, np.floating)):
        width, height = (int(side * size) for side in image.size)
    else:
        height, width = size[0], size[1]
    return fromimage(image.resize((int(width), int(height)), resample=_FILTERS[interp]))


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> np.ndarray:
    """Rotates an image by `angle` degrees counterclockwise, keeping its size."""
    return fromimage(toimage(arr).rotate(angle, resample=_FILTERS[interp]))
