"""Tensor lists: creation, `append`, `pop`, item reads and assignments; also for TensorArrays and Python lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.ops import ops, raw
from tfmini._src.ops.lists.tensor_array import TensorArray


def new_list(elements: Any) -> Any:
    """Returns a list of elements; if empty, a tensor list of any dtype, as a variant."""
    if elements:
        return list(elements)
    shape = ops.convert_to_tensor(ops.constant(-1), dtypes.int32)
    return raw.EmptyTensorList(
        element_shape=shape, max_num_elements=-1, element_dtype=dtypes.variant
    )


def list_append(list_: Any, x: Any) -> Any:
    """Returns the list after `list_.append(x)`.

    Raises:
      ValueError: for a tensor that is not a tensor list.
    """
    if isinstance(list_, TensorArray):
        return list_.write(list_.size(), x)
    if not is_tensor(list_):
        list_.append(x)
        return list_
    _check_list(list_)

    def new_list() -> Any:
        tensor = ops.convert_to_tensor(x)
        return raw.EmptyTensorList(
            element_shape=ops.shape(tensor), max_num_elements=-1, element_dtype=tensor.dtype
        )

    target = ops.cond(raw.TensorListLength(list_) > 0, lambda: list_, new_list)
    return raw.TensorListPushBack(target, x)


def list_pop(list_: Any, index: Any) -> tuple[Any, Any]:
    """Returns the list after `list_.pop(index)`, and the removed element.

    Raises:
      ValueError: for a TensorArray, or a tensor list of unknown dtype.
      NotImplementedError: for an index into these.
    """
    if isinstance(list_, TensorArray):
        raise ValueError("TensorArray does not support item removal")
    if not is_tensor(list_):
        item = list_.pop() if index is None else list_.pop(index)
        return list_, item
    _check_list(list_)
    if index is not None:
        raise NotImplementedError("tensor lists only support removing from the end")
    raise ValueError(
        "cannot pop from a list without knowing its element type; use set_element_type to annotate it"
    )


def get_item(target: Any, index: Any) -> Any:
    """Returns `target[index]`, which is a character of a string or an element of a TensorArray."""
    if isinstance(target, TensorArray):
        return target.read(index)
    if is_tensor(target) and target.dtype == dtypes.variant:
        raise ValueError(
            "cannot retrieve from a list without knowing its element type; use set_element_type to annotate it"
        )
    if is_tensor(target) and target.dtype == dtypes.string and target.shape.ndims == 0:
        return raw.Substr(target, index, 1)
    return target[index]


def set_item(target: Any, index: Any, x: Any) -> Any:
    """Returns `target` after `target[index] = x`; for a tensor, a new tensor."""
    if isinstance(target, TensorArray):
        return target.write(index, x)
    if not is_tensor(target):
        target[index] = x
        return target
    if target.dtype == dtypes.variant:
        return raw.TensorListSetItem(target, index, x)
    return raw.TensorScatterUpdate(target, ((index,),), (x,))


def assert_stmt(test: Any, message: Callable[[], str]) -> Any:
    """Implements `assert test, message()`; for a tensor, adds a node that fails at run time."""
    if is_tensor(test):
        return ops.Assert(test, [message()])
    assert test, message()
    return None


def _check_list(list_: Any) -> None:
    if list_.dtype != dtypes.variant:
        raise ValueError(
            f"tensor lists are expected to be Tensors with dtype=tf.variant, instead found {list_}"
        )
