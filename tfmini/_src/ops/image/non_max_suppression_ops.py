"""Non-maximum suppression ops, which select the best of overlapping boxes, optionally per class and image."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.numpy.introsort import descending_order
from tfmini._src.devices.numpy.non_max_suppression import (
    Similarity,
    box_overlap,
    suppress_above,
    suppress_boxes,
)
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    merge_dim,
    with_rank,
)
from tfmini._src.ops.operands import row_count, shape_text

_HALF_SINGLE = Attr("type", dtypes.float32, allowed=(dtypes.float16, dtypes.float32))
_THRESHOLDS: dict[str, Any] = {"T": _HALF_SINGLE, "T_threshold": _HALF_SINGLE}
_STATIC_INPUTS = ("max_output_size",)
_NO_SIGMA = np.float32(0)  # without sigma, scores do not decay


# Checks ----------------------------------------------------------------------------------------------


def _checked_scalar(value: Any, name: str) -> Any:
    if value.ndim:
        invalid(f"{name} must be 0-D, got shape {shape_text(value.shape)}")
    return value.reshape(())[()]


def _check_threshold(value: Any) -> None:
    if not 0 <= value <= 1:
        invalid("iou_threshold must be in [0, 1]")


def _check_boxes(boxes: Any, scores: Any) -> None:
    if boxes.ndim != 2:
        invalid(f"boxes must be 2-D{shape_text(boxes.shape)}")
    if boxes.shape[1] != 4:
        invalid("boxes must have 4 columns")
    _check_scores(scores, len(boxes))


def _check_scores(scores: Any, count: int) -> None:
    if scores.ndim != 1:
        invalid(f"scores must be 1-D{shape_text(scores.shape)}")
    if len(scores) != count:
        invalid("scores has incompatible shape")


def _check_dims(op: Any) -> None:
    boxes, scores = with_rank(op.inputs[0]._dims, 2), with_rank(op.inputs[1]._dims, 1)
    for tensor in op.inputs[2:]:
        with_rank(tensor._dims, 0)
    merge_dim(boxes[0], scores[0])
    if boxes[1] not in (None, 4):
        raise InferenceError(f"Dimension must be 4 but is {boxes[1]}")


def _unknown_count(op: Any) -> Dims:
    _check_dims(op)
    return (None,)


# One class -------------------------------------------------------------------------------------------


def _selected_boxes(
    boxes: Any, scores: Any, max_size: Any, threshold: Any, score_threshold: Any = None
) -> np.ndarray:
    size = int(_checked_scalar(max_size, "max_output_size"))
    limit = _checked_scalar(threshold, "iou_threshold")
    min_score: Any = np.float32(-np.inf)
    if score_threshold is not None:
        min_score = _checked_scalar(score_threshold, "score_threshold")
    _check_threshold(limit)
    _check_boxes(boxes, scores)
    if not boxes.size:
        return np.empty(0, np.int32)
    indices, _ = suppress_boxes(box_overlap(boxes), scores, size, limit, min_score, _NO_SIGMA)
    return np.array(indices, np.int32)


@op(
    "NonMaxSuppression",
    "boxes: float, scores: float, max_output_size: int32 -> selected_indices: int32",
    infer=_unknown_count,
    differentiable=False,
    static_inputs=_STATIC_INPUTS,
    iou_threshold=0.5,
)
def non_max_suppression_op(xp, boxes, scores, max_size, *, iou_threshold):
    return _selected_boxes(boxes, scores, max_size, np.asarray(iou_threshold, "f"))


@op(
    "NonMaxSuppressionV2",
    "boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold -> selected_indices: int32",
    infer=_unknown_count,
    differentiable=False,
    through_host=True,
    static_inputs=_STATIC_INPUTS,
    **_THRESHOLDS,
)
def non_max_suppression_v2_op(xp, boxes, scores, max_size, iou_threshold):
    return _selected_boxes(boxes, scores, max_size, iou_threshold)


@op(
    "NonMaxSuppressionV3",
    "boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, "
    "score_threshold: T_threshold -> selected_indices: int32",
    infer=_unknown_count,
    through_host=True,
    static_inputs=_STATIC_INPUTS,
    **_THRESHOLDS,
)
def non_max_suppression_v3_op(xp, boxes, scores, max_size, iou_threshold, score_threshold):
    return _selected_boxes(boxes, scores, max_size, iou_threshold, score_threshold)


def _pad(values: np.ndarray, size: int, pad: bool) -> np.ndarray:
    """Pads `values` with trailing zeros to `size` if `pad` is set."""
    return np.pad(values, (0, size - len(values))) if pad and size > len(values) else values


@op(
    "NonMaxSuppressionV4",
    "boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, "
    "score_threshold: T_threshold -> selected_indices: int32, valid_outputs: int32",
    infer=lambda op: [_padded_dims(op), ()],
    static_inputs=_STATIC_INPUTS,
    **_THRESHOLDS,
    pad_to_max_output_size=False,
)
def non_max_suppression_v4_op(
    xp, boxes, scores, max_size, iou_threshold, score_threshold, *, pad_to_max_output_size
):
    indices = _selected_boxes(boxes, scores, max_size, iou_threshold, score_threshold)
    count = np.asarray(len(indices), np.int32)
    return _pad(indices, int(max_size), pad_to_max_output_size), count


def _padded_dims(op: Any) -> tuple[int | None]:
    """Returns the static number of selected boxes, which is only known if outputs are padded to the maximum."""
    _check_dims(op)
    max_size = input_value(op, 2)
    if not op.attrs["pad_to_max_output_size"] or max_size is None:
        return (None,)
    return (int(max_size),)


@op(
    "NonMaxSuppressionV5",
    "boxes: T, scores: T, max_output_size: int32, iou_threshold: T, score_threshold: T, soft_nms_sigma: T "
    "-> selected_indices: int32, selected_scores: T, valid_outputs: int32",
    static_inputs=_STATIC_INPUTS,
    T=_HALF_SINGLE,
    pad_to_max_output_size=False,
)
def non_max_suppression_v5_op(
    xp,
    boxes,
    scores,
    max_size,
    iou_threshold,
    score_threshold,
    soft_nms_sigma,
    *,
    pad_to_max_output_size,
):
    size = int(_checked_scalar(max_size, "max_output_size"))
    limit = _checked_scalar(iou_threshold, "iou_threshold")
    min_score = _checked_scalar(score_threshold, "score_threshold")
    sigma = _checked_scalar(soft_nms_sigma, "soft_nms_sigma")
    _check_threshold(limit)
    if sigma < 0:
        invalid("soft_nms_sigma_val must be >= 0")
    _check_boxes(boxes, scores)
    selected: list[int] = []
    kept_scores: Any = []
    if boxes.size:
        selected, kept_scores = suppress_boxes(
            box_overlap(boxes), scores, size, limit, min_score, sigma
        )
    indices = _pad(np.array(selected, np.int32), size, pad_to_max_output_size)
    values = _pad(np.array(kept_scores, scores.dtype), size, pad_to_max_output_size)
    return indices, values, np.asarray(len(selected), np.int32)


@non_max_suppression_v5_op.infer
def _(op) -> list[Dims]:
    dims = _padded_dims(op)
    return [dims, dims, ()]


@op(
    "NonMaxSuppressionWithOverlaps",
    "overlaps: float, scores: float, max_output_size: int32, overlap_threshold: float, "
    "score_threshold: float -> selected_indices: int32",
    differentiable=False,
    static_inputs=_STATIC_INPUTS,
)
def non_max_suppression_with_overlaps_op(
    xp, overlaps, scores, max_size, overlap_threshold, score_threshold
):
    size = int(_checked_scalar(max_size, "max_output_size"))
    limit = _checked_scalar(overlap_threshold, "overlap_threshold")
    min_score = _checked_scalar(score_threshold, "score_threshold")
    if overlaps.ndim != 2:
        invalid(f"overlaps must be 2-D{shape_text(overlaps.shape)}")
    if overlaps.shape[0] != overlaps.shape[1]:
        invalid(f"overlaps must be square{shape_text(overlaps.shape)}")
    _check_scores(scores, len(overlaps))
    similarity = Similarity(lambda new, selected: overlaps[new, selected])
    indices, _ = suppress_boxes(similarity, scores, size, limit, min_score, _NO_SIGMA)
    return np.array(indices, np.int32)


@non_max_suppression_with_overlaps_op.infer
def _(op) -> Dims:
    overlaps, scores = with_rank(op.inputs[0]._dims, 2), with_rank(op.inputs[1]._dims, 1)
    for tensor in op.inputs[2:]:
        with_rank(tensor._dims, 0)
    merge_dim(overlaps[0], scores[0])
    merge_dim(overlaps[0], overlaps[1])
    return (None,)


# All classes of a batch ------------------------------------------------------------------------------


def _suppress_image(
    boxes: np.ndarray,
    scores: np.ndarray,
    max_size: int,
    limit: Any,
    min_score: Any,
    clip: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Suppresses each class of an image separately; returns the remaining (boxes, scores, classes), best first."""
    similarities: list[Similarity] = [box_overlap(boxes[:, q]) for q in range(boxes.shape[1])]
    parts = []
    for class_id in range(scores.shape[1]):
        q = class_id if boxes.shape[1] > 1 else 0
        indices = suppress_above(similarities[q], scores[:, class_id], max_size, limit, min_score)
        classes = np.full(len(indices), class_id, "f")
        parts.append((boxes[indices, q], scores[indices, class_id], classes))
    selected, points, classes = (np.concatenate(part) for part in zip(*parts))
    order = descending_order(points)
    selected = np.clip(selected, 0, 1) if clip else selected
    return selected[order], points[order], classes[order]


