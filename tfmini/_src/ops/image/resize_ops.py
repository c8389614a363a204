"""Image resizing ops: bilinear, nearest neighbor, bicubic and area, and the gradients of the first three."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.numpy import image_resample
from tfmini._src.devices.numpy.image_resample import Interpolation, Lines
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    copy_input_shape,
    input_value,
    size_from_input,
    with_rank,
)
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text

_SIGNATURE = "images: T, size: int32 -> resized_images: float"
_NUMBERS = (
    *(dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16, dtypes.int32, dtypes.int64),
    *(dtypes.float16, dtypes.float32, dtypes.float64),
)
_CENTERS: dict[str, Any] = {"align_corners": False, "half_pixel_centers": False}
_ONE = np.float32(1)
_HALF = np.float32(0.5)
# Size-dependent data, computed once per size.
_cached = lru_cache(maxsize=64)


# Sizes and shapes ------------------------------------------------------------------------------------


def static_sizes(op: Any) -> Dims:
    """Returns [batch, rows, columns, depth] of resized images; the second input contains the sizes."""
    dims = with_rank(op.inputs[0]._dims, 4)
    sizes = with_rank(op.inputs[1]._dims, 1)
    if sizes[0] not in (None, 2):
        raise InferenceError(f"Dimension must be 2 but is {sizes[0]}")
    value = input_value(op, 1)
    if value is None:
        return (dims[0], None, None, dims[3])
    return (dims[0], *map(size_from_input, value), dims[3])


def checked_sizes(images: Any, size: Any, argument: str = "shape_t") -> tuple[int, int]:
    """Returns the number of output rows and columns, validated with TensorFlow's errors."""
    if images.ndim != 4:
        invalid(f"input must be 4-dimensional{shape_text(images.shape)}")
    if size.ndim != 1:
        invalid(f"{argument} must be 1-dimensional{shape_text(size.shape)}")
    if len(size) != 2:
        invalid(f"{argument} must have two elements{shape_text(size.shape)}")
    rows, columns = (int(n) for n in size)
    if rows <= 0 or columns <= 0:
        invalid("output dimensions must be positive")
    _check_images(images)
    return rows, columns


def _check_images(images: Any) -> None:
    if images.shape[3] < 1:
        invalid("image must have at least one channel")
    if images.shape[1] < 1 or images.shape[2] < 1:
        invalid("input image must be of non-zero size")


def _check_centers(attrs: dict[str, Any], on_gpu: bool) -> None:
    if attrs["align_corners"] and attrs["half_pixel_centers"]:
        invalid("If half_pixel_centers is True, align_corners must be False.")


def _gradient(xp: Any, make: Callable, grads: Any, images: Any, centers: dict, dtype: Any) -> Any:
    """Returns the gradient with respect to images whose rows and columns were resampled by `make`."""
    if grads.ndim != 4:
        invalid(f"input_grad must be 4-dimensional{shape_text(grads.shape)}")
    if images.ndim != 4:
        invalid(f"original_image must be 4-dimensional{shape_text(images.shape)}")
    height, width = images.shape[1:3]
    if not grads.size:
        return xp.zeros((len(grads), height, width, grads.shape[3]), dtype)
    if not height or not width:  # TensorFlow writes out of bounds
        invalid(f"original_image must be of non-zero size{shape_text(images.shape)}")
    rows, columns = _rows_and_columns(make, images.shape, grads.shape[1:3], centers)
    if isinstance(rows, Interpolation):
        rows, columns = rows.lines, columns.lines
    return image_resample.scatter_gradient(xp, grads, rows, columns, dtype)


def resize_scale(size: int, count: int, align_corners: bool) -> Any:
    """Returns the distance between the source positions of neighboring outputs, as float32."""
    if align_corners and count > 1:
        return np.float32(size - 1) / np.float32(count - 1)
    return np.float32(size) / np.float32(count)


def _source_positions(
    size: int, count: int, align_corners: bool, half_pixel_centers: bool
) -> np.ndarray:
    """Returns the source position of each output row or column, as float32."""
    scale = resize_scale(size, count, align_corners)
    indices = np.arange(count, dtype="f")
    if half_pixel_centers:
        return (indices + _HALF) * scale - _HALF
    return indices * scale


def _rows_and_columns(make: Callable, shape: tuple, sizes: Any, centers: dict) -> Any:
    """Applies `make` to rows and to columns."""
    return tuple(make(size, count, **centers) for size, count in zip(shape[1:3], sizes))


# Bilinear --------------------------------------------------------------------------------------------


@_cached
def _linear_samples(
    size: int, count: int, align_corners: bool, half_pixel_centers: bool
) -> Interpolation:
    positions = _source_positions(size, count, align_corners, half_pixel_centers)
    floors = np.floor(positions)
    lower = np.maximum(floors, 0).astype(np.intp)
    upper = np.minimum(np.ceil(positions).astype(np.intp), size - 1)
    return Interpolation(size, np.minimum(lower, size - 1), upper, positions - floors)


