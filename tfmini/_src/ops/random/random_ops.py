"""Uniform and normal samples and shuffles from the same random streams as TensorFlow's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.host.native.rows import take_rows
from tfmini._src.devices.numpy import random_choices, random_distributions
from tfmini._src.graph.opdef import Attr, OpDef, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.seeds import get_seed
from tfmini._src.graph.shape_inference import checked_ranks, same_shape
from tfmini._src.graph.static_values import narrow_captured_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX, shape_text
from tfmini._src.ops.random.op_stream import SEEDS, drawn_shape, reserve, shape_tensor, sizes
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE

FLOAT_DRAW = "shape: T -> output: dtype"
_UNIFORM = frozenset([*HALF_TO_DOUBLE, dtypes.int32, dtypes.int64])
FLOAT_ATTRS: dict[str, Any] = {**SEEDS, "dtype": Attr("type", allowed=HALF_TO_DOUBLE), "T": INDEX}
STATIC = ("shape",)


def _float_draw(name: str) -> Callable[..., OpDef]:
    return op(
        name,
        FLOAT_DRAW,
        fixed_draws=True,
        infer=drawn_shape,
        stateful=True,
        differentiable=False,
        host_or_cuda=True,
        static_inputs=STATIC,
        **FLOAT_ATTRS,
    )


def _draw(ctx: Any, shape: Any, dtype: dtypes.DType, draw: Any) -> Any:
    dims, count = sizes(shape)
    stream = reserve(ctx, count * random_distributions.RESERVED_BLOCKS)
    return draw(ctx.xp, stream, count, dtype.as_numpy_dtype).reshape(dims)


@_float_draw("RandomUniform")
def random_uniform_op(ctx, shape, *, dtype):
    return _draw(ctx, shape, dtype, random_distributions.uniform)


@_float_draw("RandomStandardNormal")
def random_standard_normal_op(ctx, shape, *, dtype):
    return _draw(ctx, shape, dtype, random_distributions.normal)


@_float_draw("TruncatedNormal")
def truncated_normal_op(ctx, shape, *, dtype):
    return _draw(ctx, shape, dtype, random_distributions.truncated_normal)


def check_scalars(minval: Any, maxval: Any) -> None:
    """Raises an error for bounds that are not scalars."""
    for name, bound in (("minval", minval), ("maxval", maxval)):
        if bound.ndim:
            invalid(f"{name} must be 0-D, got shape {shape_text(bound.shape)}")


def bounds(minval: Any, maxval: Any) -> tuple[int, int]:
    """Returns the range of integers to draw from; raises an error if it is empty."""
    check_scalars(minval, maxval)
    low, high = int(minval), int(maxval)
    if low >= high:
        invalid(f"Need minval < maxval, got {low} >= {high}")
    return low, high


@op(
    "RandomUniformInt",
    "shape: T, minval: Tout, maxval: Tout -> output: Tout",
    fixed_draws=True,
    host_or_cuda=True,
    infer=checked_ranks(None, 0, 0, result=drawn_shape),
    stateful=True,
    static_inputs=("shape", "minval", "maxval"),
    **SEEDS,
    Tout=INDEX,
    T=INDEX,
)
def random_uniform_int_op(ctx, shape, minval, maxval, *, Tout):
    check_scalars(minval, maxval)
    dims, count = sizes(shape)
    if not count:
        return ctx.xp.empty(dims, Tout.as_numpy_dtype)
    low, high = bounds(minval, maxval)
    stream = reserve(ctx, count * random_distributions.RESERVED_BLOCKS)
    samples = random_distributions.uniform_integers(
        ctx.xp, stream, count, low, high, Tout.as_numpy_dtype
    )
    return samples.reshape(dims)


@random_uniform_int_op.bind
def _(ctx):
    """Fast path with fewer checks, for a constant shape and range."""
    constants = [ctx.constants.get(name) for name in ("shape", "minval", "maxval")]
    if any(constant is None for constant in constants) or constants[0].ndim != 1:
        return None
    try:
        dims, count = sizes(constants[0])
        low, high = bounds(*constants[1:])
    except InvalidArgumentError:  # raised by the kernel
        return None
    blocks, dtype = count * random_distributions.RESERVED_BLOCKS, ctx.attrs["Tout"].as_numpy_dtype

    def draw(shape, minval, maxval):
        stream = reserve(ctx, blocks)
        return random_distributions.uniform_integers(np, stream, count, low, high, dtype).reshape(
            dims
        )

    return draw if count else None


@op("RandomShuffle", "value: T -> output: T", infer=same_shape, stateful=True, **SEEDS, T=ANY)
def random_shuffle_op(ctx, value):
    shape = getattr(value, "shape", ())
    if not shape or shape[0] < 2 or not value.size:
        return value if not shape else value.copy()
    stream = reserve(ctx, random_choices.permutation_blocks(shape[0]))
    order = random_choices.permutation(ctx.xp, stream, shape[0])
    rows = value.size > shape[0]  # NumPy is faster for scalars
    rows_taken = take_rows(value, order) if ctx.xp is np and rows else None
    return value[order] if rows_taken is None else rows_taken


random_shuffle_op.forwards(output="value", when=lambda value: np.shape(value)[:1] in ((), (1,)))


@public
def random_uniform(
    shape: TensorLike,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Samples from the uniform distribution over [minval, maxval).

    Args:
      shape: the shape of the result, a list or integer vector.
      minval: the lower bound, inclusive.
      maxval: the upper bound, exclusive; 1 by default for floats.
      dtype: float16, bfloat16, float32, float64, int32 or int64.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of this shape and dtype; the same seeds yield the same numbers as in TensorFlow.

    Raises:
      ValueError: for an unsupported dtype, or for integers without a maxval.
    """
    dtype = dtypes.as_dtype(dtype)
    if dtype not in _UNIFORM:
        raise ValueError(f"Invalid dtype {dtype!r}")
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    with name_scope(name, "random_uniform", [shape, minval, maxval]) as name:
        shape = shape_tensor(shape)
        minval = ops.convert_to_tensor(minval, dtype=dtype, name="min")
        maxval = ops.convert_to_tensor(maxval, dtype=dtype, name="max")
        seed1, seed2 = get_seed(seed)
        if dtype.is_integer:
            drawn = raw.RandomUniformInt(shape, minval, maxval, seed=seed1, seed2=seed2, name=name)
            return narrow_captured_shape(drawn, shape)
        samples = raw.RandomUniform(shape, dtype=dtype, seed=seed1, seed2=seed2)
        return narrow_captured_shape(ops.add(samples * (maxval - minval), minval, name=name), shape)


