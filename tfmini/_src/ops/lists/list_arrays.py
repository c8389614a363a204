"""`tf.TensorArray` in function bodies, stored as a variant tensor that contains an immutable list."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph import raw
from tfmini._src.graph.eager.used_results import should_use_result
from tfmini._src.graph.public_functions import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


def element_shape_input(shape: Any) -> Any:
    """Converts the static element shape to an input of list ops, where -1 means an unknown dimension or rank."""
    if isinstance(shape, TensorShape):
        shape = None if shape.dims is None else shape.as_list()
    if shape is None:
        return -1
    if isinstance(shape, Tensor):
        return shape
    if isinstance(shape, np.ndarray | np.generic) or not shape:
        return ops.convert_to_tensor(shape, dtype=dtypes.int32)
    return [-1 if size is None else int(size) for size in shape]


@public
class ListTensorArray(TensorArray):
    """A TensorArray whose flow is the list of its elements."""

    @arguments_of(TensorArray)
    def __init__(
        self, dtype: Any, size: Any, flow: Any, element_shape: Any, name: Any, **options: Any
    ):
        if flow is not None and (not isinstance(flow, Tensor) or flow.dtype != dtypes.variant):
            raise TypeError("flow must be a variant tensor")
        if flow is None and size is None:
            raise ValueError("Size must be provided if flow is not provided")
        for argument, value in (("size", size), ("element_shape", element_shape)):
            if flow is not None and value is not None:
                raise ValueError(f"Cannot provide both a flow and {argument} at the same time")
        self._dynamic_size = options["dynamic_size"] or False
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._element_shape = [as_shape(element_shape)]
        self._infer_shape = options["infer_shape"]
        self._handle: Any = None
        with name_scope(name, "TensorArrayV2", [size, flow]) as scope:
            if flow is None:
                shape = element_shape_input(element_shape)
                flow = raw.TensorListReserve(shape, size, element_dtype=dtype, name=scope)
            self._flow = flow

    def _with_flow(self, flow: Any) -> ListTensorArray:
        array = ListTensorArray(self._dtype, flow=flow, infer_shape=self._infer_shape)
        array._dynamic_size = self._dynamic_size
        array._element_shape = self._element_shape
        return array

    def grad(self, source: str, flow: Any = None, name: str | None = None) -> TensorArray:
        """Raises NotImplementedError, because gradients flow through the list as through any tensor."""
        raise NotImplementedError

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """Returns the element at `index`, an int32 scalar."""
        with name_scope(name, "TensorArrayV2Read", [self._flow, index]):
            shape = element_shape_input(self.element_shape)
            return raw.TensorListGetItem(
                self._flow, index, shape, element_dtype=self._dtype, name=name
            )

    @should_use_result
    def write(self, index: Any, value: TensorLike, name: str | None = None) -> TensorArray:
        """Returns the array with `value` at `index`, an int32 scalar; raises ValueError if element shapes differ."""
        with name_scope(name, "TensorArrayV2Write", [self._flow, index, value]):
            value = self._convert(value)
            self._narrow(value.shape)
            flow = self._flow
            if self._dynamic_size:
                size = raw.TensorListLength(flow)
                flow = ops.cond(
                    index >= size,
                    lambda: raw.TensorListResize(self._flow, index + 1),
                    lambda: self._flow,
                )
            return self._with_flow(raw.TensorListSetItem(flow, index, value, name=name))

    def stack(self, name: str | None = None) -> Tensor:
        """Stacks all elements, which must have the same shape, along a new first axis."""
        with name_scope(name, "TensorArrayV2Stack", [self._flow]):
            shape = element_shape_input(self.element_shape)
            return raw.TensorListStack(self._flow, shape, element_dtype=self._dtype)

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Stacks the elements at `indices`, an int32 vector, along a new first axis."""
        shape = element_shape_input(self.element_shape)
        return raw.TensorListGather(
            self._flow, indices, shape, element_dtype=self._dtype, name=name
        )

    def concat(self, name: str | None = None) -> Tensor:
        """Concatenates all elements along their first axis, along which sizes may differ."""
        static = self.element_shape
        shape = element_shape_input([None, *static.as_list()[1:]] if static else None)
        leading = ops.convert_to_tensor([], dtype=dtypes.int64)
        return raw.TensorListConcatV2(
            self._flow, shape, leading, element_dtype=self._dtype, name=name
        )[0]

    @should_use_result
    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """Returns an array of the rows of `value`; raises ValueError if the element shape differs."""
        with name_scope(name, "TensorArrayUnstack", [self._flow, value]):
            value = self._convert(value)
            rows = value.shape[1:]
            self._narrow(rows)
            return self._with_flow(raw.TensorListFromTensor(value, element_shape_input(rows)))

    @should_use_result
    def scatter(
        self, indices: TensorLike, value: TensorLike, name: str | None = None
    ) -> TensorArray:
        """Returns the array with the rows of `value` at `indices`, int32; raises ValueError if element shapes vary."""
        with name_scope(name, "TensorArrayScatter", [self._flow, value, indices]):
            value = self._convert(value)
            self._narrow(value.shape[1:])
            flow = raw.TensorListScatterIntoExistingList(self._flow, value, indices)
            return self._with_flow(flow)

    @should_use_result
    def split(self, value: TensorLike, lengths: TensorLike, name: str | None = None) -> TensorArray:
        """Returns an array of parts of `value` of `lengths` rows; raises ValueError if the element shape differs."""
        with name_scope(name, "TensorArraySplit", [self._flow, value, lengths]):
            value = self._convert(value)
            lengths = ops.cast(lengths, dtypes.int64)
            static = get_static_value(lengths)
            if value.shape.dims is not None and static is not None:
                if static.shape and static.max() == static.min():
                    self._narrow(TensorShape([static[0]]).concatenate(value.shape[1:]))
            shape = element_shape_input(self.element_shape)
            return self._with_flow(raw.TensorListSplit(value, shape, lengths, name=name))

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of elements as an int32 scalar."""
        return raw.TensorListLength(self._flow, name=name)

    @should_use_result
    def close(self, name: str | None = None) -> Any:
        """Does nothing, because the list is freed with its last reference."""
        return raw.NoOp(name=name)