@op(
    "CombinedNonMaxSuppression",
    "boxes: float, scores: float, max_output_size_per_class: int32, max_total_size: int32, iou_threshold: float, "
    "score_threshold: float -> nmsed_boxes: float, nmsed_scores: float, nmsed_classes: float, valid_detections: int32",
    static_inputs=("max_output_size_per_class", "max_total_size"),
    pad_per_class=False,
    clip_boxes=True,
)
def combined_non_max_suppression_op(
    xp, boxes, scores, max_size, total, iou_threshold, score_threshold, *, pad_per_class, clip_boxes
):
    if row_count(boxes) != row_count(scores):
        invalid("boxes and scores must have same batch size")
    if boxes.ndim != 4:
        invalid(f"boxes must be 4-D{shape_text(boxes.shape)}")
    if scores.ndim != 3:
        invalid(f"scores must be 3-D{shape_text(scores.shape)}")
    per_class = int(_checked_scalar(max_size, "max_size_per_class"))
    size = int(_checked_scalar(total, "max_total_size"))
    if size <= 0:
        invalid("max_total_size must be > 0")
    limit = _checked_scalar(iou_threshold, "iou_threshold")
    min_score = _checked_scalar(score_threshold, "score_threshold")
    _check_threshold(limit)
    if scores.shape[1] != boxes.shape[1]:
        invalid("scores has incompatible shape")
    if boxes.shape[2] not in (1, scores.shape[2]):
        invalid("third dimension of boxes must be either 1 or num classes")
    if boxes.shape[3] != 4:
        invalid("boxes must have 4 columns")
    if pad_per_class:
        size = min(size, per_class * scores.shape[2])
    batch = len(boxes)
    selected, points, classes = (np.zeros((batch, size, *d), "f") for d in ((4,), (), ()))
    counts = np.zeros(batch, np.int32)
    for index in range(batch):
        parts = _suppress_image(
            boxes[index], scores[index], per_class, limit, min_score, clip_boxes
        )
        count = min(len(parts[0]), size)
        counts[index] = count
        for result, part in zip((selected, points, classes), parts):
            result[index, :count] = part[:count]
    return selected, points, classes, counts


