"""Dtype conversion: Cast converts values, Bitcast reinterprets bits."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType, DTypeLike
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.devices.host.native.elementwise_program import convert_floats
from tfmini._src.graph.composite_values import IndexedSlices, SparseTensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, InferenceError, same_shape, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.type_lists import FLOATS_COMPLEX

# Out of range, the C conversion keeps the low bits of a wider integer.
_WIDER = {
    dtypes.uint8: np.int32,
    dtypes.int8: np.int32,
    dtypes.uint16: np.int32,
    dtypes.int16: np.int32,
    dtypes.uint32: np.int64,
}
# Between these dtypes a conversion loses at most one rounding, in either direction.
_SOURCE_DTYPES = frozenset(
    {dtypes.bool, dtypes.uint8, dtypes.int8, dtypes.uint16, dtypes.int16, dtypes.int32}
)
_TARGET_DTYPES = frozenset({dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64})
_MANTISSA_BITS = {dtypes.bfloat16: 7, dtypes.float16: 10, dtypes.float32: 23, dtypes.float64: 52}


@op(
    "Cast",
    "x: SrcT -> y: DstT",
    infer=same_shape,
    elementwise=True,
    SrcT=Attr("type"),
    DstT=Attr("type"),
    Truncate=False,
)
def cast_op(xp, x, *, SrcT, DstT, Truncate):
    return _conversion(xp, SrcT, DstT, Truncate)(x)


cast_op.forwards(y="x", when=lambda SrcT, DstT: SrcT == DstT)


@cast_op.bind
def _(ctx):
    source, target = ctx.attrs["SrcT"], ctx.attrs["DstT"]
    if not _is_convertible(source, target):
        return None  # the kernel raises at run time
    if ctx.xp is np and ctx.dims[0] == () and source in _SOURCE_DTYPES and target in _TARGET_DTYPES:
        return target.numpy.type  # converts a scalar in half the time
    return _conversion(ctx.xp, source, target, ctx.attrs["Truncate"])


# Quantized numbers convert as their underlying integers.
_INTEGERS = {
    dtypes.qint8: dtypes.int8,
    dtypes.quint8: dtypes.uint8,
    dtypes.qint16: dtypes.int16,
    dtypes.quint16: dtypes.uint16,
    dtypes.qint32: dtypes.int32,
}


def _is_convertible(source: DType, target: DType) -> bool:
    if source is target:
        return True
    source, target = _INTEGERS.get(source, source), _INTEGERS.get(target, target)
    return all(t.is_bool or t.is_integer or t in FLOATS_COMPLEX for t in (source, target))


def _conversion(xp: Any, source: DType, target: DType, truncate: bool) -> Any:
    """Returns the function that converts arrays from `source` to `target`."""
    if not _is_convertible(source, target):
        raise UnimplementedError(
            None, None, f"Cast {source.proto_name} to {target.proto_name} is not supported"
        )
    source, target = _INTEGERS.get(source, source), _INTEGERS.get(target, target)
    dtype = target.numpy
    if source.is_complex and not target.is_complex:
        return lambda x: x.real.astype(dtype)
    if source.is_floating and target in _WIDER:
        wider = _WIDER[target]
        return lambda x: x.astype(wider).astype(dtype)
    dropped = _MANTISSA_BITS.get(source, 0) - _MANTISSA_BITS.get(target, 100)
    if truncate and dropped > 0:
        bits = np.dtype(f"u{kind_size(source)}")
        mask = bits.type(-(1 << dropped) & ((1 << 8 * bits.itemsize) - 1))
        return lambda x: (
            xp.bitwise_and(xp.asarray(x).view(bits), mask).view(source.numpy).astype(dtype)
        )
    if xp is np and {source, target} == {dtypes.float16, dtypes.float32}:
        return lambda x: convert_floats(x, dtype)
    return lambda x: x.astype(dtype)


def kind_size(dtype: DType) -> int:
    """Returns the size of one element in bytes."""
    return dtype.numpy.itemsize


@cast_op.gradient
def _(op, grad):
    source = op.inputs[0].dtype.base_dtype
    if source in FLOATS_COMPLEX and grad.dtype.base_dtype in FLOATS_COMPLEX:
        return ops.cast(grad, source)
    return None


@overload
def cast(x: SparseTensor, dtype: Any, name: str | None = None) -> SparseTensor: ...


@overload
def cast(x: IndexedSlices, dtype: Any, name: str | None = None) -> IndexedSlices: ...


@overload
def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor: ...


@public
def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """Casts the elements of `x` to `dtype`.

    Float-to-integer casts drop the fraction, and complex-to-real casts drop the imaginary part; casts to bool compare
    with zero.

    Args:
      x: a Tensor, SparseTensor or IndexedSlices of numbers or bools, or a value convertible to a Tensor.
      dtype: the target dtype.

    Returns:
      An object of the type and shape of `x`, with `dtype`; `x` itself, without a node, if it already has that dtype.

    Raises:
      TypeError: if `dtype` is not a dtype.

    Example: `tf.cast([1.8, -1.8], tf.int32)` is `[1, -1]`.
    """
    base = dtypes.as_dtype(dtype).base_dtype
    if isinstance(x, Tensor) or (hasattr(x, "_handle") and not hasattr(type(x), "device_map")):
        if base == x.dtype:
            return x
    with name_scope(name, "Cast", [x]) as name:
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, ops.cast(x.values, base, name=name), x.dense_shape)
        if isinstance(x, IndexedSlices):
            return IndexedSlices(ops.cast(x.values, base, name=name), x.indices, x.dense_shape)
        x = ops.convert_to_tensor(x, name="x")
        return x if x.dtype.base_dtype is base else raw.Cast(x, DstT=base, name=name)


@public
def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Casts `value` to `dtype` after clipping it to the range of `dtype`.

    Args:
      value: a numeric tensor.
      dtype: the target dtype.

    Example: `tf.saturate_cast([-1.0, 300.0], tf.uint8)` is `[0, 255]`.
    """
    with name_scope(name, "saturate_cast", [value]) as name:
        value = ops.convert_to_tensor(value, name="value")
        dtype = dtypes.as_dtype(dtype).base_dtype
        if value.dtype.min < dtype.min:
            lowest = ops.convert_to_tensor(dtype.min, dtype=value.dtype, name="min")
            value = raw.Maximum(value, lowest)
        if value.dtype.max > dtype.max:
            highest = ops.convert_to_tensor(dtype.max, dtype=value.dtype, name="max")
            value = raw.Minimum(value, highest)
        return ops.cast(value, dtype, name=name)


