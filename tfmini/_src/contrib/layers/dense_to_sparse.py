"""Converts dense tensors to sparse ones, dropping a given value."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.named_outputs import collect_named_outputs
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.feature_column.transformation_cache import drop_missing
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope


@add_arg_scope
def dense_to_sparse(
    tensor: TensorLike,
    eos_token: int = 0,
    outputs_collections: Any = None,
    scope: str | VariableScope | None = None,
) -> SparseTensor:
    """Returns the elements that differ from `eos_token`, as a SparseTensor.

    Args:
      tensor: a tensor.
      eos_token: the value to drop.
      outputs_collections: keys of collections to add the outputs to.
      scope: scope name.
    """
    with variable_scope(scope, "dense_to_sparse", [tensor]) as sc:
        tensor = ops.convert_to_tensor(tensor)
        indices = ops.where(ops.not_equal(tensor, ops.constant(eos_token, tensor.dtype)))
        values = ops.gather_nd(tensor, indices)
        outputs = SparseTensor(indices, values, ops.shape(tensor, out_type=dtypes.int64))
        return collect_named_outputs(outputs_collections, sc.name, outputs)


def drop_value(tensor: Any, ignore_value: Any = None) -> SparseTensor:
    """Returns the elements that differ from `ignore_value` (by default 0 or ""), as a SparseTensor."""
    with name_scope("DenseToSparseTensor"):
        tensor = ops.convert_to_tensor(tensor)
        if ignore_value is None:
            is_string = tensor.dtype == dtypes.string
            ignore_value = "" if is_string else tensor.dtype.as_numpy_dtype()
        return drop_missing(tensor, ignore_value)
