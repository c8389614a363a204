"""Bounding boxes: drawing them, and sampling of crops that cover objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated, undecorated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.numpy import random_distributions
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.seeds import get_seed
from tfmini._src.graph.shape_inference import Dims, InferenceError, same_shape, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.random.op_stream import SEEDS, reserve

_HALF_SINGLE = Attr("type", dtypes.float32, allowed=(dtypes.float32, dtypes.float16))
_DEPTHS = "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)"

# Yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia.
_COLORS = np.array(
    [
        *([1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1]),
        *([0.5, 0.5, 0, 1], [0.5, 0, 0, 1], [0, 0, 0.5, 1], [0, 1, 1, 1], [1, 0, 1, 1]),
    ],
    "f",
)


# Mean pixels of a line from which lines are drawn one by one.
_LONG_LINE = 64


# Drawing ---------------------------------------------------------------------------------------------


def _draw_boxes(images: Any, boxes: Any, colors: Any) -> Any:
    if images.ndim != 4:
        invalid("The rank of the images should be 4")
    if boxes.ndim != 3:
        invalid("The rank of the boxes tensor should be 3")
    if len(images) != len(boxes):
        invalid("The batch sizes should be the same")
    depth = images.shape[3]
    if depth not in (1, 3, 4):
        invalid(_DEPTHS)
    table = _COLORS.copy()
    if depth == 1:
        table[:, 0] = 1
    if colors is not None:
        if colors.ndim != 2:
            invalid(f"colors must be a 2-D matrix{shape_text(colors.shape)}")
        if colors.shape[1] < depth:
            text = "colors must have equal or more channels than the image provided: "
            invalid(text + shape_text(colors.shape))
        if colors.size:
            table = colors.astype("f")
    if boxes.size and boxes.shape[2] < 4:
        invalid("boxes must have 4 columns")
    result = images.copy()
    height, width = images.shape[1:3]
    corners = boxes[..., :4].astype("f") * np.array([height - 1, width - 1] * 2, "f")
    with np.errstate(invalid="ignore"):  # converts NaN
        outlines = np.clip(corners, -(2.0**31), 2.0**31).astype("i8")
    top, left, bottom, right = np.moveaxis(outlines, 2, 0)
    is_visible = (top < height) & (bottom >= 0) & (left < width) & (right >= 0)
    is_drawn = is_visible & (top <= bottom) & (left <= right) & np.isfinite(corners).all(axis=2)
    numbers, order = is_drawn.nonzero()
    _draw(result, numbers, outlines[is_drawn], table[order % len(table), :depth])
    return result


def _draw(images: Any, numbers: Any, outlines: Any, colors: Any) -> None:
    """Draws the visible parts of outlines (top, left, bottom and right pixel), each on the image of its number."""
    height, width, depth = images.shape[1:]
    pixels = images.reshape(-1, depth)
    top, left, bottom, right = outlines.T
    first_row, first_column = np.maximum(top, 0), np.maximum(left, 0)
    rows = np.minimum(bottom, height - 1) - first_row + 1
    columns = np.minimum(right, width - 1) - first_column + 1
    # The four lines of each outline: their first pixel, the distance between pixels, and the number of pixels.
    firsts = [
        *(top * width + first_column, bottom * width + first_column),
        *(first_row * width + left, first_row * width + right),
    ]
    begins = (np.stack(firsts, axis=1) + (numbers * (height * width))[:, np.newaxis]).ravel()
    steps = np.tile([1, 1, width, width], len(outlines))
    visible = [
        *(columns * (top >= 0), columns * (bottom < height)),
        *(rows * (left >= 0), rows * (right < width)),
    ]
    counts = np.stack(visible, axis=1).ravel()
    colors = colors.astype(images.dtype).repeat(4, axis=0)
    if counts.sum() > _LONG_LINE * len(counts):
        for begin, step, count, color in zip(begins, steps, counts, colors):
            pixels[begin : begin + step * count : step] = color
        return
    lines = np.arange(len(counts)).repeat(counts)
    begins -= steps * (counts.cumsum() - counts)
    pixels[begins[lines] + steps[lines] * np.arange(len(lines))] = colors[lines]


def _images(op: Any) -> Dims:
    dims = with_rank(op.inputs[0]._dims, 4)
    if dims[3] not in (None, 1, 3, 4):
        raise InferenceError(_DEPTHS)
    boxes = with_rank(op.inputs[1]._dims, 3)
    if op.type == "DrawBoundingBoxes" and boxes[2] not in (None, 4):
        raise InferenceError(f"Dimension must be 4 but is {boxes[2]}")
    return op.inputs[0]._dims


@op(
    "DrawBoundingBoxes",
    "images: T, boxes: float -> output: T",
    differentiable=False,
    infer=_images,
    T=_HALF_SINGLE,
)
def draw_bounding_boxes_op(xp, images, boxes):
    return _draw_boxes(images, boxes, None)


@op("DrawBoundingBoxesV2", "images: T, boxes: float, colors: float -> output: T", T=_HALF_SINGLE)
def draw_bounding_boxes_v2_op(xp, images, boxes, colors):
    return _draw_boxes(images, boxes, colors)


draw_bounding_boxes_v2_op.infer(same_shape)


def draw_bounding_boxes(
    images: TensorLike, boxes: TensorLike, name: str | None = None, colors: TensorLike | None = None
) -> Tensor:
    """Draws bounding boxes on images with one-pixel lines.

    Args:
      images: float16 or float32 tensor [batch, height, width, 1, 3 or 4].
      boxes: [batch, boxes, 4] float32: y1, x1, y2, x2 of each box, in [0, 1].
      colors: [colors, depth] float32, used in rotation; by default ten colors.

    Returns:
      A tensor of the same shape and dtype. Lines outside the image and inverted boxes are not drawn.
    """
    if colors is None:
        return raw.DrawBoundingBoxes(images, boxes, name=name)
    return raw.DrawBoundingBoxesV2(images, boxes, colors, name=name)


# Sampling --------------------------------------------------------------------------------------------

_SIZES = (dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)
_FLOAT32 = np.float32


class _Words:
    """Random numbers drawn sequentially from a stream."""

    def __init__(self, ctx: Any, blocks: int) -> None:
        # An attempt draws at most four words, except for redrawn integers, once in 2^32 / size.
        words = random_distributions.raw_words(np, reserve(ctx, blocks), 4 * blocks + 64)
        self._words: Iterator[int] = iter(words.tolist())

    def unit(self) -> Any:
        """Returns a float in [0, 1), using the bits that TensorFlow uses for the mantissa."""
        word = next(self._words)
        return np.array(0x3F800000 | (word & 0x7FFFFF), "u4").view("f")[()] - _FLOAT32(1)

    def uniform_below(self, count: int) -> int:
        """Returns a random integer in [0, count)."""
        if count & (count - 1) == 0:
            return next(self._words) & (count - 1)
        threshold = (0xFFFFFFFF % count) + 1
        word = next(self._words)
        while word < threshold:
            word = next(self._words)
        return word % count


def _round_to_even(value: Any) -> int:
    """Rounds a number to the nearest integer as C does, with halves to even."""
    return int(np.rint(value))


def _crop(
    words: _Words, width: int, height: int, areas: tuple, aspect_ratio: Any
) -> tuple[int, int, int, int] | None:
    """Draws a crop (top, left, rows, columns) with aspect ratio and area in the ranges; None if none fits."""
    min_area, max_area = (_FLOAT32(area) * _FLOAT32(width) * _FLOAT32(height) for area in areas)
    if areas[1] <= 0 or aspect_ratio <= 0 or width <= 0 or height <= 0 or areas[0] > areas[1]:
        return None
    rows, limit = (_round_to_even(np.sqrt(area / aspect_ratio)) for area in (min_area, max_area))
    if _round_to_even(_FLOAT32(limit) * aspect_ratio) > width:
        limit = int(_FLOAT32(width + 0.5 - 0.0000001) / aspect_ratio)
        if _round_to_even(_FLOAT32(limit) * aspect_ratio) > width:
            limit -= 1
    limit = min(limit, height)
    if rows >= limit:
        rows = limit
    else:
        rows += words.uniform_below(limit - rows + 1)
    columns = _round_to_even(_FLOAT32(rows) * aspect_ratio)
    if rows * columns < min_area:
        rows += 1
        columns = _round_to_even(_FLOAT32(rows) * aspect_ratio)
    if rows * columns > max_area:
        rows -= 1
        columns = _round_to_even(_FLOAT32(rows) * aspect_ratio)
    if not min_area <= rows * columns <= max_area or columns > width or rows > height:
        return None
    if rows <= 0 or columns <= 0:
        return None
    top = words.uniform_below(height - rows) if rows < height else 0
    left = words.uniform_below(width - columns) if columns < width else 0
    return top, left, rows, columns


def _covers(crop: tuple[int, int, int, int], objects: list[tuple], min_area: Any) -> bool:
    """Whether a crop covers enough of one of the objects (top, left, bottom, right)."""
    top, left, rows, columns = crop
    if rows * columns < 1:
        return False
    for first, start, last, end in objects:
        area = (last - first) * (end - start)
        if area < 1:
            continue
        height = min(top + rows, last) - max(top, first)
        width = min(left + columns, end) - max(left, start)
        common = max(height, 0) * max(width, 0)
        if _FLOAT32(common) / _FLOAT32(area) >= min_area:
            return True
    return False


def _objects(size: list[int], boxes: Any, uses_image: bool) -> list[tuple]:
    scaled = []
    if boxes.size:
        boxes = boxes.reshape(-1, 4).astype("f")
        for value in boxes.ravel():
            if not 0 <= value <= 1:
                invalid(
                    f"All bounding box coordinates must be in [0.0, 1.0]: {_number_text(value)}"
                )
        scale = np.array([size[0], size[1]] * 2, "f")
        scaled = [tuple(int(end) for end in box * scale) for box in boxes]
    if not scaled:
        if not uses_image:
            invalid(
                "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes if you wish to "
                "not provide any bounding boxes."
            )
        scaled = [(0, 0, size[0], size[1])]
    return scaled


def _number_text(value: Any) -> str:
    return f"{float(value):.6g}"


def _sample(
    ctx: Any,
    size: Any,
    boxes: Any,
    min_area: Any,
    aspect_ratios: Any,
    areas: Any,
    attempts: int,
    uses_image: bool,
) -> tuple[Any, Any, Any]:
    if size.ndim != 1:
        invalid(f"image_size must be 1-dimensional{shape_text(size.shape)}")
    if len(size) != 3:
        invalid(f"image_size must contain 3 elements{shape_text(size.shape)}")
    height, width = int(size[0]), int(size[1])
    for side, length in (("height", height), ("width", width)):
        if not 0 <= length < 2**31 - 1:
            invalid(f"image {side} cannot be >= int32 max")
    if boxes.ndim != 3:
        text = "input boxes must be 3-dimensional [batch, num_boxes, coords]: "
        invalid(text + shape_text(boxes.shape))
    if boxes.shape[2] != 4:
        text = f"bounding boxes must have shape [4] or [*, 4], got {shape_text(boxes.shape)}"
        invalid(text)
    objects = _objects([height, width], boxes, uses_image)
    words = _Words(ctx, attempts)
    low, high = (_FLOAT32(ratio) for ratio in aspect_ratios)
    crop = (0, 0, height, width)
    for _ in range(attempts):
        ratio = words.unit() * (high - low) + low
        candidate = _crop(words, width, height, tuple(areas), ratio)
        if candidate is not None and _covers(candidate, objects, min_area):
            crop = candidate
            break
    top, left, rows, columns = crop
    whole_size = np.array([height, width] * 2, "f")
    box = np.array([top, left, top + rows, left + columns], "f") / whole_size
    dtype = size.dtype
    return (
        np.array([top, left, 0], dtype),
        np.array([rows, columns, -1]).astype(dtype),
        box.reshape(1, 1, 4),
    )


def _check_ranges(attrs: dict[str, Any], on_gpu: bool) -> None:
    aspect_ratios, areas = attrs["aspect_ratio_range"], attrs["area_range"]
    if len(aspect_ratios) != 2:
        invalid("Aspect ratio range field must specify 2 dimensions")
    if not min(aspect_ratios) > 0:
        invalid(
            f"Aspect ratio range must be non-negative: [{', '.join(map(_number_text, aspect_ratios))}]"
        )
    if len(areas) != 2:
        invalid("Area range field must specify 2 dimensions")
    range_text = f"[{', '.join(map(_number_text, areas))}]"
    if not min(areas) > 0:
        invalid(f"Area range must be non-negative: {range_text}")
    if max(areas) > 1:
        invalid(f"Area range must be less then or equal to 1.0: {range_text}")
    if attrs["max_attempts"] <= 0:
        invalid(f"Max attempts must be non-negative: {attrs['max_attempts']}")
    min_area = attrs.get("min_object_covered", 0)
    if min_area < 0:
        invalid(f"Min object covered must be non-negative: {_number_text(min_area)}")


def _infer_static(op: Any) -> list[Dims]:
    size = with_rank(op.inputs[0]._dims, 1)
    with_rank(op.inputs[1]._dims, 3)
    for tensor in op.inputs[2:]:
        with_rank(tensor._dims, 0)
    if size[0] not in (None, 3):
        raise InferenceError(f"Dimension must be 3 but is {size[0]}")
    return [(3,), (3,), (1, 1, 4)]


_RANGES: dict[str, Any] = {
    "aspect_ratio_range": Attr("list(float)", [0.75, 1.33]),
    "area_range": Attr("list(float)", [0.05, 1]),
    "max_attempts": 100,
    "use_image_if_no_bounding_boxes": False,
}


@op(
    "SampleDistortedBoundingBox",
    "image_size: T, bounding_boxes: float -> begin: T, size: T, bboxes: float",
    infer=_infer_static,
    differentiable=False,
    check_attrs=_check_ranges,
    stateful=True,
    T=_SIZES,
    **SEEDS,
    min_object_covered=0.1,
    **_RANGES,
)
def sample_distorted_bounding_box_op(
    ctx,
    size,
    boxes,
    *,
    min_object_covered,
    aspect_ratio_range,
    area_range,
    max_attempts,
    use_image_if_no_bounding_boxes,
):
    min_area, uses_image = _FLOAT32(min_object_covered), use_image_if_no_bounding_boxes
    return _sample(
        ctx, size, boxes, min_area, aspect_ratio_range, area_range, max_attempts, uses_image
    )


@op(
    "SampleDistortedBoundingBoxV2",
    "image_size: T, bounding_boxes: float, min_object_covered: float -> begin: T, size: T, bboxes: float",
    infer=_infer_static,
    differentiable=False,
    check_attrs=_check_ranges,
    stateful=True,
    T=_SIZES,
    **SEEDS,
    **_RANGES,
)
def sample_distorted_bounding_box_v2_op(
    ctx,
    size,
    boxes,
    min_object_covered,
    *,
    aspect_ratio_range,
    area_range,
    max_attempts,
    use_image_if_no_bounding_boxes,
):
    if min_object_covered.ndim:
        invalid(f"min_object_covered must be 0-D, got shape {shape_text(min_object_covered.shape)}")
    min_area, uses_image = min_object_covered.reshape(())[()], use_image_if_no_bounding_boxes
    if min_area < 0:
        invalid(f"Min object covered must be non-negative: {_number_text(min_area)}")
    return _sample(
        ctx, size, boxes, min_area, aspect_ratio_range, area_range, max_attempts, uses_image
    )


@deprecated(None, "`seed2` arg is deprecated.Use sample_distorted_bounding_box_v2 instead.")
@public
def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: int | None = None,
    seed2: int | None = None,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> Any:
    """Samples a random crop of an image that covers enough of an object in it.

    Args:
      image_size: [3] integers: height, width and channels of the image.
      bounding_boxes: [batch, boxes, 4] float32: y1, x1, y2, x2 of the objects, in [0, 1].
      seed, seed2: integers; if both are 0 or None, results differ between runs.
      min_object_covered: a scalar, the minimum covered fraction of an object.
      aspect_ratio_range: two floats, the range of width / height; 0.75 and 1.33 by default.
      area_range: two floats, the range of crop area / image area; 0.05 and 1 by default.
      max_attempts: the number of attempts before the entire image is returned; 100 by default.
      use_image_if_no_bounding_boxes: whether to use the entire image as the object if there are no boxes.

    Returns:
      A named tuple: `begin` and `size` [3] for `tf.slice`, and `bboxes` [1, 1, 4] float32 for
      `tf.image.draw_bounding_boxes`. The same seeds yield the same results as in TensorFlow.
    """
    with name_scope(name, "sample_distorted_bounding_box"):
        values = {
            "seed": seed,
            "seed2": seed2,
            "aspect_ratio_range": aspect_ratio_range,
            "area_range": area_range,
            "max_attempts": max_attempts,
            "use_image_if_no_bounding_boxes": use_image_if_no_bounding_boxes,
        }
        attrs = {key: value for key, value in values.items() if value is not None}
        return raw.SampleDistortedBoundingBoxV2(
            image_size, bounding_boxes, min_object_covered, **attrs, name=name
        )


@arguments_of(sample_distorted_bounding_box, "seed2", seed=0)
def sample_distorted_bounding_box_v2(
    image_size: Any, bounding_boxes: Any, *, seed: int | None, **kwargs: Any
) -> Any:
    """`tf.compat.v2.image.sample_distorted_bounding_box`, whose seed is combined with the seed of `tf.set_random_seed`.

    Args:
      image_size, bounding_boxes, min_object_covered, aspect_ratio_range, area_range, max_attempts,
        use_image_if_no_bounding_boxes: as for `tf.image.sample_distorted_bounding_box`.
      seed: an integer; if 0 or None, results differ between runs.

    Returns:
      The named tuple returned by `tf.image.sample_distorted_bounding_box`.
    """
    seeds = get_seed(seed) if seed else (0, 0)
    return undecorated(sample_distorted_bounding_box)(image_size, bounding_boxes, *seeds, **kwargs)
