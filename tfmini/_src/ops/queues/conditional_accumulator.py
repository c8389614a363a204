"""Accumulators, which aggregate gradients of several steps or threads."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, unknown_shape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _int64(value: Any) -> Tensor:
    return ops.cast(convert_to_tensor(value), dtypes.int64)


class ConditionalAccumulatorBase:
    """Base class of accumulators, which sum gradients until enough have arrived.

    Args:
      dtype: the dtype of the gradients.
      shape: the shape of the gradients, or None.
      accumulator_ref: the tensor of the accumulator handle.
    """

    accumulator_ref: Tensor = read_only("The tensor of the handle.")
    name: str = read_only("Last component of its node's name.")
    dtype: Any = read_only("The dtype of the gradients.")

    def __init__(self, dtype: DTypeLike, shape: ShapeLike, accumulator_ref: Tensor):
        self._dtype = dtype
        self._shape = unknown_shape() if shape is None else TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.split("/")[-1]

    def _form(self, name: str) -> Any:
        """Returns the op with this name in its resource or reference form."""
        is_resource = self._accumulator_ref.dtype == dtypes.resource
        return getattr(raw, f"Resource{name}" if is_resource else name)

    def num_accumulated(self, name: str | None = None) -> Tensor:
        """Returns the number of gradients accumulated since the last `take_grad` as a scalar int32 Tensor."""
        name = f"{self._name}_NumAccumulated" if name is None else name
        return self._form("AccumulatorNumAccumulated")(self._accumulator_ref, name=name)

    def set_global_step(self, new_global_step: TensorLike, name: str | None = None) -> Any:
        """Returns an operation that sets the accumulator's step; gradients of earlier steps are then dropped.

        Args:
          new_global_step: a scalar integer.
        """
        node = self._form("AccumulatorSetGlobalStep")
        return node(self._accumulator_ref, _int64(new_global_step), name=name)


@public
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Sums dense gradients and returns their mean once enough have arrived.

    Args:
      dtype: the gradient dtype: half, float or double.
      shape: the gradient shape, or None.
      shared_name: the name under which the accumulator is shared between graphs of a session or server.
      name: the name of the node.
      reduction_type: "MEAN" or "SUM".

    Raises:
      ValueError: for an unknown reduction type.

    Example:
      accumulator = tf.ConditionalAccumulator(tf.float32, shape=[2])
      session.run(accumulator.apply_grad([1.0, 2.0]))
      session.run(accumulator.take_grad(1))  # [1.0, 2.0]
    """

    def __init__(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None = None,
        shared_name: str | None = None,
        name: str = "conditional_accumulator",
        reduction_type: str = "MEAN",
    ):
        handle = raw.ResourceConditionalAccumulator(
            dtype=dtype,
            shape=shape,
            shared_name=shared_name,
            name=name,
            reduction_type=reduction_type,
        )
        super().__init__(dtype, shape, handle)

    def apply_grad(
        self, grad: TensorLike, local_step: TensorLike = 0, name: str | None = None
    ) -> Any:
        """Returns an operation that adds a gradient unless it is older than the accumulator's step.

        Args:
          grad: the gradient.
          local_step: the step at which it was computed, a scalar integer.

        Raises:
          ValueError, tf.errors.InvalidArgumentError (when run): if the shape of the gradient does not match.
        """
        grad = convert_to_tensor(grad, self._dtype)
        grad.get_shape().assert_is_compatible_with(self._shape)
        step = _int64(local_step)
        return self._form("AccumulatorApplyGradient")(
            self._accumulator_ref, local_step=step, gradient=grad, name=name
        )

    def take_grad(self, num_required: TensorLike, name: str | None = None) -> Tensor:
        """Blocks until `num_required` gradients arrive, returns their mean, resets, and increments the step.

        Args:
          num_required: a scalar int32.

        Raises:
          tf.errors.InvalidArgumentError (when run): if `num_required` is not positive.
          tf.errors.CancelledError (when run): if the session is closed.
        """
        take = self._form("AccumulatorTakeGradient")
        average = take(self._accumulator_ref, num_required, dtype=self._dtype, name=name)
        average.set_shape(self._shape)
        return average


@public
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Sums sparse gradients; the mean of a slice is taken over the gradients that include it.

    Args:
      dtype, shared_name, name, reduction_type: as for `tf.ConditionalAccumulator`.
      shape: the shape of the full tensor, or None.
    """

    @arguments_of(ConditionalAccumulator, name="sparse_conditional_accumulator")
    def __init__(self, dtype: Any, shape: Any, **attrs: Any):
        handle = raw.SparseConditionalAccumulator(dtype=dtype, shape=shape, **attrs)
        super().__init__(dtype, shape, handle)

    def apply_indexed_slices_grad(
        self, grad: IndexedSlices, local_step: TensorLike = 0, name: str | None = None
    ) -> Any:
        """`apply_grad` for IndexedSlices."""
        return self.apply_grad(
            grad_indices=grad.indices,
            grad_values=grad.values,
            grad_shape=grad.dense_shape,
            local_step=local_step,
            name=name,
        )

    def apply_grad(
        self,
        grad_indices: TensorLike,
        grad_values: TensorLike,
        grad_shape: TensorLike | None = None,
        local_step: TensorLike = 0,
        name: str | None = None,
    ) -> Any:
        """Returns an operation that adds a gradient unless it is older than the accumulator's step.

        Args:
          grad_indices: a vector of slice indices in ascending order.
          grad_values: the slices.
          grad_shape: the shape of the full tensor, or None.
          local_step: the step at which it was computed, a scalar integer.

        Raises:
          tf.errors.InvalidArgumentError (when run): if the gradient is inconsistent or does not match the accumulator.
        """
        step = _int64(local_step)
        return raw.SparseAccumulatorApplyGradient(
            self._accumulator_ref,
            local_step=step,
            gradient_indices=ops.cast(grad_indices, dtypes.int64),
            gradient_values=grad_values,
            gradient_shape=ops.cast([] if grad_shape is None else grad_shape, dtypes.int64),
            has_known_shape=grad_shape is not None,
            name=name,
        )

    def take_grad(self, num_required: TensorLike, name: str | None = None) -> Any:
        """Returns the mean as a tuple of indices, values and shape; see `tf.ConditionalAccumulator`."""
        return raw.SparseAccumulatorTakeGradient(
            self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )

    def take_indexed_slices_grad(
        self, num_required: TensorLike, name: str | None = None
    ) -> IndexedSlices:
        """Returns the mean of the gradients as IndexedSlices; see `take_grad`."""
        mean = self.take_grad(num_required, name)
        return IndexedSlices(indices=mean.indices, values=mean.values, dense_shape=mean.shape)
