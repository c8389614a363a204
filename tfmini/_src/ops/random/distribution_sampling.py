"""Sampling from parameterized distributions: categorical, gamma, Poisson."""

from __future__ import annotations

from functools import partial
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.lazy_imports import ml_dtypes
from tfmini._src.devices.numpy import random_choices, random_distributions, rejection_sampling
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.seeds import get_seed
from tfmini._src.graph.shape_inference import (
    broadcast,
    size_input,
    with_rank,
)
from tfmini._src.graph.static_values import narrow_captured_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX, INDEX64, shape_text
from tfmini._src.ops.random.op_stream import SEEDS, drawn_shape, reserve, sizes
from tfmini._src.ops.type_lists import REAL_NUMBERS, SINGLE_DOUBLE


def check_choices(logits: Any, num_samples: Any) -> int:
    """Returns the number of samples; raises an error for operands of the wrong rank or size."""
    if logits.ndim != 2:
        problem = f"logits should be a matrix, got shape {shape_text(logits.shape)}"
    elif num_samples.ndim:
        problem = f"num_samples should be a scalar, got shape {shape_text(num_samples.shape)}"
    elif num_samples < 0:
        problem = f"num_samples should be nonnegative, got {int(num_samples)}"
    elif not logits.shape[1]:
        problem = "num_classes should be positive, got 0"
    else:
        return int(num_samples)
    invalid(problem)


def choices_shape(op: Any) -> tuple:
    """Returns the shape [rows of the logits, num_samples]."""
    rows, _ = with_rank(op.inputs[0]._dims, 2)
    with_rank(op.inputs[1]._dims, 0)
    return rows, size_input(op, 1)


@op(
    "Multinomial",
    "logits: T, num_samples: int32 -> output: output_dtype",
    host_or_cuda=True,
    infer=choices_shape,
    differentiable=False,
    stateful=True,
    static_inputs=("num_samples",),
    **SEEDS,
    T=REAL_NUMBERS,
    output_dtype=INDEX64,
)
def multinomial_op(ctx, logits, num_samples, *, output_dtype):
    samples = check_choices(logits, num_samples)
    if not samples or not len(logits):
        return ctx.xp.zeros((len(logits), samples), output_dtype.as_numpy_dtype)
    stream = reserve(ctx, random_choices.classes_blocks(len(logits), samples))
    classes = random_choices.classes(ctx.xp, stream, logits, samples)
    return classes.astype(output_dtype.as_numpy_dtype)


@public
@deprecated(None, "Use `tf.random.categorical` instead.")
def multinomial(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: int | None = None,
    name: str | None = None,
    output_dtype: DTypeLike | None = None,
) -> Tensor:
    """Samples classes from the unnormalized log probabilities in each row of logits.

    Args:
      logits: [rows, classes], a float tensor.
      num_samples: the number of samples per row, a scalar.
      seed: an integer; see `tf.set_random_seed`.
      output_dtype: int32 or int64 (the default).

    Returns:
      A tensor [rows, num_samples].
    """
    with name_scope(name, "multinomial", [logits]):
        return _categorical(logits, num_samples, output_dtype, seed)


