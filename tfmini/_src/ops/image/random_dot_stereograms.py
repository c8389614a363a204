"""Single-image random-dot stereograms: dot patterns in which both eyes together see a depth map.

H. Thimbleby, S. Inglis and I. Witten, "Displaying 3D images: algorithms for single-image random-dot stereograms",
IEEE Computer 27 (1994).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.numpy.glibc_rand import draw
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims, InferenceError
from tfmini._src.ops.operands import shape_text

_DEPTHS = (dtypes.float64, dtypes.float32, dtypes.int64, dtypes.int32)
_FULL_COLOR = 256
_BLACK, _WHITE = 0, 255


@dataclass(frozen=True)
class _Viewer:
    """The viewing parameters: the distance between the eyes in dots, and the depth of field."""

    eye_separation: int
    mu: np.float32

    def separation(self, depth: Any) -> Any:
        """Returns the distance between the two dots of a point whose depth ranges from 0 (far) to 1 (near)."""
        mu = float(self.mu)
        return ((1 - mu * depth) * self.eye_separation / (2 - mu * depth) + 0.5).astype(np.int64)

    def is_seen(self, row: np.ndarray, border: float) -> np.ndarray:
        """Returns, for each point of a row, whether both eyes see it, as no nearer point is in the line of sight."""
        mu, size = float(self.mu), len(row)
        visible, going = np.ones(size, bool), np.ones(size, bool)
        step = float(self.mu * np.float32(self.eye_separation))
        distance = 1
        while going.any():
            height = row + 2 * (2 - mu * row) * distance / step
            shifted_row = np.pad(row, min(distance, size), constant_values=border)
            if distance > size:
                left = right = np.full(size, border)
            else:
                left, right = shifted_row[:size], shifted_row[-size:]
            visible &= ~going | ((left < height) & (right < height))
            going &= visible & (height < 1)
            distance += 1
        return visible


def _link_dots(row: np.ndarray, viewer: _Viewer, border: float, hidden: bool) -> list[int]:
    """Returns for each dot in a row the index of the dot to its right with the same color, or its own index."""
    size = len(row)
    dot_separation = viewer.separation(row)
    left_columns = np.arange(size) - dot_separation // 2
    rights = left_columns + dot_separation
    usable = (left_columns >= 0) & (rights < size)
    if hidden:
        usable &= viewer.is_seen(row, border)
    links = list(range(size))
    for dot in np.flatnonzero(usable).tolist():
        left, right = int(left_columns[dot]), int(rights[dot])
        link = links[left]
        while link not in (left, right):
            if link < right:
                left = link
                link = links[left]
            else:
                links[left] = right
                left = right
                link = links[left]
                right = link
        links[left] = right
    return links


def _color_indices(links: list[int]) -> tuple[np.ndarray, int]:
    """Returns the color index of each dot, counted from the right, and the number of colors."""
    color_ids, count = [0] * len(links), 0
    for dot in range(len(links) - 1, -1, -1):
        if links[dot] == dot:
            color_ids[dot] = count
            count += 1
        else:
            color_ids[dot] = color_ids[links[dot]]
    return np.array(color_ids, np.int64), count


def _to_dots(inches: float, dots_per_inch: int) -> int:
    """Converts a length to dots; if it is 0, TensorFlow reads beyond the row."""
    dots = np.float32(inches) * np.float32(dots_per_inch)
    if not 0 <= dots < 2**31:
        invalid(f"eye_separation * dots_per_inch must be a number of dots, but is {dots}")
    return int(dots)


def _normalize(values: np.ndarray, normalize: bool, high: float, low: float) -> np.ndarray:
    """Scales depths to [0, 1]; their range is computed if `high` is less than `low`."""
    values = values.astype(np.float64)
    if normalize:
        if high < low:
            high, low = float(values.max()), float(values.min())
        with np.errstate(divide="ignore", invalid="ignore"):
            values = (values - low) / (high - low)
    return np.minimum(np.maximum(values, 0.0), 1.0)


def _depth_lines(size: int, start: int, window: int, count: int) -> np.ndarray:
    """Returns the row of the depth map for each row of a picture; -1 outside the window."""
    rows = count * (np.arange(size) - start).astype(np.float64) / window
    return np.where((rows >= 0) & (rows < count), rows, -1).astype(np.int64)


def _frame(height: int, window: int, dots: int) -> tuple[int, int]:
    """Returns the first row of the window and the last row of the convergence dots."""
    if dots <= 0:
        return int((height - window) / 2), height - 1
    top = max(0, height - window - dots) // 3
    return top, height - 1 - top


def _draw_dots(image: np.ndarray, viewer: _Viewer, dots: int, end: int) -> None:
    far_separation, (height, width, _) = int(viewer.separation(np.float64(0.0))), image.shape
    for center in (width // 2 - far_separation // 2, width // 2 + far_separation // 2):
        left = center - dots // 2
        rows = slice(max(end - dots + 1, 0), min(end + 1, height))
        image[rows, max(left, 0) : max(min(left + dots, width), 0)] = _BLACK


def _check_sizes(image: Any, window: Any) -> None:
    if image is None or window is None or len(image) != 3 or len(window) != 2:
        raise InferenceError(
            "output_image_shape should have 3 dimensions and output_data_window 2, "
            f"but they are {image} and {window}"
        )


@op(
    "SingleImageRandomDotStereograms",
    "depth_values: T -> image: uint8",
    through_host=True,
    differentiable=False,
    T=_DEPTHS,
    hidden_surface_removal=True,
    convergence_dots_size=8,
    dots_per_inch=72,
    eye_separation=2.5,
    mu=0.3333,
    normalize=True,
    normalize_max=-100.0,
    normalize_min=100.0,
    border_level=0.0,
    number_colors=256,
    output_image_shape=Attr("shape", (1024, 768, 1)),
    output_data_window=Attr("shape", (1022, 757)),
)
def single_image_random_dot_stereograms_op(
    xp,
    depth_values,
    *,
    hidden_surface_removal,
    convergence_dots_size,
    dots_per_inch,
    eye_separation,
    mu,
    normalize,
    normalize_max,
    normalize_min,
    border_level,
    number_colors,
    output_image_shape,
    output_data_window,
):
    """Returns rows of random dots, equal where both eyes see the same point: [rows, columns, channels]."""
    if depth_values.ndim < 2:
        invalid(
            f"depth_values should be at least 2-dimensional, but got {shape_text(depth_values.shape)}"
        )
    width, height, channels = (int(size) for size in output_image_shape)
    channels = 3 if number_colors > _FULL_COLOR else channels
    columns, rows = (int(size) for size in output_data_window)
    if not depth_values.size:
        invalid(f"depth_values must have elements, but has shape: {shape_text(depth_values.shape)}")
    lines, points = depth_values.shape[:2]  # for a higher rank, TensorFlow reads the first values
    depth_values = depth_values.ravel()[: lines * points].reshape(lines, points)
    viewer = _Viewer(_to_dots(eye_separation, dots_per_inch), np.float32(mu))
    depths = _normalize(depth_values, normalize, normalize_max, normalize_min)
    top, end = _frame(height, rows, convergence_dots_size)
    column_lines = _depth_lines(width, int((width - columns) / 2), columns, depths.shape[1])
    row_lines = _depth_lines(height, top, rows, depths.shape[0])
    image = np.empty((height, width, channels), np.uint8)
    rows_by_line: dict[int, tuple[np.ndarray, int]] = {}
    for y, line in enumerate(row_lines.tolist()):
        if line not in rows_by_line:
            border = float(np.float32(border_level))
            row = np.full(width, border)
            if line >= 0:
                row[column_lines >= 0] = depths[line, column_lines[column_lines >= 0]]
            links = _link_dots(row, viewer, border, hidden_surface_removal)
            rows_by_line[line] = _color_indices(links)
        color_ids, count = rows_by_line[line]
        colors = draw(count * channels)
        if number_colors == 2:
            colors = np.where(colors % 2 == 0, _BLACK, _WHITE)
        image[y] = (colors % 256).astype(np.uint8).reshape(count, channels)[color_ids]
    if convergence_dots_size > 0:
        _draw_dots(image, viewer, convergence_dots_size, end)
    return image


@single_image_random_dot_stereograms_op.infer
def _(op) -> Dims:
    image, window = op.attrs["output_image_shape"], op.attrs["output_data_window"]
    _check_sizes(image, window)
    return (image[1], image[0], 3 if op.attrs["number_colors"] > _FULL_COLOR else 1)
