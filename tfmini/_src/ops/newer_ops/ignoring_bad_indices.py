"""GatherNd, ScatterNd and TensorScatter ops that ignore points outside (`bad_indices_policy`) or gather zeros there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.graph.opdef import OpDef, op
from tfmini._src.ops.array import gather_nd, scatter_nd
from tfmini._src.ops.operands import ANY, INDEX


def _in_bounds(xp: Any, indices: Any, shape: Sequence[int]) -> Any:
    """Returns a bool mask of the points that are in bounds; `indices` is a matrix."""
    sizes = xp.asarray(shape[: indices.shape[-1]], indices.dtype)
    return ((indices >= 0) & (indices < sizes)).all(axis=-1)


@op(
    "_GatherNdIgnoring",
    "params: Tparams, indices: Tindices -> output: Tparams",
    Tparams=ANY,
    Tindices=INDEX,
)
def gather_op(xp, params, indices):
    points = indices.reshape(-1, indices.shape[-1])
    in_bounds = _in_bounds(xp, points, params.shape)
    safe = xp.where(in_bounds[:, None], points, 0).reshape(indices.shape)
    gathered = gather_nd.gather_nd_op.kernel(xp, params, safe)
    rows = gathered.reshape(len(points), -1) if gathered.size else gathered
    if gathered.size:
        rows[~in_bounds] = params.dtype.type(0)
    return rows.reshape(gathered.shape)


gather_op.shape_rule = gather_nd.gather_nd_op.shape_rule


def _valid_points(xp: Any, indices: Any, updates: Any, shape: Sequence[int]) -> tuple[Any, Any]:
    """Returns the points that are in bounds, as a matrix, and their updates."""
    depth = indices.shape[-1]
    points = indices.reshape(-1, depth)
    in_bounds = _in_bounds(xp, points, shape)
    rows = updates.reshape(len(points), *updates.shape[indices.ndim - 1 :])
    return points[in_bounds], rows[in_bounds]


@op(
    "_ScatterNdIgnoring",
    "indices: Tindices, updates: T, shape: Tindices -> output: T",
    static_inputs=("shape",),
    T=ANY,
    Tindices=INDEX,
)
def scatter_op(xp, indices, updates, shape):
    valid = _valid_points(xp, indices, updates, shape.tolist())
    return scatter_nd.scatter_nd_op.kernel(xp, *valid, shape)


scatter_op.shape_rule = scatter_nd.scatter_nd_op.shape_rule


def _declare(base: OpDef) -> None:
    @op(
        f"_{base.name}Ignoring",
        "tensor: T, indices: Tindices, updates: T -> output: T",
        T=ANY,
        Tindices=INDEX,
    )
    def declared_op(xp, tensor, indices, updates):
        return base.kernel(xp, tensor, *_valid_points(xp, indices, updates, tensor.shape))

    declared_op.shape_rule = base.shape_rule


for _base in (
    *(scatter_nd.tensor_scatter_add_op, scatter_nd.tensor_scatter_sub_op),
    scatter_nd.tensor_scatter_update_op,
):
    _declare(_base)
