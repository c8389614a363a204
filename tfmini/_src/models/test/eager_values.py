"""Evaluation of eager tensors, for `TestCase.evaluate` and `TestCase.cached_session`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import map_structure
from tfmini._src.graph.composite_values import (
    IndexedSlices,
    IndexedSlicesValue,
    SparseTensor,
    SparseTensorValue,
)
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.ragged_tensor_value import RaggedTensorValue


def numpy_values(tensors: Any) -> Any:
    """Returns the numpy values of a structure of tensors, including composite tensors; None for None.

    Raises:
      ValueError: for objects without a value.
    """
    return None if tensors is None else map_structure(_numpy_value, tensors)


class FakeEagerSession:
    """Replaces a session in eager mode: `run` returns tensor values."""

    def run(self, fetches: Any, *args: Any, feed_dict: Any = None, **kwargs: Any) -> Any:
        """Returns the values of `fetches`, like `numpy_values`; raises RuntimeError for any other argument."""
        if feed_dict:
            raise RuntimeError(
                "feed_dict is not supported when eager execution is enabled (in this case, sess.run(t) is shorthand "
                "for t.numpy()"
            )
        if args or kwargs:
            raise RuntimeError(
                "Optional args are not supported when eager execution is enabled (in this case, sess.run(t) is "
                "shorthand for t.numpy()"
            )
        return numpy_values(fetches)


def _numpy_value(tensor: Any) -> Any:
    if tensor is None:
        return None
    if callable(tensor):
        return numpy_values(tensor())
    try:
        if isinstance(tensor, SparseTensor | SparseTensorValue):
            sparse: Any = (tensor.indices, tensor.values, tensor.dense_shape)
            return SparseTensorValue(*[part.numpy() for part in sparse])
        if isinstance(tensor, RaggedTensor):
            return RaggedTensorValue(_numpy_value(tensor.values), _numpy_value(tensor.row_splits))
        if isinstance(tensor, IndexedSlices):
            slices: Any = (tensor.values, tensor.indices, tensor.dense_shape)
            return IndexedSlicesValue(*[part.numpy() for part in slices])
        return tensor.numpy()
    except AttributeError as error:
        raise ValueError(f"Unsupported type {type(tensor)}.") from error
