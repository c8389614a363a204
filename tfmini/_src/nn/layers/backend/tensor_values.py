"""Keras's variables, constants and placeholders, and their values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.keras_graph import get_graph, is_symbolic
from tfmini._src.nn.layers.backend.session import get_session, set_values, track, variable_values
from tfmini._src.nn.layers.nodes import static_shape
from tfmini._src.nn.layers.ragged_values import is_ragged
from tfmini._src.ops import ops
from tfmini._src.ops.array.constant import filling_constant
from tfmini._src.ops.checks.printing import print_values
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions, init_scope
from tfmini._src.variables.initializers import RandomNormal, RandomUniform
from tfmini._src.variables.variable import Variable


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, variable, SparseTensor or RaggedTensor."""
    return isinstance(x, (Tensor, Variable, SparseTensor)) or is_ragged(x)


def cast_to_floatx(x: TensorLike) -> Any:
    """Casts an array or tensor to `floatx`."""
    return ops.cast(x, floatx()) if is_tensor(x) else np.asarray(x, dtype=floatx())


def variable(
    value: Any,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    constraint: str | Callable[..., Any] | None = None,
) -> Any:
    """Creates a variable.

    Args:
      value: initial value: an array, number or tensor; a SciPy sparse matrix becomes a SparseTensor.
      dtype: by default `floatx`.
      constraint: a function applied after an optimizer's update, or None.
    """
    dtype = dtypes.as_dtype(floatx() if dtype is None else dtype)
    if hasattr(value, "tocoo"):
        matrix = value.tocoo()
        indices = np.stack([matrix.row, matrix.col], axis=1).astype(np.int64)
        sparse: Any = SparseTensor(indices, matrix.data, matrix.shape)
        sparse._keras_shape = matrix.shape
        return sparse
    result: Any = Variable(value, dtype=dtype, name=name, constraint=constraint, use_resource=True)
    if isinstance(value, np.ndarray):
        result._keras_shape = value.shape
    elif hasattr(value, "shape"):
        result._keras_shape = int_shape(value)
    track(result)
    return result


def constant(value: Any, dtype: Any = None, shape: Any = None, name: Any = None) -> Any:
    """Creates a constant tensor, of dtype `floatx` by default."""
    return filling_constant(value, dtype or floatx(), shape, name)


def placeholder(
    shape: ShapeLike | None = None,
    ndim: int | None = None,
    dtype: DTypeLike | None = None,
    sparse: bool = False,
    name: str | None = None,
    ragged: bool = False,
) -> Any:
    """Creates a placeholder.

    Args:
      shape: static shape; defaults to `ndim` unknown dimensions.
      dtype: by default `floatx`.
      sparse, ragged: whether to create a SparseTensor or a RaggedTensor.

    Raises:
      ValueError: if both `sparse` and `ragged` are set.
    """
    if sparse and ragged:
        raise ValueError("Cannot set both sparse and ragged to True when creating a placeholder.")
    dtype = floatx() if dtype is None else dtype
    if not shape and ndim:
        shape = (None,) * ndim
    with get_graph().as_default() if executing_eagerly() else nullcontext():
        return _placeholder(shape, dtype, sparse, name, ragged)


def _placeholder(shape: Any, dtype: Any, sparse: bool, name: Any, ragged: bool) -> Any:
    if sparse:
        return ops.sparse_placeholder(dtype, shape=shape, name=name)
    if ragged:
        inner = [n for n, size in enumerate(shape) if n and size is not None]
        rank = (inner[0] if inner else len(shape)) - 1
        return ops.ragged_placeholder(dtype, rank, value_shape=shape[rank + 1 :], name=name)
    return ops.placeholder(dtype, shape=shape, name=name)


def is_placeholder(x: Any) -> bool:
    """Whether `x` was produced by a Placeholder op."""
    if isinstance(x, SparseTensor):
        return any(is_placeholder(part) for part in (x.indices, x.values, x.dense_shape))
    if is_ragged(x):
        return any(is_placeholder(part) for part in (x.flat_values, *x.nested_row_splits))
    return getattr(getattr(x, "op", None), "type", None) == "Placeholder"


def is_keras_tensor(x: Any) -> bool:
    """Whether a tensor was produced by a layer or `tf.keras.Input`.

    Raises:
      ValueError: if `x` is not a tensor.
    """
    if not is_tensor(x):
        raise ValueError(
            f"Unexpectedly found an instance of type `{type(x)}`. Expected a symbolic tensor instance."
        )
    return hasattr(x, "_keras_history")


def is_sparse(tensor: TensorLike) -> bool:
    """Whether `tensor` is a SparseTensor."""
    return isinstance(tensor, SparseTensor)


