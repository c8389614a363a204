"""Non-maximum suppression of boxes, in the same order as the NumPy path."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import address, function

_MAX_REPETITIONS = 1 << 16  # maximum number of repetitions of boxes without area


def select_boxes(
    corners: np.ndarray | None, boxes: np.ndarray, scores: np.ndarray, limit: int, threshold: Any
) -> list[int] | None:
    """Returns the indices of the selected `boxes`, by descending score; None if NumPy must compute them.

    Args:
      corners: [5, boxes], the smaller y and x, the larger y and x, and the area of every box.
      limit: maximum number of selected boxes.
      threshold: overlap with a better box from which a box is suppressed.
    """
    kernel = function("boxes_kept")
    if kernel is None or not _is_supported(corners) or scores.dtype != np.float32:
        return None
    scores = np.ascontiguousarray(scores)
    return _call_kernel(
        kernel, corners, boxes, (scores,), limit, threshold, max(len(boxes), _MAX_REPETITIONS)
    )


def suppress_by_overlap(
    corners: np.ndarray | None, boxes: np.ndarray, limit: int, threshold: Any
) -> list[int] | None:
    """Returns the indices of the `boxes`, best first, that do not overlap a better one by more than a threshold.

    Returns None if NumPy must compute them.
    """
    kernel = function("boxes_kept_beyond")
    if kernel is None or not _is_supported(corners):
        return None
    return _call_kernel(kernel, corners, boxes, (), limit, threshold, len(boxes))


def _is_supported(corners: np.ndarray | None) -> bool:
    return corners is not None and corners.dtype == np.float32 and corners.shape[1] < 1 << 31


def _call_kernel(
    kernel: Any,
    corners: Any,
    boxes: np.ndarray,
    arrays: tuple[Array, ...],
    limit: int,
    threshold: Any,
    capacity: int,
) -> list[int] | None:
    box_ids = boxes.astype(np.int32)
    capacity = min(capacity, limit)
    result = np.empty(capacity, np.int32)
    operands = (box_ids, *arrays)
    sizes = len(box_ids), limit, float(threshold)
    count = kernel(
        address(corners),
        corners.shape[1],
        *map(address, operands),
        *sizes,
        address(result),
        capacity,
    )
    return None if count < 0 else result[:count].tolist()
