"""Fractional pooling with random windows of uneven sizes, and its gradients."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.base.fresh_seeds import fresh_if_zero, fresh_seed
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.numpy.philox import Stream, seeded_stream
from tfmini._src.devices.numpy.windows import fractional_pool as kernels
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.seeds import get_seed
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    copy_input_shape,
    input_dims,
    input_value,
    unknown_dims,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.nn.layouts import format_axes
from tfmini._src.ops.operands import shape_text

_TYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)
_ATTRS: dict[str, Any] = {
    "pooling_ratio": Attr("list(float)", minimum=4),
    "pseudo_random": False,
    "overlapping": False,
    "deterministic": False,
    "seed": 0,
    "seed2": 0,
    "T": _TYPES,
}


def _attrs_check(pooling: str) -> Callable:
    def check(attrs: dict[str, Any], on_gpu: bool) -> None:
        ratio = attrs["pooling_ratio"]
        if len(ratio) != 4:
            invalid("pooling_ratio field must specify 4 dimensions")
        if ratio[0] != 1 or ratio[3] != 1:
            text = f"Fractional {pooling} pooling is not yet supported on the batch nor channel dimension."
            raise UnimplementedError(None, None, text)
        if not attrs["deterministic"] and (attrs["seed"] or attrs["seed2"]):
            invalid("Both seed and seed2 should be 0 if deterministic is false.")

    return check


@functools.cache
def _process_seeds() -> tuple[int, int]:
    """Returns the seeds of deterministic nodes without explicit seeds, drawn once per process."""
    return fresh_seed(), fresh_seed()


def _stream(deterministic: bool, seed: int, seed2: int) -> Stream:
    if deterministic and not seed and not seed2:
        return seeded_stream(*_process_seeds())
    return seeded_stream(*fresh_if_zero(seed, seed2))


def _output_length(size: int, ratio: float) -> int:
    return int(np.floor(np.float32(size) / np.float32(ratio)))


def _sequences(x: Any, ratio: Any, pseudo_random: bool, stream: Stream) -> list:
    if x.ndim != 4:
        invalid("tensor_in must be 4-dimensional")
    counts = [_output_length(size, part) for size, part in zip(x.shape[1:3], ratio[1:3])]
    for size, count in zip(x.shape[1:3], counts):
        if not 0 < count <= size:
            invalid(f"pooling_ratio leaves {count} windows of {size} elements")
    return kernels.pooling_sequences(stream, list(x.shape[1:3]), counts, pseudo_random)


def _static_shapes(op: Any) -> list[Dims]:
    x = with_rank(op.inputs[0]._dims, 4)
    ratio = op.attrs["pooling_ratio"]
    if len(ratio) != 4:
        raise InferenceError("pooling_ratio field must specify 4 dimensions")
    sizes = [None if size is None else _output_length(size, part) for size, part in zip(x, ratio)]
    for axis, size in enumerate(sizes):
        if size is not None and size < 0:
            raise InferenceError(f"Size computed for dim {axis} is negative: {size}")
    # TensorFlow's own shape rule: the sequences have one more element.
    return [tuple(sizes), (sizes[1],), (sizes[2],)]


_RESULTS = "output: T, row_pooling_sequence: int64, col_pooling_sequence: int64"


@op("FractionalMaxPool", f"value: T -> {_RESULTS}", infer=_static_shapes, **_ATTRS)
def fractional_max_pool_op(
    xp, x, *, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2
):
    stream = _stream(deterministic, seed, seed2)
    rows, columns = _sequences(x, pooling_ratio, pseudo_random, stream)
    return kernels.max_pooled(x, rows, columns, overlapping), rows, columns


fractional_max_pool_op.check_attrs(_attrs_check("max"))


@fractional_max_pool_op.gradient
def _(op, grad, _, __):
    pooled, rows, columns = op.outputs
    return raw.FractionalMaxPoolGrad(
        op.inputs[0], pooled, grad, rows, columns, overlapping=op.attrs["overlapping"]
    )


@op("FractionalAvgPool", f"value: T -> {_RESULTS}", infer=_static_shapes, **_ATTRS)
def fractional_avg_pool_op(
    xp, x, *, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2
):
    stream = _stream(deterministic, seed, seed2)
    rows, columns = _sequences(x, pooling_ratio, pseudo_random, stream)
    return kernels.average_pooled(x, rows, columns, overlapping), rows, columns


fractional_avg_pool_op.check_attrs(_attrs_check("average"))


@fractional_avg_pool_op.gradient
def _(op, grad, _, __):
    return raw.FractionalAvgPoolGrad(
        op.inputs[0].shape, grad, op.outputs[1], op.outputs[2], overlapping=op.attrs["overlapping"]
    )


def _check_sequences(x_shape: Any, grad: Any, rows: Any, columns: Any) -> None:
    """Raises an error if sequences exceed the input or do not match the gradient; TensorFlow reads out of bounds."""
    if len(x_shape) != 4 or grad.ndim != 4:
        invalid("input and out_backprop must be 4-dimensional")
    for axis_name, axis, sequence in (("row", 1, rows), ("col", 2, columns)):
        if sequence.ndim != 1:
            invalid(
                f"{axis_name}_pooling_sequence must be a vector, not {shape_text(sequence.shape)}"
            )
        starts = sequence[:-1]
        in_range = not len(starts) or (starts.min() >= 0 and starts.max() < x_shape[axis])
        if not in_range or (np.diff(sequence) < 1).any():
            invalid(
                f"{axis_name}_pooling_sequence must rise within the input's {x_shape[axis]} elements"
            )
    expected = (x_shape[0], len(rows) - 1, len(columns) - 1, x_shape[3])
    if grad.shape != expected:
        invalid(f"out_backprop must have the shape {list(expected)}, not {list(grad.shape)}")


_SEQUENCES = "row_pooling_sequence: int64, col_pooling_sequence: int64"


@op(
    "FractionalMaxPoolGrad",
    f"orig_input: T, orig_output: T, out_backprop: T, {_SEQUENCES} -> output: T",
    infer=copy_input_shape(0, rank=4),
    overlapping=False,
    T=_TYPES,
)
def fractional_max_pool_grad_op(xp, x, pooled, grad, rows, columns, *, overlapping):
    _check_sequences(x.shape, grad, rows, columns)
    return kernels.max_gradient(x, grad, rows, columns, overlapping)


@op(
    "FractionalAvgPoolGrad",
    f"orig_input_tensor_shape: int64, out_backprop: T, {_SEQUENCES} -> output: T",
    overlapping=False,
    T=_TYPES,
)
def fractional_avg_pool_grad_op(xp, shape, grad, rows, columns, *, overlapping):
    if shape.shape != (4,):
        invalid("original input tensor shape must be1-dimensional and 4 elements")
    sizes = tuple(shape.tolist())
    _check_sequences(sizes, grad, rows, columns)
    return kernels.average_gradient(sizes, grad, rows, columns, overlapping)


@fractional_avg_pool_grad_op.infer
def _(op) -> Dims:
    input_value(op, 0)
    dims = input_dims(op, 0)
    return unknown_dims(4) if dims is None else dims


_DEPRECATION_NOTICE = "`seed2` and `deterministic` args are deprecated.  Use fractional_{}_pool_v2."


@public
@deprecated(None, _DEPRECATION_NOTICE.format("max"))
def fractional_max_pool(
    value: TensorLike,
    pooling_ratio: Sequence[float],
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Computes fractional max pooling over random windows of uneven sizes (Graham, 2014).

    Args:
      value: float32, float64, int32 or int64 tensor [batch, rows, columns, depth].
      pooling_ratio: four numbers of at least 1, the downsampling factors: [1.0, rows, columns, 1.0].
      pseudo_random: whether to derive windows from one random offset instead of a shuffle.
      overlapping: whether adjacent windows share the element at their boundary.
      deterministic: whether each run uses the same windows.
      seed, seed2: the seeds of these windows; only with `deterministic`.

    Returns:
      (output, row_pooling_sequence, col_pooling_sequence): [batch, window rows, window columns, depth],
      and the int64 window boundaries.

    Raises:
      ValueError: if shapes or ratios are invalid.
      InvalidArgumentError (when run): if seeds are set without `deterministic`.
    """
    return raw.FractionalMaxPool(**locals())


