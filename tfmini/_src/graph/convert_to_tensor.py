"""Conversion of Python values to tensors: the registry of conversion functions by type, and `convert_to_tensor`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TypeAlias, TypeVar, overload

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType, DTypeLike
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.graph.composite_values import IndexedSlices, SparseTensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.public_functions import public
from tfmini._src.graph.tensor import Tensor, TensorLike

# f(value, dtype, name, as_ref): returns a tensor or NotImplemented.
Conversion: TypeAlias = Callable[..., Any]
AcceptedType = TypeVar("AcceptedType")

# priority -> [(types, function)], in order of registration.
_functions: dict[int, list[tuple[type | tuple[type, ...], Conversion]]] = {}
_conversions_by_type: dict[type, list[tuple[type | tuple[type, ...], Conversion]]] = {}


@public
def register_tensor_conversion_function(
    base_type: type | tuple[type, ...], conversion_func: Conversion, priority: int = 100
) -> None:
    """Registers a function that converts objects of `base_type` (a type or tuple of types) to tensors.

    Args:
      conversion_func: `f(value, dtype=None, name=None, as_ref=False)` returns a Tensor of `dtype` (if given), or
        NotImplemented to try the next function.
      priority: lower values are tried first; equal ones in order of registration.

    Raises:
      TypeError: for arguments of the wrong type, or Python numbers or numpy arrays and scalars as `base_type`.
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not all(isinstance(t, type) for t in types):
        raise TypeError("base_type must be a type or a tuple of types.")
    if any(issubclass(t, (int, float, np.generic, np.ndarray)) for t in types):
        raise TypeError(
            "Cannot register conversions for Python numeric types and NumPy scalars and arrays."
        )
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _functions.setdefault(priority, []).append((base_type, conversion_func))
    _conversions_by_type.clear()


def _functions_for(value_type: type) -> list[tuple[type | tuple[type, ...], Conversion]]:
    conversions = _conversions_by_type[value_type] = [
        (base, function)
        for priority in sorted(_functions)
        for base, function in _functions[priority]
        if issubclass(value_type, base)
    ]
    return conversions


def _name_prefix(name: str | None) -> str:
    return "" if name is None else f"{name}: "


@overload
def internal_convert_to_tensor(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    as_ref: bool = False,
    preferred_dtype: DTypeLike | None = None,
) -> Tensor: ...


@overload
def internal_convert_to_tensor(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    *,
    accepted_type: type[AcceptedType],
) -> AcceptedType: ...


def internal_convert_to_tensor(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    as_ref: bool = False,
    preferred_dtype: DTypeLike | None = None,
    accepted_type: type[Any] = Tensor,
) -> object:
    """Implements `convert_to_tensor`; may keep references (`as_ref`) or return other classes (`accepted_type`)."""
    if dtype is not None and dtype.__class__ is not DType:
        dtype = dtypes.as_dtype(dtype)
    if isinstance(value, Tensor):
        if (
            dtype is not None
            and dtype is not value.dtype
            and not dtype.is_compatible_with(value.dtype)
        ):
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {value.dtype.name}: "
                f"{value!r}"
            )
        if value.__class__ is EagerTensor and not executing_eagerly():
            return _capture(value, name)
        return value
    if preferred_dtype is not None:
        preferred_dtype = dtypes.as_dtype(preferred_dtype)
    value_type = type(value)
    for base, function in _conversions_by_type.get(value_type) or _functions_for(value_type):
        result = None
        if dtype is None and preferred_dtype is not None:
            try:
                result = function(value, dtype=preferred_dtype, name=name, as_ref=as_ref)
            except (TypeError, ValueError):
                result = None  # `preferred_dtype` is only a preference
            else:
                if (
                    result is not NotImplemented
                    and result.dtype.base_dtype != preferred_dtype.base_dtype
                ):
                    raise TypeError(
                        "convert_to_tensor did not convert to the preferred dtype: "
                        f"{result.dtype.base_dtype} vs {preferred_dtype.base_dtype} "
                    )
        if result is None:
            result = function(value, dtype=dtype, name=name, as_ref=as_ref)
        if result is NotImplemented:
            continue
        if not isinstance(result, accepted_type):
            raise RuntimeError(
                f"{_name_prefix(name)}Conversion function {function!r} for type {base} returned non-Tensor: "
                f"{result!r}"
            )
        if (
            dtype is not None
            and dtype is not result.dtype
            and not dtype.is_compatible_with(result.dtype)
        ):
            raise RuntimeError(
                f"{_name_prefix(name)}Conversion function {function!r} for type {base} returned incompatible "
                f"dtype: requested = {dtype.name}, actual = {result.dtype.name}"
            )
        return result
    raise TypeError(
        f"{_name_prefix(name)}Cannot convert {value!r} with type {type(value)} to Tensor: no conversion function "
        "registered."
    )


