"""Base classes of the older feature columns: names, parsing, and the lookups that models request."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.models.feature_column.base_columns import (
    CategoricalColumn,
    FeatureColumn,
    IdWeightPair,
)
from tfmini._src.ops import ops


class LookupArguments(NamedTuple):
    """Arguments of a column's weight lookup in a linear model."""

    input_tensor: Any
    weight_tensor: Any
    vocab_size: int
    initializer: Any
    combiner: str


class DeepArguments(NamedTuple):
    """Arguments of a column's embedding lookup in a network."""

    input_tensor: Any
    weight_tensor: Any
    vocab_size: int
    initializer: Any
    combiner: str
    dimension: int
    shared_embedding_name: str | None
    hash_key: int | None
    max_norm: float | None
    trainable: bool


class _CacheAdapter:
    """Adapts a transformation cache to the dict expected by `insert_transformed_feature`."""

    def __init__(self, cache: Any):
        self._cache = cache
        self.last_results: Any = None

    def __contains__(self, key: Any) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        return self._cache.get(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.last_results = value


class Column(FeatureColumn):
    """Base class that declares a model feature. `tensors` is a dict of features and transformed columns.

    Also accepted by Estimators and the variable scope functions of `tf.feature_column`.
    """

    _fields: tuple
    is_second = False
    parse_example_spec: dict[str, Any] = read_only(attribute="config")

    @property
    def name(self) -> str:
        """Name of the column, from which scope names are derived."""
        raise NotImplementedError

    @property
    def config(self) -> dict[str, Any]:
        """Parsing specs of the column's features, for `tf.io.parse_example`."""
        raise NotImplementedError

    def transform_feature(self, cache: Any, state: Any = None) -> Any:
        result: Any = _CacheAdapter(cache)
        self.insert_transformed_feature(result)
        return result.last_results

    @property
    def key(self) -> str:
        """Unique sort key of the column; columns are processed in key order."""
        return str(self)

    def __repr__(self) -> str:
        fields = zip(self._fields, self)  # type: ignore[call-overload]  # a tuple, as derived
        text = ", ".join(f"{name}={value!r}" for name, value in fields)
        return f"_{type(self).__name__}({text})"

    def _key_without(self, *omitted_fields: str) -> str:
        """Returns a sort key that omits some fields; strings in it are unquoted."""
        fields = zip(self._fields, self)  # type: ignore[call-overload]  # a tuple, as derived
        text = ", ".join(f"{name}={value}" for name, value in fields if name not in omitted_fields)
        return f"_{type(self).__name__}({text})"

    def insert_transformed_feature(self, tensors: dict) -> None:
        """Adds the column's transformed features to `tensors`."""
        raise NotImplementedError

    def wide_arguments(self, tensor: Any) -> LookupArguments:
        """Returns the lookup arguments for a linear model; raises NotImplementedError for numeric columns."""
        raise NotImplementedError(f"No wide embedding lookup arguments for column {self}.")

    def deep_arguments(self, tensor: Any) -> DeepArguments:
        """Returns the embedding lookup arguments for a network; raises NotImplementedError if the column has none."""
        raise NotImplementedError(f"No deep embedding lookup arguments for column {self}.")

    def dnn_input(self, tensor: Any, output_rank: int) -> Any:
        """Returns the inputs for a network; raises ValueError for categorical columns."""
        raise ValueError("Calling an abstract method.")

    def dense(self, tensor: Any) -> Any:
        """Returns dense values for a linear model."""
        raise NotImplementedError(f"No dense tensor representation for column {self}.")

    @property
    def checkpoint(self) -> tuple[str, Any] | None:
        """Checkpoint path and variable name from which weights are initialized; None by default."""
        return None


class IdsColumn(Column, CategoricalColumn):
    """Base class of categorical columns, with optional weights."""

    num_buckets: int = read_only(attribute="length")

    @property
    def length(self) -> int:
        """Number of ids."""
        raise NotImplementedError

    def id_tensor(self, tensor: Any) -> Any:
        """Returns the ids."""
        return tensor

    def weight_tensor(self, tensor: Any) -> Any:
        """Returns the weights of the ids, None by default."""
        return None

    def get_sparse_tensors(self, cache: Any, state: Any) -> IdWeightPair:
        tensor = cache.get(self)
        return IdWeightPair(self.id_tensor(tensor), self.weight_tensor(tensor))


def transform_column(tensors: dict, column: Any) -> Any:
    """Returns the transformed tensor of a column, or of a feature by name; each column is transformed once."""
    if column in tensors:
        return tensors[column]
    if isinstance(column, str):
        raise ValueError(f"features dictionary doesn't contain key ({column})")
    column.insert_transformed_feature(tensors)
    if column not in tensors:
        raise ValueError(f"Column {column.name} is not supported.")
    return tensors[column]


def inner_flatten(tensor: Any, rank: int) -> Any:
    """Returns a Tensor or SparseTensor of a lower rank, with its last dimensions merged."""
    with name_scope(None, "InnerFlatten", [tensor, rank]):
        if isinstance(tensor, SparseTensor):
            return _flat_sparse(tensor, rank)
        tensor = ops.convert_to_tensor(tensor)
        check = ops.assert_rank_at_least(tensor, rank, message="inputs has rank less than new_rank")
        with control_dependencies([check]):
            outer = ops.strided_slice(ops.shape(tensor), [0], [rank - 1])
            flat = ops.reshape(tensor, ops.concat((outer, [-1]), 0))
        static = tensor.get_shape()
        if static.dims is not None:
            sizes = static.as_list()
            last: Any = 1
            for size in sizes[rank - 1 :]:
                last = None if last is None or size is None else last * size
            flat.set_shape([*sizes[: rank - 1], last])
        return flat


def _flat_sparse(tensor: SparseTensor, rank: int) -> SparseTensor:
    static_size = tensor.dense_shape.get_shape().as_list()[0]
    if static_size < rank:
        raise ValueError(
            f"Inputs has rank less than new_rank. {tensor} must have rank at least {rank}. Received rank "
            f"{static_size}, shape {tensor.get_shape()}"
        )
    outer, inner = tensor.dense_shape[: rank - 1], tensor.dense_shape[rank - 1 :]
    return ops.sparse_reshape(tensor, ops.concat((outer, [ops.reduce_prod(inner)]), 0))