@public
@deprecated(None, _DEPRECATION_NOTICE.format("avg"))
@arguments_of(fractional_max_pool)
def fractional_avg_pool(value: TensorLike, **kwargs: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Computes fractional average pooling over random windows of uneven sizes.

    Args:
      value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, name: same
        as for `tf.nn.fractional_max_pool`.

    Returns:
      (output, row_pooling_sequence, col_pooling_sequence), as from `tf.nn.fractional_max_pool`.

    Raises:
      ValueError: if shapes or ratios are invalid.
      InvalidArgumentError (when run): if seeds are set without `deterministic`.
    """
    return raw.FractionalAvgPool(value, **kwargs)


def fractional_max_pool_v2(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int | None = 0,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """`tf.compat.v2.nn.fractional_max_pool`, whose seed is combined with the seed of `tf.set_random_seed`.

    Args:
      value, pseudo_random, overlapping, name: same as for `tf.nn.fractional_max_pool`.
      pooling_ratio: the downsampling factor: a number, two for rows and columns, or [1.0, rows, columns, 1.0].
      seed: if nonzero, each run uses the same windows.

    Returns:
      (output, row_pooling_sequence, col_pooling_sequence), as from `tf.nn.fractional_max_pool`.

    Raises:
      ValueError: if shapes or ratios are invalid.
    """
    return raw.FractionalMaxPool(
        value,
        pooling_ratio=format_axes(pooling_ratio, 2, "NHWC", "pooling_ratio"),
        pseudo_random=pseudo_random,
        overlapping=overlapping,
        **_seeds(seed),
        name=name,
    )


@arguments_of(fractional_max_pool_v2)
def fractional_avg_pool_v2(
    value: Any, *, seed: int | None, **kwargs: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """`tf.compat.v2.nn.fractional_avg_pool`: average pooling over random windows of uneven sizes.

    Args:
      value, pseudo_random, overlapping, seed, name: same as for `tf.compat.v2.nn.fractional_max_pool`.
      pooling_ratio: [1.0, rows, columns, 1.0], the downsampling factors.

    Returns:
      (output, row_pooling_sequence, col_pooling_sequence), as from `tf.nn.fractional_max_pool`.

    Raises:
      ValueError: if shapes or ratios are invalid.
    """
    return raw.FractionalAvgPool(value, **kwargs, **_seeds(seed))


def _seeds(seed: int | None) -> dict[str, Any]:
    """Returns the seed attrs for a `tf.compat.v2` node."""
    if seed == 0:
        return {"deterministic": False, "seed": 0, "seed2": 0}
    seed1, seed2 = get_seed(seed)
    return {"deterministic": True, "seed": seed1, "seed2": seed2}
