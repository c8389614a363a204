"""Cache of features and column transformations."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.models.feature_column.base_columns import FeatureColumn
from tfmini._src.ops import ops


class TransformationCache:
    """Cache of features and transformed columns; expands rank-1 features to [batch, 1].

    Args:
      features: a dict from name (or column) to tensor.
    """

    _kind = "FeatureColumn"

    def __init__(self, features: dict):
        self._features = features.copy()
        self._results: dict[Any, Any] = {}

    def get(self, key: Any, state: Any = None) -> Any:
        """Returns a feature, or a column's transformed features.

        Raises:
          ValueError: if the feature is missing or a scalar.
          TypeError: if `key` is neither a name nor a column.
        """
        if key in self._results:
            return self._results[key]
        if key in self._features:
            result = _with_rank(key, self._features[key])
        elif isinstance(key, str):
            raise ValueError(f"Feature {key} is not in features dictionary.")
        elif not isinstance(key, FeatureColumn):
            raise TypeError(f'"key" must be either a "str" or "{self._kind}". Provided: {key}')
        else:
            logs.debug("Transforming feature_column %s.", key)
            result = key.transform_feature(self, state)
            if result is None:
                raise ValueError(f"Column {key.name} is not supported.")
        self._results[key] = result
        return result


def _with_rank(key: str, feature: Any) -> Any:
    tensor = convert_to_tensor_or_sparse_tensor(feature)
    rank = tensor.get_shape().ndims
    scalar = f"Feature (key: {key}) cannot have rank 0. Given: {tensor}"
    if rank == 0:
        raise ValueError(scalar)
    if rank is not None:
        return _as_column(tensor) if rank == 1 else tensor
    with control_dependencies([ops.assert_positive(ops.rank(tensor), message=scalar)]):
        return ops.cond(ops.equal(1, ops.rank(tensor)), lambda: _as_column(tensor), lambda: tensor)


def _as_column(tensor: Any) -> Any:
    if isinstance(tensor, SparseTensor):
        return ops.sparse_reshape(tensor, [ops.shape(tensor)[0], 1])
    return ops.expand_dims(tensor, -1)


def sparse_values(tensor: Any, missing: Any = None) -> SparseTensor:
    """Converts a dense tensor to a SparseTensor without missing values, by default "", -1 or 0.0."""
    tensor = convert_to_tensor_or_sparse_tensor(tensor)
    if isinstance(tensor, SparseTensor):
        return tensor
    with name_scope(None, "to_sparse_input", (tensor, missing)):
        dtype = tensor.dtype
        if missing is None:
            if dtype == dtypes.string:
                missing = ""
            else:
                missing = -1 if dtype.is_integer else dtype.as_numpy_dtype()
        return drop_missing(tensor, missing)


def drop_missing(tensor: Any, missing: Any) -> SparseTensor:
    """Returns the elements of a dense tensor that differ from `missing`."""
    missing = ops.cast(missing, tensor.dtype, name="ignore_value")
    indices = ops.where(ops.not_equal(tensor, missing), name="indices")
    return SparseTensor(
        indices=indices,
        values=ops.gather_nd(tensor, indices, name="values"),
        dense_shape=ops.shape(tensor, out_type=dtypes.int64, name="dense_shape"),
    )
