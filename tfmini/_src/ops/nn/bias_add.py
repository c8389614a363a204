"""Addition of a bias per channel, and functions based on it: `xw_plus_b`, `relu_layer`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.devices.cuda.launch import NUMBERS as NUMBERS_ON_GPU, REALS, supports
from tfmini._src.devices.cuda.reductions import bias_add as added_on_gpu, bias_gradient
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, merge_dim, with_rank, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import NUMBERS

_FORMAT = Attr("string", "NHWC", allowed=("NHWC", "NCHW"))


def _channel_axis(op: Any) -> int:
    return 1 if op.attrs.get("data_format") == "NCHW" else -1


def _min_rank(op: Any) -> int:
    return 3 if op.attrs.get("data_format") == "NCHW" else 2


def _biased_shape(op) -> Dims:
    """Returns the shape of the value, whose channel count must equal the number of biases."""
    dims = with_rank_at_least(op.inputs[0]._dims, _min_rank(op))
    biases = with_rank(op.inputs[1]._dims, 1)
    if dims is None:
        return None
    result, axis = list(dims), _channel_axis(op)
    result[axis] = merge_dim(dims[axis], biases[0])
    return tuple(result)


def _invalid(text: str, shape: tuple) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, text + shape_text(shape))


def _check_shapes(value: Any, bias: Any, channels_first: bool) -> None:
    if value.ndim < 2:
        raise _invalid("Input tensor must be at least 2D: ", value.shape)
    if bias.ndim != 1:
        raise _invalid("Biases must be 1D: ", bias.shape)
    if value.shape[1 if channels_first else -1] != len(bias):
        text = "Must provide as many biases as the last dimension of the input tensor: "
        raise _invalid(f"{text}{shape_text(bias.shape)} vs. ", value.shape)
    if value.ndim > 5 or (channels_first and value.ndim < 3):
        raise _invalid("Only ranks up to 5 supported: ", value.shape)


def _add_bias(xp: Any, value: Any, bias: Any, channels_first: bool, out: Any = None) -> Any:
    _check_shapes(value, bias, channels_first)
    if channels_first:
        return value + bias.reshape(-1, *[1] * (value.ndim - 2))
    together = _merged_row_count(value.size, len(bias))
    if together == 1 or not value.flags.c_contiguous:
        return xp.add(value, bias, out=out)
    wide_rows = value.reshape(-1, together * len(bias))
    total = xp.add(wide_rows, xp.tile(bias, together), out=None if out is None else wide_rows)
    return total.reshape(value.shape)


def _merged_row_count(size: int, columns: int) -> int:
    """Returns the number of rows to merge in a large narrow matrix, a power of two, for longer inner loops."""
    together = 1
    if size >= _MIN_FOLDED_ELEMENTS:
        while (
            2 * together * columns <= _MAX_FOLDED_COLUMNS and size % (2 * together * columns) == 0
        ):
            together *= 2
    return together


_MIN_FOLDED_ELEMENTS = 16384
_MAX_FOLDED_COLUMNS = 1024


@op(
    "BiasAdd", "value: T, bias: T -> output: T", infer=_biased_shape, T=NUMBERS, data_format=_FORMAT
)
def bias_add_op(xp, value, bias, *, data_format):
    return _add_bias(xp, value, bias, data_format == "NCHW")


bias_add_op.computes(native=(("add", "x", "y"),))


def _on_gpu(gpu: Any, value: Any, bias: Any, channels_first: bool = False) -> Any:
    if not supports(value.dtype, {**NUMBERS_ON_GPU, **REALS}):
        return _add_bias(gpu.xp, value, bias, channels_first)
    _check_shapes(value, bias, channels_first)
    return added_on_gpu(gpu.xp, value, bias, channels_first)


@bias_add_op.on_gpu
def _(gpu, value, bias, *, data_format):
    return _on_gpu(gpu, value, bias, data_format == "NCHW")


@bias_add_op.bind
def _(ctx):
    """Adds directly for few numbers; otherwise in place if the value has no other consumer."""
    if ctx.attrs["data_format"] == "NCHW":
        return None
    xp, (value, bias) = ctx.xp, ctx.dims
    if ctx.has_static_shapes() and len(bias) == 1 and len(value) > 1 and value[-1] == bias[0]:
        if math.prod(value) < _MIN_FOLDED_ELEMENTS:
            return np.add
    if "value" not in ctx.owned:
        return None
    return lambda value, bias: _add_bias(xp, value, bias, False, out=value)


@bias_add_op.gradient
def _(op, grad):
    return grad, raw.BiasAddGrad(out_backprop=grad, data_format=op.attrs["data_format"])


@op("BiasAddV1", "value: T, bias: T -> output: T", infer=_biased_shape, T=NUMBERS)
def bias_add_v1_op(xp, value, bias):
    return _add_bias(xp, value, bias, False)


bias_add_v1_op.computes(native=(("add", "x", "y"),))
bias_add_v1_op.on_gpu(lambda gpu, value, bias: _on_gpu(gpu, value, bias))


@bias_add_v1_op.gradient
def _(op, grad):
    return grad, ops.reduce_sum(grad, ops.range(ops.rank(grad) - 1))


@op("BiasAddGrad", "out_backprop: T -> output: T", T=NUMBERS, data_format=_FORMAT)
def bias_add_grad(xp, out_backprop, *, data_format):
    """Sums over all axes except the channel axis, for floats by a matrix product."""
    _check_gradient(out_backprop, data_format)
    shape, dtype = out_backprop.shape, out_backprop.dtype
    uses_matmul = dtype.kind in "fc" and dtype.itemsize > 2
    if data_format == "NCHW":
        channels = out_backprop.reshape(*shape[:2], math.prod(shape[2:]))
        if uses_matmul:
            return (channels @ xp.ones(channels.shape[2], dtype)).sum(axis=0)
        return _sum(channels, (0, 2))
    rows = out_backprop.reshape(math.prod(shape[:-1]), shape[-1])
    return _column_sums(xp, rows) if uses_matmul else _sum(rows, 0)


@bias_add_grad.on_gpu
def _(gpu, out_backprop, *, data_format):
    types = NUMBERS_ON_GPU if data_format == "NCHW" else {**NUMBERS_ON_GPU, **REALS}
    if not supports(out_backprop.dtype, types):
        return bias_add_grad.kernel(gpu.xp, out_backprop, data_format=data_format)
    _check_gradient(out_backprop, data_format)
    return bias_gradient(gpu.xp, out_backprop, data_format == "NCHW")


def _check_gradient(gradient: Any, data_format: str) -> None:
    if gradient.ndim < 2:
        raise _invalid("Input tensor must be at least 2D: ", gradient.shape)
    if data_format == "NCHW" and gradient.ndim < 3:
        raise _invalid("Only ranks up to 5 supported: ", gradient.shape)


def _column_sums(xp: Any, rows: Any) -> Any:
    """Returns the column sums of a matrix.

    The product iterates over rows, so a narrow matrix is reshaped to a wider one with several rows merged.
    """
    columns = rows.shape[1]
    together = _merged_row_count(rows.size, columns)
    wide_rows = rows.reshape(-1, together * columns) if together > 1 else rows
    sums = xp.ones(len(wide_rows), rows.dtype) @ wide_rows
    return sums.reshape(together, columns).sum(axis=0) if together > 1 else sums


def _sum(array: Any, axes: Any) -> Any:
    """Returns the sums in the dtype of the array, or float32 for float16 and bfloat16."""
    short = array.dtype.kind not in "iu"
    return array.sum(axis=axes, dtype=np.float32 if short else array.dtype).astype(array.dtype)


@bias_add_grad.infer
def _(op):
    dims = with_rank_at_least(op.inputs[0]._dims, _min_rank(op))
    return (None,) if dims is None else (dims[_channel_axis(op)],)


@bias_add_grad.gradient
def _(op, grad):
    shape = ops.shape(op.inputs[0])
    bias_shape = ops.shape(grad)
    if op.attrs["data_format"] == "NCHW":
        ones_before, ones_after = ops.ones_like(shape[:1]), ops.ones_like(shape[2:])
        expanded = ops.concat([ones_before, bias_shape, ones_after], 0)
        repeats = ops.concat([shape[:1], [1], shape[2:]], 0)
    else:
        expanded = ops.concat([ops.ones_like(shape[:-1]), bias_shape], 0)
        repeats = ops.concat([shape[:-1], [1]], 0)
    return ops.tile(ops.reshape(grad, expanded), repeats)


@public
def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """Adds `bias` to each channel of `value`.

    Args:
      value: numeric tensor [batch, ..., channels] (or [batch, channels, ...]).
      bias: [channels], of the same dtype.
      data_format: "N...C" (default) or "NC...", the position of the channel axis.

    Returns:
      A tensor of the shape and dtype of `value`.

    Raises:
      ValueError: if the data format is unknown, or the shapes do not match.
    """
    with name_scope(name, "BiasAdd", [value, bias]) as name:
        if data_format is not None:
            if data_format.startswith("NC"):
                data_format = "NCHW"
            elif data_format.startswith("N") and data_format.endswith("C"):
                data_format = "NHWC"
            else:
                raise ValueError("data_format must be of the form `N...C` or `NC...`")
        value = ops.convert_to_tensor(value, name="input")
        bias = ops.convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return raw.BiasAdd(value, bias, data_format=data_format, name=name)


def bias_add_v1(value: Any, bias: Any, name: str | None = None) -> Tensor:
    """Same as `bias_add`, using the older op, for channels on the last axis."""
    with name_scope(name, "BiasAddV1", [value, bias]) as name:
        value = ops.convert_to_tensor(value, name="input")
        bias = ops.convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return raw.BiasAddV1(value, bias, name=name)


@public
def xw_plus_b(
    x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None
) -> Tensor:
    """Returns matmul(x, weights) + biases.

    Args:
      x: [batch, inputs].
      weights: [inputs, outputs].
      biases: [outputs].

    Returns:
      A tensor [batch, outputs].
    """
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as name:
        return bias_add(*_products(x, weights, biases), name=name)


@public
def relu_layer(
    x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None
) -> Tensor:
    """Returns relu(matmul(x, weights) + biases); see `tf.nn.xw_plus_b` for the arguments."""
    with name_scope(name, "relu_layer", [x, weights, biases]) as name:
        return raw.Relu(bias_add(*_products(x, weights, biases)), name=name)


def _products(x: Any, weights: Any, biases: Any) -> tuple[Tensor, Tensor]:
    x = ops.convert_to_tensor(x, name="x")
    weights = ops.convert_to_tensor(weights, name="weights")
    biases = ops.convert_to_tensor(biases, name="biases")
    return ops.matmul(x, weights), biases
