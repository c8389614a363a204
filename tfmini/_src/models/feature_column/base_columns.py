"""Kinds of columns: dense tensors, categorical ids, and sequences of either."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple, TypeAlias

from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.indexed_slices_and_sparse_tensor import SparseTensor

_PARENTS = ("key", "source_column", "categorical_column", "weight_feature_key")


class IdWeightPair(NamedTuple):
    """Ids of each example and, where they have any, their weights."""

    id_tensor: SparseTensor
    weight_tensor: SparseTensor | None


class TensorSequenceLengthPair(NamedTuple):
    """A dense tensor [batch, steps, ...] and the number of steps in each example, int64 [batch]."""

    dense_tensor: Any
    sequence_length: Any


# Columns have them as attributes of the same names.
_Ids: TypeAlias = IdWeightPair
_Steps: TypeAlias = TensorSequenceLengthPair


class FeatureColumn(ABC):
    """Description of how a model takes in one feature: its name, parsing and transformation.

    A `cache` hands out features and transformed columns, each made once; a `state` gives variables.
    """

    is_second = True  # whether layers accept it, not only the functional API

    @property
    @abstractmethod
    def name(self) -> str:
        """The name, from which the names of variables and scopes derive."""

    @property
    def var_scope_name(self) -> str:
        """The name of the variable scope opened for it by the functional API."""
        return self.name

    @property
    @abstractmethod
    def parse_example_spec(self) -> dict[str, Any]:
        """The `tf.io.parse_example` spec of the features it needs."""

    @property
    def parents(self) -> list:
        """The columns and the names of features that it is made of."""
        fields = {name: getattr(self, name) for name in getattr(self, "_fields", ())}
        return [fields[n] for n in _PARENTS if n in fields] or list(fields.get("keys", ()))

    @abstractmethod
    def transform_feature(self, cache: Any, state: Any) -> Any:
        """The transformed features, computed once for all users of the column."""

    def create_state(self, state: Any) -> None:  # noqa: B027  # most have none
        """Makes the variables of the column, if it has any."""

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)


class DenseColumn(FeatureColumn):
    """A column that becomes a dense tensor [batch, ...]."""

    @property
    @abstractmethod
    def variable_shape(self) -> TensorShape:
        """The static shape of its tensor without the batch."""

    @abstractmethod
    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        """Its tensor, float [batch, *variable_shape]."""


class CategoricalColumn(FeatureColumn):
    """A column that yields ids in 0 ... num_buckets - 1."""

    IdWeightPair = _Ids

    @property
    @abstractmethod
    def num_buckets(self) -> int:
        """Number of ids."""

    def get_sparse_tensors(self, cache: Any, state: Any) -> _Ids:
        """Ids and weights of each example."""
        return _Ids(cache.get(self, state), None)


class SequenceDenseColumn(FeatureColumn):
    """A column that becomes a dense tensor for each step of a sequence."""

    TensorSequenceLengthPair = _Steps

    @property
    @abstractmethod
    def variable_shape(self) -> TensorShape:
        """The static shape of one step."""

    @abstractmethod
    def get_sequence_dense_tensor(self, cache: Any, state: Any) -> _Steps:
        """Its tensor [batch, steps, *variable_shape] and the lengths of sequences."""
