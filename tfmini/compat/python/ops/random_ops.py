"""`tensorflow.python.ops.random_ops`: the functions without public names."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.seeds import get_seed
from tfmini._src.graph.static_values import narrow_captured_shape
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw
from tfmini._src.ops.random.op_stream import shape_tensor

__all__ = ["parameterized_truncated_normal"]


def parameterized_truncated_normal(
    shape: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Returns normal random numbers truncated to the given bounds.

    Args:
      shape: the shape of the result; if parameters are vectors, its first axis corresponds to theirs.
      means, stddevs: mean and standard deviation of the normal distribution, each a number or a vector.
      minvals, maxvals: the bounds, each a number or a vector.
      dtype: a float dtype.
      seed: see `tf.set_random_seed`.
    """
    parameters = {"means": means, "stddevs": stddevs, "minvals": minvals, "maxvals": maxvals}
    with name_scope(name, "parameterized_truncated_normal", [shape, *parameters.values()]):
        shape = shape_tensor(shape)
        arguments = [convert_to_tensor(v, dtype=dtype, name=n) for n, v in parameters.items()]
        seed1, seed2 = get_seed(seed)
        drawn = raw.ParameterizedTruncatedNormal(shape, *arguments, seed=seed1, seed2=seed2)
        return narrow_captured_shape(drawn, shape)
