"""Composite values: `IndexedSlices` (rows of a tensor), `SparseTensor` (its nonzero elements), and their specs."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, tf2
from tfmini._src.base.dtypes import DType, DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import ShapeLike, TensorShape
from tfmini._src.graph import raw
from tfmini._src.graph.default_graph import graph_of_inputs
from tfmini._src.graph.default_stack import DefaultSession, FeedDict
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike, evaluate
from tfmini._src.graph.type_spec import (
    ShapedTypeSpec,
    TensorSpec,
    TypeSpec,
    register_type_spec_from_value_converter,
)

IndexedSlicesValue = namedtuple("IndexedSlicesValue", ["values", "indices", "dense_shape"])
SparseTensorValue = namedtuple("SparseTensorValue", ["indices", "values", "dense_shape"])
SparseTensorValue.__doc__ = """The value of a SparseTensor in feeds and fetches.

    Args:
      indices: int64 [n, rank], the index of each element.
      values: [n], the elements.
      dense_shape: int64 [rank].
    """


def _consumers(components: Iterable[Tensor]) -> list[Operation]:
    tensors = [part for part in components if getattr(part, "graph", None) is not None]
    return list(dict.fromkeys(consumer for tensor in tensors for consumer in tensor.consumers()))


class CompositeValue:
    """A value composed of several tensors, fetched and fed in a session as its parts."""

    def _session_parts(self) -> list[Tensor]:
        raise NotImplementedError(f"{type(self).__name__}._session_parts()")

    def _session_value(self, parts: Sequence[Any]) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._session_value()")

    def _fed_parts(self, value: Any) -> list[Any]:
        raise NotImplementedError(f"{type(self).__name__}._fed_parts()")


class IndexedSlices:
    """Rows of a larger tensor: `dense[indices[i]] = values[i]`; for example, the gradient of a gather.

    Args:
      values: [n, ...] tensor, the rows.
      indices: [n] integer tensor, the row indices.
      dense_shape: the shape of the full tensor as an integer vector, or None.

    Raises:
      ValueError: if the tensors belong to different graphs.
    """

    values: Tensor = read_only("The rows, [n, ...].")
    indices: Tensor = read_only("The indices of the rows, [n].")
    dense_shape: Tensor | None = read_only("Shape of the dense tensor, [rank]; None if unknown.")

    _controls = True  # unlike a SparseTensor, may be a control input, through its `op`
    name: str = read_only("The name of `values`.", "values.name")
    device: str = read_only("The device of `values`, as a string.", "values.device")
    op: Operation = read_only("The operation that produces `values`.", "values.op")
    dtype: DType = read_only("The dtype of the rows.", "values.dtype")
    graph: Graph = read_only("The graph that owns it.", "values.graph")

    def __init__(self, values: Tensor, indices: Tensor, dense_shape: Tensor | None = None):
        graph_of_inputs([values, indices, dense_shape])
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    @property
    def _type_spec(self) -> IndexedSlicesSpec:
        shape = TensorShape([None]).concatenate(self._values.shape[1:])
        if self._dense_shape is not None:
            shape = shape.merge_with(ops.static_shape(self._dense_shape))
        return IndexedSlicesSpec(
            shape,
            self.dtype,
            self._indices.dtype,
            None if self._dense_shape is None else self._dense_shape.dtype,
            self._indices.shape.merge_with(self._values.shape[:1]),
        )

    def consumers(self) -> list[Operation]:
        """Returns the operations that consume any of its tensors."""
        return _consumers(self._to_components())

    def _to_components(self) -> tuple[Tensor, ...]:
        rows = (self._values, self._indices)
        return rows if self._dense_shape is None else (*rows, self._dense_shape)

    def __str__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape!s}"
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}{shape})"

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)


class IndexedSlicesSpec(TypeSpec):
    """Type spec of IndexedSlices.

    Args:
      shape: dense shape, None for any.
      dtype: dtype of the values.
      indices_dtype: int32 or int64.
      dense_shape_dtype: int32 or int64, or None for slices without a dense_shape.
      indices_shape: shape of the indices, a vector: the number of slices.
    """

    def __init__(
        self,
        shape: ShapeLike = None,
        dtype: DTypeLike = dtypes.float32,
        indices_dtype: DTypeLike = dtypes.int64,
        dense_shape_dtype: DTypeLike | None = None,
        indices_shape: ShapeLike = None,
    ):
        self._shape = TensorShape(shape)
        self._values_dtype = dtypes.as_dtype(dtype)
        self._indices_dtype = dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = (
            None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        )
        self._indices_shape = TensorShape(indices_shape).with_rank(1)

    @property
    def value_type(self) -> type:
        """`tf.IndexedSlices`."""
        return IndexedSlices

    def _serialize(self) -> tuple[Any, ...]:
        return (
            self._shape,
            self._values_dtype,
            self._indices_dtype,
            self._dense_shape_dtype,
            self._indices_shape,
        )

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        specs = (
            TensorSpec(self._indices_shape.concatenate(self._shape[1:]), self._values_dtype),
            TensorSpec(self._indices_shape, self._indices_dtype),
        )
        if self._dense_shape_dtype is None:
            return specs
        return (*specs, TensorSpec([self._shape.ndims], self._dense_shape_dtype))

    def _to_components(self, value: IndexedSlices) -> tuple[Tensor, ...]:
        return value._to_components()

    def _from_components(self, components: Sequence[Any]) -> IndexedSlices | IndexedSlicesValue:
        if not tf2.enabled() and all(isinstance(part, np.ndarray) for part in components):
            return IndexedSlicesValue(*components, *[None] * (3 - len(components)))
        return IndexedSlices(*components)


class SparseTensor:
    """A sparse tensor in COO format: its nonzero elements and their indices.

    Args:
      indices: int64 [n, rank], the index of each element, in row-major order for most ops.
      values: [n], the elements.
      dense_shape: int64 [rank].
    """

    indices: Tensor = read_only("The indices of the elements, int64 [n, rank].")
    values: Tensor = read_only("The elements, [n].")
    dense_shape: Tensor = read_only("Shape of the dense tensor, int64 [rank].")
    op: Operation = read_only("The operation that produces `values`.", "_values.op")
    dtype: DType = read_only("The dtype of the elements.", "_values.dtype")
    graph: Graph = read_only("The graph that owns it.", "_indices.graph")

    def __init__(self, indices: TensorLike, values: TensorLike, dense_shape: TensorLike):
        with name_scope(None, "SparseTensor", [indices, values, dense_shape]):
            self._indices: Tensor = ops.convert_to_tensor(indices, name="indices", dtype="int64")
            self._values: Tensor = ops.convert_to_tensor(values, name="values")
            self._dense_shape: Tensor = ops.convert_to_tensor(
                dense_shape, name="dense_shape", dtype="int64"
            )
        indices_shape = self._indices.shape.with_rank(2)
        values_shape = self._values.shape.with_rank(1)
        dense_shape_shape = self._dense_shape.shape.with_rank(1)
        indices_shape.dims[0].merge_with(values_shape.dims[0])
        indices_shape.dims[1].merge_with(dense_shape_shape.dims[0])

    @classmethod
    def from_value(cls, sparse_tensor_value: SparseTensor | SparseTensorValue) -> SparseTensor:
        """Creates a SparseTensor from a SparseTensorValue or the tensors of a SparseTensor."""
        if not is_sparse(sparse_tensor_value):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        value = sparse_tensor_value
        return cls(value.indices, value.values, value.dense_shape)

    @property
    def shape(self) -> TensorShape:
        """The static dense shape, as far as `dense_shape` is statically known."""
        shape: TensorShape = ops.static_shape(self._dense_shape)
        return shape

    def get_shape(self) -> TensorShape:
        """Returns the static shape (the older spelling of `shape`)."""
        return self.shape

    def consumers(self) -> list[Operation]:
        """Returns the operations that consume any of its tensors."""
        return _consumers(self._to_components())

    def eval(
        self, feed_dict: FeedDict | None = None, session: DefaultSession | None = None
    ) -> SparseTensorValue:
        """Evaluates the tensor in `session` (default: the default session); returns a SparseTensorValue."""
        indices, values, dense_shape = evaluate(
            [self.indices, self.values, self.dense_shape], feed_dict, self.graph, session
        )
        return SparseTensorValue(indices, values, dense_shape)

    def __mul__(self, y: TensorLike) -> SparseTensor:
        """Multiplies the nonzero elements by a dense tensor that broadcasts to this tensor's shape."""
        return ops.sparse_dense_operator("mul", self, y)  # type: ignore[no-any-return]

    def __div__(self, y: TensorLike) -> SparseTensor:
        """Divides the nonzero elements by a dense tensor; integers round towards zero."""
        return ops.sparse_dense_operator("div", self, y)  # type: ignore[no-any-return]

    def __truediv__(self, y: TensorLike) -> SparseTensor:
        """Divides the nonzero elements by a dense tensor; integer quotients are floats."""
        return ops.sparse_dense_operator("truediv", self, y)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return f"SparseTensor(indices={self._indices!s}, values={self._values!s}, dense_shape={self._dense_shape!s})"

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self.shape, self.dtype)

    def _to_components(self) -> list[Tensor]:
        return [self._indices, self._values, self._dense_shape]


