"""Scatter updates of reference and resource variables.

Indices may repeat; updates are applied sequentially, in order.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.gather_scatter import flat_row_indices, scatter, scatters
from tfmini._src.devices.cuda.launch import runs_cuda
from tfmini._src.devices.host.native import rows as native, segment_reduce
from tfmini._src.devices.host.native.gather import number_points
from tfmini._src.devices.numpy.row_scatter import add_rows, is_applicable, set_rows
from tfmini._src.graph.op_traits.handle_kinds import VARIABLE
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import InferenceError, merge, text, with_rank_at_least
from tfmini._src.ops.bounds import describe_outside_index, describe_outside_point
from tfmini._src.ops.state.assign import NUMBERS, as_array
from tfmini._src.ops.state.resource_variables import (
    INDICES,
    handle_dims,
    handle_source,
    require_initialized,
)

op = functools.partial(
    op_with_handles(resource=VARIABLE, ref=VARIABLE), host_or_cuda=True, sorts_indices=True
)

ORDERED_DTYPES = (
    *(dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64),
)

# Repetitions of an index above which the ufunc's own loop is faster.
_MAX_ROUNDS = 8

# Row length above which row-by-row updates beat the ufunc's loop (192 rows of 128, a quarter of them repeated: 55
# us instead of 180).
_WIDE_ROW = 32

_NEUTRAL = {"maximum": -np.inf, "minimum": np.inf}

# Dtypes without arithmetic kernels.

# The maximum index depth of a point.
_MAX_AXES = 7


def _quotient(xp: Any) -> Callable:
    """Divides as C does, truncating integers towards zero."""

    def divide(a, b):
        if a.dtype.kind in "iu":
            return (xp.sign(a) * xp.sign(b) * (abs(a) // abs(b))).astype(a.dtype)
        return xp.true_divide(a, b)

    return divide


def _combine(xp: Any, reduce: str) -> Callable:
    return _quotient(xp) if reduce == "divide" else getattr(xp, reduce)


def reduce_in_order(xp: Any, array: Any, positions: Any, updates: Any, reduce: str) -> None:
    """Sets `array[positions[i]] = reduce(array[positions[i]], updates[i])` for each i in turn; `positions` is flat."""
    if reduce in ("add", "subtract") and xp is np:
        if native.add_rows(array, positions, updates, reduce == "subtract"):
            return
        if is_applicable(updates, positions):
            add_rows(array, positions, updates if reduce == "add" else -updates)
            return
    if reduce in _NEUTRAL and updates.dtype.kind == "f":  # NaN changes nothing
        updates = xp.where(xp.isnan(updates), updates.dtype.type(_NEUTRAL[reduce]), updates)
    if (
        xp is np
        and segment_reduce.reduce_rows(reduce, updates, positions, array, starts_seen=True)
        is not None
    ):
        return
    combine = _combine(xp, reduce)
    order = xp.argsort(positions, kind="stable")
    ranked = positions[order]
    repeated = ranked[1:] == ranked[:-1]
    if not repeated.any():
        array[positions] = combine(array[positions], updates)
        return
    # Round k consists of the k-th occurrence of each index; within a round no index repeats.
    occurrence = xp.arange(len(positions)) - xp.searchsorted(ranked, ranked)
    rounds = int(occurrence.max()) + 1
    if (
        xp is np
        and rounds > _MAX_ROUNDS
        and reduce in ("add", "subtract", "multiply", "minimum", "maximum")
    ):
        ufunc = getattr(xp, reduce)
        if updates[0].size < _WIDE_ROW:
            ufunc.at(array, positions, updates)
        else:
            _row_by_row(ufunc, array, positions, updates, order, repeated)
        return
    for k in range(rounds):
        selected = order[occurrence == k]
        targets = positions[selected]
        array[targets] = combine(array[targets], updates[selected])


def _row_by_row(
    ufunc: Any, array: Any, positions: Any, updates: Any, order: Any, repeated: Any
) -> None:
    """`reduce_in_order` on the CPU: unique indices in one step, repeated indices row by row, in order."""
    alone = np.ones(len(order), bool)
    alone[1:] &= ~repeated
    alone[:-1] &= ~repeated
    selected, repeats = order[alone], order[~alone]
    targets = positions[selected]
    array[targets] = ufunc(array[targets], updates[selected])
    for position, row in zip(positions[repeats].tolist(), updates[repeats]):
        ufunc(array[position], row, array[position])


def _write_rows(xp: Any, array: Any, positions: Any, updates: Any, reduce: str) -> None:
    """Applies `updates` to the rows of `array` listed in the flat vector `positions`."""
    if _skips_out_of_range(xp, array, reduce):
        scatter(xp, reduce, array, positions, updates)
    elif reduce == "update":
        set_rows(array, positions, updates)
    elif positions.size:
        reduce_in_order(xp, array, positions, updates, reduce)


def _skips_out_of_range(xp: Any, array: Any, reduce: str) -> bool:
    """Whether this is a GPU kernel, which skips out-of-range indices to avoid a synchronizing check."""
    return runs_cuda(xp) and scatters(array.dtype, reduce)


# Rows ------------------------------------------------------------------------------------------


def _scatter_rows(
    ctx: Any, cell: Any, indices: Any, updates: Any, reduce: str, is_ref: bool = True
) -> None:
    xp = ctx.xp
    indices = xp.asarray(indices)

    def change(array):
        if not array.ndim:
            invalid("params must be at least 1-D, got shape []")
        shape = getattr(updates, "shape", ())
        if not (is_ref or indices.size):
            return array
        if shape and shape != indices.shape + array.shape[1:]:
            _check_shapes(shape, indices.shape, array.shape, is_ref, reduce)
        on_gpu = _skips_out_of_range(xp, array, reduce)
        problem = "" if on_gpu else describe_outside_index(indices, len(array))
        if problem:
            invalid(problem)
        values, positions = updates, indices
        rows = (indices.size, *array.shape[1:])
        if indices.ndim != 1 or shape != rows:
            positions = indices.reshape(-1)
            if shape:
                values = updates
                if updates.size != math.prod(rows):
                    values = updates.reshape(rows[0], -1)[:, : math.prod(rows[1:])]
                values = values.reshape(rows)
            else:
                values = xp.broadcast_to(as_array(xp, updates, ctx.op.inputs[2].dtype), rows)
        if on_gpu:
            array = xp.ascontiguousarray(array)
        _write_rows(xp, array, positions, values, reduce)
        return array

    cell.update(change)


def _check_shapes(updates: tuple, indices: tuple, params: tuple, is_ref: bool, reduce: str) -> None:
    """Raises InvalidArgumentError for mismatched updates.

    Resource variables accept updates that can be reshaped and, except in assignments, longer rows, whose ends are
    ignored.
    """
    count, size = math.prod(indices), math.prod(updates)
    used = count * math.prod(params[1:])
    if not is_ref and count and size % count:
        invalid(
            f"shape of indices ({text(indices)}) is not compatible with the shape of updates ({text(updates)})"
        )
    if is_ref or (size != used if reduce == "update" else size < used):
        invalid(
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got "
            f"updates.shape {text(updates)}, indices.shape {text(indices)}, params.shape {text(params)}"
        )


def _check_rows(params: Any, op: Any) -> None:
    """Checks that updates.shape is indices.shape + params.shape[1:], or []."""
    indices, updates = op.inputs[1]._dims, op.inputs[2]._dims
    if params is None or indices is None or updates == ():
        return
    merge(updates, indices + params[1:])


def _ref_dims(op: Any) -> Any:
    dims = op.inputs[0]._dims
    _check_rows(dims, op)
    return dims


def _resource_dims(op: Any) -> list:
    _check_rows(handle_dims(op.inputs[0], op.attrs["dtype"]), op)
    return []


def _declare_rows(name: str, reduce: str) -> None:
    """Declares the ops ScatterX and ResourceScatterX."""
    attrs = {"update": Attr("type"), "minimum": ORDERED_DTYPES, "maximum": ORDERED_DTYPES}.get(
        reduce, NUMBERS
    )

    @op(
        f"Scatter{name}",
        "ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T)",
        T=attrs,
        Tindices=INDICES,
        use_locking=reduce == "update",
    )
    def scatter(ctx, ref, indices, updates):
        _scatter_rows(ctx, ref, indices, updates, reduce)
        return ref

    scatter.infer(_ref_dims)
    if reduce not in ("update", "minimum", "maximum"):
        scatter.differentiable = False

    @op(
        f"ResourceScatter{name}",
        "resource: resource, indices: Tindices, updates: dtype ->",
        device_state=True,
        stateful=True,
        dtype=Attr("type") if reduce == "update" else NUMBERS,
        Tindices=INDICES,
    )
    def resource_scatter(ctx, resource, indices, updates):
        _scatter_rows(
            ctx, require_initialized(ctx, resource), indices, updates, reduce, is_ref=False
        )
        return ()

    resource_scatter.infer(_resource_dims)


_REDUCTIONS = {
    "Update": "update",
    "Add": "add",
    "Sub": "subtract",
    "Mul": "multiply",
    "Div": "divide",
    "Min": "minimum",
    "Max": "maximum",
}
for _name, _how in _REDUCTIONS.items():
    _declare_rows(_name, _how)


# Points and slices -----------------------------------------------------------------------------


def _scatter_points(ctx: Any, cell: Any, indices: Any, updates: Any, reduce: str) -> None:
    xp = ctx.xp
    indices, updates = xp.asarray(indices), as_array(xp, updates, ctx.op.inputs[2].dtype)

    def change(array):
        problem = points_problem(array.shape, indices.shape, updates.shape)
        if problem:
            invalid(problem)
        if not indices.size:
            return array
        points, values = points_and_rows(indices, updates)
        depth = points.shape[-1]
        positions = _row_numbers(ctx, points, array, reduce)
        contiguous = xp.ascontiguousarray(array)
        values = values.reshape((positions.size, *array.shape[depth:]))
        written = "not_equal" if reduce == "subtract" and array.dtype == bool else reduce
        _write_rows(xp, contiguous.reshape((-1, *array.shape[depth:])), positions, values, written)
        return contiguous

    cell.update(change)


def _row_numbers(ctx: Any, points: Any, array: Any, reduce: str) -> Any:
    """Converts points to row numbers in a flat vector."""
    xp, depth = ctx.xp, points.shape[-1]
    if _skips_out_of_range(xp, array, reduce):
        return flat_row_indices(xp, points, array.shape[:depth]).reshape(-1)
    return flat_point_indices(xp, points, array.shape)


def flat_point_indices(xp: Any, points: Any, shape: tuple) -> Any:
    """Converts points on the first axes of `shape` to row numbers in a flat vector."""
    row_ids = number_points(points, shape) if xp is np else None
    if row_ids is not None:
        return row_ids
    problem = describe_outside_point(xp, points, shape)
    if problem:
        invalid(problem)
    depth = points.shape[-1]
    strides = [math.prod(shape[axis + 1 : depth]) for axis in range(depth)]
    return (points.reshape(-1, depth) * xp.asarray(strides, np.int64)).sum(axis=1, dtype=np.int64)


def points_and_rows(indices: Any, updates: Any) -> tuple[Any, Any]:
    """Returns points and rows; only the first element of an index vector is used, as in TensorFlow."""
    return (indices[:1, None], updates[:1]) if indices.ndim == 1 else (indices, updates)


def points_problem(shape: tuple, indices: tuple, updates: tuple) -> str:
    """Returns the error message for mismatched shapes of a scatter at points into shape `shape`, or ""."""
    if not shape:
        return "Output must be at least 1-D, got shape: []"
    if some_are_empty(shape, indices, updates):
        return f"Indices and updates specified for empty output.  indices shape: {text(indices)}"
    if indices[:1] != updates[:1]:
        return (
            "The outermost dimension of updates and indices must match. Got indices.shape "
            f"{text(indices)}, updates.shape {text(updates)}"
        )
    depth = indices[-1] if len(indices) > 1 else 1
    batch = len(indices) - 1 if len(indices) > 1 else 1
    if indices and depth <= len(shape) and updates == indices[:batch] + shape[depth:]:
        if 0 in shape or 0 < depth <= _MAX_AXES:
            return ""
        return (
            "Only indices.shape[-1] values between 1 and 5 are currently supported.  Requested rank: "
            f"{depth}"
        )
    return (
        "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got "
        f"updates.shape: {text(updates)}, indices.shape: {text(indices)}, params_shape: "
        f"{text(shape)}, "
        f"slice_dim: {depth}, and batch_dim: {batch}"
    )


def some_are_empty(shape: tuple, indices: tuple, updates: tuple) -> bool:
    """Whether the target is empty, or only one of indices and updates is."""
    if 0 in indices and 0 in updates:
        return False
    return 0 in shape or 0 in indices or 0 in updates


def check_points(target: Any, indices: Any, updates: Any, name: str = "input") -> None:
    """Static shape check for scattering `updates` at points `indices` into shape `target`."""
    with_rank_at_least(indices, 1)
    with_rank_at_least(updates, 1)
    if target is not None and 0 in target and (_is_nonempty(indices) or _is_nonempty(updates)):
        raise InferenceError("Indices and updates specified for empty output shape")
    if indices is None or updates is None or indices[-1] is None:
        return
    outer, depth = len(indices) - 1, indices[-1]
    try:
        merge(indices[:outer], updates[:outer])
    except InferenceError as error:
        raise InferenceError(
            f"The outer {outer} dimensions of indices.shape={text(indices)} must match the outer "
            f"{outer} "
            f"dimensions of updates.shape={text(updates)}: {error}"
        ) from None
    if target is None:
        return
    inner, inner_updates = target[depth:], updates[outer:]
    try:
        merge(inner, inner_updates)
    except InferenceError as error:
        raise InferenceError(
            f"The inner {len(target) - depth} dimensions of {name}.shape={text(target)} must match the "
            "inner "
            f"{len(inner_updates)} dimensions of updates.shape={text(updates)}: {error}"
        ) from None


def _is_nonempty(dims: Any) -> bool:
    """Whether a shape is known to be nonempty."""
    return dims is not None and None not in dims and 0 not in dims


def _point_ref_dims(op: Any) -> Any:
    dims = op.inputs[0]._dims
    check_points(dims, op.inputs[1]._dims, op.inputs[2]._dims)
    return dims


def _point_resource_dims(op: Any) -> list:
    handle = op.inputs[0]
    dims = handle_dims(handle, op.attrs["T"] if handle_source(handle) else None)
    check_points(dims, op.inputs[1]._dims, op.inputs[2]._dims)
    return []


def _declare_points(name: str, reduce: str) -> None:
    """Declares the ops ScatterNdX and ResourceScatterNdX."""

    @op(
        f"ScatterNd{name}",
        "ref: Ref(T), indices: Tindices, updates: T -> output_ref: Ref(T)",
        differentiable=False,
        T=Attr("type") if reduce == "update" else NUMBERS,
        Tindices=INDICES,
        use_locking=reduce == "update",
    )
    def scatter(ctx, ref, indices, updates):
        _scatter_points(ctx, ref, indices, updates, reduce)
        return ref

    scatter.infer(_point_ref_dims)

    @op(
        f"ResourceScatterNd{name}",
        "ref: resource, indices: Tindices, updates: T ->",
        device_state=True,
        stateful=True,
        T=Attr("type"),
        Tindices=INDICES,
        use_locking=True,
    )
    def resource_scatter(ctx, resource, indices, updates):
        _scatter_points(ctx, require_initialized(ctx, resource), indices, updates, reduce)
        return ()

    resource_scatter.infer(_point_resource_dims)


for _name in ("Update", "Add", "Sub"):
    _declare_points(_name, _REDUCTIONS[_name])