@public
def categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Same as `tf.multinomial`, but specifies the dtype of the result as `dtype`."""
    with name_scope(name, "categorical", [logits]):
        return _categorical(logits, num_samples, dtype, seed)


def _categorical(logits: Any, num_samples: Any, dtype: Any, seed: int | None) -> Tensor:
    logits = ops.convert_to_tensor(logits, name="logits")
    seed1, seed2 = get_seed(seed)
    return raw.Multinomial(logits, num_samples, seed=seed1, seed2=seed2, output_dtype=dtype)


def _sample(ctx: Any, shape: Any, parameter: Any, dtype: dtypes.DType, draw: Any) -> Any:
    """Calls `draw(xp, stream, parameters, samples)`; the shape of the result is `shape + parameter.shape`."""
    dims, samples = sizes(shape)
    if not samples or not parameter.size:
        return ctx.xp.zeros((*dims, *parameter.shape), dtype.as_numpy_dtype)
    stream = reserve(ctx, samples * parameter.size * random_distributions.RESERVED_BLOCKS)
    drawn = draw(ctx.xp, stream, parameter.reshape(-1), samples)
    return drawn.astype(dtype.as_numpy_dtype).reshape((*dims, *parameter.shape))


def _sampled_shape(op: Any) -> Any:
    """Returns the sample shape followed by the parameter shape."""
    drawn_dims, parameters = drawn_shape(op), op.inputs[1]._dims
    return None if drawn_dims is None or parameters is None else (*drawn_dims, *parameters)


@op(
    "RandomGamma",
    "shape: S, alpha: T -> output: T",
    infer=_sampled_shape,
    stateful=True,
    static_inputs=("shape",),
    **SEEDS,
    S=INDEX,
    T=(dtypes.float16, dtypes.float32, dtypes.float64),
)
def random_gamma_op(ctx, shape, alpha, *, T):
    draw = partial(rejection_sampling.gamma, rounded=T == dtypes.float32)
    return _sample(ctx, shape, alpha, T, draw)


@random_gamma_op.gradient
def _(op, grad):
    shape, alpha = op.inputs
    sample = op.outputs[0]
    with control_dependencies([grad]):
        rank = ops.shape(shape)[0]
        ones = ops.ones([rank], dtype=dtypes.int32)
        alpha = ops.reshape(alpha, ops.concat([ones, ops.shape(alpha)], axis=0))
        slope = raw.RandomGammaGrad(alpha, sample)
        return None, ops.reduce_sum(grad * slope, axis=ops.range(rank))


@op(
    "RandomGammaGrad",
    "alpha: T, sample: T -> output: T",
    host_or_cuda=True,
    through_host=True,
    infer=broadcast,
    elementwise=True,
    T=SINGLE_DOUBLE,
)
def random_gamma_grad(xp, alpha, sample):
    """Always runs on the CPU, where scipy provides the distribution function."""
    return rejection_sampling.gamma_slope(alpha, sample).astype(sample.dtype)


@public
def random_gamma(
    shape: TensorLike,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Samples from gamma distributions, differentiable with respect to the parameters.

    Args:
      shape: the shape of the samples for each pair of parameters, a list or integer vector.
      alpha: the shape parameters, a float tensor.
      beta: the inverse scale parameters, broadcastable with `alpha`; 1 by default.
      dtype: float16, float32 or float64.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of `shape` followed by the shape of `alpha + beta`. Zeros are replaced by the smallest
      positive number.
    """
    with name_scope(name, "random_gamma", [shape, alpha, beta]):
        shape = ops.convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        alpha = ops.convert_to_tensor(alpha, name="alpha", dtype=dtype)
        beta = ops.convert_to_tensor(1 if beta is None else beta, name="beta", dtype=dtype)
        alpha = alpha + ops.zeros_like(beta)
        seed1, seed2 = get_seed(seed)
        tiny = ml_dtypes.finfo(alpha.dtype.as_numpy_dtype).tiny
        samples = raw.RandomGamma(shape, alpha, seed=seed1, seed2=seed2)
        return narrow_captured_shape(ops.maximum(tiny, samples / beta), shape, alpha.shape)


_COUNTS = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)


@op(
    "RandomPoissonV2",
    "shape: S, rate: R -> output: dtype",
    infer=_sampled_shape,
    stateful=True,
    static_inputs=("shape",),
    **SEEDS,
    S=INDEX,
    R=Attr("type", dtypes.float64, allowed=_COUNTS),
    dtype=Attr("type", dtypes.int64, allowed=_COUNTS),
)
def random_poisson_op(ctx, shape, rate, *, dtype):
    return _sample(ctx, shape, rate, dtype, rejection_sampling.poisson)


@public
def random_poisson(
    lam: TensorLike,
    shape: TensorLike,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Samples from Poisson distributions.

    Args:
      lam: the rates, a numeric tensor.
      shape: the shape of the samples for each rate, a list or integer vector.
      dtype: float16, float32, float64, int32 or int64.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of `shape` followed by the shape of `lam`.
    """
    with name_scope(name, "random_poisson", [lam, shape]):
        shape = ops.convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        seed1, seed2 = get_seed(seed)
        samples = raw.RandomPoissonV2(shape, lam, dtype=dtype, seed=seed1, seed2=seed2)
        rates = () if executing_eagerly() else samples.op.inputs[1].shape
        return narrow_captured_shape(samples, shape, rates)