@op(
    "ResizeBilinear",
    _SIGNATURE,
    gradient=lambda op, grad: (
        raw.ResizeBilinearGrad(grad, op.inputs[0], **_center_attrs(op)),
        None,
    ),
    static_inputs=("size",),
    T=(*_NUMBERS[:6], dtypes.bfloat16, *_NUMBERS[6:]),
    **_CENTERS,
)
def resize_bilinear_op(xp, images, size, *, align_corners, half_pixel_centers):
    sizes = checked_sizes(images, size)
    if sizes == images.shape[1:3]:
        return images.astype("f")
    result = image_resample.empty(xp, images, sizes)
    centers = {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}
    rows, columns = _rows_and_columns(_linear_samples, images.shape, sizes, centers)
    return image_resample.interpolate(xp, images, rows, columns, result)


resize_bilinear_op.infer(static_sizes)
resize_bilinear_op.check_attrs(_check_centers)


def _center_attrs(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in _CENTERS}


@op(
    "ResizeBilinearGrad",
    "grads: float, original_image: T -> output: T",
    infer=copy_input_shape(1),
    check_attrs=_check_centers,
    T=(dtypes.float32, dtypes.bfloat16, dtypes.float16, dtypes.float64),
    **_CENTERS,
)
def resize_bilinear_grad_op(xp, grads, images, *, align_corners, half_pixel_centers):
    centers = {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}
    wide_dtype = np.promote_types(images.dtype, "f") if images.dtype.kind == "f" else np.dtype("f")
    result = _gradient(xp, _linear_samples, grads, images, centers, wide_dtype)
    return result.astype(images.dtype, copy=False)


# Nearest neighbors ----------------------------------------------------------------------------------


@_cached
def _nearest(size: int, count: int, align_corners: bool, half_pixel_centers: bool) -> np.ndarray:
    scale = resize_scale(size, count, align_corners)
    indices = np.arange(count, dtype="f")
    positions = (indices + _HALF) * scale if half_pixel_centers else indices * scale
    # Rounds halves up, as in C.
    nearest_positions = (
        np.trunc(positions.astype("d") + 0.5) if align_corners else np.floor(positions)
    )
    return np.clip(nearest_positions.astype(np.intp), 0, size - 1)


@op(
    "ResizeNearestNeighbor",
    "images: T, size: int32 -> resized_images: T",
    infer=static_sizes,
    check_attrs=_check_centers,
    static_inputs=("size",),
    T=_NUMBERS,
    **_CENTERS,
)
def resize_nearest_neighbor_op(xp, images, size, *, align_corners, half_pixel_centers):
    sizes = checked_sizes(images, size)
    result = xp.empty((len(images), *sizes, images.shape[3]), images.dtype)
    centers = {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}
    rows, columns = _rows_and_columns(_nearest, images.shape, sizes, centers)
    return image_resample.nearest(xp, images, rows, columns, result)


@resize_nearest_neighbor_op.gradient
def _(op, grad):
    images = op.inputs[0]
    size = images.shape[1:3]
    if not size.is_fully_defined():
        size = ops.shape(images)[1:3]
    return raw.ResizeNearestNeighborGrad(grad, size, **_center_attrs(op)), None


@op(
    "ResizeNearestNeighborGrad",
    "grads: T, size: int32 -> output: T",
    infer=static_sizes,
    static_inputs=("size",),
    T=Attr(
        "type",
        allowed=(
            *(dtypes.uint8, dtypes.int8, dtypes.int32),
            *(dtypes.float16, dtypes.float32, dtypes.float64),
        ),
    ),
    **_CENTERS,
)
def resize_nearest_neighbor_grad_op(xp, grads, size, *, align_corners, half_pixel_centers):
    if grads.ndim != 4:
        invalid(f"input must be 4-dimensional{shape_text(grads.shape)}")
    if size.ndim != 1:
        invalid(f"shape_t must be 1-dimensional{shape_text(size.shape)}")
    if len(size) != 2:
        invalid(f"shape_t must have two elements{shape_text(size.shape)}")
    sizes = tuple(int(n) for n in size)
    if min(sizes) <= 0:
        invalid("shape_t's elements must be positive")
    centers = {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}
    rows, columns = (
        _copies(size, count, **centers) for size, count in zip(sizes, grads.shape[1:3])
    )
    return image_resample.scatter_gradient(xp, grads, rows, columns, grads.dtype)


@_cached
def _copies(size: int, count: int, align_corners: bool, half_pixel_centers: bool) -> Lines:
    indices = _nearest(size, count, align_corners, half_pixel_centers)
    return Lines(size, indices[None], np.ones((1, count), "f"))


