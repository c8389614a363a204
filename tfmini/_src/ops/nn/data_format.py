"""Conversion of axes and sizes between data formats: DataFormatDimMap and DataFormatVecPermute."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.device_constants import fixed
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.ops.operands import shape_text

_ATTRS: dict[str, Any] = {
    "T": Attr("type", dtypes.int32, allowed=(dtypes.int32, dtypes.int64)),
    "src_format": "NHWC",
    "dst_format": "NCHW",
}


def _as_str(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else value


@op("DataFormatDimMap", "x: T -> y: T", infer=same_shape, **_ATTRS)
def data_format_dim_map_op(xp, x, *, src_format, dst_format):
    source, target = _as_str(src_format), _as_str(dst_format)
    positions = np.array([max(target.find(letter), 0) for letter in source], x.dtype)
    return fixed(xp, positions)[(x + len(source)) % len(source)]


@data_format_dim_map_op.check_attrs
def _(attrs, on_gpu):
    for role, short in (("Source", "src"), ("Destination", "dst")):
        value = _as_str(attrs[f"{short}_format"])
        if len(value) not in (4, 5):
            invalid(f"{role} format must be of length 4 or 5, received {short}_format = {value}")


@op("DataFormatVecPermute", "x: T -> y: T", infer=same_shape, **_ATTRS)
def data_format_vec_permute_op(xp, x, *, src_format, dst_format):
    if x.ndim not in (1, 2):
        invalid(f"input must be a vector or 2D tensor, but got shape {shape_text(x.shape)}")
    if x.ndim == 1 and len(x) != 4:
        invalid(f"1D input must be of size 4, but got shape {shape_text(x.shape)}")
    if len(x) != 4:
        invalid(
            f"First dimension of 2D input must be of size 4, but got shape {shape_text(x.shape)}"
        )
    if x.ndim == 2 and x.shape[1] != 2:
        invalid(
            f"Second dimension of 2D input must be of size 2, but got shape {shape_text(x.shape)}"
        )
    source, target = _as_str(src_format), _as_str(dst_format)
    if sorted(source) != sorted(target) or len(set(source)) != 4:
        invalid(f"{source} and {target} must have the same four letters")
    return x[fixed(xp, np.array([source.index(letter) for letter in target]))]