@public
@deprecated(None, "Use `tf.cast` instead.")
def to_float(x: TensorLike, name: str = "ToFloat") -> Any:
    """Same as `tf.cast(x, tf.float32)`."""
    return ops.cast(x, dtypes.float32, name=name)


@deprecated(None, "Use `tf.cast` instead.")
def to_double(x: TensorLike, name: str = "ToDouble") -> Any:
    """Same as `tf.cast(x, tf.float64)`."""
    return ops.cast(x, dtypes.float64, name=name)


@deprecated(None, "Use `tf.cast` instead.")
def to_int32(x: TensorLike, name: str = "ToInt32") -> Any:
    """Same as `tf.cast(x, tf.int32)`."""
    return ops.cast(x, dtypes.int32, name=name)


@public
@deprecated(None, "Use `tf.cast` instead.")
def to_int64(x: TensorLike, name: str = "ToInt64") -> Any:
    """Same as `tf.cast(x, tf.int64)`."""
    return ops.cast(x, dtypes.int64, name=name)


@deprecated(None, "Use `tf.cast` instead.")
def to_bfloat16(x: TensorLike, name: str = "ToBFloat16") -> Any:
    """Same as `tf.cast(x, tf.bfloat16)`."""
    return ops.cast(x, dtypes.bfloat16, name=name)


@deprecated(None, "Use `tf.cast` instead.")
def to_complex64(x: TensorLike, name: str = "ToComplex64") -> Any:
    """Same as `tf.cast(x, tf.complex64)`."""
    return ops.cast(x, dtypes.complex64, name=name)


@deprecated(None, "Use `tf.cast` instead.")
def to_complex128(x: TensorLike, name: str = "ToComplex128") -> Any:
    """Same as `tf.cast(x, tf.complex128)`."""
    return ops.cast(x, dtypes.complex128, name=name)


_BITS = (
    *(dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int64, dtypes.int32),
    *(dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64, dtypes.int8, dtypes.int16),
    *(dtypes.complex64, dtypes.complex128, dtypes.qint8, dtypes.quint8),
    *(dtypes.qint16, dtypes.quint16, dtypes.qint32),
)


@op("Bitcast", "input: T -> output: type", view=True, T=_BITS, type=Attr("type", allowed=_BITS))
def bitcast_op(xp, value, *, T, type):
    value = xp.ascontiguousarray(value).reshape(value.shape)
    ratio = kind_size(type) // kind_size(T)
    if ratio > 1:
        if not value.shape or value.shape[-1] != ratio:
            invalid(
                f"Cannot bitcast from {T.as_datatype_enum} to {type.as_datatype_enum}",
            )
        return value.view(type.numpy).reshape(value.shape[:-1])
    if kind_size(type) == kind_size(T):
        return value.view(type.numpy)
    return value[..., None].view(type.numpy)


bitcast_op.forwards(output="input", view=True)


@bitcast_op.infer
def _(op) -> Dims:
    dims = op.inputs[0]._dims
    source_size, target_size = kind_size(op.attrs["T"]), kind_size(op.attrs["type"])
    if source_size < target_size:
        dims = with_rank_at_least(dims, 1)
        if dims is None:
            return None
        if dims[-1] not in (None, target_size // source_size):
            raise InferenceError(
                f"Cannot bitcast due to shape. {dims[-1]} does not match {target_size // source_size}"
            )
        return dims[:-1]
    return (
        dims if dims is None or source_size == target_size else (*dims, source_size // target_size)
    )


@public
def bitcast(input: TensorLike, type: DTypeLike, name: str | None = None) -> Tensor:
    """Reinterprets the bytes of `input` as another dtype.

    A smaller `type` appends a dimension equal to the ratio of the element sizes; a larger `type` removes the last
    dimension, which must equal that ratio.

    Args:
      input: a numeric tensor.
      type: the dtype to reinterpret as.

    Example: `tf.bitcast(1.0, tf.int32)` is 1065353216.
    """
    return raw.Bitcast(input, type=type, name=name)