def _checked_size(value: Any, index: int) -> int | None:
    if value is None:
        return None
    if value < 0:
        raise InferenceError(
            f"Dimension size, given by scalar input {index}, must be non-negative but is {value}"
        )
    return int(value)


@combined_non_max_suppression_op.infer
def _(op) -> list[Dims]:
    boxes, scores = with_rank(op.inputs[0]._dims, 4), with_rank(op.inputs[1]._dims, 3)
    for tensor in op.inputs[2:]:
        with_rank(tensor._dims, 0)
    merge_dim(boxes[0], scores[0])
    merge_dim(boxes[1], scores[1])
    if boxes[3] not in (None, 4):
        raise InferenceError(f"Dimension must be 4 but is {boxes[3]}")
    if None not in (boxes[2], scores[2]) and boxes[2] not in (1, scores[2]):
        raise InferenceError(
            "third dimension of boxes must be either 1 or equal to the third dimension of scores"
        )
    values = [input_value(op, index) for index in (2, 3)]
    per_class, total = _checked_size(values[0], 2), _checked_size(values[1], 3)
    if total == 0:
        raise InferenceError("max_total_size should be > 0 ")
    size = total
    if op.attrs["pad_per_class"]:
        is_known = None not in (per_class, total, scores[2])
        size = min(total, per_class * scores[2]) if is_known else None  # type: ignore[operator, type-var]
    batch = boxes[0]
    return [(batch, size, 4), (batch, size), (batch, size), (batch,)]
