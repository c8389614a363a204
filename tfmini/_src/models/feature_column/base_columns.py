"""Base classes of columns: dense columns, categorical columns, and their sequence variants."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple, TypeAlias

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import SparseTensor

_PARENTS = ("key", "source_column", "categorical_column", "weight_feature_key")


class IdWeightPair(NamedTuple):
    """The ids of each example and, optionally, the weights of the ids."""

    id_tensor: SparseTensor
    weight_tensor: SparseTensor | None


class TensorSequenceLengthPair(NamedTuple):
    """Dense tensor [batch, steps, ...] and the step count of each example, int64 [batch]."""

    dense_tensor: Any
    sequence_length: Any


# Columns have them as attributes of the same names.
_Ids: TypeAlias = IdWeightPair
_Steps: TypeAlias = TensorSequenceLengthPair


class FeatureColumn(ABC):
    """Declaration of one input feature: name, parsing spec and transformation.

    The `cache` provides features and transformed columns; the `state` provides variables.
    """

    is_second = True  # whether layers accept it, in addition to the functional API
    var_scope_name: str = read_only(
        "Variable scope name of the column in the functional API.", "name"
    )

    @property
    @abstractmethod
    def name(self) -> str:
        """The name, from which variable and scope names are derived."""

    @property
    @abstractmethod
    def parse_example_spec(self) -> dict[str, Any]:
        """The `tf.io.parse_example` spec of the required features."""

    # In the pre-1.13 protocol, this and other properties start with an underscore; some programs read these.
    _parse_example_spec: dict[str, Any] = read_only(attribute="parse_example_spec")

    @property
    def parents(self) -> list:
        """The columns and feature names that the column depends on."""
        fields = {name: getattr(self, name) for name in getattr(self, "_fields", ())}
        return [fields[n] for n in _PARENTS if n in fields] or list(fields.get("keys", ()))

    @abstractmethod
    def transform_feature(self, cache: Any, state: Any) -> Any:
        """Computes the transformed features, to be stored in `cache`."""

    def create_state(self, state: Any) -> None:  # noqa: B027  # most columns need no override
        """Creates the column's variables, if any."""

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)


class DenseColumn(FeatureColumn):
    """Column that yields a dense tensor [batch, ...]."""

    @property
    @abstractmethod
    def variable_shape(self) -> TensorShape:
        """Static shape of the tensor, without the batch dimension."""

    _variable_shape: TensorShape = read_only(attribute="variable_shape")

    @abstractmethod
    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        """Returns the tensor, float [batch, *variable_shape]."""


class CategoricalColumn(FeatureColumn):
    """Column that yields ids in [0, num_buckets)."""

    IdWeightPair = _Ids

    @property
    @abstractmethod
    def num_buckets(self) -> int:
        """Number of ids."""

    _num_buckets: int = read_only(attribute="num_buckets")

    def get_sparse_tensors(self, cache: Any, state: Any) -> _Ids:
        """Returns the ids and weights of each example."""
        return _Ids(cache.get(self, state), None)


class SequenceDenseColumn(FeatureColumn):
    """Column that yields a dense tensor per sequence step."""

    TensorSequenceLengthPair = _Steps

    @property
    @abstractmethod
    def variable_shape(self) -> TensorShape:
        """Static shape of one step."""

    @abstractmethod
    def get_sequence_dense_tensor(self, cache: Any, state: Any) -> _Steps:
        """Returns the tensor [batch, steps, *variable_shape], and the sequence lengths."""
