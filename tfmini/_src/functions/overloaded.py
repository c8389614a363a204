"""Functions with a body for each combination of argument dtypes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.functions.defined_function import _DefinedFunction
from tfmini._src.ops import ops


class _OverloadedFunction:
    """A function with a body for each combination of argument dtypes."""

    def __init__(
        self,
        func: Callable,
        argnames: Sequence[str],
        func_name: str | None = None,
        grad_func: Any = None,
        python_grad_func: Callable | None = None,
        out_names: Sequence[str] | None = None,
        **kwargs: Any,
    ):
        assert grad_func is None or isinstance(grad_func, _OverloadedFunction)
        self._func = func
        self._argnames = argnames
        self._func_name = func_name
        self._grad_func = grad_func
        self._python_grad_func = python_grad_func
        self._out_names = out_names
        self._extra_kwargs = kwargs
        self._overload: dict[str, _DefinedFunction] = {}

    def instantiate(self, input_types: Sequence[Any]) -> _DefinedFunction:
        """Returns the function for arguments of these dtypes."""
        key = _types_text(input_types)
        instance = self._overload.get(key)
        if instance is None:
            instance = _DefinedFunction(
                self._func,
                self._argnames,
                input_types,
                None if self._func_name is None else f"{self._func_name}_{key}",
                None,
                self._python_grad_func,
                out_names=self._out_names,
                **self._extra_kwargs,
            )
            signature = instance.definition.signature
            if self._grad_func:
                results = [dtypes.as_dtype(arg.type) for arg in signature.output_arg]
                instance._grad_func = self._grad_func.instantiate([*input_types, *results])
            self._overload[key] = instance
        return instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a node that calls it; see `_DefinedFunction`."""
        tensors = [ops.convert_to_tensor(arg) for arg in args]
        return self.instantiate([tensor.dtype for tensor in tensors])(*tensors, **kwargs)


_DTYPE_LETTERS = {
    dtypes.float16: "f16",
    dtypes.float32: "f32",
    dtypes.float64: "f64",
    dtypes.int32: "i32",
    dtypes.uint8: "i8",
    dtypes.uint16: "u16",
    dtypes.uint32: "u32",
    dtypes.uint64: "u64",
    dtypes.int16: "i16",
    dtypes.int8: "i8",
    dtypes.string: "s",
    dtypes.complex64: "c64",
    dtypes.complex128: "c128",
    dtypes.int64: "i64",
    dtypes.bool: "b",
    dtypes.qint8: "qi8",
    dtypes.quint8: "qu8",
    dtypes.qint16: "qi16",
    dtypes.quint16: "qu16",
    dtypes.qint32: "qi32",
    dtypes.bfloat16: "b16",
}


def _types_text(types: Sequence[Any]) -> str:
    if any(dtype not in _DTYPE_LETTERS for dtype in types):
        raise ValueError(f"Unsupported dtypes: {types}")
    return "".join(_DTYPE_LETTERS[dtype] for dtype in types)
