"""crop_and_resize, which crops boxes and resizes them to one size, and its gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OutOfRangeError, invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.devices.host.native.images.crop_and_resize import (
    box_gradients,
    crop_boxes,
    scatter_gradient,
)
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    copy_input_shape,
    input_dims,
    input_value,
    merge_dim,
    size_from_input,
    unknown_dims,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text

_NUMBERS = (
    *(dtypes.uint8, dtypes.uint16, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64),
    *(dtypes.float16, dtypes.float32, dtypes.float64),
)
_METHOD = Attr("string", "bilinear", allowed=("bilinear", "nearest"))


# Checks ----------------------------------------------------------------------------------------------


def _check_boxes(boxes: Any, box_ind: Any) -> None:
    if boxes.size == 0 and box_ind.size == 0:
        return
    if boxes.ndim != 2:
        invalid(f"boxes must be 2-D{shape_text(boxes.shape)}")
    if boxes.shape[1] != 4:
        invalid("boxes must have 4 columns")
    if box_ind.ndim != 1:
        invalid(f"box_index must be 1-D{shape_text(box_ind.shape)}")
    if len(box_ind) != len(boxes):
        invalid("box_index has incompatible shape")


def _check_numbers(box_ind: Any, batch: int) -> None:
    if ((box_ind < 0) | (box_ind >= batch)).any():
        raise OutOfRangeError(None, None, "box_index has values outside [0, batch_size)")


def _check_grads(grads: Any) -> None:
    if grads.ndim != 4:
        invalid(f"grads image must be 4-D{shape_text(grads.shape)}")
    if grads.shape[1] <= 0 or grads.shape[2] <= 0:
        invalid("grads dimensions must be positive")


def _crop_dims(op: Any, depth: int | None, batch: int | None) -> Dims:
    """Returns [boxes, rows, columns, depth]."""
    size = with_rank(op.inputs[3]._dims, 1)
    if size[0] not in (None, 2):
        raise InferenceError(f"Dimension must be 2 but is {size[0]}")
    value = input_value(op, 3)
    rows, columns = (None, None) if value is None else map(size_from_input, value)
    return (batch, rows, columns, depth)


# Positions of crop pixels ----------------------------------------------------------------------------


def _line_positions(xp: Any, start: Any, end: Any, size: int, count: int) -> Any:
    """Returns the positions in the image of crop rows or columns, [boxes, count] float32."""
    last = np.float32(size - 1)
    if count == 1:
        return (np.float32(0.5) * (start + end) * last)[:, None]
    scale = (end - start) * last / np.float32(count - 1)
    return (start * last)[:, None] + xp.arange(count, dtype="f") * scale[:, None]


class _Corners:
    """The four image pixels around each crop pixel, and whether they are inside the image."""

    def __init__(self, xp: Any, boxes: Any, sizes: tuple, counts: tuple) -> None:
        positions = [
            _line_positions(xp, boxes[:, axis], boxes[:, axis + 2], sizes[axis], counts[axis])
            for axis in (0, 1)
        ]
        in_bounds = [(p >= 0) & (p <= size - 1) for p, size in zip(positions, sizes)]
        self.lines_inside = in_bounds
        # Out-of-image pixels are masked at the end; their indices only need to be valid.
        self.y, self.x = (xp.where(i, p, np.float32(0)) for p, i in zip(positions, in_bounds))
        self.top, self.left = (xp.floor(p).astype(np.intp) for p in (self.y, self.x))
        self.bottom, self.right = (xp.ceil(p).astype(np.intp) for p in (self.y, self.x))
        self.row_fraction = (self.y - self.top.astype("f"))[:, :, None, None]
        self.column_fraction = (self.x - self.left.astype("f"))[:, None, :, None]

    @property
    def is_inside(self) -> Any:
        """For each pixel, whether it is inside its image, [boxes, rows, columns] bool."""
        rows, columns = self.lines_inside
        return rows[:, :, None] & columns[:, None, :]

    def nearest(self, xp: Any) -> Any:
        """Returns the row and column nearest to each pixel, with halves rounded up."""
        half = np.float32(0.5)
        return tuple(
            (xp.floor(p) + (p - xp.floor(p) >= half)).astype(np.intp) for p in (self.y, self.x)
        )


def _pixels_at(image: Any, box_ind: Any, rows: Any, columns: Any) -> Any:
    """Returns the pixels at these positions of the image of each box, [boxes, rows, columns, depth] float32."""
    return image[box_ind[:, None, None], rows[:, :, None], columns[:, None, :]].astype("f")


def _interpolate(image: Any, box_ind: Any, corners: _Corners) -> Any:
    top_left = _pixels_at(image, box_ind, corners.top, corners.left)
    top = (
        top_left
        + (_pixels_at(image, box_ind, corners.top, corners.right) - top_left)
        * corners.column_fraction
    )
    bottom_left = _pixels_at(image, box_ind, corners.bottom, corners.left)
    bottom = (
        bottom_left
        + (_pixels_at(image, box_ind, corners.bottom, corners.right) - bottom_left)
        * corners.column_fraction
    )
    return top + (bottom - top) * corners.row_fraction


# The ops ---------------------------------------------------------------------------------------------


@op(
    "CropAndResize",
    "image: T, boxes: float, box_ind: int32, crop_size: int32 -> crops: float",
    through_host=True,
    static_inputs=("crop_size",),
    T=_NUMBERS,
    method=_METHOD,
    extrapolation_value=0.0,
)
def crop_and_resize_op(xp, image, boxes, box_ind, crop_size, *, method, extrapolation_value):
    if image.ndim != 4:
        invalid(f"input image must be 4-D{shape_text(image.shape)}")
    if image.shape[1] <= 0 or image.shape[2] <= 0:
        invalid("image dimensions must be positive")
    _check_boxes(boxes, box_ind)
    if crop_size.ndim != 1:
        invalid(f"crop_size must be 1-D{shape_text(crop_size.shape)}")
    if len(crop_size) != 2:
        invalid(f"crop_size must have two elements{shape_text(crop_size.shape)}")
    counts = tuple(crop_size.tolist())
    if min(counts) <= 0:
        invalid("crop dimensions must be positive")
    args = image, boxes, box_ind, counts, extrapolation_value
    if (fast := crop_boxes(*args, method == "nearest")) is not None:
        return fast
    _check_numbers(box_ind, len(image))
    result = xp.empty((len(box_ind), *counts, image.shape[3]), "f")
    if not result.size:
        return result
    corners = _Corners(xp, boxes, image.shape[1:3], counts)
    if method == "bilinear":
        sampled = _interpolate(image, box_ind, corners)
    else:
        sampled = _pixels_at(image, box_ind, *corners.nearest(xp))
    result[...] = xp.where(corners.is_inside[..., None], sampled, np.float32(extrapolation_value))
    return result


@crop_and_resize_op.infer
def _(op) -> Dims:
    image = with_rank(op.inputs[0]._dims, 4)
    boxes = with_rank(op.inputs[1]._dims, 2)
    image_indices = with_rank(op.inputs[2]._dims, 1)
    count = merge_dim(boxes[0], image_indices[0])
    if boxes[1] not in (None, 4):
        raise InferenceError(f"Dimension must be 4 but is {boxes[1]}")
    return _crop_dims(op, image[3], count)


@crop_and_resize_op.gradient
def _(op, grad):
    image, boxes, box_ind, _ = op.inputs
    shape = image.shape
    size = shape.as_list() if shape.is_fully_defined() else ops.shape(image)
    image_grad = None
    if image.dtype in (dtypes.float16, dtypes.float32, dtypes.float64):
        image_grad = raw.CropAndResizeGradImage(
            grad, boxes, box_ind, size, T=image.dtype, method=op.attrs["method"]
        )
    # The nearest pixel does not depend on the box, so boxes always have the bilinear gradient.
    return image_grad, raw.CropAndResizeGradBoxes(grad, image, boxes, box_ind), None, None


@op(
    "CropAndResizeGradImage",
    "grads: float, boxes: float, box_ind: int32, image_size: int32 -> output: T",
    through_host=True,
    static_inputs=("image_size",),
    T=(dtypes.float32, dtypes.float16, dtypes.float64),
    method=_METHOD,
)
def crop_and_resize_grad_image_op(xp, grads, boxes, box_ind, image_size, *, T, method):
    _check_grads(grads)
    _check_boxes(boxes, box_ind)
    if len(boxes) != len(grads):
        invalid("boxes and grads have incompatible shape")
    if image_size.ndim != 1:
        invalid(f"image_size must be 1-D{shape_text(image_size.shape)}")
    if len(image_size) != 4:
        invalid(f"image_size must have 4 elements{shape_text(image_size.shape)}")
    shape = tuple(image_size.tolist())
    if shape[1] <= 0 or shape[2] <= 0:
        invalid("image dimensions must be positive")
    if shape[3] != grads.shape[3]:
        invalid("image_size and grads are incompatible")
    image_dtype = T.as_numpy_dtype
    dtype = np.dtype("f" if image_dtype == np.float16 else image_dtype)
    fast = scatter_gradient(grads, boxes, box_ind, shape, dtype, method == "nearest")
    if fast is not None:
        return fast.astype(image_dtype, copy=False)
    _check_numbers(box_ind, shape[0])
    result = xp.zeros(shape, dtype)
    if not grads.size:
        return result.astype(image_dtype, copy=False)
    corners = _Corners(xp, boxes, shape[1:3], grads.shape[1:3])
    grads = xp.where(corners.is_inside[..., None], grads, np.float32(0))
    image_indices = box_ind[:, None, None]
    if method == "nearest":
        rows, columns = corners.nearest(xp)
        xp.add.at(result, (image_indices, rows[:, :, None], columns[:, None, :]), grads)
        return result.astype(image_dtype, copy=False)
    one = np.float32(1)
    for rows, row_weight in (
        (corners.top, one - corners.row_fraction),
        (corners.bottom, corners.row_fraction),
    ):
        part = grads * row_weight
        for columns, column_weight in (
            (corners.left, one - corners.column_fraction),
            (corners.right, corners.column_fraction),
        ):
            xp.add.at(
                result, (image_indices, rows[:, :, None], columns[:, None, :]), part * column_weight
            )
    return result.astype(image_dtype, copy=False)


@crop_and_resize_grad_image_op.infer
def _(op) -> Dims:
    length = with_rank(op.inputs[3]._dims, 1)[0]
    with_rank(None if length is None else unknown_dims(length), 4)
    return with_rank(input_dims(op, 3), 4)


@op(
    "CropAndResizeGradBoxes",
    "grads: float, image: T, boxes: float, box_ind: int32 -> output: float",
    through_host=True,
    infer=copy_input_shape(2),
    T=_NUMBERS,
    method=Attr("string", "bilinear", allowed=("bilinear",)),
)
def crop_and_resize_grad_boxes_op(xp, grads, image, boxes, box_ind):
    _check_grads(grads)
    if image.ndim != 4:
        invalid(f"input image must be 4-D{shape_text(image.shape)}")
    if image.shape[1] <= 0 or image.shape[2] <= 0:
        invalid("image dimensions must be positive")
    if image.shape[3] != grads.shape[3]:
        invalid("image, grads depth differ")
    _check_boxes(boxes, box_ind)
    if len(boxes) != len(grads):
        invalid("boxes and grads have incompatible shape")
    if (fast := box_gradients(grads, image, boxes, box_ind)) is not None:
        return fast
    _check_numbers(box_ind, len(image))
    result = xp.zeros((len(box_ind), 4), "f")
    if not grads.size:
        return result
    sizes, counts = image.shape[1:3], grads.shape[1:3]
    corners = _Corners(xp, boxes, sizes, counts)
    top_left, top_right = (
        _pixels_at(image, box_ind, corners.top, x) for x in (corners.left, corners.right)
    )
    bottom_left, bottom_right = (
        _pixels_at(image, box_ind, corners.bottom, x) for x in (corners.left, corners.right)
    )
    one = np.float32(1)
    y_slope = (one - corners.column_fraction) * (
        bottom_left - top_left
    ) + corners.column_fraction * (bottom_right - top_right)
    x_slope = (one - corners.row_fraction) * (top_right - top_left) + corners.row_fraction * (
        bottom_right - bottom_left
    )
    grads = xp.where(corners.is_inside[..., None], grads, np.float32(0))
    for axis, slope in ((0, y_slope), (1, x_slope)):
        # [boxes, lines]: the gradients of the line positions.
        lines = (grads * slope).sum(axis=(2 - axis, 3))
        last = np.float32(sizes[axis] - 1)
        if counts[axis] == 1:
            result[:, axis] = result[:, axis + 2] = lines[:, 0] * np.float32(0.5) * last
            continue
        share = xp.arange(counts[axis], dtype="f") / np.float32(counts[axis] - 1)
        result[:, axis] = (lines * (one - share)).sum(axis=1) * last
        result[:, axis + 2] = (lines * share).sum(axis=1) * last
    return result


@deprecated_args(None, "box_ind is deprecated, use box_indices instead", "box_ind")
def crop_and_resize(
    image: TensorLike,
    boxes: TensorLike,
    box_ind: TensorLike | None = None,
    crop_size: TensorLike | None = None,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    name: str | None = None,
    box_indices: TensorLike | None = None,
) -> Tensor:
    """Crops boxes from images and resizes each crop to `crop_size`.

    Args:
      image: real tensor [batch, height, width, depth].
      boxes: [boxes, 4] float32: the corners y1, x1, y2, x2 of each crop, where 0 is the center of the first row or
        column and 1 the center of the last. A crop may exceed the image; swapped corners flip it.
      box_ind: the old name of `box_indices`.
      crop_size: [2] int32, the output height and width.
      method: "bilinear" or "nearest".
      extrapolation_value: the value of pixels outside the image.
      box_indices: [boxes] int32, the image index of each box.

    Returns:
      [boxes, crop_height, crop_width, depth] float32 tensor.

    Raises:
      OutOfRangeError (when run): if an image index is out of range.

    Example: `tf.image.crop_and_resize(images, [[0, 0, 1, 1]], [0], [7, 7])` is the first image at 7 x 7 pixels.
    """
    box_ind = deprecated_argument_lookup("box_indices", box_indices, "box_ind", box_ind)
    return raw.CropAndResize(
        image,
        boxes,
        box_ind,
        crop_size,
        method=method,
        extrapolation_value=extrapolation_value,
        name=name,
    )
