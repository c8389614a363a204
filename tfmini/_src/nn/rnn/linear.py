"""Matrix products that own their weights, for older cells that create variables when called."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.initializers import Constant
from tfmini._src.variables.variable_scope import variable_scope


class Linear:
    """Computes [args] @ kernel + bias; creates `kernel` and `bias` in the current variable scope.

    Args:
      args: a tensor [batch, n], or a list of them, of the shapes used in calls.
      output_size: number of columns of the kernel.
      build_bias: whether to add a bias.
      bias_initializer: initializer of the bias; by default zeros.
      kernel_initializer: initializer of the kernel; by default the variable scope's.

    Raises:
      ValueError: if there are no arguments, or one is not a matrix with a static number of columns.
    """

    def __init__(
        self,
        args: Any,
        output_size: int,
        build_bias: bool,
        bias_initializer: Any = None,
        kernel_initializer: Any = None,
    ):
        self._has_bias = build_bias
        self._is_sequence = is_sequence(args)
        args = as_list(args)
        columns = total_columns(args)
        dtype = args[0].dtype
        with variable_scope(get_variable_scope()) as outer:
            self._kernel = get_variable(
                "kernel", [columns, output_size], dtype=dtype, initializer=kernel_initializer
            )
            if build_bias:
                self._bias = make_bias(outer, output_size, dtype, bias_initializer)

    def __call__(self, args: Any) -> Tensor:
        """Applies the linear map; returns [batch, output_size]."""
        if not self._is_sequence:
            args = [args]
        if len(args) == 1:
            result = ops.matmul(args[0], self._kernel)
        else:
            one = ops.constant(1, dtype=dtypes.int32)
            result = ops.matmul(ops.concat(args, one), self._kernel)
        return ops.bias_add(result, self._bias) if self._has_bias else result


def linear(
    args: Any,
    output_size: int,
    bias: bool,
    bias_initializer: Any = None,
    kernel_initializer: Any = None,
) -> Tensor:
    """Returns [args] @ kernel + bias, with variables of the current scope; the arguments are as in `Linear`."""
    args = as_list(args)
    columns = total_columns(args)
    dtype = args[0].dtype
    with variable_scope(get_variable_scope()) as outer:
        kernel = get_variable(
            "kernel", [columns, output_size], dtype=dtype, initializer=kernel_initializer
        )
        result = ops.matmul(args[0] if len(args) == 1 else ops.concat(args, 1), kernel)
        if not bias:
            return result
        return ops.bias_add(result, make_bias(outer, output_size, dtype, bias_initializer))


def as_list(args: Any) -> Any:
    """Converts a tensor or a list of tensors to a list."""
    if args is None or (is_sequence(args) and not args):
        raise ValueError("`args` must be specified")
    return args if is_sequence(args) else [args]


def total_columns(args: Any) -> int:
    """Returns the total number of columns of the matrices."""
    shapes = [arg.shape for arg in args]
    for shape in shapes:
        if shape.ndims != 2:
            raise ValueError(f"linear is expecting 2D arguments: {shapes}")
        if shape.dims[1].value is None:
            raise ValueError(
                f"linear expects shape[1] to be provided for shape {shape}, but saw {shape[1]}"
            )
    return sum(shape.dims[1].value for shape in shapes)


def make_bias(outer: Any, size: int, dtype: Any, initializer: Any) -> Any:
    """Creates the variable `bias`, which is never partitioned, in the scope `outer`."""
    with variable_scope(outer) as inner:
        inner.set_partitioner(None)
        if initializer is None:
            initializer = Constant(0.0, dtype=dtype)
        return get_variable("bias", [size], dtype=dtype, initializer=initializer)