@resize_nearest_neighbor_grad_op.check_attrs
def _(attrs: dict[str, Any], on_gpu: bool) -> None:
    """Accepts any attrs, as TensorFlow does."""


# Bicubic ---------------------------------------------------------------------------------------------

_STEPS = 1 << 10


def _cubic_table(a: float) -> np.ndarray:
    """Returns the weights of pixels at distances from 0 to 1 and from 1 to 2, [2, steps + 1]."""
    x = np.arange(_STEPS + 1) / _STEPS
    inner_cubic = ((a + 2) * x - (a + 3)) * x * x + 1
    x = x + 1
    return np.stack([inner_cubic, ((a * x - 5 * a) * x + 8 * a) * x - 4 * a]).astype("f")


_LEGACY, _KEYS = _cubic_table(-0.75), _cubic_table(-0.5)


@_cached
def _cubic(size: int, count: int, align_corners: bool, half_pixel_centers: bool) -> Lines:
    positions = _source_positions(size, count, align_corners, half_pixel_centers)
    floors = np.floor(positions)
    first = floors.astype(np.intp)
    offset = np.rint((positions - floors) * np.float32(_STEPS)).astype(np.intp)
    table = _KEYS if half_pixel_centers else _LEGACY
    weights = np.stack(
        [
            *(table[1, offset], table[0, offset]),
            *(table[0, _STEPS - offset], table[1, _STEPS - offset]),
        ]
    )
    expected = first + np.arange(-1, 3)[:, None]
    indices = np.clip(expected, 0, size - 1)
    if half_pixel_centers:
        # Pixels outside have weight 0; the others are scaled up.
        weights = np.where(indices == expected, weights, np.float32(0))
        total = ((weights[0] + weights[1]) + weights[2]) + weights[3]
        large = np.abs(total) >= 1000 * np.finfo("f").tiny
        weights = np.where(large, weights * (_ONE / np.where(large, total, _ONE)), weights)
    return Lines(size, indices, weights)


@op("ResizeBicubic", _SIGNATURE, static_inputs=("size",), T=_NUMBERS, **_CENTERS)
def resize_bicubic_op(xp, images, size, *, align_corners, half_pixel_centers):
    sizes = checked_sizes(images, size)
    if sizes == images.shape[1:3]:
        return images.astype("f")
    result = image_resample.empty(xp, images, sizes)
    centers = {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}
    rows, columns = _rows_and_columns(_cubic, images.shape, sizes, centers)
    return image_resample.resample(xp, images, rows, columns, result)


resize_bicubic_op.infer(static_sizes)
resize_bicubic_op.check_attrs(_check_centers)


@resize_bicubic_op.gradient
def _(op, grad):
    images = op.inputs[0]
    if images.dtype not in (dtypes.float32, dtypes.float64):
        return None, None
    return raw.ResizeBicubicGrad(grad, images, **_center_attrs(op)), None


@op(
    "ResizeBicubicGrad",
    "grads: float, original_image: T -> output: T",
    infer=copy_input_shape(1),
    check_attrs=_check_centers,
    T=(dtypes.float32, dtypes.float64),
    **_CENTERS,
)
def resize_bicubic_grad_op(xp, grads, images, *, align_corners, half_pixel_centers):
    centers = {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}
    return _gradient(xp, _cubic, grads, images, centers, images.dtype)


# By area ---------------------------------------------------------------------------------------------


@_cached
def _coverage(size: int, count: int, align_corners: bool) -> Lines:
    """Returns the input rows or columns that each output row or column covers, and the covered fraction of each."""
    scale = resize_scale(size, count, align_corners)
    indices = np.arange(count)
    start = indices.astype("f") * scale
    end = (indices + 1).astype("f") * scale
    first, last = np.floor(start).astype(np.intp), np.ceil(end).astype(np.intp)
    terms = first + np.arange(max(int((last - first).max()), 1))[:, None]
    lines = terms.astype("f")
    overlap = np.where(lines + _ONE > end, end - lines, _ONE)
    start_coverage = np.where(lines + _ONE > end, scale, lines + _ONE - start)
    share = np.where(lines < start, start_coverage, overlap)
    share = np.where(terms < last, share, np.float32(0))
    # Pixels of weight 0 are skipped: they may be NaN.
    terms = np.where(terms < last, terms, first)
    return Lines(size, np.clip(terms, 0, size - 1), share * (_ONE / scale))


@op("ResizeArea", _SIGNATURE, static_inputs=("size",), T=_NUMBERS, align_corners=False)
def resize_area_op(xp, images, size, *, align_corners):
    sizes = checked_sizes(images, size)
    result = image_resample.empty(xp, images, sizes)
    rows, columns = _rows_and_columns(
        _coverage, images.shape, sizes, {"align_corners": align_corners}
    )
    return image_resample.resample(xp, images, rows, columns, result)


resize_area_op.infer(static_sizes)
