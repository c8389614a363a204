"""Extraction of patches from images and volumes; each patch is flattened into the depth of one output pixel."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from tfmini._src.base import dtypes
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.devices.host.threads import run_slices
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import REAL_NUMBERS

_PADDING_ATTR = Attr("string", allowed=("SAME", "VALID"))
_MIN_PARALLEL_ELEMENTS = 1 << 17


def window(size: int, extent: int, stride: int, padding: str) -> tuple[int, int, int]:
    """Returns (number of windows, zeros before, zeros after) for an axis."""
    if padding == "VALID":
        count, missing = int((size - extent + stride) / stride), 0  # rounded toward 0
    else:
        count = -(-size // stride)
        missing = max((count - 1) * stride + extent - size, 0)
    if count < 0:
        raise ValueError(
            f"Computed output size would be negative: {count} [input_size: {size}, "
            f"effective_filter_size: {extent}, stride: {stride}]"
        )
    return count, missing // 2, missing - missing // 2


def _extract(
    xp: Any, value: Any, sizes: Sequence, strides: Sequence, rates: Sequence, padding: str
) -> Any:
    """Extracts patches: maps [batch, *spatial, depth] to [batch, *positions, product(sizes) * depth]."""
    extents = [(size - 1) * rate + 1 for size, rate in zip(sizes, rates)]
    try:
        windows = [
            window(*axis_settings, padding)
            for axis_settings in zip(value.shape[1:-1], extents, strides)
        ]
    except ValueError as error:
        raise invalid(str(error)) from None
    counts = [count for count, _, _ in windows]
    if any(before or behind for _, before, behind in windows):
        pads = [(before, behind) for _, before, behind in windows]
        value = xp.pad(value, [(0, 0), *pads, (0, 0)])
    batch, depth = value.shape[0], value.shape[-1]
    result = xp.empty((batch, *counts, *sizes, depth), value.dtype)
    if xp is np and 0 not in result.shape:
        _copy_windows(value, result, strides, rates)
        return result.reshape(batch, *counts, math.prod(sizes) * depth)
    blank = (slice(None),) * (1 + len(sizes))
    if 0 not in counts:
        for offset in itertools.product(*map(range, sizes)):
            part = [
                slice(start * rate, start * rate + (count - 1) * stride + 1, stride)
                for start, rate, count, stride in zip(offset, rates, counts, strides)
            ]
            result[(*blank, *offset)] = value[(slice(None), *part)]
    return result.reshape(batch, *counts, math.prod(sizes) * depth)


def _copy_windows(
    value: np.ndarray, result: np.ndarray, strides: Sequence, rates: Sequence
) -> None:
    """Writes the windows of `value` to `result` [batch, *positions, *sizes, depth]."""
    first, *spatial_strides, last = value.strides
    starts = (step * stride for step, stride in zip(spatial_strides, strides))
    window_strides = (step * rate for step, rate in zip(spatial_strides, rates))
    distances = (first, *starts, *window_strides, last)
    windows = as_strided(value, result.shape, distances, writeable=False)

    def work(part: slice) -> None:
        result[part] = windows[part]

    if result.size < _MIN_PARALLEL_ELEMENTS:
        work(slice(None))
    else:
        run_slices(work, len(result), 1)


def _check_attrs(**attrs: Sequence) -> None:
    for name, values in attrs.items():
        if values[0] != 1 or values[-1] != 1:
            raise UnimplementedError(None, None, f"Only support {name} across space.")


def _static_dims(
    dims: tuple, sizes: Sequence, strides: Sequence, rates: Sequence, padding: str
) -> Dims:
    depth = None if dims[-1] is None else dims[-1] * math.prod(sizes)
    spatial = dims[1:-1]
    counts: list[int | None] = [None] * len(spatial)
    if None not in spatial:
        extents = [(size - 1) * rate + 1 for size, rate in zip(sizes, rates)]
        try:
            counts = [
                window(*axis_settings, padding)[0]
                for axis_settings in zip(spatial, extents, strides)
            ]
        except ValueError as error:
            raise InferenceError(str(error)) from None
    return (dims[0], *counts, depth)


def _check_lengths(op_type: str, count: int, **attrs: Sequence) -> None:
    for name, values in attrs.items():
        if len(values) != count:
            raise InferenceError(
                f"{op_type} requires the {name} attribute to contain {count} values, but got: "
                f"{len(values)}"
            )


def _check_strides(strides: Sequence) -> None:
    for stride in strides[1:-1]:
        if stride < 1:
            raise InferenceError(f"Stride must be > 0, but got {stride}")


@op(
    "ExtractImagePatches",
    "images: T -> patches: T",
    ksizes=Attr("list(int)", minimum=4),
    strides=Attr("list(int)", minimum=4),
    rates=Attr("list(int)", minimum=4),
    T=REAL_NUMBERS,
    padding=_PADDING_ATTR,
)
def extract_image_patches_op(xp, images, *, ksizes, strides, rates, padding):
    _check_attrs(ksizes=ksizes, strides=strides, rates=rates)
    if images.ndim != 4:
        invalid(f"input must be 4-dimensional{shape_text(images.shape)}")
    return _extract(xp, images, ksizes[1:-1], strides[1:-1], rates[1:-1], padding)


@extract_image_patches_op.infer
def _(op) -> Dims:
    dims = with_rank(op.inputs[0]._dims, 4)
    sizes, strides, rates = (op.attrs[name] for name in ("ksizes", "strides", "rates"))
    _check_lengths("ExtractImagePatches", 4, ksizes=sizes, stride=strides, rates=rates)
    if None not in dims[1:-1]:
        _check_strides(strides)
    return _static_dims(dims, sizes[1:-1], strides[1:-1], rates[1:-1], op.attrs["padding"])


def _scatter_patches(
    grad: Any, sources: Any, elements: Any, pixels: Any, count: Any, sizes: tuple, positions: tuple
) -> Tensor:
    """Returns the gradient of the images, using a sparse matrix that maps patch elements back to pixels.

    sources: pixel numbers, starting at 1, extracted as patches; elements: patch element numbers;
    pixels: the number of pixels plus one; count: the number of elements; sizes: (batch, *spatial, depth) of the
    images; positions: the patch positions and sizes.
    """
    batch, *spatial, depth = sizes
    pairs = ops.concat(
        [ops.expand_dims(sources, axis=-1), ops.expand_dims(elements, axis=-1)], axis=-1
    )
    pairs = ops.reshape(pairs, (-1, 2))
    ones = ops.ones([count], dtype=grad.dtype)
    matrix_entries = SparseTensor(pairs, ones, (pixels, count))
    matrix = ops.sparse_slice(matrix_entries, (1, 0), (pixels - 1, count))
    rank, axes = len(positions), len(spatial)
    grad = ops.reshape(grad, (batch, *positions, depth))
    grad = ops.transpose(grad, (*range(1, rank + 1), 0, rank + 1))
    flat = ops.reshape(grad, (-1, batch * depth))
    product = ops.sparse_tensor_dense_matmul(matrix, flat)
    result = ops.reshape(product, (*spatial, batch, depth))
    return ops.transpose(result, (axes, *range(axes), axes + 1))


@extract_image_patches_op.gradient
def _(op, grad):
    shape = ops.shape(op.inputs[0], out_type=dtypes.int64)
    batch, rows, columns, depth = shape[0], shape[1], shape[2], shape[3]
    pixels = 1 + rows * columns
    pixel_ids = ops.reshape(ops.range(1, pixels, dtype=dtypes.int64), (1, rows, columns, 1))
    attrs = {name: op.attrs[name] for name in ("ksizes", "strides", "rates", "padding")}
    sources = raw.ExtractImagePatches(pixel_ids, **attrs)
    patches_shape = ops.shape(op.outputs[0], out_type=dtypes.int64)
    rows_out, columns_out = patches_shape[1], patches_shape[2]
    _, height, width, _ = op.attrs["ksizes"]
    count = rows_out * columns_out * height * width
    elements = ops.reshape(
        ops.range(count, dtype=dtypes.int64), (1, rows_out, columns_out, height * width)
    )
    positions = (rows_out, columns_out, height, width)
    sizes = (batch, rows, columns, depth)
    return _scatter_patches(grad, sources, elements, pixels, count, sizes, positions)


@deprecated_args(None, "ksizes is deprecated, use sizes instead", "ksizes")
def extract_image_patches(
    images: TensorLike,
    ksizes: Sequence[int] | None = None,
    strides: int | Sequence[int] | None = None,
    rates: Any = None,
    padding: str | None = None,
    name: str | None = None,
    sizes: Any = None,
) -> Tensor:
    """Extracts image patches, each flattened into the depth of one output pixel.

    Args:
      images: [batch, height, width, depth] tensor of real numbers.
      ksizes: the old name of `sizes`.
      strides: [1, rows, columns, 1], the distance between patch centers.
      rates: [1, rows, columns, 1], the distance between sampled pixels of a patch.
      padding: "VALID" (patches inside the image only) or "SAME" (zero padding).
      sizes: [1, rows, columns, 1], the patch size.

    Returns:
      Tensor [batch, rows of patches, columns of patches, rows * columns * depth].
    """
    sizes = deprecated_argument_lookup("sizes", sizes, "ksizes", ksizes)
    attrs = {"ksizes": sizes, "strides": strides, "rates": rates, "padding": padding}
    return raw.ExtractImagePatches(images, **attrs, name=name)


def extract_patches(
    images: TensorLike,
    sizes: Sequence[int],
    strides: Sequence[int],
    rates: Sequence[int],
    padding: str,
    name: str | None = None,
) -> Tensor:
    """Same as `tf.extract_image_patches`, with the patch size as `sizes`."""
    return raw.ExtractImagePatches(
        images, ksizes=sizes, strides=strides, rates=rates, padding=padding, name=name
    )


@op(
    "ExtractVolumePatches",
    "input: T -> patches: T",
    ksizes=Attr("list(int)", minimum=5),
    strides=Attr("list(int)", minimum=5),
    T=REAL_NUMBERS,
    padding=_PADDING_ATTR,
)
def extract_volume_patches_op(xp, value, *, ksizes, strides, padding):
    _check_attrs(ksizes=ksizes, strides=strides)
    if value.ndim != 5:
        invalid(f"input must be 5-dimensional{shape_text(value.shape)}")
    return _extract(xp, value, ksizes[1:-1], strides[1:-1], (1, 1, 1), padding)


@extract_volume_patches_op.infer
def _(op) -> Dims:
    dims = with_rank(op.inputs[0]._dims, 5)
    sizes, strides = op.attrs["ksizes"], op.attrs["strides"]
    _check_lengths("ExtractVolumePatches", 5, ksizes=sizes, stride=strides)
    if None not in dims[1:-1]:
        _check_strides(strides)
    return _static_dims(dims, sizes[1:-1], strides[1:-1], (1, 1, 1), op.attrs["padding"])


@extract_volume_patches_op.gradient
def _(op, grad):
    _, planes, rows, columns, _ = (dim.value for dim in op.inputs[0].shape.dims)
    shape = ops.shape(op.inputs[0])
    batch, depth = shape[0], shape[4]
    pixels = 1 + planes * rows * columns
    pixel_ids = ops.reshape(ops.range(1, pixels, dtype=dtypes.int64), (1, planes, rows, columns, 1))
    attrs = {name: op.attrs[name] for name in ("ksizes", "strides", "padding")}
    sources = raw.ExtractVolumePatches(pixel_ids, **attrs)
    _, planes_out, rows_out, columns_out, _ = (dim.value for dim in op.outputs[0].shape.dims)
    _, length, height, width, _ = op.attrs["ksizes"]
    volume = length * height * width
    count = planes_out * rows_out * columns_out * volume
    elements = ops.reshape(
        ops.range(count, dtype=dtypes.int64), (1, planes_out, rows_out, columns_out, volume)
    )
    indices = (planes_out, rows_out, columns_out, length, height, width)
    sizes = (batch, planes, rows, columns, depth)
    return _scatter_patches(grad, sources, elements, pixels, count, sizes, indices)


def extract_volume_patches(
    input: TensorLike,
    ksizes: Sequence[int],
    strides: Sequence[int],
    padding: str,
    name: str | None = None,
) -> Tensor:
    """Extracts volume patches, each flattened into the depth of one output cell.

    Args:
      input: [batch, planes, rows, columns, depth] tensor of real numbers.
      ksizes: [1, planes, rows, columns, 1], the patch size.
      strides: [1, planes, rows, columns, 1], the distance between patch centers.
      padding: "VALID" (patches inside the volume only) or "SAME" (zero padding).

    Returns:
      Tensor [batch, *patch counts, planes * rows * columns * depth].
    """
    return raw.ExtractVolumePatches(
        input, ksizes=ksizes, strides=strides, padding=padding, name=name
    )
