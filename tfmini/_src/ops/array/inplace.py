"""In-place row updates; unlike TensorFlow's, they write into the input only if no other op needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.gather_scatter import scatter, scatters
from tfmini._src.devices.cuda.launch import runs_cuda
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import checked_ranks, input_dims, same_shape
from tfmini._src.ops.operands import check_not_negative, shape_text


@op(
    "Empty",
    "shape: int32 -> output: dtype",
    infer=checked_ranks(1, result=lambda op: input_dims(op, 0)),
    static_inputs=("shape",),
    stateful=True,
    dtype=Attr("type"),
    init=False,
)
def empty_op(xp, shape, *, dtype):
    """Returns zeros; TensorFlow leaves the memory uninitialized."""
    if shape.ndim != 1:
        invalid(f"shape must be a vector of int32, got shape {shape_text(shape.shape)}")
    sizes = shape.tolist()
    check_not_negative(sizes)
    if dtype.as_numpy_dtype is object:
        return np.full(sizes, b"", object)
    return xp.zeros(sizes, dtype.as_numpy_dtype)


@op("DeepCopy", "x: T -> y: T", infer=same_shape, stateful=True, T=Attr("type"))
def deep_copy_op(xp, x):
    _check_dtype(x)
    return xp.array(x)


def _check_dtype(x: Any, rejected_kinds: str = "") -> None:
    """Rejects dtypes that TensorFlow cannot copy, and dtypes of the kinds in `rejected_kinds`."""
    if x.dtype.names or x.dtype.kind in rejected_kinds or x.dtype in (np.uint32, np.uint64):
        invalid(f"Unsupported data type: {as_dtype(x.dtype).name}")


def _row_indices(x: Any, i: Any, v: Any) -> Any:
    """Returns the row indices modulo the number of rows."""
    if i.ndim != 1:
        invalid(f"i must be a vector. {shape_text(i.shape)}")
    if x.ndim != v.ndim:
        invalid(
            "x and v shape doesn't match (ranks differ): "
            f"{shape_text(x.shape)} vs. {shape_text(v.shape)}"
        )
    for axis in range(1, x.ndim):
        if x.shape[axis] != v.shape[axis]:
            invalid(
                f"x and v shape doesn't match at index {axis} : "
                f"{shape_text(x.shape)} vs. {shape_text(v.shape)}"
            )
    if len(i) != len(v):
        invalid(
            f"i and x shape doesn't match at index 0: {shape_text(i.shape)} vs. {shape_text(v.shape)}"
        )
    if len(i) and not len(x):  # TensorFlow would divide by 0
        invalid(f"x has no rows to change: {shape_text(x.shape)}")
    return i % max(1, len(x))


def _declare(name: str, change: Callable) -> None:
    """Declares an op that updates rows `i` of `x` with `v`; `change(xp, array, rows, v)` works in place."""

    @op(name, "x: T, i: int32, v: T -> y: T", infer=same_shape, T=Attr("type"))
    def overwrite(xp, x, i, v):
        rows = _row_indices(x, i, v)
        result = xp.array(x)
        change(xp, result, rows, v)
        return result

    @overwrite.bind
    def _(ctx):
        """Writes into `x` itself if it has no other consumer."""
        xp = ctx.xp
        if "x" not in ctx.owned:
            return None

        def in_place(x, i, v):
            change(xp, x, _row_indices(x, i, v), v)
            return x

        return in_place


def _row_updater(reduce: str) -> Callable:
    """Returns a function that updates rows sequentially on the GPU; CuPy's scatter ops support few dtypes."""

    def change(xp: Any, x: Any, rows: Any, v: Any) -> None:
        _check_dtype(x, "" if reduce == "update" else "bO")
        if runs_cuda(xp) and scatters(x.dtype, reduce):
            contiguous = x if x.flags.c_contiguous else xp.ascontiguousarray(x)
            scatter(xp, reduce, contiguous, rows, v)
            if contiguous is not x:
                x[...] = contiguous
        elif reduce == "update":
            x[rows] = v
        else:
            getattr(xp, reduce).at(x, rows, v)

    return change


_declare("InplaceUpdate", _row_updater("update"))
_declare("InplaceAdd", _row_updater("add"))
_declare("InplaceSub", _row_updater("subtract"))
