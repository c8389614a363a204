"""Stateless random ops, whose results are a function of a seed tensor, identical in every run."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.numpy import random_choices, random_distributions
from tfmini._src.devices.numpy.philox import Stream, stateless_stream
from tfmini._src.graph.opdef import Attr, op_with_traits, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import InferenceError, with_rank
from tfmini._src.graph.static_values import narrow_captured_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX, INDEX32, INDEX64, shape_text
from tfmini._src.ops.random.distribution_sampling import check_choices, choices_shape
from tfmini._src.ops.random.op_stream import drawn_shape, shape_tensor, sizes
from tfmini._src.ops.random.random_ops import bounds
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE, REAL_NUMBERS

op = op_with_traits(host_or_cuda=True)
_SIGNATURE = "shape: T, seed: Tseed -> output: dtype"
_ATTRS: dict[str, Any] = {
    "dtype": Attr("type", dtypes.float32, allowed=HALF_TO_DOUBLE),
    "T": INDEX32,
    "Tseed": INDEX64,
}
_STATIC = ("shape", "seed")


def _stream(seed: Any) -> Stream:
    if seed.shape != (2,):
        invalid(f"seed must have shape [2], not {shape_text(seed.shape)}")
    return stateless_stream(tuple(seed.tolist()))


def _check_seed(op: Any, position: int) -> None:
    (length,) = with_rank(op.inputs[position]._dims, 1)
    if length not in (None, 2):
        raise InferenceError(f"Dimension must be 2 but is {length}")


def _static_dims(op: Any) -> Any:
    _check_seed(op, 1)
    return drawn_shape(op)


def _draw(xp: Any, shape: Any, seed: Any, dtype: dtypes.DType, draw: Any) -> Any:
    dims, count = sizes(shape)
    return draw(xp, _stream(seed), count, dtype.as_numpy_dtype).reshape(dims)


@op("StatelessRandomUniform", _SIGNATURE, static_inputs=_STATIC, **_ATTRS)
def stateless_uniform_op(xp, shape, seed, *, dtype):
    return _draw(xp, shape, seed, dtype, random_distributions.uniform)


@op("StatelessRandomNormal", _SIGNATURE, static_inputs=_STATIC, **_ATTRS)
def stateless_normal_op(xp, shape, seed, *, dtype):
    return _draw(xp, shape, seed, dtype, random_distributions.normal)


@op("StatelessTruncatedNormal", _SIGNATURE, static_inputs=_STATIC, **_ATTRS)
def stateless_truncated_normal_op(xp, shape, seed, *, dtype):
    return _draw(xp, shape, seed, dtype, random_distributions.truncated_normal)


@op(
    "StatelessRandomUniformInt",
    "shape: T, seed: Tseed, minval: dtype, maxval: dtype -> output: dtype",
    differentiable=False,
    static_inputs=("shape", "seed", "minval", "maxval"),
    dtype=INDEX,
    T=INDEX,
    Tseed=INDEX64,
)
def stateless_integers_op(xp, shape, seed, minval, maxval, *, dtype):
    dims, count = sizes(shape)
    stream = _stream(seed)
    if not count:
        return xp.empty(dims, dtype.as_numpy_dtype)
    low, high = bounds(minval, maxval)
    numpy_dtype = dtype.as_numpy_dtype
    return random_distributions.uniform_integers(xp, stream, count, low, high, numpy_dtype).reshape(
        dims
    )


@op(
    "StatelessMultinomial",
    "logits: T, num_samples: int32, seed: Tseed -> output: output_dtype",
    differentiable=False,
    static_inputs=("num_samples", "seed"),
    T=REAL_NUMBERS,
    Tseed=INDEX64,
    output_dtype=INDEX64,
)
def stateless_multinomial_op(xp, logits, num_samples, seed, *, output_dtype):
    stream = _stream(seed)
    samples = check_choices(logits, num_samples)
    if not samples or not len(logits):
        return xp.zeros((len(logits), samples), output_dtype.as_numpy_dtype)
    return random_choices.classes(xp, stream, logits, samples).astype(output_dtype.as_numpy_dtype)


for declared in (stateless_uniform_op, stateless_normal_op, stateless_truncated_normal_op):
    declared.infer(_static_dims)
    declared.differentiable = False


@stateless_integers_op.infer
def _(op):
    for bound in (2, 3):
        with_rank(op.inputs[bound]._dims, 0)
    return _static_dims(op)


@stateless_multinomial_op.infer
def _(op):
    _check_seed(op, 2)
    return choices_shape(op)


@public
def stateless_uniform(
    shape: TensorLike,
    seed: int,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Same as `tf.random_uniform`, but a function of `seed`: two integers in a list or vector.

    Raises:
      ValueError: for an unsupported dtype, or for integers without a maxval.
    """
    dtype = dtypes.as_dtype(dtype)
    if dtype not in (*HALF_TO_DOUBLE, dtypes.int32, dtypes.int64):
        raise ValueError(f"Invalid dtype {dtype!r}")
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    with name_scope(name, "stateless_random_uniform", [shape, seed, minval, maxval]) as name:
        shape = shape_tensor(shape)
        minval = ops.convert_to_tensor(minval, dtype=dtype, name="min")
        maxval = ops.convert_to_tensor(maxval, dtype=dtype, name="max")
        if dtype.is_integer:
            drawn = raw.StatelessRandomUniformInt(
                shape, seed=seed, minval=minval, maxval=maxval, name=name
            )
            return narrow_captured_shape(drawn, shape)
        samples = raw.StatelessRandomUniform(shape, seed=seed, dtype=dtype)
        return narrow_captured_shape(ops.add(samples * (maxval - minval), minval, name=name), shape)