@public
def random_normal(
    shape: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Samples from a normal distribution.

    Args:
      shape: the shape of the result, a list or integer vector.
      mean: the mean.
      stddev: the standard deviation.
      dtype: float16, bfloat16, float32 or float64.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of this shape and dtype; the same seeds yield the same numbers as in TensorFlow, up to
      the last digits.
    """
    return _scale("random_normal", raw.RandomStandardNormal, shape, mean, stddev, dtype, seed, name)


@public
@arguments_of(random_normal)
def truncated_normal(*args: Any) -> Tensor:
    """`tf.random_normal` truncated at two standard deviations from the mean; `stddev` is that before truncation."""
    return _scale("truncated_normal", raw.TruncatedNormal, *args)


def _scale(
    title: str, draw: Any, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: Any, name: Any
) -> Tensor:
    with name_scope(name, title, [shape, mean, stddev]) as name:
        shape = shape_tensor(shape)
        mean = ops.convert_to_tensor(mean, dtype=dtype, name="mean")
        stddev = ops.convert_to_tensor(stddev, dtype=dtype, name="stddev")
        seed1, seed2 = get_seed(seed)
        samples = draw(shape, dtype, seed=seed1, seed2=seed2)
        return narrow_captured_shape(ops.add(samples * stddev, mean, name=name), shape)


@public
def random_shuffle(value: TensorLike, seed: int | None = None, name: str | None = None) -> Tensor:
    """Shuffles a tensor along its first axis.

    Args:
      value: a tensor of any dtype.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of the same shape and dtype.
    """
    seed1, seed2 = get_seed(seed)
    return raw.RandomShuffle(value, seed=seed1, seed2=seed2, name=name)