def to_dense(tensor: TensorLike) -> Any:
    """Converts a sparse tensor to a dense one; other tensors are returned unchanged."""
    return ops.sparse_tensor_to_dense(tensor) if is_sparse(tensor) else tensor


def int_shape(x: Tensor | Variable) -> tuple[Any, ...] | None:
    """Returns the static shape as a tuple of ints and None, or None if the rank is unknown."""
    return x.shape if isinstance(x.shape, tuple) else static_shape(x)


def ndim(x: Any) -> int | None:
    """Returns the rank, or None if unknown."""
    return x.shape.ndims


def dtype(x: Any) -> str:
    """Returns the name of the dtype of `x`."""
    return x.dtype.base_dtype.name


def count_params(x: Tensor | Variable) -> Any:
    """Returns the number of elements in a variable."""
    return np.prod(x.shape.as_list())


def _filled_variable(fill: Any, shape: Any, dtype: Any, name: Any) -> Any:
    with init_scope():
        variable_dtype = floatx() if dtype is None else dtype
        value = fill(shape=shape, dtype=dtypes.as_dtype(variable_dtype), name=name)
        if all(value.shape.as_list()):
            return variable(value, dtype=variable_dtype, name=name)
        return value


def zeros(shape: ShapeLike, dtype: Any = None, name: str | None = None) -> Any:
    """Returns a variable of zeros."""
    return _filled_variable(ops.zeros, shape, dtype, name)


def ones(shape: ShapeLike, dtype: DTypeLike | None = None, name: str | None = None) -> Any:
    """Returns a variable of ones."""
    return _filled_variable(ops.ones, shape, dtype, name)


def eye(size: int, dtype: DTypeLike | None = None, name: str | None = None) -> Any:
    """Returns a variable initialized to the identity matrix."""
    variable_dtype = floatx() if dtype is None else dtype
    return variable(ops.eye(size, dtype=dtypes.as_dtype(variable_dtype)), dtype, name)


def zeros_like(
    x: Tensor | Variable, dtype: DTypeLike | None = None, name: str | None = None
) -> Any:
    """Returns a tensor of zeros with the shape of `x`."""
    return ops.zeros_like(x, dtype=dtype, name=name)


def ones_like(x: Tensor | Variable, dtype: DTypeLike | None = None, name: str | None = None) -> Any:
    """Returns a tensor of ones with the shape of `x`."""
    return ops.ones_like(x, dtype=dtype, name=name)


def random_uniform_variable(
    shape: ShapeLike,
    low: float,
    high: float,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """Returns a variable of uniform random numbers; the seed defaults to one drawn by NumPy."""
    variable_dtype = dtypes.as_dtype(floatx() if dtype is None else dtype)
    seed = np.random.randint(10**9) if seed is None else seed
    return variable(
        RandomUniform(low, high, seed=seed)(shape, variable_dtype), dtype=variable_dtype, name=name
    )


def random_normal_variable(
    shape: ShapeLike,
    mean: float,
    scale: float,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """Returns a variable of normal random numbers; the seed defaults to one drawn by NumPy."""
    variable_dtype = dtypes.as_dtype(floatx() if dtype is None else dtype)
    seed = np.random.randint(10**9) if seed is None else seed
    return variable(
        RandomNormal(mean, scale, seed=seed)(shape, variable_dtype), dtype=variable_dtype, name=name
    )


def eval(x: Tensor | Variable) -> Any:  # a public name
    """Returns the value of a tensor or variable, converted to dense if sparse."""
    return get_value(to_dense(x))


def get_value(x: Any) -> Any:
    """Returns the value of a tensor or variable in the session of `get_session`; other values are unchanged."""
    if not is_tensor(x):
        return x
    if executing_eagerly_outside_functions():
        with init_scope():
            return x.numpy()
    return get_session((x,)).run(x)


def batch_get_value(tensors: Iterable[TensorLike]) -> list[Any]:
    """Returns the values of variables and tensors as a list of numpy arrays."""
    return variable_values(tensors)


def set_value(x: Tensor | Variable, value: TensorLike) -> None:
    """Assigns a value to a variable."""
    set_values([(x, value)])


def batch_set_value(tuples: Iterable[tuple[Variable, Any]]) -> None:
    """Assigns values, passed as pairs of a variable and an array."""
    set_values(list(tuples))


def print_tensor(x: TensorLike, message: str = "") -> Any:
    """Returns `x` unchanged and prints `message` and its value when run.

    Args:
      x: a tensor.
      message: text printed before the value.
    """
    if not is_symbolic(x) or not isinstance(x, Tensor):
        print_values(message, x, output_stream=sys.stdout)
        return x
    with get_graph().as_default():
        with control_dependencies([print_values(message, x, output_stream=sys.stdout)]):
            return ops.identity(x)
