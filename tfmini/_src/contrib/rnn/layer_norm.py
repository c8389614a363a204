"""Layer normalization of a cell's gate inputs: Ba et al. (2016), https://arxiv.org/abs/1607.06450."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Constant
from tfmini._src.variables.variable_scope import variable_scope


def layer_normalized(x: Tensor, scope: str, gain: float, shift: float, dtype: Any = None) -> Tensor:
    """Layer-normalizes the rows of x [batch, n]; gamma and beta are initialized to gain and shift."""
    shape = x.shape[-1:]
    with variable_scope(scope):
        get_variable("gamma", shape=shape, initializer=Constant(gain), dtype=dtype)
        get_variable("beta", shape=shape, initializer=Constant(shift), dtype=dtype)
    with variable_scope(scope, "LayerNorm", [x], reuse=True):
        x_type = x.dtype.base_dtype
        beta = get_variable("beta", shape=shape, dtype=x_type)
        gamma = get_variable("gamma", shape=shape, dtype=x_type)
        mean, variance = ops.moments(x, [1], keep_dims=True)
        epsilon = 1e-3 if x_type.size == 2 else 1e-12
        with name_scope(None, "batchnorm", [x, mean, variance, gamma, beta]):
            inverse = ops.rsqrt(variance + epsilon) * gamma
            normalized = x * ops.cast(inverse, x.dtype) + ops.cast(beta - mean * inverse, x.dtype)
        normalized.set_shape(x.shape)
        return normalized
