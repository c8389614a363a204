"""ScaleAndTranslate: scales and translates images using one of eight resampling kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.numpy import image_resample
from tfmini._src.devices.numpy.image_resample import Lines
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import copy_input_shape
from tfmini._src.ops.image.resize_ops import checked_sizes, static_sizes
from tfmini._src.ops.operands import shape_text

_PI = np.float32(np.pi)


def _lanczos(radius: int) -> Callable:
    def weight(x: np.ndarray) -> np.ndarray:
        x = np.abs(x)
        safe = np.where(x <= 1e-3, np.float32(1), x)
        sines = np.sin(_PI * safe) * np.sin(_PI * safe / np.float32(radius))
        values = np.float32(radius) * sines / (_PI * _PI * safe * safe)
        return np.where(x > radius, 0, np.where(x <= 1e-3, 1, values)).astype("f")

    return weight


def _gaussian(x: np.ndarray) -> np.ndarray:
    x = np.abs(x)
    values = np.exp(-x * x / np.float32(2 * 0.5 * 0.5))
    return np.where(x >= 1.5, 0, values).astype("f")


def _box(x: np.ndarray) -> np.ndarray:
    x = np.abs(x)
    return np.where(x < 0.5, 1, np.where(x == 0.5, 0.5, 0)).astype("f")


def _keys_cubic(x: np.ndarray) -> np.ndarray:
    x = np.abs(x).astype("f")
    inner_cubic = (np.float32(1.5) * x - np.float32(2.5)) * x * x + np.float32(1)
    outer_cubic = ((np.float32(-0.5) * x + np.float32(2.5)) * x - np.float32(4)) * x + np.float32(2)
    return np.where(x >= 2, 0, np.where(x >= 1, outer_cubic, inner_cubic)).astype("f")


def _mitchell_cubic(x: np.ndarray) -> np.ndarray:
    x = np.abs(x).astype("d")
    inner_cubic = (7 / 6 * x - 2) * x * x + 16 / 18
    outer_cubic = ((-7 / 18 * x + 2) * x - 10 / 3) * x + 16 / 9
    return np.where(x >= 2, 0, np.where(x >= 1, outer_cubic, inner_cubic)).astype("f")


# The kernel and its radius.
_KERNELS: dict[str, tuple[Callable, float]] = {
    "lanczos1": (_lanczos(1), 1),
    "lanczos3": (_lanczos(3), 3),
    "lanczos5": (_lanczos(5), 5),
    "gaussian": (_gaussian, 1.5),
    "box": (_box, 1),
    "triangle": (lambda x: np.maximum(1 - np.abs(x), 0).astype("f"), 1),
    "keyscubic": (_keys_cubic, 2),
    "mitchellcubic": (_mitchell_cubic, 2),
}


def _find_kernel(name: str) -> tuple[Callable, float]:
    if name not in _KERNELS:
        invalid(f"Unrecognized kernel type: {name}")
    return _KERNELS[name]


def _check_kernel(attrs: dict[str, Any], on_gpu: bool) -> None:
    _find_kernel(attrs["kernel_type"])


@functools.lru_cache(maxsize=64)
def _interpolation_matrix(
    kernel: tuple[Callable, float],
    size: int,
    count: int,
    scale: Any,
    translation: Any,
    widens_kernel: bool,
) -> Lines:
    """Returns the input lines of each output line and their weights; `widens_kernel`: whether downsampling does."""
    weight_of, radius = kernel
    inverse = np.float32(1.0 / float(scale))
    offset = -inverse * np.float32(translation)
    scale_factor = np.float32(max(inverse, np.float32(1)) if widens_kernel else 1)
    reach = np.float32(radius) * scale_factor
    half = np.float32(0.5)
    positions = (np.arange(count, dtype="f") + half) * inverse + offset
    limits = (np.ceil(positions - reach - half), np.floor(positions + reach - half))
    first, last = (np.clip(limit, 0, size - 1).astype(np.intp) for limit in limits)
    is_outside = (positions < 0) | (positions > size)
    terms = first + np.arange(int((last - first).max()) + 1)[:, None]
    share = weight_of((terms.astype("f") + half - positions) * (np.float32(1) / scale_factor))
    share = np.where((terms <= last) & ~is_outside, share, np.float32(0))
    total = share.sum(axis=0, dtype="f")
    large = np.abs(total) >= 1000 * np.finfo("f").tiny
    share = np.where(large, share * (np.float32(1) / np.where(large, total, 1)), share)
    return Lines(size, np.minimum(terms, size - 1), share.astype("f"))


def _pair(values: Any) -> tuple[Any, Any]:
    if values.ndim != 1:
        invalid(f"t must be 1-dimensional{shape_text(values.shape)}")
    if len(values) != 2:
        invalid(f"t must have two elements{shape_text(values.shape)}")
    return values[0], values[1]


def _row_and_column_lines(
    shape: tuple, sizes: tuple, scale: Any, translation: Any, kernel_type: str, antialias: bool
) -> tuple[Lines, Lines]:
    scales, translations = _pair(scale), _pair(translation)
    if min(scales) <= 0:
        invalid("Scale must be greater than zero.")
    kernel = _find_kernel(kernel_type)
    rows, columns = (
        _interpolation_matrix(kernel, *axis_settings, antialias)
        for axis_settings in zip(shape[1:3], sizes, scales, translations)
    )
    return rows, columns


@op(
    "ScaleAndTranslate",
    "images: T, size: int32, scale: float, translation: float -> resized_images: float",
    through_host=True,
    check_attrs=_check_kernel,
    infer=static_sizes,
    static_inputs=("size", "scale", "translation"),
    T=(
        *(dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16, dtypes.int32, dtypes.int64),
        *(dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64),
    ),
    kernel_type="lanczos3",
    antialias=True,
)
def scale_and_translate_op(xp, images, size, scale, translation, *, kernel_type, antialias):
    sizes = checked_sizes(images, size, "output_shape_t")
    result = image_resample.empty(xp, images, sizes)
    lines = _row_and_column_lines(images.shape, sizes, scale, translation, kernel_type, antialias)
    return image_resample.resample(xp, images, *lines, result)


@scale_and_translate_op.gradient
def _(op, grad):
    images, _, scale, translation = op.inputs
    attrs = {name: op.attrs[name] for name in ("kernel_type", "antialias")}
    return raw.ScaleAndTranslateGrad(grad, images, scale, translation, **attrs), None, None, None


@op(
    "ScaleAndTranslateGrad",
    "grads: T, original_image: T, scale: float, translation: float -> output: T",
    through_host=True,
    check_attrs=_check_kernel,
    infer=copy_input_shape(1),
    static_inputs=("scale", "translation"),
    T=(dtypes.float32,),
    kernel_type="lanczos3",
    antialias=True,
)
def scale_and_translate_grad_op(xp, grads, images, scale, translation, *, kernel_type, antialias):
    if grads.ndim != 4:
        invalid(f"input_grad must be 4-dimensional{shape_text(grads.shape)}")
    if images.ndim != 4:
        invalid(f"original_image must be 4-dimensional{shape_text(images.shape)}")
    if 0 in images.shape[1:3]:
        return xp.zeros((len(grads), *images.shape[1:3], grads.shape[3]), grads.dtype)
    lines = _row_and_column_lines(
        images.shape, grads.shape[1:3], scale, translation, kernel_type, antialias
    )
    return image_resample.scatter_gradient(xp, grads, *lines, grads.dtype)