def _capture(value: EagerTensor, name: str | None) -> Tensor:
    """Captures an eager value in the function being built and returns its symbolic tensor."""
    graph: Any = get_default_graph()
    if not graph.building_function:
        raise RuntimeError("Attempting to capture an EagerTensor without building a function.")
    captured: Tensor = graph.capture(value, name=name)
    return captured


@public
def convert_to_tensor(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    preferred_dtype: DTypeLike | None = None,
    dtype_hint: DTypeLike | None = None,
) -> Tensor:
    """Converts `value` to a Tensor.

    Args:
      value: a Tensor, variable, numpy array, number, string, or nested list of these.
      dtype: target dtype; by default inferred from the value.
      name: name of the node, if one is created.
      preferred_dtype: soft preference, used if `dtype` is None and the value converts to it.
      dtype_hint: the newer spelling of `preferred_dtype`.

    Raises:
      TypeError: if no conversion is registered for its type; ValueError: for a Tensor of a different dtype.
    """
    if dtype_hint is not None:
        preferred_dtype = deprecated_argument_lookup(
            "dtype_hint", dtype_hint, "preferred_dtype", preferred_dtype
        )
    return internal_convert_to_tensor(value, dtype, name, False, preferred_dtype)


def internal_convert_n_to_tensor(
    values: Iterable[TensorLike],
    dtype: DTypeLike | None = None,
    name: str | None = None,
    as_ref: bool = False,
    preferred_dtype: DTypeLike | None = None,
) -> list[Tensor]:
    """Converts each of `values`; node i is named `name_i`."""
    if not isinstance(values, Sequence):
        raise TypeError("values must be a sequence.")
    return [
        internal_convert_to_tensor(
            value, dtype, None if name is None else f"{name}_{i}", as_ref, preferred_dtype
        )
        for i, value in enumerate(values)
    ]


def convert_n_to_tensor(
    values: Iterable[TensorLike],
    dtype: DTypeLike | None = None,
    name: str | None = None,
    preferred_dtype: DTypeLike | None = None,
) -> list[Tensor]:
    """Converts each of `values` with `convert_to_tensor`."""
    return internal_convert_n_to_tensor(values, dtype, name, False, preferred_dtype)


@public
def convert_to_tensor_or_indexed_slices(
    value: TensorLike, dtype: DTypeLike | None = None, name: str | None = None
) -> Tensor | IndexedSlices | SparseTensor:
    """Converts `value` to a Tensor; IndexedSlices and SparseTensors of a compatible dtype are returned unchanged."""
    return internal_convert_to_tensor_or_indexed_slices(value, dtype, name)


def internal_convert_to_tensor_or_indexed_slices(
    value: TensorLike, dtype: DTypeLike | None = None, name: str | None = None, as_ref: bool = False
) -> Tensor | IndexedSlices | SparseTensor:
    """Implements `convert_to_tensor_or_indexed_slices`; may keep references (`as_ref`)."""
    if isinstance(value, IndexedSlices | SparseTensor):
        check_composite_dtype(value, dtype)
        return value
    return internal_convert_to_tensor(value, dtype, name, as_ref)


def check_composite_dtype(value: IndexedSlices | SparseTensor, dtype: DTypeLike | None) -> None:
    """Raises ValueError for a composite value whose dtype differs from a requested one."""
    if dtype and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for Tensor with dtype "
            f"{value.dtype.name}: {str(value)!r}"
        )


def convert_n_to_tensor_or_indexed_slices(
    values: Sequence[TensorLike],
    dtype: DTypeLike | None = None,
    name: str | None = None,
    as_ref: bool = False,
) -> list[Tensor | IndexedSlices | SparseTensor | None]:
    """Converts each of `values` as `convert_to_tensor_or_indexed_slices` does; None stays None."""
    if not isinstance(values, list | tuple):
        raise TypeError("values must be iterable.")
    return [
        None
        if value is None
        else internal_convert_to_tensor_or_indexed_slices(
            value, dtype, None if name is None else f"{name}_{i}", as_ref
        )
        for i, value in enumerate(values)
    ]


@public
def convert_to_tensor_or_sparse_tensor(
    value: Any, dtype: DTypeLike | None = None, name: str | None = None
) -> Tensor | SparseTensor:
    """Converts `value` to a Tensor, or to a SparseTensor if it is one or a SparseTensorValue."""
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if not isinstance(value, SparseTensor) and type(value).__name__ == "SparseTensorValue":
        value = SparseTensor.from_value(value)
    if isinstance(value, SparseTensor):
        if dtype and not dtype.is_compatible_with(value.dtype):
            raise RuntimeError(
                f"Sparse dtype: requested = {dtype.name}, actual = {value.dtype.name}"
            )
        return value
    return internal_convert_to_tensor(value, dtype, name)


def _raise_operation_error(
    value: Operation, dtype: DTypeLike | None = None, name: str | None = None, as_ref: bool = False
) -> NoReturn:
    raise TypeError(
        f"Can't convert Operation '{value.name}' to Tensor (target dtype={dtype!r}, name={name!r}, as_ref={as_ref!r})"
    )


register_tensor_conversion_function(Operation, _raise_operation_error)
