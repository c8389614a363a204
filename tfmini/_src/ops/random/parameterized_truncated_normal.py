"""Truncated normal distributions with separate parameters for each row."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.devices.numpy import parameterized_truncated_normal as backend
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import Dims, with_rank_at_most
from tfmini._src.ops.operands import INDEX, shape_text
from tfmini._src.ops.random.op_stream import SEEDS, drawn_shape, reserve, sizes
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE

_NAMES = ("means", "stddevs", "minvals", "maxvals")


@op(
    "ParameterizedTruncatedNormal",
    "shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: dtype -> output: dtype",
    host_or_cuda=True,
    through_host=True,
    differentiable=False,
    stateful=True,
    static_inputs=("shape", "means", "stdevs", "minvals", "maxvals"),
    **SEEDS,
    dtype=HALF_TO_DOUBLE,
    T=INDEX,
)
def parameterized_truncated_normal_op(ctx, shape, means, stdevs, minvals, maxvals, *, dtype):
    if shape.ndim != 1:
        text = f"Input shape should be a vector, got shape: {shape_text(shape.shape)}"
        invalid(text)
    dims, size = sizes(shape)
    values = [np.asarray(p) for p in (means, stdevs, minvals, maxvals)]
    _check_parameters(values, dims)
    numpy_dtype = dtype.as_numpy_dtype
    rows = dims[0] if dims else 1
    if not any(p.ndim for p in values):  # scalars: the kernel chooses the grouping
        per_row = backend.MAX_SHARED_OUTPUTS
        rows = -(-size // per_row)
    else:
        per_row = size // rows if rows else 0
    stream = reserve(ctx, rows * 2 * backend.MAX_REJECTIONS * (per_row + 3) // 4)
    lengths = [min(per_row, size - row * per_row) for row in range(rows)]
    parameters = list(zip(*(np.broadcast_to(p.reshape(-1), rows) for p in values)))
    _check_values(parameters)
    try:
        samples = backend.bounded_normals(stream, lengths, parameters, np.dtype(numpy_dtype))
    except backend.TooManyRejectionsError as error:
        text = f"TruncatedNormal {error} rejection sampler failed to accept a sample."
        raise InternalError(None, None, text) from None
    return ctx.xp.asarray(samples.reshape(dims))


def _check_parameters(parameters: list[Any], dims: tuple[int, ...]) -> None:
    for name, parameter in zip(_NAMES, parameters):
        if parameter.ndim > 1:
            wrong = "be a scalar or vector"
        elif parameter.size not in (1, dims[0] if dims else 1):
            wrong = "have length 1 or shape[0]"
        else:
            continue
        invalid(f"Input {name} should {wrong}, got shape: {shape_text(parameter.shape)}")


def _check_values(parameters: list[Any]) -> None:
    for _, deviation, low, high in parameters:
        if not (deviation > 0 and low < high and (np.isfinite(low) or np.isfinite(high))):
            invalid("Invalid parameters")


@parameterized_truncated_normal_op.infer
def _(op) -> Dims:
    for parameter in op.inputs[1:]:
        with_rank_at_most(parameter._dims, 1)
    return drawn_shape(op)