@public
def stateless_normal(
    shape: TensorLike,
    seed: int,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Same as `tf.random_normal`, but a function of `seed`: two integers in a list or vector."""
    with name_scope(name, "stateless_random_normal", [shape, seed, mean, stddev]) as name:
        return _scale(raw.StatelessRandomNormal, shape, seed, mean, stddev, dtype, name)


@public
@arguments_of(stateless_normal)
def stateless_truncated_normal(
    shape: TensorLike,
    seed: int,
    mean: TensorLike,
    stddev: TensorLike,
    dtype: DTypeLike,
    name: str | None,
) -> Tensor:
    """Same as `tf.truncated_normal`, but a function of `seed`: two integers in a list or vector."""
    with name_scope(name, "stateless_truncated_normal", [shape, seed, mean, stddev]) as name:
        return _scale(raw.StatelessTruncatedNormal, shape, seed, mean, stddev, dtype, name)


def _scale(
    draw: Any, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, name: str
) -> Tensor:
    shape = shape_tensor(shape)
    mean = ops.convert_to_tensor(mean, dtype=dtype, name="mean")
    stddev = ops.convert_to_tensor(stddev, dtype=dtype, name="stddev")
    samples = draw(shape, seed, dtype)
    return narrow_captured_shape(ops.add(samples * stddev, mean, name=name), shape)


@public
@deprecated(None, "Use `tf.random.stateless_categorical` instead.")
def stateless_multinomial(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: int,
    output_dtype: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Same as `tf.multinomial`, but a function of `seed`, two integers."""
    with name_scope(name, "stateless_multinomial", [logits, seed]):
        return _categorical(logits, num_samples, output_dtype, seed)


@public
def stateless_categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: int,
    dtype: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Same as `tf.random.categorical`, but a function of `seed`, two integers."""
    with name_scope(name, "stateless_categorical", [logits, seed]):
        return _categorical(logits, num_samples, dtype, seed)


def _categorical(logits: Any, num_samples: Any, dtype: Any, seed: Any) -> Tensor:
    logits = ops.convert_to_tensor(logits, name="logits")
    return raw.StatelessMultinomial(logits, num_samples, seed, output_dtype=dtype)
