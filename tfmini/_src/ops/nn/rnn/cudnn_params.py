"""Parameters of cuDNN RNNs: buffer size, and conversion of the opaque buffer to and from matrices and biases.

The canonical form lists, by layer and direction, the gate matrices for the inputs, then for the state, [units, width],
and a bias for each. The gates are i, f, c, o for an LSTM and r, u, h for a GRU. A first layer that skips the input
product uses identity matrices instead.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import int32, int64
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.cudnn.weight_spaces import Part, WeightSpace
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.ops.nn.rnn.cudnn_settings import (
    ATTRS,
    FLOATS,
    cached_net,
    net_settings,
    restrict_to_gpus,
)

_SIZES = "num_layers: int32, num_units: int32, input_size: int32"
_STATIC = ("num_layers", "num_units", "input_size")
_COUNT: dict[str, Any] = {"num_params": Attr("int", minimum=1)}
_COUNTS: dict[str, Any] = {
    "num_params_weights": Attr("int", minimum=1),
    "num_params_biases": Attr("int", minimum=1),
}


def _space(gpu: Any, sizes: tuple, attrs: tuple, projected: int, dtype: Any) -> WeightSpace:
    layers, units, inputs = (int(size) for size in sizes)
    settings = net_settings(
        *attrs, layers=layers, units=units, inputs=inputs, projected=projected, dtype=dtype
    )
    return cached_net(gpu, settings).weights


def _check_counts(space: WeightSpace, matrices: int, biases: int) -> None:
    expected = tuple(len(parts) for parts in space.parts())
    if (matrices, biases) != expected:
        invalid(
            f"The network has {expected[0]} matrices and {expected[1]} biases, but {matrices} and "
            f"{biases} were requested"
        )


# The size ---------------------------------------------------------------------------------------------


@op(
    "CudnnRNNParamsSize",
    f"{_SIZES} -> params_size: S",
    static_inputs=_STATIC,
    T=FLOATS,
    S=(int32, int64),
    **ATTRS,
    num_proj=0,
)
def params_size_op(
    gpu, layers, units, inputs, *, T, S,
    rnn_mode, input_mode, direction, dropout, seed, seed2, num_proj,
):  # fmt: skip
    attrs = (rnn_mode, input_mode, direction, dropout, seed, seed2)
    space = _space(gpu, (layers, units, inputs), attrs, num_proj, T.as_numpy_dtype.__name__)
    return np.array([space.elements], S.as_numpy_dtype)


@params_size_op.infer
def _(op: Any) -> Dims:
    for tensor in op.inputs:
        with_rank(tensor._dims, 0)
    return (1,)


# From the buffer --------------------------------------------------------------------------------------


def _canonical(gpu: Any, params: Any, space: WeightSpace, matrices: int, biases: int) -> list:
    _check_counts(space, matrices, biases)
    if params.shape != (space.elements,):
        invalid(f"params must have the shape ({space.elements},), has {params.shape}")

    def read(part: Part) -> Any:
        if part.begin is None:
            return gpu.xp.eye(part.shape[0], dtype=params.dtype)
        flat = params[part.begin : part.begin + math.prod(part.shape)]
        return flat.reshape(part.shape).copy()

    matrix_parts, bias_parts = space.parts()
    return [read(part) for part in (*matrix_parts, *bias_parts)]


@op(
    "CudnnRNNParamsToCanonical",
    f"{_SIZES}, params: T -> weights: num_params * T, biases: num_params * T",
    static_inputs=_STATIC,
    T=FLOATS,
    **_COUNT,
    **ATTRS,
)
def params_to_canonical_op(
    gpu, layers, units, inputs, params, *, num_params,
    rnn_mode, input_mode, direction, dropout, seed, seed2,
):  # fmt: skip
    attrs = (rnn_mode, input_mode, direction, dropout, seed, seed2)
    space = _space(gpu, (layers, units, inputs), attrs, 0, params.dtype)
    return _canonical(gpu, params, space, num_params, num_params)


@op(
    "CudnnRNNParamsToCanonicalV2",
    f"{_SIZES}, params: T -> weights: num_params_weights * T, biases: num_params_biases * T",
    static_inputs=_STATIC,
    T=FLOATS,
    **_COUNTS,
    **ATTRS,
    num_proj=0,
)
def params_to_canonical_v2_op(
    gpu, layers, units, inputs, params, *, num_params_weights, num_params_biases,
    rnn_mode, input_mode, direction, dropout, seed, seed2, num_proj,
):  # fmt: skip
    attrs = (rnn_mode, input_mode, direction, dropout, seed, seed2)
    space = _space(gpu, (layers, units, inputs), attrs, num_proj, params.dtype)
    return _canonical(gpu, params, space, num_params_weights, num_params_biases)


def _canonical_dims(op: Any) -> list[Dims]:
    with_rank(op.inputs[3]._dims, 1)
    count = op.attrs.get("num_params")
    matrices, biases = (op.attrs.get(f"num_params_{part}", count) for part in ("weights", "biases"))
    return [(None, None)] * matrices + [(None,)] * biases


# Into the buffer --------------------------------------------------------------------------------------


def _pack_params(gpu: Any, weights: list, biases: list, space: WeightSpace) -> Any:
    _check_counts(space, len(weights), len(biases))
    params = gpu.xp.zeros(space.elements, weights[0].dtype)
    matrix_parts, bias_parts = space.parts()
    for value, part in zip((*weights, *biases), (*matrix_parts, *bias_parts)):
        if part.begin is None:
            continue
        size = math.prod(part.shape)
        if value.size != size:
            invalid(f"Expected a part of shape {part.shape}, got {value.shape}")
        params[part.begin : part.begin + size] = value.reshape(-1)
    return params


@op(
    "CudnnRNNCanonicalToParams",
    f"{_SIZES}, weights: num_params * T, biases: num_params * T -> params: T",
    infer=lambda op: (None,),
    static_inputs=_STATIC,
    T=FLOATS,
    **_COUNT,
    **ATTRS,
)
def canonical_to_params_op(
    gpu, layers, units, inputs, weights, biases, *,
    rnn_mode, input_mode, direction, dropout, seed, seed2,
):  # fmt: skip
    attrs = (rnn_mode, input_mode, direction, dropout, seed, seed2)
    space = _space(gpu, (layers, units, inputs), attrs, 0, weights[0].dtype)
    return _pack_params(gpu, weights, biases, space)


@op(
    "CudnnRNNCanonicalToParamsV2",
    f"{_SIZES}, weights: num_params_weights * T, biases: num_params_biases * T -> params: T",
    infer=lambda op: (None,),
    static_inputs=_STATIC,
    T=FLOATS,
    **_COUNTS,
    **ATTRS,
    num_proj=0,
)
def canonical_to_params_v2_op(
    gpu, layers, units, inputs, weights, biases, *,
    rnn_mode, input_mode, direction, dropout, seed, seed2, num_proj,
):  # fmt: skip
    attrs = (rnn_mode, input_mode, direction, dropout, seed, seed2)
    space = _space(gpu, (layers, units, inputs), attrs, num_proj, weights[0].dtype)
    return _pack_params(gpu, weights, biases, space)


for _op in (params_to_canonical_op, params_to_canonical_v2_op):
    _op.infer(_canonical_dims)
for _op in (
    params_size_op,
    params_to_canonical_op,
    params_to_canonical_v2_op,
    canonical_to_params_op,
    canonical_to_params_v2_op,
):
    restrict_to_gpus(_op)