class SparseTensorSpec(ShapedTypeSpec):
    """Type spec of a SparseTensor.

    Args:
      shape: dense shape, None for any.
      dtype: dtype of the values.
    """

    _value_noun = "sparse tensor"

    @property
    def value_type(self) -> type:
        """`tf.SparseTensor`."""
        return SparseTensor

    @classmethod
    def from_value(cls, value: object) -> SparseTensorSpec:
        """Returns the spec of a SparseTensor or SparseTensorValue; raises TypeError for other values."""
        if isinstance(value, SparseTensorValue):
            if isinstance(value.values, np.ndarray):
                return cls(value.dense_shape, value.values.dtype)
            value = SparseTensor.from_value(value)
        if not isinstance(value, SparseTensor):
            raise TypeError("Expected SparseTensor or SparseTensorValue")
        return cls(value.shape, value.dtype)

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank = self._shape.ndims
        return [
            TensorSpec([None, rank], dtypes.int64),
            TensorSpec([None], self._dtype),
            TensorSpec([rank], dtypes.int64),
        ]

    def _to_components(self, value: SparseTensor | SparseTensorValue) -> list[Tensor]:
        if isinstance(value, SparseTensorValue):
            value = SparseTensor.from_value(value)
        return value._to_components()

    def _from_components(self, components: Sequence[Any]) -> SparseTensor | SparseTensorValue:
        if not tf2.enabled() and all(isinstance(part, np.ndarray) for part in components):
            return SparseTensorValue(*components)
        return SparseTensor(*components)

    @property
    def _flat_tensor_specs(self) -> list[TensorSpec]:
        return [TensorSpec(None, dtypes.variant)]  # shape unknown: a batch has several variants

    def _to_tensor_list(self, value: SparseTensor | SparseTensorValue) -> list[Tensor]:
        return [raw.SerializeSparse(*self._to_components(value), out_type=dtypes.variant)]

    def _to_batched_tensor_list(self, value: SparseTensor | SparseTensorValue) -> list[Tensor]:
        if self._shape.ndims == 0:
            raise ValueError("Unbatching a sparse tensor is only supported for rank >= 1")
        return [raw.SerializeManySparse(*self._to_components(value), out_type=dtypes.variant)]

    def _from_compatible_tensor_list(self, tensor_list: list[Tensor]) -> SparseTensor:
        result = SparseTensor(*raw.DeserializeSparse(tensor_list[0], dtype=self._dtype))
        result.indices.set_shape([None, self._shape.ndims])
        result.dense_shape.set_shape([self._shape.ndims])
        return result


register_type_spec_from_value_converter(SparseTensorValue, SparseTensorSpec.from_value)


def is_sparse(tensor: object) -> bool:
    """Whether a value is a SparseTensor or SparseTensorValue."""
    return isinstance(tensor, SparseTensor | SparseTensorValue)
