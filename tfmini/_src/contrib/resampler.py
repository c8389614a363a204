"""`tf.contrib.resampler`: bilinear sampling of images."""

from typing import Any as _Any

from tfmini._src.graph.scopes import name_scope as _name_scope
from tfmini._src.graph.tensor import Tensor as _Tensor
from tfmini._src.ops import ops as _ops, raw as _raw


def resampler(data: _Any, warp: _Any, name: str = "resampler") -> _Tensor:
    """Samples images bilinearly at fractional points, with zeros outside. Differentiable in both arguments.

    Args:
      data: [batch, height, width, channels] floats.
      warp: [batch, ..., 2] floats of the same dtype: x (column) and y (row).

    Returns:
      [batch, ..., channels].

    Raises:
      UnimplementedError (at run time): if data does not have four axes or warp two coordinates.

    Example:
      values = tf.contrib.resampler.resampler(images, points)
    """
    with _name_scope(name, "resampler", [data, warp]):
        data = _ops.convert_to_tensor(data, name="data")
        warp = _ops.convert_to_tensor(warp, name="warp")
        return _raw.Resampler(data, warp)
