"""`tf.TensorArray`: a list of tensors that loops write and read."""

from __future__ import annotations

import traceback
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.eager.used_results import should_use_result
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import colocate_with, control_dependencies, device, name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
class TensorArray:
    """A list of tensors that is written and read within a step, typically in a loop.

    Each element is written once. Every write returns a new TensorArray with a new `flow`; using the new array,
    also as a loop variable, ensures that reads follow writes. Gradients flow through it.

    Args:
      dtype: the dtype of the elements.
      size: int32 scalar, the number of elements; required unless `handle` is passed.
      dynamic_size: whether writes beyond the end extend the array; False by default.
      clear_after_read: whether reading an element frees it and prevents another read; True by default.
      tensor_array_name: a name for error messages.
      handle: the handle of an existing TensorArray; requires `flow`.
      flow: the float32 scalar returned by the last operation on the array.
      infer_shape: whether all elements have the same shape.
      element_shape: the static shape of the elements, which may be partial.
      colocate_with_first_write_call: whether to place the array on the device of the first tensor written.

    Raises:
      ValueError: if both or neither of `size` and `handle` are passed, or `handle` with an argument that it determines.
      TypeError: if `handle` is not a tensor.

    Example:
        squares = tf.TensorArray(tf.float32, size=3)
        _, squares = tf.while_loop(
            lambda i, a: i < 3, lambda i, a: (i + 1, a.write(i, tf.cast(i * i, tf.float32))), [0, squares])
        squares.stack()  # [0., 1., 4.]
    """

    flow: Tensor = read_only(
        "A float32 scalar that depends on all previous operations on the array."
    )
    dtype: dtypes.DType = read_only("The dtype of the elements.")
    handle: Tensor = read_only("The handle that identifies the array at run time.")
    dynamic_size: bool = read_only("Whether writes past the end extend the array.")

    def __new__(cls, *args: Any, **kwargs: Any) -> TensorArray:
        """Creates an instance of the subclass for eager mode or function bodies where applicable."""
        array_class: Any = cls
        if cls is TensorArray and executing_eagerly():
            array_class = ops.EagerTensorArray
        elif cls is TensorArray and _is_in_function():
            array_class = ops.ListTensorArray
        return super().__new__(array_class)

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ):
        if handle is not None and tensor_array_name:
            raise ValueError("Cannot construct with both handle and tensor_array_name")
        if handle is not None and not isinstance(handle, Tensor):
            raise TypeError("Handle must be a Tensor")
        if handle is None and size is None:
            raise ValueError("Size must be provided if handle is not provided")
        if handle is not None:
            fixed = {
                "size": size,
                "element_shape": element_shape,
                "dynamic_size": dynamic_size,
                "clear_after_read": clear_after_read,
            }
            for argument, value in fixed.items():
                if value is not None:
                    raise ValueError(
                        f"Cannot provide both a handle and {argument} at the same time"
                    )
        self._dynamic_size = dynamic_size or False
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._colocates = colocate_with_first_write_call
        # Shared with derived arrays: the first tensor written, and the element shape.
        self._colocate_with: list | None = [] if colocate_with_first_write_call else None
        self._element_shape = [as_shape(element_shape)]
        self._infer_shape = infer_shape
        with name_scope(name, "TensorArray", [handle, size, flow]) as scope:
            if handle is not None:
                if flow is None:
                    raise ValueError("flow must not be None if handle is not None.")
                self._handle, self._flow = handle, flow
                return
            attrs = {
                "dtype": dtype,
                "element_shape": element_shape,
                "identical_element_shapes": infer_shape,
                "dynamic_size": self._dynamic_size,
                "clear_after_read": True if clear_after_read is None else clear_after_read,
                "tensor_array_name": tensor_array_name,
                "name": scope,
            }
            if colocate_with_first_write_call:
                with device(None), colocate_with(None, ignore_existing=True):
                    self._handle, self._flow = raw.TensorArrayV3(size, **attrs)
            else:
                self._handle, self._flow = raw.TensorArrayV3(size, **attrs)

    @property
    def element_shape(self) -> TensorShape:
        """The static shape of the elements."""
        return self._element_shape[0]

    def _with_flow(self, flow: Any) -> TensorArray:
        """Returns this array in the state after `flow`."""
        if _is_in_function():
            raise NotImplementedError(
                "Attempting to build a graph-mode TF2-style TensorArray from either an eager-mode TensorArray or a "
                "TF1-style TensorArray.  This is not currently supported.  You may be attempting to capture a "
                "TensorArray inside a tf.function or tf.data map function. Instead, construct a new TensorArray "
                "inside the function."
            )
        array = TensorArray(
            self._dtype,
            handle=self._handle,
            flow=flow,
            infer_shape=self._infer_shape,
            colocate_with_first_write_call=self._colocates,
        )
        array._dynamic_size = self._dynamic_size
        array._colocate_with = self._colocate_with
        array._element_shape = self._element_shape
        return array

    def _narrow(self, shape: TensorShape) -> None:
        """Merges the shape of a written tensor into the static element shape."""
        if not shape.is_compatible_with(self.element_shape):
            raise ValueError(f"Inconsistent shapes: saw {shape} but expected {self.element_shape} ")
        if self._infer_shape:
            self._element_shape[0] = self.element_shape.merge_with(shape)

    def _colocate_with_first(self, value: Tensor) -> AbstractContextManager:
        """Colocates nodes with the first tensor written, which is `value` unless one was written earlier."""
        if self._colocate_with is None:
            return nullcontext()
        if not self._colocate_with:
            self._colocate_with.append(value)
        return colocate_with(self._colocate_with[0])

    def _convert(self, value: Any) -> Tensor:
        value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
        if value.dtype != self._dtype:
            logs.error(
                "Error: Input value %s has dtype %s, but expected dtype %s.  This leads to undefined behavior and "
                "will be an error in future versions of TensorFlow.  Traceback:\n%s",
                value,
                value.dtype,
                self._dtype,
                "".join(traceback.format_stack()),
            )
        return value

    def identity(self) -> TensorArray:
        """Returns this array passed through an Identity op that has the current control dependencies."""
        return self._with_flow(ops.identity(self._flow))

    def grad(self, source: str, flow: Tensor | None = None, name: str | None = None) -> TensorArray:
        """Returns the array that accumulates the gradients of this array for one call of `tf.gradients`.

        Args:
          source: the name of the call.
          flow: the flow after which this array has its final size; by default the flow of this array.
        """
        if flow is None:
            flow = self._flow
        with name_scope(name, "TensorArrayGrad", [self._handle]):
            with colocate_with(self._handle):
                handle, _ = raw.TensorArrayGradV3(self._handle, flow, source=source, name=name)
                with control_dependencies([handle]):
                    flow = ops.identity(flow, name="gradient_flow")
                array = TensorArray(
                    self._dtype,
                    handle=handle,
                    flow=flow,
                    infer_shape=self._infer_shape,
                    colocate_with_first_write_call=False,
                )
                array._element_shape = self._element_shape
                return array

    def read(self, index: TensorLike, name: str | None = None) -> Tensor:
        """Returns the element at `index`, an int32 scalar."""
        value = raw.TensorArrayReadV3(self._handle, index, self._flow, dtype=self._dtype, name=name)
        value.set_shape(self.element_shape.dims)
        return value

    @should_use_result
    def write(self, index: TensorLike, value: TensorLike, name: str | None = None) -> TensorArray:
        """Writes `value` to the element at `index`, an int32 scalar.

        Returns:
          The array after the write.

        Raises:
          ValueError: if the shape of `value` does not match the element shape.
        """
        with name_scope(name, "TensorArrayWrite", [self._handle, index, value]):
            value = self._convert(value)
            self._narrow(value.shape)
            with self._colocate_with_first(value):
                flow = raw.TensorArrayWriteV3(self._handle, index, value, self._flow, name=name)
            return self._with_flow(flow)

    def stack(self, name: str | None = None) -> Tensor:
        """Stacks all elements, which must have the same shape, along a new first axis."""
        with colocate_with(self._handle), name_scope(name, "TensorArrayStack", [self._handle]):
            return self.gather(ops.range(0, self.size()), name=name)

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Stacks the elements at `indices`, an int32 vector, along a new first axis."""
        value = raw.TensorArrayGatherV3(
            self._handle,
            indices,
            self._flow,
            dtype=self._dtype,
            element_shape=self.element_shape,
            name=name,
        )
        if self.element_shape:
            value.set_shape(TensorShape([None]).concatenate(self.element_shape))
        return value

    def concat(self, name: str | None = None) -> Tensor:
        """Concatenates all elements along their first axis, along which sizes may differ."""
        value, _ = raw.TensorArrayConcatV3(
            self._handle,
            self._flow,
            dtype=self._dtype,
            element_shape_except0=self.element_shape[1:],
            name=name,
        )
        if self.element_shape:
            value.set_shape(TensorShape([None]).concatenate(self.element_shape[1:]))
        return value

    @should_use_result
    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """Writes the rows of `value` to the elements, starting at index 0.

        Returns:
          The array after the write.

        Raises:
          ValueError: if the shape of the rows does not match the element shape.
        """
        with name_scope(name, "TensorArrayUnstack", [self._handle, value]):
            count = ops.shape(value)[0]
            return self.scatter(ops.range(0, count), value, name=name)

    @should_use_result
    def scatter(
        self, indices: TensorLike, value: TensorLike, name: str | None = None
    ) -> TensorArray:
        """Writes the rows of `value` to the elements at `indices`, an int32 vector.

        Returns:
          The array after the write.

        Raises:
          ValueError: if the shape of the rows does not match the element shape.
        """
        with name_scope(name, "TensorArrayScatter", [self._handle, value, indices]):
            value = self._convert(value)
            self._narrow(value.shape[1:])
            with self._colocate_with_first(value):
                flow = raw.TensorArrayScatterV3(self._handle, indices, value, self._flow, name=name)
            return self._with_flow(flow)

    @should_use_result
    def split(self, value: TensorLike, lengths: TensorLike, name: str | None = None) -> TensorArray:
        """Writes consecutive parts of `value` with `lengths` rows to elements 0, 1, ...

        Returns:
          The array after the write.

        Raises:
          ValueError: if the shape of the parts does not match the element shape.
        """
        with name_scope(name, "TensorArraySplit", [self._handle, value, lengths]):
            value = ops.convert_to_tensor(value, dtype=self._dtype, name="value")
            with self._colocate_with_first(value):
                lengths = ops.cast(lengths, dtypes.int64)
                static = get_static_value(lengths)
                if value.shape.dims is not None and static is not None:
                    if static.shape and static.max() == static.min():
                        self._narrow(TensorShape([static[0]]).concatenate(value.shape[1:]))
                flow = raw.TensorArraySplitV3(self._handle, value, lengths, self._flow, name=name)
            return self._with_flow(flow)

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of elements as an int32 scalar."""
        return raw.TensorArraySizeV3(self._handle, self._flow, name=name)

    @should_use_result
    def close(self, name: str | None = None) -> Any:
        """Returns an operation that deletes all elements."""
        return raw.TensorArrayCloseV3(self._handle, name=name)


def _is_in_function() -> bool:
    return get_default_graph()._build_while is not None


def as_flow(value: Any) -> Any:
    """Returns the flow of a TensorArray; other values are returned unchanged."""
    return value.flow if isinstance(value, TensorArray) else value


def restore_tensor_arrays(values: list, flows: list) -> list:
    """Replaces each of `flows` with a TensorArray if the corresponding one of `values` is a TensorArray."""
    return [
        value._with_flow(flow) if isinstance(value, TensorArray) else flow
        for value, flow in zip(values, flows)
    ]
